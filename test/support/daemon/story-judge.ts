import type { Booking } from '../../../src/domain/bookings/booking.ts';
import { bookingRefPattern } from '../../../src/domain/bookings/booking-ref.ts';
import type { Story } from './clinic-story.ts';

/** Broken promises; all lists are empty if there are none. */
export interface Verdict {
  /** The same booking, or the same person, more than once at the clinic. */
  doubles: string[];
  /** Acknowledged, but neither finished, nor in progress, nor waiting for a person. */
  lost: string[];
  /** At the clinic, and not known to us as something that may be there. */
  ghosts: string[];
}

export const clean: Verdict = { doubles: [], lost: [], ghosts: [] };

const mayBeAtTheClinic: Booking['state'][] = ['booked', 'booked_no_id', 'unknown', 'sending'];
/** `received` waits for lists that a healthy clinic has given by then; `sending` lasts no longer than its send. */
const inGoodHands: Booking['state'][] = [
  'booked',
  'booked_no_id',
  'rejected',
  'held',
  'unknown',
  'expired',
  'dropped',
  'queued',
];

/** Compares the database with the clinic's ledger. With `atRest`, nothing may be on the wire. */
export async function judge(story: Story, { atRest = true } = {}): Promise<Verdict> {
  // Without a database nothing may have been promised, nor be at the clinic.
  const bookings = story.hasDatabase() ? await story.read((store) => store.bookings.list({})) : [];
  const known = new Map(bookings.map((booking) => [booking.ref, booking]));
  const verdict: Verdict = { doubles: [], lost: [], ghosts: [] };

  const times = new Map<string, number>();
  const once = (what: string, allowed: number) => {
    const count = (times.get(what) ?? 0) + 1;
    times.set(what, count);
    if (count > allowed) verdict.doubles.push(`${what} is there ${count} times`);
  };
  for (const { body, appointment_id } of story.sandbox.control.ledger()) {
    const ref = bookingRefPattern.exec(body.note ?? '')?.[0] ?? 'none';
    const allowed = 1 + (story.released.get(ref) ?? 0);
    once(ref, allowed);
    once(`the visitor ${body.patient_phone}`, allowed);
    const state = known.get(ref)?.state;
    if (state === undefined || !mayBeAtTheClinic.includes(state))
      verdict.ghosts.push(`appointment ${appointment_id} is ${ref}, which is ${state ?? 'not known'}`);
  }

  for (const [submission, ref] of story.acknowledged) {
    const state = known.get(ref)?.state;
    const fine = state !== undefined && (!atRest || inGoodHands.includes(state));
    if (!fine) verdict.lost.push(`${submission} was acknowledged as ${ref}, which is ${state ?? 'gone'}`);
  }
  return verdict;
}

/** Changes in the log that reached the receiver in no event, of those after its first event. */
export async function untold(story: Story): Promise<string[]> {
  const changes = await story.read((store) => store.changes.after('main', 0, 100_000));
  const told = new Set(story.hook.events.map(({ sequence, type }) => `${sequence} ${type}`));
  const first = Math.min(...story.hook.events.map(({ sequence }) => sequence));
  return changes
    .filter(({ sequence }) => sequence > first)
    .map(({ sequence, type }) => `${sequence} ${type}`)
    .filter((change) => !told.has(change));
}
