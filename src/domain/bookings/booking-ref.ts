import { randomBytes } from 'node:crypto';

/** Crockford's alphabet: no I, L, O, U, so that a ref can be read out on the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const LETTERS = 6;

export function newBookingRefs(count: number): string[] {
  const bytes = randomBytes(count * LETTERS);
  return Array.from({ length: count }, (_, i) => bookingRef(bytes.subarray(i * LETTERS)));
}

/** A reference from at least six random bytes; all 32 characters are equally likely. */
export function bookingRef(bytes: Uint8Array): string {
  let ref = 'CS-';
  for (let i = 0; i < LETTERS; i += 1) ref += ALPHABET[(bytes[i] ?? 0) % ALPHABET.length];
  return ref;
}

export const bookingRefPattern = /\bCS-[0-9A-HJKMNP-TV-Z]{6}\b/;

/** The reference comes first in the appointment's note, so that the front desk can search for it. */
export const noteWithRef = (ref: string, note: string | null | undefined): string =>
  `[${ref}] ${note ?? ''}`.trimEnd();

/** The last sentence of what is asked about a booking; left out or exchanged where a link or a list shows it. */
export const showsIt = (ref: string): string => `\`clinic-sync bookings show ${ref}\` shows it.`;
