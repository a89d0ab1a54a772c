import type { Clinic } from '../../clinic/clinic.ts';
import type { ClinicSettings } from '../../config/config.ts';
import type { Doubt, Unattended } from '../../domain/bookings/counter.ts';
import type { Instant } from '../../platform/clock.ts';
import type { ClockTrust } from '../../platform/clock-trust.ts';
import type { Tenure } from '../../store/ports/fleet.ts';
import type { Store } from '../../store/store.ts';
import type { BookingParts } from '../booking-parts.ts';
import type { Settling } from '../clinic-counter.ts';
import type { FactsSource } from '../intake/facts.ts';
import { type DispatcherState, openState } from './dispatcher-state.ts';

export interface DispatchParts extends BookingParts {
  clinic: Clinic;
  settings: ClinicSettings;
  facts: FactsSource;
  settling: Settling;
  trust: ClockTrust;
  /** For how long this process owns the clinic. */
  tenure: Tenure;
  /** For the one write that a former owner may still make: storing a late confirmation. */
  unfenced: Store;
  /** In [0, 1). */
  random: () => number;
}

/** `statistics.total_appointments` with the time of the read. */
export interface CounterReading {
  /** Null: the clinic answered without the figure. */
  value: number | null;
  at: Instant;
  monotonic: number;
}

/** An outcome that could not be stored yet. */
interface PendingOutcome {
  settle: () => Promise<void>;
  /** Instead, once another daemon owns the clinic: stores the clinic's confirmation for it. */
  lateConfirmation?: () => Promise<void>;
}

/** State that the steps of one clinic's dispatcher share. */
export interface Dispatch extends DispatchParts {
  readonly key: string;
  /** Whether it is paused, and why. */
  state: DispatcherState;
  /** False while `state` is not stored yet. */
  isStored: boolean;
  /** Dropped after any error, so that one successful read always precedes the next send. */
  reading: CounterReading | undefined;
  /** A claim is being written, or a send is under way. */
  sending: boolean;
  /** The outcome of the last send, until it is stored. Nothing is sent before. */
  pendingOutcome: PendingOutcome | undefined;
  /** Set until the clinic's counter has been compared with the last stored one. Nothing is sent before. */
  unattended: Unattended | undefined;
  /** The leaps of the clock after which the comparison was begun. */
  leapsNoted: number;
  /** Appointment reads of that comparison that failed in this process. */
  failedLooks: number;
  /** Deadline of that comparison, on the monotonic clock. */
  compareUntil: number | undefined;
  /** What that comparison left unexplained. */
  doubt: Doubt | undefined;
}

export const newDispatch = (parts: DispatchParts): Dispatch => ({
  ...parts,
  key: parts.settings.key,
  state: openState,
  isStored: true,
  reading: undefined,
  sending: false,
  pendingOutcome: undefined,
  unattended: undefined,
  leapsNoted: parts.trust.leapsAhead().count,
  failedLooks: 0,
  compareUntil: undefined,
  doubt: undefined,
});
