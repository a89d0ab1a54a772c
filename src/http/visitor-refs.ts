import { createHmac } from 'node:crypto';
import { bookingRef } from '../domain/bookings/booking-ref.ts';

/**
 * A reference for a visitor whose submission was merged into another booking, perhaps another person's, whose own
 * reference would reveal that it exists. Stable as long as the key: a new one after a restart would reveal it, too.
 */
export const createVisitorRefs =
  (key: string) =>
  (connector: string, submissionId: string): string =>
    bookingRef(createHmac('sha256', key).update(`${connector}\n${submissionId}`).digest());
