import { describe, expect, it, onTestFinished } from 'vitest';
import { booking } from '../../../test/conformance/store/samples.ts';
import { scriptedClinic } from '../../../test/support/bookings/scripted-clinic.ts';
import { clinicSettings } from '../../../test/support/bookings/world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { instant } from '../../platform/clock.ts';
import { createClockTrust } from '../../platform/clock-trust.ts';
import { silentLog } from '../../platform/log.ts';
import { alone } from '../../store/ports/fleet.ts';
import { openFileStore } from '../../store/sqlite.ts';
import { createSettling } from '../clinic-counter.ts';
import { judgeWithin } from '../duplicates/judge-lead.ts';
import { createFacts } from '../intake/facts.ts';
import { compareUnattended, freshReading } from './clinic-reading.ts';
import { type Dispatch, newDispatch } from './dispatch.ts';
import { nextSendable } from './dispatcher.ts';
import { withPause } from './dispatcher-state.ts';
import { storePendingOutcome } from './send.ts';
import { applyEffect, applyResumeRequest, loadState, requestResume, storeState } from './stored-state.ts';

const signal = new AbortController().signal;

async function dispatch(): Promise<Dispatch> {
  const clock = fakeClock();
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  return newDispatch({
    clinic: scriptedClinic('main'),
    settings: clinicSettings('main'),
    facts: createFacts({ store, clock }),
    settling: createSettling(clock),
    store,
    unfenced: store,
    tenure: alone,
    trust: createClockTrust({ clock, log: silentLog }),
    clock,
    log: silentLog,
    random: () => 0.5,
    onBookingChanged: () => {},
  });
}
const paused = ({ state, clock }: Dispatch) => withPause(state, 'person', 'Mina.', instant(clock.now()));

describe('a reading of the clinic', () => {
  it('is not trusted after another call failed, however fresh it is', async () => {
    const d = await dispatch();
    const before = await freshReading(d, signal);

    await applyEffect(d, { kind: 'limit', reason: 'The clinic asks us to wait.' });
    const after = await freshReading(d, signal);

    expect(before).toBeDefined();
    expect(after).not.toBe(before);
  });
});

describe('storing the outcome of a send', () => {
  it('keeps the outcome until it is stored', async () => {
    const d = await dispatch();
    const tries: string[] = [];
    const settle = async () => {
      tries.push('try');
      if (tries.length === 1) throw new Error('the disk is full');
    };
    d.pendingOutcome = { settle };

    await expect(storePendingOutcome(d)).rejects.toThrow('the disk is full');
    await storePendingOutcome(d);
    await storePendingOutcome(d);

    expect(tries).toHaveLength(2);
  });
});

describe('comparing the counter after a while without a daemon', () => {
  const reading = ({ clock }: Dispatch, value: number) => ({
    value,
    at: instant(clock.now()),
    monotonic: clock.monotonic(),
  });

  it('allows sending when the clinic has as many as before', async () => {
    const d = await dispatch();
    const { value, at } = reading(d, 1_000);
    d.unattended = { at, counter: { value, at } };

    await compareUnattended(d, reading(d, 1_000), new AbortController().signal);

    expect(d).toMatchObject({ unattended: undefined, state: { pause: null } });
  });

  it('pauses until a person resumes when the number differs', async () => {
    const d = await dispatch();
    const { value, at } = reading(d, 1_000);
    await d.store.bookings.accept(booking({ received_at: at }), judgeWithin(0));
    d.unattended = { at, counter: { value, at } };

    await compareUnattended(d, reading(d, 1_001), new AbortController().signal);

    expect(d).toMatchObject({ unattended: undefined, state: { pause: { kind: 'restored', until: null } } });
    expect(await loadState(d)).toEqual(d.state);
  });
});

describe('a request to resume', () => {
  it('ends the pause and the trust in the last reading, once', async () => {
    const d = await dispatch();
    await freshReading(d, signal);
    await storeState(d, paused(d));
    await requestResume(d, 'Mina');

    await applyResumeRequest(d);
    const { state, reading } = d;
    await storeState(d, paused(d));
    await applyResumeRequest(d);

    expect({ state, reading }).toMatchObject({
      state: { pause: null, resumed_by: 'Mina' },
      reading: undefined,
    });
    expect(d.state.pause).not.toBeNull();
  });
});

describe('choosing the next booking', () => {
  it('waits five minutes when there is none', async () => {
    const d = await dispatch();

    expect(await nextSendable(d)).toEqual({ next: undefined, inMs: 300_000 });
  });
});

describe('a state that could not be written', () => {
  it('is in force and known to be missing on disk', async () => {
    const d = await dispatch();
    const set: typeof d.store.keyValue.set = () => Promise.reject(new Error('the disk is full'));
    const broken: Dispatch = { ...d, store: { ...d.store, keyValue: { ...d.store.keyValue, set } } };

    await expect(storeState(broken, paused(broken))).rejects.toThrow('the disk is full');

    expect(broken).toMatchObject({ isStored: false, state: { pause: { kind: 'person' } } });
  });
});
