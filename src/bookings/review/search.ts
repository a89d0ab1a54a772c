import { setImmediate as turn } from 'node:timers/promises';
import type { Booking } from '../../domain/bookings/booking.ts';
import { digitsOf, termsIn } from '../../domain/bookings/search-terms.ts';
import { westernDigits } from '../../platform/text/digits.ts';
import { foldName } from '../../platform/text/fold.ts';
import type { Store } from '../../store/store.ts';

/** Notes, and the middle of names and numbers, are searched only in this many of the newest bookings. */
const NEWEST = 5_000;
const PORTION = 500;
const FEWEST_DIGITS = 4;

interface Search {
  store: Pick<Store, 'bookings'>;
  text: string;
  /** How each clinic may have stored the text as a phone number. */
  phones: readonly { clinic: string; phone_e164: string }[];
  /** Each numbers its appointments itself. */
  clinics: readonly string[];
  limit: number;
}

/** Bookings matching the text: by reference, appointment number or phone number in any format, then the others. */
export async function searchBookings({ store, text, phones, clinics, limit }: Search): Promise<Booking[]> {
  const found = new Map<string, Booking>();
  const add = (bookings: readonly (Booking | undefined)[]) => {
    for (const booking of bookings) if (booking !== undefined) found.set(booking.ref, booking);
  };
  const ref = text.trim().toUpperCase();
  add(await Promise.all([ref, `CS-${ref}`].map((one) => store.bookings.get(one))));
  const number = numberIn(text);
  if (number !== undefined) add(await Promise.all(clinics.map((one) => store.bookings.linked(one, number))));
  for (const phone of phones) add(await store.bookings.ofPhone(phone, limit));
  for (const beginnings of termsIn(text)) add(await store.bookings.withTerms(beginnings, limit));
  const isMeant = matcher(text);
  let behind: Booking | undefined;
  for (let read = 0; read < NEWEST && found.size < limit; read += PORTION) {
    const page = await store.bookings.list({ limit: PORTION, ...(behind && { behind }) });
    add(page.filter(isMeant));
    behind = page.at(-1);
    if (page.length < PORTION) break;
    await turn();
  }
  return [...found.values()].slice(0, limit);
}

/** A text that may be the number of an appointment. */
function numberIn(text: string): number | undefined {
  const plain = westernDigits(text.normalize('NFKC')).trim();
  return /^[1-9]\d{0,14}$/.test(plain) ? Number(plain) : undefined;
}

/** Matches if every word is in the name, note or reference, or the digits are in the phone number. */
function matcher(text: string): (booking: Booking) => boolean {
  const words = foldName(text)
    .split(' ')
    .filter((word) => word !== '');
  const all = digitsOf(text);
  const stripped = all.replace(/^0+/, '');
  const digits = stripped.length < FEWEST_DIGITS ? all : stripped;
  const isNumber = digits.length >= FEWEST_DIGITS && !/\p{L}/u.test(text);
  return ({ ref, patient_name, patient_phone, phone_e164, note }) => {
    if (isNumber) return [phone_e164, patient_phone].some((phone) => digitsOf(phone ?? '').includes(digits));
    const place = foldName([ref, patient_name, note].filter((part) => part !== null).join(' '));
    return words.length > 0 && words.every((word) => place.includes(word));
  };
}
