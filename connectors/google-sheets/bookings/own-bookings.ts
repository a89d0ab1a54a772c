import type { MirrorView } from '../../../src/connector.ts';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import { type BookingView, type Claim, claimSubmissionId } from './claims.ts';
import { inputHashesOf } from './read-row.ts';

/** The bookings of claims. Reads only those, not the clinic's history. */
export interface OwnBookings {
  byRef: Map<string, BookingView>;
  /** Refs of claims that were booked but not marked as accepted, because the process was killed in between. */
  refs: ReadonlyMap<Claim, string>;
}

export async function ownBookings(view: MirrorView, claims: readonly Claim[]): Promise<OwnBookings> {
  const byRef = new Map<string, BookingView>();
  const refs = new Map<Claim, string>();
  for (const { clinic } of view.clinics) {
    const ours = claims.filter((claim) => claim.clinic === clinic);
    const accepted = ours.flatMap(({ booking = [] }) => booking);
    const open = ours.filter(({ phase }) => phase !== 'accepted');
    const known = accepted.length === 0 ? [] : await view.ownBookings(clinic, accepted);
    const found =
      open.length === 0 ? [] : await view.ownBookingsBySubmission(clinic, open.map(claimSubmissionId));
    const bySubmission = new Map(found.map(({ submission_id, ref }) => [submission_id, ref]));
    for (const claim of open) {
      const ref = bySubmission.get(claimSubmissionId(claim));
      if (ref !== undefined) refs.set(claim, ref);
    }
    for (const shown of await withStatus(view, clinic, [...known, ...found])) byRef.set(shown.ref, shown);
  }
  return { byRef, refs };
}

async function withStatus(
  view: MirrorView,
  clinic: string,
  bookings: readonly Booking[],
): Promise<BookingView[]> {
  const ids = bookings.flatMap(({ appointment_id }) =>
    appointment_id === null ? [] : [String(appointment_id)],
  );
  const rows = ids.length === 0 ? [] : await view.rowsById('appointments', clinic, ids);
  const visits = new Map(rows.map((row) => [row.appointment_id, row]));
  return bookings.map(({ ref, state, message, appointment_id, changed_at, ...sent }) => {
    const visit = appointment_id === null ? undefined : visits.get(appointment_id);
    return {
      ref,
      state,
      message,
      appointment_id,
      changed_at,
      person: inputHashesOf({ patient: sent.patient_name, phone: sent.patient_phone }, () => true),
      date: textOf(visit?.date) ?? sent.appointment_date,
      time: textOf(visit?.time) ?? sent.appointment_time,
      ...(typeof visit?.status === 'string' && { status: visit.status }),
    };
  });
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
