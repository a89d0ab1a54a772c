import { z } from 'zod';
import { wholeNumber } from '../../src/domain/clinics/setting.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Log } from '../../src/platform/log.ts';
import { type Loop, startLoop } from '../../src/platform/loop.ts';
import { type AppointmentState, nextStates, type SandboxAppointment } from './appointments.ts';
import type { Practice } from './practice.ts';
import { between, pick, type Random } from './random.ts';

export const SimulationOptions = z.strictObject({
  /** Milliseconds between two events. */
  everyMs: wholeNumber(1).default(4_000),
});
export type SimulationOptions = z.input<typeof SimulationOptions>;

/** An event, without names. */
type LifeEvent =
  | { kind: 'status'; appointment_id: number; status: string }
  | { kind: 'fee'; treatment_id: number; base_fee: string }
  | { kind: 'walk_in'; appointment_id: number };

export interface Simulation {
  /** Runs this many events now. */
  advance(events: number): LifeEvent[];
}

/** Simulates a practice: mostly status changes, now and then a fee, rarely a walk-in. */
export function createSimulation({ practice, random }: { practice: Practice; random: Random }): Simulation {
  const onwards = ({ status }: SandboxAppointment): readonly AppointmentState[] =>
    nextStates[status as AppointmentState] ?? [];

  const moveStatus = (): LifeEvent | undefined => {
    const open = practice.appointments.list().filter((appointment) => onwards(appointment).length > 0);
    // Prefer appointments from the API, because visitors of the demonstration watch those.
    const ours = open.filter(({ origin }) => origin === 'api');
    const chosen = pick(random, ours.length > 0 && random() < 0.8 ? ours : open);
    const status = chosen && pick(random, onwards(chosen));
    if (chosen === undefined || status === undefined) return undefined;
    practice.appointments.edit(chosen.id, { status });
    return { kind: 'status', appointment_id: chosen.id, status };
  };

  const changeFee = (): LifeEvent | undefined => {
    const chosen = pick(random, practice.treatments.list());
    if (chosen === undefined) return undefined;
    const step = between(random, 1, 4) * 50 * (random() < 0.5 ? -1 : 1);
    const base_fee = Math.max(50, Number(chosen.base_fee) + step).toFixed(2);
    practice.treatments.edit(chosen.treatment_id, { base_fee });
    return { kind: 'fee', treatment_id: chosen.treatment_id, base_fee };
  };

  const event = (): LifeEvent => {
    const lot = random();
    const happened = lot < 0.6 ? moveStatus() : lot < 0.9 ? changeFee() : undefined;
    return happened ?? { kind: 'walk_in', appointment_id: practice.appointments.addByStaff() };
  };

  return { advance: (events) => Array.from({ length: events }, event) };
}

export function startSimulation(
  options: { simulation: Simulation; clock: Clock; log: Log } & z.output<typeof SimulationOptions>,
): Loop {
  const { simulation, clock, log, everyMs } = options;
  let started = false;
  return startLoop({
    clock,
    log,
    name: 'sandbox simulation',
    async tick() {
      // The loop ticks at once, but tests and users should see the seeded practice first.
      if (started) simulation.advance(1);
      started = true;
      return everyMs;
    },
  });
}
