import type { Booking } from '../../domain/bookings/booking.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { DAY, MINUTE } from '../../platform/duration.ts';
import type { Log } from '../../platform/log.ts';
import { type Loop, startLoop } from '../../platform/loop.ts';
import type { Store } from '../../store/store.ts';
import { slotAt } from '../slot.ts';
import { createReminders, ended, mayWait } from './reminders.ts';
import { type ReviewItem, reviewItem } from './review-item.ts';

const ENDED_SHOWN_MS = 7 * DAY;
const REMIND_EVERY_MS = MINUTE;

/** Bookings that wait for a user, and their reminders in the log. */
interface ReviewQueue {
  /** All items, the most urgent first. */
  waiting(): Promise<ReviewItem[]>;
  /** Logs at once that a booking now waits for a user. */
  onBookingChanged(booking: Booking): void;
  start(): void;
  stop(): Promise<void>;
}

interface ReviewQueueOptions {
  store: Store;
  zoneOf: (clinic: string) => string;
  clock: Clock;
  log: Log;
}

const YEARS_MS = 1e14;

/**
 * Bookings that may exist at the clinic come first, then by slot: upcoming (the next first), without a slot, past (the
 * latest first).
 */
function rankOf(booking: Booking, nowMs: number, zone: string): number {
  const slot = slotAt(booking.appointment_date, booking.appointment_time, zone);
  const place = booking.state === 'unknown' ? 0 : 4;
  if (slot === undefined) return (place + 1) * YEARS_MS;
  return slot.firstMs >= nowMs ? place * YEARS_MS + slot.firstMs : (place + 3) * YEARS_MS - slot.firstMs;
}

export function createReviewQueue({ store, zoneOf, clock, log }: ReviewQueueOptions): ReviewQueue {
  const shownSince = () => instant(clock.now() - ENDED_SHOWN_MS);
  const itemOf = (booking: Booking, nowMs = clock.now()): ReviewItem | undefined => {
    const hasEnded = ended.includes(booking.state);
    if (hasEnded && booking.changed_at < shownSince()) return undefined;
    return reviewItem(booking, nowMs, zoneOf(booking.clinic));
  };
  /** For all clinics: bookings of clinics removed from the configuration still need a decision. */
  const mayAsk = async () => [
    ...(await store.bookings.list({ states: mayWait })),
    ...(await store.bookings.changedSince(ended, shownSince())),
    ...(await store.bookings.differing()),
  ];
  const inOrder = (bookings: readonly Booking[]): ReviewItem[] =>
    bookings
      .flatMap((booking) => {
        const item = itemOf(booking);
        return item === undefined
          ? []
          : [{ item, rank: rankOf(booking, clock.now(), zoneOf(booking.clinic)) }];
      })
      .sort((one, other) => one.rank - other.rank || one.item.since.localeCompare(other.item.since))
      .map(({ item }) => item);

  const all = async () => {
    const bookings = await mayAsk();
    const places = new Map(inOrder(bookings).map(({ subject }, index) => [subject, index]));
    const placeOf = ({ ref }: Booking) => places.get(ref) ?? bookings.length;
    return bookings.toSorted((one, other) => placeOf(one) - placeOf(other));
  };

  const reminders = createReminders({ store, clock, log, itemOf, zoneOf, all });
  let reminding: Loop | undefined;

  return {
    waiting: async () => inOrder(await mayAsk()),
    onBookingChanged: reminders.onBookingChanged,
    start() {
      const tick = async () => {
        await reminders.remind();
        return REMIND_EVERY_MS;
      };
      reminding ??= startLoop({ clock, log, name: 'bookings reminders', tick });
    },
    async stop() {
      await reminding?.stop();
      reminding = undefined;
    },
  };
}
