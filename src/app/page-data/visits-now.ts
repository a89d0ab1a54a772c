import type { Bookings } from '../../bookings/bookings.ts';
import type { Booking } from '../../domain/bookings/booking.ts';
import { type VisitNow, visitNow, visitStandingOf } from '../../domain/bookings/visit-now.ts';
import type { AdminData } from '../../http/admin.ts';
import type { Store } from '../../store/store.ts';

/** What the clinic shows of these bookings' visits, by reference; one query for each clinic. */
export async function visitsNow(
  { appointments }: Pick<Store, 'appointments'>,
  bookings: readonly Booking[],
): Promise<ReadonlyMap<string, VisitNow>> {
  const booked = bookings.filter(({ state }) => state === 'booked');
  const found = new Map<string, VisitNow>();
  for (const [clinic, some = []] of Object.entries(Object.groupBy(booked, (one) => one.clinic))) {
    const ids = some.flatMap(({ appointment_id }) => appointment_id ?? []);
    for (const row of await appointments.list(clinic, ids)) {
      const visit = visitNow(row);
      if (visit !== undefined && row.ref !== null) found.set(row.ref, visit);
    }
  }
  return found;
}

/** The bookings with their dentists, treatments and visits. */
export async function visitRows(
  { bookings, store }: { bookings: Bookings; store: Pick<Store, 'appointments'> },
  all: readonly Booking[],
): ReturnType<AdminData['visits']> {
  const visits = await visitsNow(store, all);
  return Promise.all(
    all.map(async (booking) => {
      const visit = visits.get(booking.ref) ?? null;
      return {
        booking,
        chosen: await bookings.chosen(booking),
        zone: bookings.zoneOf(booking.clinic),
        visit,
        standing: visit && visitStandingOf(booking, visit, bookings.outcomeOf(booking.clinic, visit.status)),
      };
    }),
  );
}
