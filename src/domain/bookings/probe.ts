import type { Instant } from '../../platform/clock.ts';
import type { BookingState, FieldFault, HoldReason, Submission } from './booking.ts';

/**
 * A probe is a made-up lead that the daemon submits to a form every night. It is judged like any lead but never stored,
 * so it cannot be sent.
 */
export interface ProbeAnswer extends Omit<Rehearsed, 'result' | 'ref'> {
  probe: true;
  /** The fields as read by the connector. */
  fields: Submission['fields'];
}

/** What would become of a submission. */
export interface Rehearsed {
  /** `same`, `merged`: nothing new; it is counted on `ref`. */
  result: 'new' | 'same' | 'merged';
  /** The booking that it would be counted on, or be held beside. */
  ref: string | null;
  state: BookingState;
  reason: string | null;
  faults: readonly (FieldFault & { reason: HoldReason })[];
}

/** For the daemon only. */
export interface RehearsalPort {
  /** Processes a submission without storing or sending it. */
  rehearse(submission: Submission): Promise<Rehearsed>;
}

/** Carries a secret of the daemon, which changes with each start. */
export const PROBE_HEADER = 'x-clinic-sync-probe';

/** The first step at which a probe failed. */
export const probeSteps = ['page', 'door', 'preset', 'mapping', 'storing', 'judging'] as const;

export interface ProbeFault {
  step: (typeof probeSteps)[number];
  /** What was found, without a full stop. */
  what: string;
}

/** What is stored about a connector's probes. */
export interface Probed {
  at: Instant;
  /** Consecutive failures. */
  failures: number;
  /** When it began to fail; null if it does not. */
  since: Instant | null;
  fault: ProbeFault | null;
}
