import { type Booking, noClinic, type Verification } from '../../domain/bookings/booking.ts';
import { fieldWords } from '../../domain/bookings/booking-content.ts';
import { showsIt } from '../../domain/bookings/booking-ref.ts';
import { faultyFields } from '../../domain/bookings/faulty-fields.ts';
import type { Need } from '../../domain/status/report.ts';
import { type Instant, instant, toMs } from '../../platform/clock.ts';
import { DAY, MINUTE } from '../../platform/duration.ts';
import { clause } from '../../platform/text/sentences.ts';
import { holds, lostTodo, overdue, states, taskPrefix, taskTodo, withoutClinicTodo } from '../messages.ts';
import { type Slot, slotAt } from '../slot.ts';
import { checkedOn } from './explain.ts';
import { UNDO_MS } from './transitions.ts';

/** When to alert users about a booking that waits for them. */
const alerts = ['at_once', 'after_15_minutes', 'slot_within_24_hours', 'daily'] as const;
type Alert = (typeof alerts)[number];

export interface ReviewItem extends Need {
  kind: 'booking';
  state: Booking['state'];
  reason: string | null;
  /** Every alert that is due. */
  alerts: Alert[];
  /** Full days it has waited: each starts a new `daily` alert. */
  days: number;
  /** When the next alert is due. */
  next_alert_at: Instant;
}

/** What one booking needs from a user, without patient data; undefined when nothing. Pure. */
export function reviewItem(booking: Booking, nowMs: number, zone: string): ReviewItem | undefined {
  const asked = question(booking, zone);
  if (asked === undefined) return undefined;
  const { date = null, time = null } = booking.evidence?.shows ?? {};
  // A visit that the clinic moved is near when its present time is.
  const slot = slotAt(date, time, zone) ?? slotAt(booking.appointment_date, booking.appointment_time, zone);
  const askedAt = booking.evidence?.asked_at ?? booking.changed_at;
  const sinceMs = isOnItsWay(booking) ? overdueAtMs(booking, slot) : toMs(askedAt);
  if (isOnItsWay(booking) && sinceMs > nowMs) return undefined;
  const soonMs = slot === undefined ? Infinity : Math.max(sinceMs, slot.firstMs - DAY);
  const days = Math.max(0, Math.floor((nowMs - sinceMs) / DAY));
  const moments: [Alert, number][] = [
    ['at_once', sinceMs],
    ['after_15_minutes', sinceMs + 15 * MINUTE],
    ['slot_within_24_hours', soonMs],
    ['daily', sinceMs + DAY],
  ];
  const upcoming = [...moments.map(([, at]) => at), sinceMs + (days + 1) * DAY].filter((at) => at > nowMs);
  return {
    kind: 'booking',
    clinic: booking.clinic,
    subject: booking.ref,
    source: booking.source,
    sentence: asked.sentence,
    action: asked.action,
    since: instant(sinceMs),
    // By the time of its slot, an unknown booking may mean two patients for one chair.
    urgent: soonMs <= nowMs || (booking.state === 'unknown' && nowMs - sinceMs >= 15 * MINUTE),
    state: booking.state,
    reason: reasonOf(booking),
    fields: faultyFields(booking),
    ...(slot && { visit: `${booking.appointment_date} ${booking.appointment_time}` }),
    alerts: moments.filter(([, at]) => at <= nowMs).map(([alert]) => alert),
    days,
    next_alert_at: instant(Math.min(...upcoming)),
  };
}

const isBooked = (state: Booking['state']) => state === 'booked' || state === 'booked_no_id';

/** How to go on, for what is asked by name. */
const differenceTodos: Partial<Record<Verification, string>> = {
  asked_again: 'Ask the patient, and add the booking again if it is wanted; then acknowledge this.',
  missing: lostTodo,
  someone_else: lostTodo,
  number_moved: lostTodo,
  twice: 'Have one of the two removed at the front desk, then acknowledge this.',
};
const isNamed = (verification: Verification | undefined) =>
  verification !== undefined && verification in differenceTodos;

const reasonOf = ({ state, kind, reason, evidence }: Booking): string | null => {
  if (isBooked(state) && isNamed(evidence?.verification)) return evidence?.verification ?? null;
  return state === 'held' && kind !== 'booking' ? 'task' : reason;
};

/** When a booking that needs nothing yet may do so; undefined: not in its present state. Pure. */
export function nextReviewMs(booking: Booking, nowMs: number, zone: string): number | undefined {
  if (!isOnItsWay(booking)) return undefined;
  const slot = slotAt(booking.appointment_date, booking.appointment_time, zone);
  return Math.max(nowMs, overdueAtMs(booking, slot));
}

const isOnItsWay = ({ state }: Booking) => state === 'received' || state === 'queued';

/** When an unsent lead needs a user: after 15 minutes when its slot is near, else after a day. */
function overdueAtMs({ received_at, changed_at, not_before }: Booking, slot: Slot | undefined): number {
  // Each failed try changes the booking; one that a user just released has not been tried.
  const waitsForUndo = not_before === instant(toMs(changed_at) + UNDO_MS);
  const beganMs = toMs(not_before === null || waitsForUndo ? changed_at : received_at);
  const nearMs = (slot?.firstMs ?? Infinity) - DAY;
  return Math.min(beganMs + DAY, Math.max(beganMs + 15 * MINUTE, nearMs));
}

function question(booking: Booking, zone: string): { sentence: string; action: string } | undefined {
  const { ref, source, state, reason } = booking;
  const who = `Booking ${ref} from ${source}`;
  const look = showsIt(ref);
  if (state === 'held' && booking.kind !== 'booking')
    return { sentence: `${who}: ${taskPrefix}.`, action: `${taskTodo} ${look}` };
  if (state === 'held') {
    if (booking.clinic === noClinic)
      return { sentence: `${who}: It names none of the clinics.`, action: `${withoutClinicTodo} ${look}` };
    const hold = holds[reason as keyof typeof holds] ?? states.held;
    const fields = faultyFields(booking);
    const means = fields.length === 0 ? hold.means : `${clause(hold.means)} (${fieldWords(fields)}).`;
    return { sentence: `${who}: ${means}`, action: `${hold.todo} ${look}` };
  }
  if (isOnItsWay(booking)) return { sentence: `${who}: ${overdue.means}`, action: `${overdue.todo} ${look}` };
  if (state === 'unknown' || state === 'expired' || state === 'rejected')
    return { sentence: `${who}: ${states[state].means}`, action: `${states[state].todo} ${look}` };
  return isBooked(state) ? difference(booking, zone, { who, look }) : undefined;
}

/** What is asked about a booking whose visit is not as requested. */
function difference(booking: Booking, zone: string, { who, look }: Record<'who' | 'look', string>) {
  const { mismatch = [], verification } = booking.evidence ?? {};
  if (mismatch.length === 0) return undefined;
  const todo = verification && differenceTodos[verification];
  const when = checkedOn(booking, zone);
  const of = when === undefined ? who : `${who}, checked ${when}`;
  if (todo !== undefined) return { sentence: `${of}: ${mismatch.join(' ')}`, action: `${todo} ${look}` };
  return {
    sentence: `${of}: booked, but the clinic does not show it as requested. ${mismatch.join(' ')}`,
    action: `Settle it at the front desk, then acknowledge the difference. ${look}`,
  };
}
