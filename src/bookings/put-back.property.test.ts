import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Violation } from '../../test/support/bookings/judge.ts';
import { answers } from '../../test/support/bookings/scripted-clinic.ts';
import { onVolume } from '../../test/support/bookings/volume.ts';
import type { World } from '../../test/support/bookings/world.ts';
import { skipsTheCounterComparison } from '../../test/support/bookings/wrong-policies.ts';

const factor = Number(process.env.VERIFY_RUNS ?? 1);
const long = { timeout: 120_000 * factor };

/** Leads that come, what the clinic answers to the next ones, and time that passes. */
const step = fc.record({
  leads: fc.array(fc.nat({ max: 9 }), { maxLength: 3 }),
  next: fc.array(fc.constantFrom(...(Object.keys(answers) as (keyof typeof answers)[])), { maxLength: 2 }),
  failReads: fc.nat({ max: 2 }),
  ms: fc.constantFrom(1_000, 20_000, 70_000),
});
const steps = fc.array(step, { maxLength: 3 });
type Story = (typeof step extends fc.Arbitrary<infer T> ? T : never)[];

/** A lead that waits when the copy is made and is booked afterwards: the copy has it still waiting. */
const bookedSince: [Story, Story, Story] = [
  [{ leads: [1], next: [], failReads: 2, ms: 1_000 }],
  [{ leads: [], next: [], failReads: 0, ms: 70_000 }],
  [],
];

async function live({ clinic, accept, advance }: World, story: Story) {
  for (const { leads, next, failReads, ms } of story) {
    clinic.script.push(...next);
    clinic.failReads += failReads;
    for (const lead of leads) await accept({ patient_phone: `01911-22230${lead}` });
    await advance(ms);
  }
}

/** Stops a daemon, copies its volume, restarts it, puts the copy back, and reads what the clinic has in the end. */
const putBackOnce = (spoil?: typeof skipsTheCounterComparison) =>
  fc.asyncProperty(steps, steps, steps, async (before, between, after) => {
    const { world, clock, start, stop, snapshot, putBack } = await onVolume(spoil);
    await world.start();
    await live(world, before);
    await stop();
    snapshot();
    await start();
    await live(world, between);
    await stop();
    clock.jump(10 * 60_000);
    putBack();

    await start();
    await live(world, after);
    world.clinic.script.length = 0;
    world.clinic.failReads = 0;
    await world.advance(5 * 60_000);
    await stop();

    const refs = world.clinic.ledger.map(({ ref }) => ref);
    const twice = refs.find((ref, index) => refs.indexOf(ref) !== index);
    if (twice !== undefined) throw new Violation(`${twice} exists twice at the clinic`);
  });

describe('a restored volume', () => {
  it('makes no booking twice, whatever came before, meanwhile and after', long, async () => {
    const runs = { numRuns: 15 * factor, examples: [bookedSince] };

    await expect(fc.assert(putBackOnce(), runs)).resolves.toBeUndefined();
  });

  it('catches a daemon that skips the counter comparison', long, async () => {
    const { errorInstance } = await fc.check(putBackOnce(skipsTheCounterComparison), {
      numRuns: 1,
      examples: [bookedSince],
      endOnFailure: true,
    });

    expect(errorInstance).toBeInstanceOf(Violation);
  });
});
