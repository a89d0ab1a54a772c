import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { booking as newBooking } from '../../../test/conformance/store/samples.ts';
import { scriptedClinic } from '../../../test/support/bookings/scripted-clinic.ts';
import { clinicSettings } from '../../../test/support/bookings/world.ts';
import { type FakeClock, fakeClock } from '../../../test/support/fake-clock.ts';
import type { Booking } from '../../domain/bookings/booking.ts';
import { instant } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import { silentLog } from '../../platform/log.ts';
import { alone, type Tenure } from '../../store/ports/fleet.ts';
import { openFileStore } from '../../store/sqlite.ts';
import type { Store } from '../../store/store.ts';
import { judgeWithin } from '../duplicates/judge-lead.ts';
import { takeBack } from './send.ts';
import { requestOf, submit } from './submit.ts';

let clock: FakeClock;
let store: Store;
let booking: Booking;

const accept = async (): Promise<Booking> =>
  (await store.bookings.accept(newBooking({ received_at: instant(clock.now()) }), judgeWithin(0))).booking;

beforeEach(async () => {
  clock = fakeClock();
  store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  booking = await accept();
});
afterEach(() => store.close());

type Claim = Store['bookings']['claim'];

/** One send to a clinic that books all it gets; `claim` and `trusted` as the test wants them. */
async function send({
  claim = store.bookings.claim,
  trusted = () => true,
  stop = new AbortController().signal,
  lost = new AbortController().signal,
  clinic = scriptedClinic(),
  tenure = alone,
}: {
  claim?: Claim;
  trusted?: () => boolean;
  stop?: AbortSignal;
  lost?: AbortSignal;
  clinic?: ReturnType<typeof scriptedClinic>;
  tenure?: Tenure;
}) {
  const counter = { value: 1_000, at: instant(clock.now()) };
  const bookings = { ...store.bookings, claim };
  const parts = { store: { ...store, bookings }, clinic, clock, settings: clinicSettings('main'), tenure };
  const sent = await submit(parts, { booking, counter, trusted, stop, lost });
  return { sent, posts: clinic.posts.length };
}

describe('sending a booking', () => {
  it('lets the client ask until the socket opens whether the clinic still belongs to this process', async () => {
    const clinic = scriptedClinic();
    let isOurs = true;
    const asked: unknown[] = [];
    clinic.book = async (_, { beforeSend, mayStillSend }) => {
      await beforeSend();
      asked.push(mayStillSend());
      isOurs = false;
      asked.push(mayStillSend());
      return { class: 'never_sent', detail: 'over' };
    };

    await send({ clinic, tenure: { ...alone, maySend: () => isOurs } });

    expect(asked).toEqual([true, false]);
  });

  it('claims and sends nothing when a call to the clinic failed since the last read', async () => {
    const { sent, posts } = await send({ trusted: () => false });

    expect(sent).toMatchObject({ kind: 'not_sent', claimAt: undefined });
    expect(posts).toBe(0);
    expect(await store.bookings.get(booking.ref)).toMatchObject({ state: 'queued', attempt: 0 });
  });

  it('claims and sends nothing once its time has passed', async () => {
    clock.jump(60 * 24 * 60 * 60_000);

    const { sent, posts } = await send({});

    expect(sent).toMatchObject({ kind: 'not_sent', claimAt: undefined });
    expect(posts).toBe(0);
  });

  it('sends nothing when a read fails while its claim is being stored', async () => {
    let asked = 0;

    const { sent, posts } = await send({ trusted: () => ++asked === 1 });

    expect(sent).toMatchObject({ kind: 'not_sent', claimAt: instant(clock.now()) });
    expect(posts).toBe(0);
  });

  it('sends nothing when a stop is requested while its claim is being stored', async () => {
    const stop = new AbortController();
    const claim: Claim = async (...asked) => {
      const claimed = await store.bookings.claim(...asked);
      stop.abort(new Error('stopping'));
      return claimed;
    };

    const { sent, posts } = await send({ claim, stop: stop.signal });

    expect(sent).toMatchObject({ kind: 'not_sent' });
    expect(posts).toBe(0);
  });

  it('sends nothing that is edited while waiting for its turn', async () => {
    const claim: Claim = async (...asked) => {
      const claimed = await store.bookings.claim(...asked);
      return claimed && { ...claimed, patient_name: 'Someone Else' };
    };

    const { sent, posts } = await send({ claim });

    expect(sent).toMatchObject({ kind: 'not_sent' });
    expect(posts).toBe(0);
  });

  it('undoes nothing when the client fails after the hand-over', async () => {
    const clinic = scriptedClinic();
    clinic.script.push('throws_after');

    const { sent } = await send({ clinic });

    expect(sent).toMatchObject({ kind: 'sent', outcome: { class: 'ambiguous', cause: 'interrupted' } });
  });

  it('builds no request while the requested dentist has no number', () => {
    expect(requestOf({ ...booking, doctor: 'Dr. Ann', doctor_id: null })).toBeUndefined();
    expect(requestOf({ ...booking, treatment: 'Filling', treatment_id: null })).toBeUndefined();
    expect(requestOf({ ...booking, doctor: 'Dr. Ann', doctor_id: 3 })).toMatchObject({ doctor_id: 3 });
  });
});

describe('undoing a claim that never reached the clinic', () => {
  const take = (claimAt: string | undefined, error?: Failure) =>
    takeBack({ store, clock, log: silentLog, onBookingChanged: () => {} }, booking, {
      kind: 'not_sent',
      claimAt,
      error,
    });

  it('leaves a booking alone that another claim is sending', async () => {
    const other = await accept();
    await store.bookings.claim('main', instant(clock.now()), { ref: other.ref, evidence: {} });

    await take(instant(clock.now() + 1_000));

    expect(await store.bookings.get(other.ref)).toMatchObject({ state: 'sending' });
  });

  it('holds a booking for a user only when the client will never send it', async () => {
    await take(undefined, new Failure({ kind: 'transient', message: 'The clinic cannot be reached.' }));
    const after = await store.bookings.get(booking.ref);
    await take(undefined, new Failure({ kind: 'refused', message: 'The name is too long.' }));

    expect(after).toMatchObject({ state: 'queued' });
    expect(await store.bookings.get(booking.ref)).toMatchObject({ state: 'held', reason: 'invalid_field' });
  });
});
