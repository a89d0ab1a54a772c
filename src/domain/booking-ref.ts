import { randomInt } from 'node:crypto';

/** Crockford's alphabet: no I, L, O, U, so that a ref survives being read out on the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const newBookingRef = (): string =>
  `CS-${Array.from({ length: 6 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;

export const bookingRefPattern = /\bCS-[0-9A-HJKMNP-TV-Z]{6}\b/;

/** The reference goes first in the appointment's note, so that the front desk can find the booking by search. */
export const noteWithRef = (ref: string, note: string | null | undefined): string =>
  `[${ref}] ${note ?? ''}`.trimEnd();
