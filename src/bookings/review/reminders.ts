import type { Booking, BookingState } from '../../domain/bookings/booking.ts';
import { type Clock, type Instant, instant, toMs } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/store.ts';
import { nextReviewMs, type ReviewItem } from './review-item.ts';

/** Reminders per minute: a flood of held leads must not fill the disk. */
const AT_ONCE = 50;
/** A slow write carries the time at which it began, so each read overlaps the previous one. */
const OVERLAP_MS = MINUTE;

/** States in which a booking waits for a user, or will if it stays unsent. */
export const mayWait: readonly BookingState[] = ['held', 'unknown', 'received', 'queued'];
/** Failed leads are shown for a while: a user may want to call the patient. */
export const ended: readonly BookingState[] = ['rejected', 'expired'];

interface RemindersOptions {
  store: Store;
  clock: Clock;
  log: Log;
  /** What a booking needs from a user now, or at another time; undefined: nothing, or nothing yet. */
  itemOf: (booking: Booking, nowMs?: number) => ReviewItem | undefined;
  zoneOf: (clinic: string) => string;
  /** All that wait now, the most urgent first, then those that may wait later. Called once. */
  all: () => Promise<Booking[]>;
}

const SCOPE = 'reminders';
/** Until when everything that was due is in the log. */
const LOGGED_UNTIL = 'logged_until';

/** When to consider a booking again, by whichever clock gets there first: a clock set back delays nothing. */
interface Next {
  wallMs: number;
  monotonicMs: number;
  /** Identifies the reminder that was last logged. */
  logged: string | undefined;
}

/** Identifies the newest reminder that is due. */
const reminderOf = (item: ReviewItem | undefined): string | undefined =>
  item && [item.since, ...item.alerts, item.days].join(' ');

/**
 * Logs each booking that waits for a user, so that log monitoring can alert: at each alert time, and daily until it is
 * settled. A restart logs only what is not in the log yet.
 */
export function createReminders({ store, clock, log, itemOf, zoneOf, all }: RemindersOptions) {
  const schedule = new Map<string, Next>();
  let left = AT_ONCE;
  let hasLogged = false;
  /** When the store was last read; undefined until everything that waits was read once. */
  let read: { wallMs: number; monotonicMs: number } | undefined;

  const inMs = (ms: number, logged: string | undefined): Next => ({
    wallMs: clock.now() + ms,
    monotonicMs: clock.monotonic() + ms,
    logged,
  });

  const warn = ({ subject, clinic = '', alerts, state, reason }: ReviewItem) => {
    const kind = alerts.at(-1) ?? '';
    hasLogged = true;
    log.warn('a booking waits for a person', { clinic, ref: subject, state, reason: reason ?? '', kind });
  };

  /** Logs what is due for one booking and schedules its next reminder. */
  const consider = (booking: Booking): void => {
    const { ref } = booking;
    const item = itemOf(booking);
    const logged = schedule.get(ref)?.logged;
    const reminder = reminderOf(item);
    if (item !== undefined && reminder !== logged) {
      if (left === 0) {
        schedule.set(ref, inMs(0, logged));
        return;
      }
      left -= 1;
      warn(item);
    }
    const nowMs = clock.now();
    const nextMs =
      item === undefined ? nextReviewMs(booking, nowMs, zoneOf(booking.clinic)) : toMs(item.next_alert_at);
    if (nextMs === undefined) schedule.delete(ref);
    else schedule.set(ref, inMs(nextMs - nowMs, reminder ?? logged));
  };

  /** Start of the last reading, by whichever clock advanced less. */
  const sinceLastReading = (last: { wallMs: number; monotonicMs: number }): Instant => {
    const elapsedMs = clock.monotonic() - last.monotonicMs;
    return instant(Math.min(last.wallMs, clock.now() - elapsedMs) - OVERLAP_MS);
  };

  /** All that may wait, scheduled as the process before left it. */
  const readAll = async (): Promise<Booking[]> => {
    const until = await store.keyValue.get(SCOPE, LOGGED_UNTIL);
    const bookings = await all();
    if (until === undefined) return bookings;
    for (const booking of bookings)
      if (!schedule.has(booking.ref))
        schedule.set(booking.ref, inMs(0, reminderOf(itemOf(booking, Date.parse(until)))));
    return bookings;
  };

  /** Considers what any process has changed since the last reading; the first time, everything that waits. */
  const readChanged = async (): Promise<void> => {
    const now = { wallMs: clock.now(), monotonicMs: clock.monotonic() };
    const changed =
      read === undefined
        ? await readAll()
        : [
            ...(await store.bookings.changedSince([...mayWait, ...ended], sinceLastReading(read))),
            // Few, and a difference is noted without a change of the booking.
            ...(await store.bookings.differing()),
          ];
    read = now;
    for (const booking of changed) consider(booking);
  };

  const isDue = ({ wallMs, monotonicMs }: Next) => wallMs <= clock.now() || monotonicMs <= clock.monotonic();

  const remindOfDue = async (): Promise<void> => {
    const due = [...schedule].filter(([, next]) => isDue(next));
    for (const [ref] of due) {
      if (left === 0) return;
      const booking = await store.bookings.get(ref);
      if (booking === undefined) schedule.delete(ref);
      else consider(booking);
    }
  };

  return {
    /** Reads only what changed or is due. Call about once a minute. */
    async remind(): Promise<void> {
      left = AT_ONCE;
      const began = instant(clock.now());
      // Before new ones, so that in a flood the longest-waiting come first.
      await remindOfDue();
      await readChanged();
      if (!hasLogged || left === 0) return;
      await store.keyValue.set(SCOPE, { [LOGGED_UNTIL]: began });
      hasLogged = false;
    },
    /** Logs at once that a booking now waits for a user; in a flood, later. */
    onBookingChanged(booking: Booking): void {
      const isSettled = !mayWait.includes(booking.state) && !ended.includes(booking.state);
      if (isSettled && itemOf(booking) === undefined) schedule.delete(booking.ref);
      else if (left === 0) schedule.set(booking.ref, inMs(0, schedule.get(booking.ref)?.logged));
      else if (booking.state !== 'received' && booking.state !== 'queued') consider(booking);
    },
  };
}
