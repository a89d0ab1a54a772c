import { toMs } from '../../../../platform/clock.ts';
import { HOUR, MINUTE } from '../../../../platform/duration.ts';
import { type Html, html } from '../../../../platform/text/html.ts';
import type { Locale } from '../../../../platform/text/locale.ts';
import type { Incident } from '../../../../store/ports/incidents.ts';

/** Half hours of a day. */
const SLOTS = 48;
const SLOT_MS = 30 * MINUTE;

type Slot = 'ok' | 'trouble' | 'stale' | 'nothing';

interface Strip {
  subject: string;
  /** The incidents of this resource or clinic. */
  incidents: readonly Incident[];
  /** Starts of the hours in which the clinic was called. */
  hours: readonly number[];
  /** How often it is read. */
  intervalMs: number;
  now: number;
}

/** The last day in half hours, as Gatus draws it; equal neighbours share a bar. */
export function strip(
  { subject, incidents, hours, intervalMs, now }: Strip,
  { t, duration, date, dir }: Locale,
): Html {
  const start = now - SLOTS * SLOT_MS;
  const slots = Array.from({ length: SLOTS }, (_, slot): Slot => {
    const from = start + slot * SLOT_MS;
    const during = incidents.filter((one) => lasted(one, from, from + SLOT_MS));
    if (during.some(({ health }) => health === 'stale')) return 'stale';
    if (during.length > 0) return 'trouble';
    return hours.some((hour) => hour < from + SLOT_MS && from < hour + HOUR + intervalMs) ? 'ok' : 'nothing';
  });
  // Before the first known hour nothing is known; a later gap means that nothing was read.
  const known = slots.findIndex((kind) => kind !== 'nothing');
  const unreadMs = slots.slice(Math.max(0, known)).filter((kind) => kind === 'nothing').length * SLOT_MS;
  const bars: { kind: Slot; from: number; slots: number }[] = [];
  for (const [from, kind] of slots.entries()) {
    const last = bars.at(-1);
    if (last?.kind === kind) last.slots += 1;
    else bars.push({ kind, from, slots: 1 });
  }
  const troubled = troubledMs(incidents, start, now);
  const gap = known < 0 || unreadMs === 0 ? '' : `; ${t('strip_unread', { time: duration(unreadMs) })}`;
  const told =
    troubled === 0 ? t('strip_fine', { subject }) : t('strip_trouble', { subject, time: duration(troubled) });
  const words = `${told}${gap}`;
  const clock = (slot: number) => date(start + slot * SLOT_MS, { hour: '2-digit', minute: '2-digit' });
  const said = ({ kind, from, slots: wide }: (typeof bars)[number]) => {
    const word =
      kind === 'nothing' ? t('strip_unread', { time: duration(wide * SLOT_MS) }) : t(`health_${kind}`);
    return `${clock(from)}–${clock(from + wide)}: ${word}`;
  };
  const x = (from: number, wide: number) => (dir === 'rtl' ? SLOTS - from - wide : from) * 3;
  return html`
    <svg class="strip" viewBox="0 0 ${SLOTS * 3} 16" preserveAspectRatio="none" role="img"
      aria-label="${words}">
      <title>${words}</title>
      ${bars.map((bar) => {
        const { kind, from, slots: wide } = bar;
        return html`
          <path class="slot-${kind}"
            d="M${x(from, wide)} ${tops[kind]}h${wide * 3}V${kind === 'nothing' ? 10 : 16}h-${wide * 3}z">
            <title>${said(bar)}</title>
          </path>
        `;
      })}
    </svg>
  `;
}

/** Each kind has its own height, so that nothing depends on colour alone. */
const tops: Record<Slot, number> = { ok: 2, trouble: 5, stale: 0, nothing: 8 };

const endOf = ({ ended_at }: Incident) => (ended_at === null ? Number.POSITIVE_INFINITY : toMs(ended_at));

const lasted = (incident: Incident, from: number, to: number): boolean =>
  toMs(incident.since) < to && endOf(incident) > from;

/** Overlapping incidents count once. */
function troubledMs(incidents: readonly Incident[], from: number, to: number): number {
  let until = from;
  let sum = 0;
  for (const one of incidents.toSorted((a, b) => toMs(a.since) - toMs(b.since))) {
    const start = Math.max(until, toMs(one.since));
    const end = Math.min(to, endOf(one));
    if (end > start) sum += end - start;
    until = Math.max(until, end);
  }
  return sum;
}
