import { describe, expect, it } from 'vitest';
import { fakeClock, settle } from '../../test/support/fake-clock.ts';
import type { EventDelivery } from '../connector.ts';
import type { Delivery } from '../domain/delivery.ts';
import { Failure } from '../platform/failure.ts';
import { InFlight } from './in-flight.ts';

const refusal = new Failure({ kind: 'transient', message: 'refused' });

/** `things` are sent and answered; those named `fails` are refused. */
async function sent(inFlight: InFlight, ...things: string[]): Promise<void> {
  for (const thing of things) inFlight.start({ id: thing, clinic: 'main', thing } as Delivery, signal);
  await settle();
}
const { signal } = new AbortController();

function setup() {
  const clock = fakeClock();
  const deliver = async ({ id }: { id: string }) => {
    if (id === 'fails') throw refusal;
  };
  const inFlight = new InFlight({ clock, events: { deliver } as Partial<EventDelivery> as EventDelivery });
  return { clock, inFlight };
}

describe('outcomes that are stored together', () => {
  it('wait for others, but only for a moment', async () => {
    const { clock, inFlight } = setup();

    await sent(inFlight, 'a');
    const early = inFlight.take(false);
    const changed = inFlight.change();
    await clock.advance(50);

    expect(early).toEqual([]);
    await expect(changed).resolves.toBeUndefined();
    expect(inFlight.take(false)).toHaveLength(1);
  });

  it('do not wait once there are many', async () => {
    const { inFlight } = setup();

    await sent(inFlight, ...Array.from({ length: 128 }, (_, n) => `thing ${n}`));

    expect(inFlight.take(false)).toHaveLength(128);
  });

  it('do not wait with a failure among them, which decides what may be sent next', async () => {
    const { inFlight } = setup();

    await sent(inFlight, 'a', 'fails');

    expect(inFlight.take(false).map(({ failure }) => failure)).toEqual([undefined, refusal]);
  });

  it('do not wait when there is nothing else to do', async () => {
    const { inFlight } = setup();

    await sent(inFlight, 'a');

    expect(inFlight.take(true)).toHaveLength(1);
  });

  it('begin to wait again after they were taken', async () => {
    const { clock, inFlight } = setup();
    await sent(inFlight, 'a');
    await clock.advance(40);

    inFlight.take(true);
    await sent(inFlight, 'b');
    await clock.advance(40);

    expect(inFlight.take(false)).toEqual([]);
    expect([inFlight.waiting, inFlight.running]).toEqual([1, 0]);
  });

  it('block their record until they are released, but need no slot', async () => {
    const { inFlight } = setup();
    await sent(inFlight, 'a');

    const [attempt] = inFlight.take(true);
    const before = [inFlight.size, inFlight.slots];
    attempt?.release();
    await settle();

    expect(before).toEqual([1, 1]);
    expect(inFlight.size).toBe(0);
  });
});
