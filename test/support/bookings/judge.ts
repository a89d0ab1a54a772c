import type { Booking, BookingState } from '../../../src/domain/bookings/booking.ts';
import { toMs } from '../../../src/platform/clock.ts';
import type { World } from './world.ts';

const MERGE_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const DOUBTS_MS = 10 * 60_000;
const over: BookingState[] = ['rejected', 'expired', 'dropped'];
const mayExist: BookingState[] = ['sending', 'unknown', 'booked', 'booked_no_id'];
const final: BookingState[] = ['booked', 'booked_no_id', 'rejected', 'held', 'unknown', 'expired', 'dropped'];

/** What people and sources were told, recorded outside of the system under test. */
interface Known {
  ref: string;
  content: string;
  at: number;
  /** How often a person said "it is not there, send it again". */
  releases: number;
  /** Its content is no longer what was submitted. */
  edited: boolean;
}

export class Violation extends Error {
  override readonly name = 'Violation';
}

/**
 * Holds what the daemon did against the clinic's own ledger. Throws `Violation` with the promise that was broken.
 * `check` after every step, `final` when everything has come to rest.
 */
export function bookingsJudge(world: World) {
  const known = new Map<string, Known>();
  const bySubmission = new Map<string, string>();
  let resumedAt = 0;
  let broken: string | undefined;
  const { clinic } = world;
  const mine = () => world.store.bookings.list({ clinic: clinic.key });
  const violate = (promise: string): never => {
    throw new Violation(promise);
  };

  clinic.onPost = async (ref) => {
    // At this moment: what fails while the booking is looked up came after the request.
    const { proven } = clinic;
    const booking = await world.store.bookings.get(ref);
    if (booking?.state !== 'sending' || !booking.evidence?.body_hash || !booking.evidence.counter_before)
      broken ??= `${ref} reached the wire without a durable intent`;
    if (!proven) broken ??= `${ref} was sent after an error without a successful read in between`;
    const now = world.clock.now();
    const doubts = (await mine()).filter(
      ({ state, changed_at }) =>
        state === 'unknown' && toMs(changed_at) > Math.max(now - DOUBTS_MS, resumedAt),
    );
    if (doubts.length >= 3) broken ??= `${ref} was sent although three outcomes were unknown`;
  };

  const accepted = async (
    answer: { ref: string; created: boolean; state: BookingState },
    content: string,
    submission: string | undefined,
    before: readonly Booking[],
  ) => {
    const { ref, created, state } = answer;
    if (submission !== undefined) {
      const key = `${submission} ${content}`;
      const first = bySubmission.get(key);
      // Corrected by a person since, it is another content: a new question, never a new booking.
      const asks = created && state === 'held';
      if (first !== undefined && first !== ref && !asks)
        violate(`submission ${submission} got ${first}, then ${ref}`);
      bySubmission.set(key, first ?? ref);
    }
    if (!created) return;
    const now = world.clock.now();
    const stored = await world.store.bookings.get(ref);
    for (const other of before) {
      const first = known.get(other.ref);
      if (first === undefined || other.ref === ref || first.edited) continue;
      const same = first.content === content;
      const changed = stored?.reason === 'changed_submission';
      if (same && !changed && now - first.at <= MERGE_MS && other.state !== 'dropped')
        violate(`${ref} has the content of ${other.ref} and was not merged into it`);
      const sameSlot =
        other.phone_e164 !== null &&
        other.phone_e164 === stored?.phone_e164 &&
        other.appointment_date === stored.appointment_date &&
        other.appointment_time === stored.appointment_time;
      // The content says who and when: one who asks twice within a day is no family.
      if (same && !changed && now - first.at <= DAY_MS && !over.includes(other.state) && sameSlot)
        violate(`${ref} is for the patient and slot of ${other.ref} and was not merged into it`);
      const still = (await world.store.bookings.get(other.ref))?.state ?? other.state;
      if (sameSlot && !over.includes(other.state) && !over.includes(still) && state !== 'held')
        violate(`${ref} has the phone and slot of ${other.ref} and was not held`);
    }
    known.set(ref, { ref, content, at: now, releases: 0, edited: false });
  };

  const check = async () => {
    if (broken !== undefined) violate(broken);
    // Taken before the states are read: events continue, and what was at the clinic before the read must be visible in it.
    const existed = new Set(clinic.ledger.map(({ ref }) => ref));
    const bookings = await mine();
    const sending = bookings.filter(({ state }) => state === 'sending');
    if (sending.length > 1) violate('two bookings of one clinic are being sent');
    const stored = new Set(bookings.map(({ ref }) => ref));
    for (const ref of known.keys()) if (!stored.has(ref)) violate(`${ref} vanished`);

    for (const booking of bookings) {
      const { ref, state } = booking;
      const fate = known.get(ref);
      const releases = fate?.releases ?? 0;
      const risky = clinic.posts.filter((post) => post.ref === ref && !post.harmless);
      const commits = clinic.ledger.filter((entry) => entry.ref === ref);
      if (risky.length > 1 + releases) violate(`${ref} was sent ${risky.length} times`);
      if (commits.length > 1 + releases) violate(`${ref} exists ${commits.length} times at the clinic`);
      if (existed.has(ref) && releases === 0 && !mayExist.includes(state) && !(await droppedInDoubt(ref)))
        violate(`${ref} exists at the clinic and is ${state}`);
      if (state === 'booked') await checkBooked(booking, commits);
    }
    await checkTwins(bookings);
  };

  /** Two for one phone and time only if the person who released one had been shown exactly that other. */
  const checkTwins = async (bookings: readonly Booking[]) => {
    const seats = new Map<string, string[]>();
    for (const { ref, state, ...booking } of bookings) {
      if (!mayExist.includes(state) && state !== 'queued') continue;
      const seat = `${booking.phone_e164} ${booking.appointment_date} ${booking.appointment_time}`;
      for (const other of seats.get(seat) ?? [])
        if (!(await toldOf(ref)).includes(other) && !(await toldOf(other)).includes(ref))
          violate(`${ref} and ${other} are for the same phone, date and time`);
      seats.set(seat, [...(seats.get(seat) ?? []), ref]);
    }
  };

  const toldOf = async (ref: string) => {
    const events = await world.store.bookings.events(ref);
    const holds = events.filter(
      ({ to, reason }) =>
        to === 'held' && (reason === 'duplicate_suspect' || reason === 'changed_submission'),
    );
    return holds.map(({ message }) => message).join(' ');
  };

  /** A person ended it knowing that it might exist. */
  const droppedInDoubt = async (ref: string) => {
    const last = (await world.store.bookings.events(ref)).at(-1);
    return last?.to === 'dropped' && last.from === 'unknown' && last.actor === 'person';
  };

  /** A confirmation must be the clinic's own, a person's word, or the one match of a look. */
  const checkBooked = async ({ ref, appointment_id }: Booking, commits: readonly { id: number }[]) => {
    const last = (await world.store.bookings.events(ref)).findLast(({ to }) => to === 'booked');
    if (last?.from !== 'sending') return;
    const post = clinic.posts.findLast((one) => one.ref === ref);
    if (post?.answer === 'id_of_another') return;
    if (post?.answer !== 'booked') violate(`${ref} counts as booked after "${post?.answer}"`);
    if (!commits.some(({ id }) => id === appointment_id)) violate(`${ref} has somebody else's number`);
  };

  return {
    accepted,
    check,
    released: (ref: string) => note(known, ref, (fate) => ({ ...fate, releases: fate.releases + 1 })),
    edited: (ref: string) => note(known, ref, (fate) => ({ ...fate, edited: true })),
    resumed() {
      resumedAt = world.clock.now();
    },
    refs: () => [...known.keys()],
    async final() {
      await check();
      for (const { ref, state } of await mine())
        if (!final.includes(state)) violate(`${ref} is still ${state} when all is well`);
    },
  };
}
export type Judge = ReturnType<typeof bookingsJudge>;

function note(known: Map<string, Known>, ref: string, change: (fate: Known) => Known): void {
  const fate = known.get(ref);
  if (fate !== undefined) known.set(ref, change(fate));
}
