import type { Instant } from '../platform/clock.ts';
import type { BookingState, FieldFault, HoldReason, Submission } from './booking.ts';

/**
 * A probe is a lead of nobody that the daemon sends through a form's own door every night, to the edge of sending. It is
 * judged as any lead and never stored, so it cannot be sent either.
 */
export interface ProbeAnswer extends Rehearsed {
  probe: true;
  /** What the connector read. */
  fields: Submission['fields'];
}

/** What would become of a submission. */
export interface Rehearsed {
  state: BookingState;
  reason: string | null;
  faults: readonly (FieldFault & { reason: HoldReason })[];
}

/** For the daemon alone. */
export interface RehearsalDoor {
  /** How far a submission would get: everything but storing and sending. */
  rehearse(submission: Submission): Promise<Rehearsed>;
}

/** Carries the daemon's own word, which is another one after each start. */
export const PROBE_HEADER = 'x-clinic-sync-probe';

/** The first step that a probe did not get past. */
export const probeSteps = ['page', 'door', 'preset', 'mapping', 'storing', 'judging'] as const;

export interface ProbeFault {
  step: (typeof probeSteps)[number];
  /** What was found there, without a full stop. */
  what: string;
}

/** What is kept of a connector's probes. */
export interface Probed {
  at: Instant;
  /** In a row. */
  failures: number;
  /** Since when it fails; null when it does not. */
  since: Instant | null;
  fault: ProbeFault | null;
}
