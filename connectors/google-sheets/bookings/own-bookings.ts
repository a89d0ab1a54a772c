import type { MirrorView } from '../../../src/connector.ts';
import type { Booking } from '../../../src/domain/booking.ts';
import { type BookingView, type Claim, submissionId } from './claims.ts';

/** The bookings that claims became, whatever the history of the clinic. */
export interface OwnBookings {
  byRef: Map<string, BookingView>;
  /** Refs of claims that are not known to be accepted: the process was killed before it could note that. */
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
    const found = open.length === 0 ? [] : await view.ownBookingsBySubmission(clinic, open.map(submissionId));
    const bySubmission = new Map(found.map(({ submission_id, ref }) => [submission_id, ref]));
    for (const claim of open) {
      const ref = bySubmission.get(submissionId(claim));
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
  const statuses = new Map(rows.map(({ appointment_id, status }) => [appointment_id, status]));
  return bookings.map(({ ref, state, message, appointment_id, changed_at }) => {
    const status = appointment_id === null ? undefined : statuses.get(appointment_id);
    return {
      ref,
      state,
      message,
      appointment_id,
      changed_at,
      ...(typeof status === 'string' && { status }),
    };
  });
}
