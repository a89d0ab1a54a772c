import { createHmac } from 'node:crypto';
import { bookingRef } from '../domain/booking-ref.ts';

/**
 * What a visitor is given whose submission became part of another booking: that booking may be somebody else's, and its
 * reference would say that it exists. Stable as long as the key is: another one after a restart would say so as well.
 */
export const createVisitorRefs =
  (key: string) =>
  (connector: string, submissionId: string): string =>
    bookingRef(createHmac('sha256', key).update(`${connector}\n${submissionId}`).digest());
