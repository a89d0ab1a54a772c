import { createHmac, randomBytes } from 'node:crypto';
import { bookingRef } from '../domain/booking-ref.ts';

/**
 * What a visitor is given whose submission became part of another booking: that booking may be somebody else's, and its
 * reference would say that it exists. The same submission gets the same one while the daemon runs.
 */
export function createVisitorRefs(): (connector: string, submissionId: string) => string {
  const key = randomBytes(32);
  return (connector, submissionId) =>
    bookingRef(createHmac('sha256', key).update(`${connector}\n${submissionId}`).digest());
}
