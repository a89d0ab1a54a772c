import type { Clock } from '../../src/platform/clock.ts';
import { Failure } from '../../src/platform/failure.ts';
import type { SandboxAppointment } from './appointments.ts';
import type { Counters } from './counters.ts';
import type { FaultName } from './faults/catalog.ts';
import type { World } from './faults/kind.ts';
import type { FaultScript, ScriptedFault } from './faults/script.ts';
import type { SandboxGate } from './gate.ts';
import { createSandboxLimiter, type LimiterOptions, type SandboxLimiter } from './limiter.ts';
import type { Practice } from './practice.ts';
import type { Simulation } from './simulation.ts';
import type { SandboxTokens } from './tokens.ts';

interface Parts {
  practice: Practice;
  tokens: SandboxTokens;
  script: FaultScript;
  counters: Counters;
  simulation: Simulation;
  gate: SandboxGate;
  world: World;
  clock: Clock;
  limiter: { current: SandboxLimiter | undefined };
}

/**
 * Everything that the front desk or an operator can do to the sandbox other than through its API. The control channel
 * offers the same verbs over HTTP. Editing or removing something unknown throws `Failure` refused; a field that would
 * break the API's contract throws a ZodError.
 */
export type SandboxControl = ReturnType<typeof createControl>;

export function createControl(parts: Parts) {
  const { practice, tokens, script, counters, simulation, gate, world, clock, limiter } = parts;
  const known = (found: boolean, what: string, id: number) => {
    if (!found) throw new Failure({ kind: 'refused', message: `The sandbox has no ${what} ${id}.` });
  };
  const { appointments, treatments, dentists } = practice;

  return {
    /** Every appointment in the book, including the front desk's own. */
    appointments: () => appointments.list(),
    /** Accepts any text, even an unknown status. */
    setStatus(id: number, status: string) {
      known(appointments.edit(id, { status }), 'appointment', id);
    },
    editAppointment(
      id: number,
      fields: Partial<Pick<SandboxAppointment, 'name' | 'date' | 'time' | 'status'>>,
    ) {
      known(appointments.edit(id, fields), 'appointment', id);
    },
    /** Creates an appointment at the front desk, which is not in the ledger. Returns its id. */
    addAppointment: appointments.addByStaff,
    /** Active treatments. */
    treatments: () => treatments.list(),
    editTreatment(id: number, fields: Parameters<typeof treatments.edit>[1]) {
      known(treatments.edit(id, fields), 'treatment', id);
    },
    addTreatment: (fields: Parameters<typeof treatments.add>[0] = {}) => treatments.add(fields),
    retireTreatment: (id: number) => known(treatments.setActive(id, false), 'treatment', id),
    restoreTreatment: (id: number) => known(treatments.setActive(id, true), 'treatment', id),
    dentists: () => dentists.list(),
    editDentist(id: number, fields: Parameters<typeof dentists.edit>[1]) {
      known(dentists.edit(id, fields), 'dentist', id);
    },
    addDentist: (fields: Parameters<typeof dentists.add>[0] = {}) => dentists.add(fields),
    removeDentist: (id: number) => known(dentists.setActive(id, false), 'dentist', id),
    /** `statistics` may be partial. */
    editOrganization: practice.editOrganization,
    editWebsite: practice.editWebsite,
    /** Every committed call to /appointments/book, oldest first. */
    ledger: () => appointments.ledger(),
    /** Returns the number of revoked tokens. */
    revokeTokens: () => tokens.revokeAll(),
    tokensGranted: () => tokens.granted,
    /** Undefined: no limit. Resets the counts. */
    setLimiter(options?: LimiterOptions) {
      limiter.current = options && createSandboxLimiter({ clock, options });
    },
    limiterCounts: () => limiter.current?.counts(),
    requests: () => counters.report(gate.accepted),
    /** Adds faults after those already scripted. */
    script(...faults: (FaultName | ScriptedFault)[]) {
      for (const act of script.add(faults)) if (act.stage === 'listener') void act.act(world);
    },
    faults: () => script.list(),
    /** Also listens again if connections were refused. */
    async clearFaults() {
      script.clear();
      await gate.open();
    },
    /** Drops every connection, forgets every token, and listens again after `ms`. */
    restart: (ms = 0) => world.restart(ms),
    advanceLife: (events = 1) => simulation.advance(events),
  };
}
