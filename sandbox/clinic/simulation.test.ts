import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { nextStates } from './appointments.ts';
import { startSandbox } from './clinic.ts';

describe('the simulation', () => {
  it('moves statuses only along the course of a visit', async () => {
    const sandbox = await startSandbox();
    const before = new Map(sandbox.control.appointments().map(({ id, status }) => [id, status]));

    for (let events = 0; events < 200; events += 1) {
      for (const event of sandbox.control.advanceLife()) {
        if (event.kind !== 'status') continue;
        const from = before.get(event.appointment_id) ?? 'Scheduled';
        expect(nextStates[from as keyof typeof nextStates]).toContain(event.status);
        before.set(event.appointment_id, event.status);
      }
    }

    await sandbox.close();
  });

  it('lets statuses, fees and walk-ins happen, the same for the same seed', async () => {
    const run = async (seed: number) => {
      const sandbox = await startSandbox({ seed });
      const events = sandbox.control.advanceLife(60);
      await sandbox.close();
      return events;
    };

    const [first, again, other] = [await run(7), await run(7), await run(8)];

    expect(new Set(first.map(({ kind }) => kind))).toEqual(new Set(['status', 'fee', 'walk_in']));
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('continues at its own pace, and stops with the sandbox', async () => {
    const clock = fakeClock();
    const sandbox = await startSandbox({ clock, life: { everyMs: 5_000 }, seed: 3 });
    const picture = () => JSON.stringify([sandbox.control.appointments(), sandbox.control.treatments()]);
    const start = picture();

    await clock.advance(4_999);
    const still = picture();
    await clock.advance(50_001);
    const moved = picture();
    await sandbox.close();

    expect(still).toEqual(start);
    expect(moved).not.toEqual(start);
    expect(clock.sleeping).toBe(0);
  });
});
