import { z } from 'zod';
import type { Clock } from '../../src/platform/clock.ts';
import type { Log } from '../../src/platform/log.ts';
import { type Loop, startLoop } from '../../src/platform/loop.ts';
import { type AppointmentState, nextStates, type SandboxAppointment } from './appointments.ts';
import type { Practice } from './practice.ts';
import { between, pick, type Random } from './random.ts';

export const LifeOptions = z.strictObject({
  /** Milliseconds between two events. */
  everyMs: z.number().int().min(1).default(4_000),
});
export type LifeOptions = z.input<typeof LifeOptions>;

/** What happened, without anybody's name. */
export type LifeEvent =
  | { kind: 'status'; appointment_id: number; status: string }
  | { kind: 'fee'; treatment_id: number; base_fee: string }
  | { kind: 'walk_in'; appointment_id: number };

export interface Life {
  /** So many events now. */
  advance(events: number): LifeEvent[];
}

/** A practice where things happen: mostly statuses that move, now and then a fee, rarely a walk-in. */
export function createLife({ practice, random }: { practice: Practice; random: Random }): Life {
  const onwards = ({ status }: SandboxAppointment): readonly AppointmentState[] =>
    nextStates[status as AppointmentState] ?? [];

  const moveStatus = (): LifeEvent | undefined => {
    const open = practice.appointments.list().filter((appointment) => onwards(appointment).length > 0);
    // Those that came through the API are what somebody is watching.
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

export function startLife(
  options: { life: Life; clock: Clock; log: Log } & z.output<typeof LifeOptions>,
): Loop {
  const { life, clock, log, everyMs } = options;
  let started = false;
  return startLoop({
    clock,
    log,
    name: 'sandbox life',
    async tick() {
      // The first tick comes at once; the practice should first be seen as it is.
      if (started) life.advance(1);
      started = true;
      return everyMs;
    },
  });
}
