import type { ResourceReport } from '../../../domain/status/report.ts';
import { toMs } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import type { Incident } from '../../../store/ports/incidents.ts';
import { strip } from './charts/last-day-strip.ts';
import { badge } from './layout.ts';
import type { PageColumn } from './table.ts';

/** The last day of a clinic, as far as known. */
export interface LastDay {
  incidents: readonly Incident[];
  /** Starts of the hours in which it was called. */
  hours: readonly number[];
}

/** One failure is shown as “Failed once”, several in a row as “Failing”. */
export function resourceState(
  { stale, failures, last_success_at, idle_at }: ResourceReport,
  { t }: Locale,
): Html {
  if (stale) return badge('bad', t('resource_stale'));
  if (failures > 0) return badge('attention', t(failures === 1 ? 'failed_once' : 'failing'));
  if (idle_at !== null && (last_success_at === null || idle_at > last_success_at))
    return badge('ok', t('nothing_due'));
  return last_success_at === null ? badge('attention', t('waiting')) : badge('ok', t('resource_fresh'));
}

/** The last day of one resource; a clinic that does not answer counts as trouble of each. */
export function resourceStrip(
  { poll, interval_ms: intervalMs }: Pick<ResourceReport, 'poll' | 'interval_ms'>,
  { incidents, hours }: LastDay,
  now: number,
  locale: Locale,
): Html {
  const own = incidents.filter(
    ({ kind, subject }) =>
      kind === 'unreachable' || (subject === poll && ['stale', 'failing', 'late'].includes(kind)),
  );
  return strip({ subject: locale.t(`poll_${poll}`), incidents: own, hours, intervalMs, now }, locale);
}

interface ResourceColumns {
  clinic: string;
  day: LastDay;
  now: number;
  locale: Locale;
  /** True on the clinic's own page, which shows everything. */
  full: boolean;
}

export function resourceColumns({
  clinic,
  day,
  now,
  locale,
  full,
}: ResourceColumns): PageColumn<ResourceReport>[] {
  const { t, number, time } = locale;
  const base = `/clinics/${encodeURIComponent(clinic)}`;
  const more: PageColumn<ResourceReport>[] = [
    {
      title: t('last_change'),
      cell: ({ last_change_at }) => time(last_change_at, now, t('none_yet')),
    },
    {
      title: t('next_poll'),
      // An overdue poll is due now.
      cell: ({ next_due_at: at }) =>
        at !== null && toMs(at) <= now ? t('now_due') : time(at, now, t('not_planned')),
    },
    { title: t('failures'), cell: ({ failures }) => number(failures), figure: true },
  ];
  return [
    { title: t('resource'), cell: ({ poll }) => html`<a href="${base}/${poll}">${t(`poll_${poll}`)}</a>` },
    { title: t('state'), name: 'state', cell: (resource) => resourceState(resource, locale) },
    {
      title: t('last_day'),
      name: 'strip',
      cell: (resource) => resourceStrip(resource, day, now, locale),
    },
    { title: t('rows'), cell: ({ rows }) => number(rows), figure: true },
    { title: t('last_read'), cell: ({ last_success_at }) => time(last_success_at, now, t('none_yet')) },
    ...(full ? more : []),
  ];
}
