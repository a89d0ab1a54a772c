import type { Booking, BookingState } from '../domain/bookings/booking.ts';
import { isRepetition } from '../domain/bookings/booking-content.ts';
import { visitNow } from '../domain/bookings/visit-now.ts';
import { STATISTICS_SHOWN } from '../domain/status/report.ts';
import type { AdminData } from '../http/admin.ts';
import { type Clock, instant } from '../platform/clock.ts';
import type { Parts } from './parts.ts';
import { visitsNow } from './visits-now.ts';

const asAsked: readonly BookingState[] = ['received', 'held', 'queued', 'sending', 'unknown'];

/** Whether a booking waits, or its visit is at the clinic as it was asked for. */
async function stands(
  { appointments }: Pick<Parts['store'], 'appointments'>,
  booking: Booking,
): Promise<boolean> {
  const { state, clinic, appointment_id, appointment_date, appointment_time } = booking;
  if (asAsked.includes(state)) return true;
  if (state !== 'booked' || appointment_id === null) return false;
  const [visit] = await appointments.list(clinic, [appointment_id]);
  const now = visit && visitNow(visit);
  return now?.date === appointment_date && now.time === appointment_time && visit?.done === false;
}

/** Bookings as signed-in people see them. */
export const adminData = ({
  bookings,
  store,
  clock,
}: Pick<Parts, 'bookings' | 'store'> & { clock: Clock }): AdminData => ({
  async booking(ref) {
    const booking = await store.bookings.get(ref);
    if (booking === undefined) return undefined;
    const [{ sentence, actions, settlesInMs }, chosen, choices, undo, events, alike, visits] =
      await Promise.all([
        bookings.describe(ref),
        bookings.chosen(booking),
        bookings.choices(booking),
        bookings.undoable(ref),
        store.bookings.events(ref),
        bookings.alike(booking),
        visitsNow(store, [booking]),
      ]);
    const compared = await Promise.all(
      alike.map(async (one) => ({ ...one, chosen: await bookings.chosen(one) })),
    );
    const [first, ...others] = compared;
    const resembles = booking.duplicate_of === null ? null : (first ?? null);
    const versions = resembles === null ? compared : others;
    const same = compared.find((one) => one.ref === booking.duplicate_of && isRepetition(one, booking));
    const isEvident = booking.state === 'held' && same !== undefined && (await stands(store, same));
    return {
      repeats: isEvident ? same.ref : null,
      ...{ booking, sentence, actions, chosen, choices, events, resembles, versions },
      visit: visits.get(booking.ref) ?? null,
      zone: bookings.zoneOf(booking.clinic),
      looks_from: settlesInMs > 0 ? instant(clock.now() + settlesInMs) : null,
      undo: undo ?? null,
    };
  },
  search: bookings.search,
  async listed(all) {
    const visits = await visitsNow(store, all);
    return Promise.all(
      all.map(async (booking) => ({
        booking,
        chosen: await bookings.chosen(booking),
        zone: bookings.zoneOf(booking.clinic),
        actions: await bookings.available(booking),
        visit: visits.get(booking.ref) ?? null,
      })),
    );
  },
  async bookings({ behind: ref, source, since, until, ...filter }) {
    const behind = ref === undefined ? undefined : await store.bookings.get(ref);
    return store.bookings.list({
      ...filter,
      ...(source !== undefined && { source }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(behind && { behind }),
    });
  },
  async bookingsOf(refs) {
    const found = await Promise.all(refs.map((ref) => store.bookings.get(ref)));
    return found.filter((booking) => booking !== undefined);
  },
  figures: (clinic) => store.mirror.statistics(clinic, STATISTICS_SHOWN),
});
