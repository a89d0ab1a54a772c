import { bookingStates } from '../../domain/bookings/booking.ts';
import type { Change } from '../../domain/clinics/change.ts';
import { causeOf } from '../../domain/status/need-words.ts';
import type { BookingReport, StatusReport } from '../../domain/status/report.ts';
import { retentionSentence } from '../../domain/status/retention-sentence.ts';
import { toMs } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import { type Html, html } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { type ClinicsPage, clinicsPage } from '../../reports/clinics-page.ts';
import type { Activity } from '../../store/ports/activity.ts';
import { may } from '../access/roles.ts';
import type { ListedBooking } from '../desk.ts';
import { changeList } from './changes-page.ts';
import type { ClinicLeads } from './clinic-page.ts';
import { card } from './parts/card.ts';
import { leadsChart, trafficCharts } from './parts/charts/traffic-charts.ts';
import { clinicCard, nothingKnown } from './parts/clinic-card.ts';
import { inWords } from './parts/connector-words.ts';
import { connectorsSection, targetsSection } from './parts/connectors-section.ts';
import { fleetSection } from './parts/fleet-section.ts';
import { headline } from './parts/headline.ts';
import { badge, icon, layout, type Tone, toneClass, toneOf, type Viewer } from './parts/layout.ts';
import { needsSection } from './parts/needs-section.ts';
import type { LastDay } from './parts/resource-row.ts';
import { type PageColumn, table } from './parts/table.ts';

interface StatusPage {
  report: StatusReport;
  viewer: Viewer;
  now: number;
  /** False with `?refresh=off`, for people whom updates disturb. */
  refresh: boolean;
  /** Shows the needs after this subject. */
  after?: string | undefined;
  /** The page of clinics that is shown. */
  clinics?: ClinicsPage;
  /** Null when they could not be read. */
  bookings?: ReadonlyMap<string, ListedBooking> | null;
  /** The last day of the clinics on the page. */
  days?: ReadonlyMap<string, LastDay>;
  /** Undefined with many clinics, each of which has its own. */
  leads?: ClinicLeads | undefined;
  hours?: readonly Activity[];
  changes?: readonly Change[];
  /** Also shows what only those who run clinic-sync need. */
  full?: boolean;
  /** True when something on the page besides the report could not be read. */
  isPartial?: boolean;
}

/** The page at `/` for signed-in people. `bookings` are the only patient data on it. */
export function statusPage({ report, viewer, now, refresh, after, bookings, ...given }: StatusPage): string {
  const clinics = given.clinics ?? clinicsPage(report, { limit: CLINICS_ON_PAGE });
  const { days, leads, hours = [], changes = [], isPartial = false, full = true } = given;
  const { locale } = viewer;
  const { t } = locale;
  return layout({
    title: headline(report, now, locale),
    viewer,
    tone: toneFor(report),
    script: true,
    live: refresh,
    body: html`
      ${verdict(report, now, locale)}
      ${!report.database.ok && databaseFault(report.database.problem, locale)}
      ${
        isPartial &&
        html`<div class="notice is-bad" role="alert">${badge('bad', t('overview_partial'))}</div>`
      }
      <div id="part-trouble" data-live>${troubleSection(report, now, locale)}</div>
      <div id="part-needs" data-live>${needsSection(report, { viewer, now, after, bookings })}</div>
      ${
        full &&
        clinics.shown.map((clinic) =>
          clinicCard(clinic, {
            viewer,
            locale,
            day: days?.get(clinic.clinic) ?? nothingKnown,
            now,
            full: false,
          }),
        )
      }
      ${full && otherClinics(report, clinics, locale)}
      ${full && !may(viewer.role, '/audit') && html`<p class="hint"><a href="/">${t('less')}</a></p>`}
      ${
        // Nothing is known while the database has never answered.
        (report.database.ok || report.clinics.length > 0) && [
          html`
            <div class="pair">
              ${
                leads &&
                card(
                  {
                    id: 'leads',
                    title: t('chart_leads'),
                    beside: html`<p class="faint">${t('last_fortnight')}</p>`,
                    isLive: true,
                  },
                  leadsChart({ ...leads, id: 'plot-leads' }, locale),
                )
              }
              ${bookingsSection(report.bookings, viewer)}
            </div>
          `,
          ...(full ? [] : [html`<p class="hint"><a href="/?all">${t('behind_it')}</a></p>`]),
        ]
      }
      ${
        full &&
        (report.database.ok || report.clinics.length > 0) && [
          card(
            {
              id: 'traffic',
              title: t('traffic'),
              beside: html`<p class="faint">${t('last_week')}</p>`,
              isLive: true,
            },
            trafficCharts({ id: 'plot', hours, now }, locale),
          ),
          connectorsSection(report.connectors, viewer, now),
          targetsSection(report, viewer, now),
          fleetSection(report.fleet, now, locale),
          changes.length > 0 &&
            card(
              {
                id: 'changes',
                title: t('recent_changes'),
                beside: html`<p><a href="/change-log">${t('all_changes')}</a></p>`,
                isLive: true,
              },
              changeList(changes, { locale, now, several: report.clinics_total > 1 }),
            ),
        ]
      }
    `,
    footer: footer(report, { refresh, now, locale }),
  });
}

function footer(
  report: StatusReport,
  { refresh, now, locale }: { refresh: boolean; now: number; locale: Locale },
): Html {
  const { t, duration } = locale;
  return html`
    <p>
      clinic-sync ${report.version}
      ${
        report.started_at !== null &&
        html` · ${t('running_for', { time: duration(now - toMs(report.started_at)) })}`
      }
      ${
        report.database.bytes !== null &&
        html` · ${t('database_size', { size: bytes(report.database.bytes, locale) })}`
      } · <a href="/status.json">status.json</a> · <a href="/metrics">metrics</a>
    </p>
    ${locale.isSource && report.retention && html`<p>${retentionSentence(report.retention)}</p>`}
    <p>
      ${
        refresh
          ? html`${t('live')} · <a href="/?refresh=off">${t('live_stop')}</a>`
          : html`${t('live_off')} · <a href="/">${t('live_start')}</a>`
      }
    </p>
  `;
}

/** Clinics per page. */
export const CLINICS_ON_PAGE = 20;

function otherClinics(
  { clinics_total }: StatusReport,
  { shown, left, next }: ClinicsPage,
  { t }: Locale,
): Html | undefined {
  if (shown.length === clinics_total) return undefined;
  return html`
    <p class="hint">
      ${t('shown_of', { shown: shown.length, total: clinics_total })} · <a href="/">${t('from_top')}</a>
      ${
        next !== null &&
        html` · <a href="/?clinics=${encodeURIComponent(next)}">
            ${t('next_clinics', { count: Math.min(left, CLINICS_ON_PAGE) })}
          </a>`
      }
    </p>
  `;
}

/** Open needs are not a fault of the sync, but need attention. */
const toneFor = ({ health, needs_total }: StatusReport): Tone =>
  health === 'ok' && needs_total > 0 ? 'attention' : toneOf[health];

const verdict = (report: StatusReport, now: number, locale: Locale): Html => {
  const tone = toneFor(report);
  const { t, rich, time } = locale;
  return html`
    <section class="verdict ${toneClass[tone]}" aria-labelledby="verdict" id="part-verdict" data-live>
      ${icon(tone)}
      <div>
        <h1 id="verdict">${headline(report, now, locale)}</h1>
        <p>
          ${t(meaning(report))} ${recovery(report, now, locale)}
          ${rich('checked', { time: time(report.at, now) })}
        </p>
      </div>
    </section>
  `;
};

function meaning({ health, needs_total }: StatusReport) {
  if (health !== 'ok') return `word_${health}` as const;
  return needs_total > 0 ? 'means_needs' : 'means_ok';
}

/** How long a recovery is shown to people who were alerted. */
const RECOVERY_SHOWN_MS = HOUR;

const recovery = (
  { recovered }: StatusReport,
  now: number,
  { rich, time, duration }: Locale,
): Html | undefined =>
  recovered !== null && now - toMs(recovered.at) < RECOVERY_SHOWN_MS
    ? html`
      ${rich('recovered', {
        time: time(recovered.at, now),
        duration: duration(toMs(recovered.at) - toMs(recovered.since)),
      })} `
    : undefined;

/**
 * All causes. English headlines already state a single one; other languages show its kind there and its detail here.
 */
function troubleSection({ reasons }: StatusReport, now: number, locale: Locale): Html | undefined {
  const { t, time, isSource } = locale;
  if (reasons.length < (isSource ? 2 : 1)) return undefined;
  return card(
    {
      id: 'trouble',
      title: t('what_is_wrong'),
      beside: html`<p><a href="/incidents">${t('nav_incidents')}</a></p>`,
    },
    html`
      <ul class="reasons">
        ${reasons.slice(0, MOST_REASONS).map(
          (reason) =>
            html`
              <li>
                ${badge(toneOf[reason.health], t(`health_${reason.health}`))}${' '}
                ${!isSource && html`${causeOf(reason, locale)}: `}
                ${inWords(reason.sentence, reason.said, locale)}
                ${reason.since !== null && html` <span class="faint">· ${time(reason.since, now)}</span>`}
              </li>
            `,
        )}
      </ul>
      ${
        reasons.length > MOST_REASONS &&
        html`<p class="hint">${t('and_more', { count: reasons.length - MOST_REASONS })}</p>`
      }
    `,
  );
}

const MOST_REASONS = 20;

const databaseFault = (problem: string | null, { t }: Locale): Html =>
  html`
    <div class="notice is-bad" role="alert">
      ${badge('bad', t('database_down'))}<span lang="en" dir="ltr">${problem}</span>
    </div>
  `;

function bookingsSection(bookings: readonly BookingReport[], viewer: Viewer): Html {
  const { t, number } = viewer.locale;
  const columns: PageColumn<BookingReport>[] = [
    { title: t('source'), cell: ({ source }) => html`<code>${source}</code>` },
    { title: t('today'), name: 'today', cell: ({ today }) => number(today), figure: true },
    { title: t('seven_days'), cell: ({ last_7_days }) => number(last_7_days), figure: true },
    { title: t('states'), name: 'states', cell: ({ states }) => stateList(states, viewer) },
  ];
  return card(
    {
      id: 'bookings',
      title: t('bookings'),
      beside: may(viewer.role, '/bookings') && html`<p><a href="/bookings">${t('all_bookings')}</a></p>`,
      isLive: true,
    },
    table(t('bookings'), columns, bookings, t('no_bookings_yet')),
  );
}

const stateList = (states: BookingReport['states'], { role, locale }: Viewer): Html =>
  html`
    <span class="states">${bookingStates
      .filter((state) => (states[state] ?? 0) > 0)
      .map((state) => {
        const words = html`${locale.t(`booking_${state}`)} <b>${locale.number(states[state] ?? 0)}</b>`;
        return may(role, '/bookings')
          ? html`<a href="/bookings?state=${state}">${words}</a>`
          : html`<span>${words}</span>`;
      })}</span>
  `;

function bytes(count: number, { lang }: Locale): string {
  const [value, unit] = count < 1_048_576 ? [count / 1_024, 'kilobyte'] : [count / 1_048_576, 'megabyte'];
  return new Intl.NumberFormat(lang, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
