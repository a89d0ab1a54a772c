import { causeOf } from '../../../domain/status/need-words.ts';
import type { StatusReport } from '../../../domain/status/report.ts';
import { askedToWait, isHeldUp } from '../../../domain/status/sending-waits.ts';
import { type Instant, minuteOf, toMs } from '../../../platform/clock.ts';
import { SECOND } from '../../../platform/duration.ts';
import type { Locale } from '../../../platform/text/locale.ts';

/** The headline, which states the worst problem. In English it is the report's own sentence, which is more specific. */
export function headline(report: StatusReport, now: number, locale: Locale): string {
  if (locale.isSource) return report.sentence;
  const { t, duration } = locale;
  const { health, reasons } = report;
  const [first] = reasons;
  if (health !== 'ok' && first !== undefined) {
    const more = reasons.length > 1 ? `, ${t('and_more', { count: reasons.length - 1 })}` : '';
    const cause = `${causeOf(first, locale)}${more}`;
    if (health === 'stale') return t('head_stale', { cause });
    const lasted = report.since === null ? 0 : now - toMs(report.since);
    return lasted < SECOND
      ? t('head_trouble', { cause })
      : t('head_trouble_for', { cause, time: duration(lasted) });
  }
  return withoutTrouble(report, now, locale);
}

function withoutTrouble(report: StatusReport, now: number, locale: Locale): string {
  const { t, duration, list } = locale;
  const { needs_total, needs_by_kind } = report;
  const bookings = needs_by_kind.booking ?? 0;
  if (bookings > 0) return t('head_bookings', { count: bookings });
  if (needs_total > 0) return t('head_things', { count: needs_total });
  const [until] = report.clinics.flatMap((one) => askedToWait(one, now) ?? []);
  if (until !== undefined) return t('need_asks_to_wait', { name: minuteOf(until) });
  const oldest = oldestRead(report);
  const held = report.connectors.filter(isHeldUp).map(({ connector }) => connector);
  if (held.length > 0 && oldest !== null)
    return t('head_held', { time: duration(now - toMs(oldest)), names: list(held) });
  return oldest === null ? t('head_starting') : t('head_good', { time: duration(now - toMs(oldest)) });
}

/** Null until everything has been read, or was found to have nothing due. */
function oldestRead({ clinics }: StatusReport): Instant | null {
  let oldest: Instant | null = null;
  for (const { last_success_at, idle_at } of clinics.flatMap(({ resources }) => resources)) {
    const at = [last_success_at, idle_at]
      .filter((one) => one !== null)
      .toSorted()
      .at(-1);
    if (at === undefined) return null;
    if (oldest === null || at < oldest) oldest = at;
  }
  return oldest;
}
