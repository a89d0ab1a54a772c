import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IntakeAllowance, IntakeLimit, NewBooking } from '../../../src/store/ports/bookings.ts';
import type { Store } from '../../../src/store/store.ts';
import { booking, judge, minute, type OpenStore } from './samples.ts';

const FACTOR = Number(process.env.VERIFY_RUNS ?? 1);
const RUNS = 10 * FACTOR;
const long = { timeout: 90_000 * FACTOR };

const HOUR_MS = 60 * 60_000;
const limits: IntakeLimit[] = [
  { by: 'source', within_ms: HOUR_MS, at_most: 4, message: 'source' },
  { by: 'phone', within_ms: 24 * HOUR_MS, at_most: 3, message: 'phone' },
];
const over: IntakeAllowance = {
  limits,
  over: (reached) => ({
    state: 'held',
    reason: 'source_limit',
    message: reached.map(({ message }) => `Over: ${message}.`).join(' '),
  }),
};

/** Few of each, so that submissions, people and slots collide. */
const small = (max: number) => fc.integer({ min: 0, max });
const leads = fc.record({
  submission: fc.option(small(4)),
  name: small(2),
  phone: fc.option(fc.constantFrom('+8801711111111', '01711111111', '+8801722222222'), { freq: 6 }),
  slot: fc.option(small(2), { freq: 6 }),
  clinic: fc.constantFrom('main', 'main', 'north'),
  source: fc.constantFrom('website', 'website', 'crm'),
  state: fc.constantFrom<'queued' | 'received'>('queued', 'received'),
  restored: fc.boolean(),
  visitor: fc.boolean(),
  /** Tens of minutes, so that hours, quarters of an hour and days end among them, and the clock is set back. */
  at: fc.oneof(small(20), fc.constantFrom(140, 150)),
  /** The group ends with it. */
  last: fc.boolean(),
  /** A person drops this booking once the group has ended. */
  drops: fc.option(small(8), { freq: 4 }),
});
type Lead = typeof leads extends fc.Arbitrary<infer L> ? L : never;

function submission(lead: Lead, index: number): NewBooking {
  const { submission, name, phone, slot, clinic, source, state, restored, visitor, at } = lead;
  const date = slot === null ? null : `2026-04-0${slot + 1}`;
  const submitted = booking({
    clinic,
    source,
    submission_id: submission === null ? null : `s${submission}`,
    patient_name: `Person ${name}`,
    patient_phone: phone,
    phone_e164: phone,
    appointment_date: date,
    state,
    content_hash: `${name}/${phone}/${date}`,
    // No two at the same moment, some exactly an hour apart.
    received_at: new Date(Date.parse(minute(at * 10)) + index).toISOString(),
    ...(visitor && { visitor_ref: `visitor-${index}` }),
  });
  return restored && name === 2
    ? { ...submitted, state: 'held', reason: 'restored_state', message: 'Restored.' }
    : submitted;
}

const dropped = async (store: Store, which: number | null, refs: readonly string[]) => {
  const ref = which === null ? undefined : refs[which];
  const booking = ref === undefined ? undefined : await store.bookings.get(ref);
  if (booking === undefined || !['queued', 'held', 'received'].includes(booking.state)) return;
  const { attempt, state } = booking;
  const by = { actor: 'person' as const, by: 'Sam', at: minute(2_000) };
  await store.bookings.move({ ref: booking.ref, attempt, from: [state], to: 'dropped', ...by });
};

type Accepted = Awaited<ReturnType<Store['bookings']['accept']>>;

/** That it may be booked already outweighs any limit. */
const limitsOf = ({ reason, phone_e164 }: NewBooking) =>
  limits.filter(({ by }) => reason !== 'restored_state' && (by === 'source' || phone_e164 !== null));

/** One at a time, with limits counted over everything stored. */
async function oneByOne(store: Store, group: readonly NewBooking[]): Promise<Accepted[]> {
  const accepted: Accepted[] = [];
  for (const submitted of group) {
    const stored = await store.bookings.list({ clinic: submitted.clinic });
    const reached = limitsOf(submitted).filter(({ by, within_ms, at_most }) => {
      const since = new Date(Date.parse(submitted.received_at) - within_ms).toISOString();
      const isCounted = (one: { source: string; phone_e164: string | null }) =>
        by === 'source' ? one.source === submitted.source : one.phone_e164 === submitted.phone_e164;
      return stored.filter((one) => isCounted(one) && one.received_at >= since).length >= at_most;
    });
    const verdict = reached.length === 0 ? {} : over.over(reached);
    accepted.push(await store.bookings.accept({ ...submitted, ...verdict }, judge));
  }
  return accepted;
}

const together = (store: Store, group: readonly NewBooking[]): Promise<Accepted[]> =>
  Promise.all(
    group.map((one) =>
      store.bookings.accept(one, judge, {
        ...over,
        limits: limitsOf(one),
      }),
    ),
  );

/** Everything stored in the end, with the random refs replaced by their order. */
async function outcome(store: Store, refs: readonly string[], accepted: readonly Accepted[]) {
  const bookings = await store.bookings.list({});
  const visitors = await Promise.all(
    accepted.map((_one, index) => store.bookings.get(`visitor-${index}`).then((found) => found?.ref)),
  );
  const clinics = await Promise.all(['main', 'north'].map((clinic) => store.changes.after(clinic, 0, 1_000)));
  const sources = await Promise.all(
    refs.flatMap((ref) => ['website', 'crm'].map((source) => store.bookings.cameFrom(ref, source))),
  );
  const text = JSON.stringify({
    accepted: accepted.map(({ booking, result }) => [result, booking]),
    bookings: bookings.toSorted((a, b) => refs.indexOf(a.ref) - refs.indexOf(b.ref)),
    events: await Promise.all(refs.map((ref) => store.bookings.events(ref))),
    totals: await store.bookings.totals(minute(0), minute(0)),
    ...{ visitors, clinics, sources },
  });
  return JSON.parse(refs.reduce((all, ref, index) => all.replaceAll(ref, `#${index}`), text)) as unknown;
}

export function describeAcceptingInGroups(open: OpenStore): void {
  describe('accepting many bookings at once', () => {
    it('stores the same in groups of any size as one at a time', long, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(leads, { minLength: 1, maxLength: 20 }), async (all) => {
          const run = async (accept: (store: Store, group: readonly NewBooking[]) => Promise<Accepted[]>) => {
            const store = await open();
            const accepted: Accepted[] = [];
            const refs: string[] = [];
            let group: NewBooking[] = [];
            for (const [index, lead] of all.entries()) {
              group.push(submission(lead, index));
              if (!lead.last && index < all.length - 1) continue;
              for (const one of await accept(store, group)) {
                accepted.push(one);
                if (one.result === 'new') refs.push(one.booking.ref);
              }
              group = [];
              await dropped(store, lead.drops, refs);
            }
            return await outcome(store, refs, accepted);
          };

          expect(await run(together)).toEqual(await run(oneByOne));
        }),
        { numRuns: RUNS },
      );
    });

    it('counts toward a limit what arrived within its window, to the millisecond', async () => {
      const store = await open();
      const at = (ms: number) => new Date(Date.parse(minute(0)) + ms).toISOString();
      for (const ms of [0, 9_999, 10_000, 3_599_999])
        await together(store, [booking({ received_at: at(ms) })]);

      const [fifth] = await together(store, [booking({ received_at: at(HOUR_MS) })]);
      const [sixth] = await together(store, [booking({ received_at: at(HOUR_MS + 10_000) })]);
      const [other] = await together(store, [booking({ received_at: at(HOUR_MS), source: 'crm' })]);

      expect(fifth?.booking).toMatchObject({
        state: 'held',
        reason: 'source_limit',
        message: 'Over: source.',
      });
      expect([sixth, other].map((one) => one?.booking.state)).toEqual(['queued', 'queued']);
    });

    it('merges no lead into one of its group from before the window', async () => {
      const store = await open();
      const day = { appointment_date: '2026-04-01', appointment_time: '10:00', phone_e164: null };
      const at = (minutes: number) =>
        booking({ ...day, submission_id: null, content_hash: 'alike', received_at: minute(minutes) });

      const accepted = await together(store, [at(0), at(14), at(16)]);

      expect(accepted.map(({ result }) => result)).toEqual(['new', 'merged', 'new']);
    });

    it('holds what exceeds a limit within one group, and says what it is held with', async () => {
      const store = await open();
      const phone_e164 = '+8801711111111';
      const many = Array.from({ length: 6 }, (_, i) =>
        booking({ ...(i < 4 && { phone_e164 }), appointment_time: `1${i}:00` }),
      );

      const accepted = await together(store, many);

      expect(accepted.map(({ booking: { state, message } }) => [state, message])).toEqual([
        ...Array(3).fill(['queued', null]),
        ['held', 'Over: phone.'],
        ...Array(2).fill(['held', 'Over: source.']),
      ]);
    });
  });
}
