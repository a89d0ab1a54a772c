import type { Bookings } from '../../../src/bookings/bookings.ts';
import type { Clinic } from '../../../src/clinic/clinic.ts';

/** As in a process that has the database, and so every clinic, to itself. */
export async function startBookings(bookings: Bookings, ...clinics: readonly Clinic[]): Promise<void> {
  await bookings.begin();
  await bookings.startUpkeep();
  for (const clinic of clinics) await bookings.startClinic(clinic);
}
