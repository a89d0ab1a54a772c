import type { Booking, BookingState } from '../../domain/bookings/booking.ts';
import { isRepetition } from '../../domain/bookings/booking-content.ts';
import { type VisitNow, visitNow } from '../../domain/bookings/visit-now.ts';
import { dayOf } from '../../domain/date-time.ts';
import { STATISTICS_SHOWN } from '../../domain/status/report.ts';
import type { AdminData } from '../../http/admin.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import type { Parts } from '../parts.ts';
import { faultsTyped } from './new-booking.ts';
import { visitRows, visitsNow } from './visits-now.ts';

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

const dateOf = ({ appointment_date }: Booking, visit: VisitNow | null): string =>
  visit?.date ?? appointment_date ?? '';

const daysAt = ({ from, to }: { from: string; to: string }, zone: string, now: number) => ({
  from: dayOf(from, zone, now),
  to: dayOf(to, zone, now),
});

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
  async visits(days, limit) {
    const rangeOf = (clinic: string) => daysAt(days, bookings.zoneOf(clinic), clock.now());
    const clinics = Map.groupBy(bookings.clinics(), (clinic) => JSON.stringify(rangeOf(clinic)));
    const found: Booking[] = [];
    for (const [range, some] of clinics)
      found.push(...(await store.bookings.ofVisitDays({ clinics: some, ...JSON.parse(range) }, limit)));
    const rows = await visitRows(
      { bookings, store },
      found.filter(({ state }) => state !== 'dropped'),
    );
    return rows.filter(({ booking, visit, zone }) => {
      const { from, to } = daysAt(days, zone, clock.now());
      const date = dateOf(booking, visit);
      return from <= date && date <= to;
    });
  },
  async listed(all) {
    const rows = await visitRows({ bookings, store }, all);
    return Promise.all(rows.map(async (row) => ({ ...row, actions: await bookings.available(row.booking) })));
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
  clinics: bookings.clinics,
  choices: (clinic) =>
    bookings.choices({ clinic, doctor_id: null, doctor: null, treatment_id: null, treatment: null }),
  faults: (typed) => faultsTyped(bookings, typed),
  figures: (clinic) => store.mirror.statistics(clinic, STATISTICS_SHOWN),
});
