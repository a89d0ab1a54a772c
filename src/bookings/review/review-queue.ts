import type { Booking, BookingState } from '../../domain/booking.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { type Loop, startLoop } from '../../platform/loop.ts';
import type { Store } from '../../store/store.ts';
import { createReminders } from './reminders.ts';
import { type ReviewItem, reviewItem } from './review-item.ts';

/** A lead that came to nothing is shown this long: somebody may want to call. */
const ENDED_SHOWN_MS = 7 * 24 * 60 * 60_000;
const REMIND_EVERY_MS = 60_000;
const asksPerson: readonly BookingState[] = ['held', 'unknown', 'expired', 'rejected'];
/** Those on their way ask somebody when they do not get there; what has ended is asked for by its time. */
const mayAsk: readonly BookingState[] = ['held', 'unknown', 'received', 'queued'];

/** What waits for a person, and the reminders of it in the log. */
export interface ReviewQueue {
  /** All of it, the most urgent first. */
  waiting(): Promise<ReviewItem[]>;
  /** A booking has moved: if it now asks somebody, the log says so at once. */
  notice(booking: Booking): void;
  start(): void;
  stop(): Promise<void>;
}

interface ReviewQueueOptions {
  store: Store;
  zoneOf: (clinic: string) => string;
  clock: Clock;
  log: Log;
}

export function createReviewQueue({ store, zoneOf, clock, log }: ReviewQueueOptions): ReviewQueue {
  const reminders = createReminders(log);
  let reminding: Loop | undefined;

  const shownSince = () => instant(clock.now() - ENDED_SHOWN_MS);
  const asked = (booking: Booking): ReviewItem | undefined => {
    const nowMs = clock.now();
    const { state, changed_at, clinic } = booking;
    const hasEnded = state === 'expired' || state === 'rejected';
    if (hasEnded && changed_at < shownSince()) return undefined;
    return reviewItem(booking, nowMs, zoneOf(clinic));
  };
  const inOrder = (bookings: readonly Booking[]): ReviewItem[] =>
    bookings
      .map(asked)
      .filter((one) => one !== undefined)
      .sort((a, b) => Number(b.urgent) - Number(a.urgent) || a.since.localeCompare(b.since));

  /** Of all clinics: what one left behind that is not configured any more waits for a person all the same. */
  const waiting = async () => [
    ...(await store.bookings.list({ states: mayAsk })),
    ...(await store.bookings.endedSince(shownSince())),
  ];

  const remind = async (): Promise<number> => {
    reminders.remind(inOrder(await waiting()));
    return REMIND_EVERY_MS;
  };

  return {
    waiting: async () => inOrder([...(await waiting()), ...(await store.bookings.differing())]),
    notice(booking) {
      // Only the one: looking through thousands that wait for each lead that joins them would hold up the next lead.
      if (asksPerson.includes(booking.state)) reminders.notice(() => asked(booking));
    },
    start() {
      reminding ??= startLoop({ clock, log, name: 'bookings reminders', tick: remind });
    },
    stop: async () => reminding?.stop(),
  };
}
