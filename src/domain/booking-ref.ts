import { randomBytes } from 'node:crypto';

/** Crockford's alphabet: no I, L, O, U, so that a ref survives being read out on the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const newBookingRef = (): string => bookingRef(randomBytes(6));

/** The reference of at least six bytes: each of the 32 letters is as likely as any other. */
export const bookingRef = (bytes: Uint8Array): string =>
  `CS-${Array.from(bytes.subarray(0, 6), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;

export const bookingRefPattern = /\bCS-[0-9A-HJKMNP-TV-Z]{6}\b/;

/** The reference goes first in the appointment's note, so that the front desk can find the booking by search. */
export const noteWithRef = (ref: string, note: string | null | undefined): string =>
  `[${ref}] ${note ?? ''}`.trimEnd();
