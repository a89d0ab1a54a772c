import type { Clinic } from '../../clinic/clinic.ts';
import type { ClinicSettings } from '../../config/config.ts';
import type { Doubt, Unattended } from '../../domain/counter.ts';
import type { Instant } from '../../platform/clock.ts';
import type { Tenure } from '../../store/ports/fleet.ts';
import type { Store } from '../../store/store.ts';
import type { Settling } from '../clinic-counter.ts';
import type { BookingParts } from '../parts.ts';
import { type DispatcherState, openState } from './dispatcher-state.ts';

export interface DispatchParts extends BookingParts {
  clinic: Clinic;
  settings: ClinicSettings;
  settling: Settling;
  /** How long this process looks after the clinic. */
  tenure: Tenure;
  /** For the one thing a former owner may still write. */
  unfenced: Store;
  /** In [0, 1). */
  random: () => number;
}

/** `statistics.total_appointments`, as read at a moment. */
export interface Reading {
  /** Null: the clinic answered, but without the figure. */
  value: number | null;
  at: Instant;
  monotonic: number;
}

/** State that the steps of one clinic's dispatcher share. */
export interface Dispatch extends DispatchParts {
  readonly key: string;
  /** Whether it is paused, and why. */
  state: DispatcherState;
  /** False while `state` differs from the stored one. */
  isStored: boolean;
  /** Dropped after any error, so that one successful read always precedes the next send. */
  reading: Reading | undefined;
  /** A claim is being made, or more. */
  sending: boolean;
  /** Stores the outcome of the last send, if that has not worked yet. Nothing is sent before. */
  owed:
    | { settle: () => Promise<void> /** For whoever owns the clinic now. */; lateWord?: () => Promise<void> }
    | undefined;
  /** Set until the clinic's counter has been compared with the last stored one. Nothing is sent before. */
  unattended: Unattended | undefined;
  /** Looks at an appointment for it that failed, in this process. */
  failedLooks: number;
  /** When that comparison has to be over, on the monotonic clock. */
  compareUntil: number | undefined;
  /** What it left unexplained. */
  doubt: Doubt | undefined;
}

export const newDispatch = (parts: DispatchParts): Dispatch => ({
  ...parts,
  key: parts.settings.key,
  state: openState,
  isStored: true,
  reading: undefined,
  sending: false,
  owed: undefined,
  unattended: undefined,
  failedLooks: 0,
  compareUntil: undefined,
  doubt: undefined,
});
