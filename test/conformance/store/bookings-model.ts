import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Actor,
  type BookingState,
  bookingStates,
  mayMove,
} from '../../../src/domain/bookings/booking.ts';
import type { Store } from '../../../src/store/store.ts';
import { booking, claimNext, judge, minute, type OpenStore } from './samples.ts';

const FACTOR = Number(process.env.VERIFY_RUNS ?? 1);
/** Verbs take longer on a server. */
const RUNS = { function: 25, process: 6 };
/** On a file each run opens a database and waits for the disk with every verb: a thousand syncs. */
const long = { timeout: 90_000 * FACTOR };

/** Few of everything, so that submissions, people, appointments and moves meet each other. */
const small = (max: number) => fc.integer({ min: 0, max });
const verbs = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('accept' as const),
      submission: small(6),
      content: small(4),
      phone: small(3),
      clinic: fc.constantFrom('main', 'north'),
      state: fc.constantFrom<BookingState>('received', 'queued', 'queued', 'held'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ verb: fc.constant('claim' as const), clinic: fc.constantFrom('main', 'north') }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant('move' as const),
      which: small(9),
      to: fc.constantFrom(...bookingStates),
      actor: fc.constantFrom<Actor>('daemon', 'person'),
      appointment: small(4),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('interrupt' as const) }) },
);
type Verb = typeof verbs extends fc.Arbitrary<infer V> ? V : never;

/** Runs one verb. Whatever the store refuses, it refuses as a Failure and leaves nothing behind. */
async function run(store: Store, verb: Verb, at: string, known: Set<string>): Promise<void> {
  if (verb.verb === 'interrupt') return void (await store.bookings.interruptSending(at));
  if (verb.verb === 'claim') return void (await claimNext(store, verb.clinic, at));
  if (verb.verb === 'accept') {
    const { booking: stored } = await store.bookings.accept(
      booking({
        clinic: verb.clinic,
        state: verb.state,
        submission_id: verb.submission === 0 ? null : `s${verb.submission}`,
        content_hash: verb.content === 0 ? null : `c${verb.content}`,
        phone_e164: verb.phone === 0 ? null : `+880${verb.phone}`,
        received_at: at,
      }),
      judge,
    );
    known.add(stored.ref);
    return;
  }
  const ref = [...known][verb.which];
  if (ref === undefined) return;
  const before = await store.bookings.get(ref);
  expect.assert(before, 'no booking is ever lost');
  const wanted = {
    ref,
    attempt: before.attempt,
    from: [before.state],
    to: verb.to,
    actor: verb.actor,
    by: 'somebody',
    at,
  };
  const appointment = verb.to === 'booked' ? { appointment_id: verb.appointment } : {};
  const moved = await store.bookings.move({ ...wanted, ...appointment }).catch((error) => error);
  const legal = mayMove(before.state, verb.to, verb.actor) && verb.to !== 'sending';
  if (!legal) expect(moved).toMatchObject({ name: 'Failure', kind: 'refused' });
  if (moved instanceof Error) expect(await store.bookings.get(ref)).toEqual(before);
  else expect(moved.state).toBe(verb.to);
}

async function expectInvariants(store: Store, known: ReadonlySet<string>): Promise<void> {
  const all = await store.bookings.list({});
  expect(new Set(all.map(({ ref }) => ref))).toEqual(known);

  for (const clinic of ['main', 'north']) {
    const here = all.filter((one) => one.clinic === clinic);
    expect(here.filter(({ state }) => state === 'sending').length, 'one on the wire').toBeLessThanOrEqual(1);
    const linked = here.flatMap(({ appointment_id }) => appointment_id ?? []);
    expect(new Set(linked).size, 'one booking per appointment').toBe(linked.length);
    const tracked = (await store.appointments.page(clinic, 1_000)).map(
      ({ appointment_id }) => appointment_id,
    );
    expect(tracked).toEqual(linked.sort((a, b) => a - b));
    const changes = await store.changes.after(clinic, 0, 10_000);
    expect(changes.map(({ sequence }) => sequence)).toEqual(changes.map((_, i) => i + 1));
    for (const { ref, state } of here.filter((one) => one.state !== 'sending')) {
      const last = changes.findLast(({ resource, id }) => resource === 'booking' && id === ref);
      expect(last?.data.state, 'the change log knows where it is').toBe(state);
    }
  }
  for (const { ref, state, attempt } of all) {
    const events = await store.bookings.events(ref);
    expect(events[0]).toMatchObject({ from: null, to: 'received' });
    expect(events.at(-1)?.to).toBe(state);
    expect(events.filter(({ to }) => to === 'sending')).toHaveLength(attempt);
    for (const [i, { from, to, actor }] of events.entries()) {
      if (i === 0) continue;
      expect(from, 'every step starts where the last one ended').toBe(events[i - 1]?.to);
      expect(from !== null && mayMove(from, to, actor), `${from} → ${to} by ${actor}`).toBe(true);
    }
  }
}

export function describeBookingsModel(open: OpenStore, distance: keyof typeof RUNS): void {
  const numRuns = RUNS[distance] * FACTOR;
  describe('bookings, whatever happens to them', () => {
    it('are never lost, never sent two at a time, never moved against the rules', long, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(verbs, { minLength: 5, maxLength: 40 }), async (sequence) => {
          const store = await open();
          const known = new Set<string>();

          for (const [i, verb] of sequence.entries()) await run(store, verb, minute(i * 4), known);

          await expectInvariants(store, known);
          await store.close();
        }),
        { numRuns },
      );
    });

    it('are judged one after the other also when everything is asked for at once', long, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(verbs, { minLength: 5, maxLength: 25 }), async (sequence) => {
          const store = await open();
          const known = new Set<string>();
          for (let i = 0; i < 3; i += 1)
            await run(
              store,
              { verb: 'accept', submission: 0, content: 0, phone: 0, clinic: 'main', state: 'queued' },
              minute(0),
              known,
            );

          const asked = sequence.filter(({ verb }) => verb !== 'move');
          await Promise.all(asked.map((verb, i) => run(store, verb, minute(i), known)));

          await expectInvariants(store, known);
          await store.close();
        }),
        { numRuns },
      );
    });
  });
}
