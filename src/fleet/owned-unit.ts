import type { Tenure, UnitKind } from '../store/ports/fleet.ts';

/** Work that only one process does at a time, and how this process starts and stops it. */
export interface OwnedUnit {
  /** `clinic/main`, `connector/accounts`, `upkeep`. */
  readonly unit: string;
  readonly kind: UnitKind;
  /** The only host whose processes may do it. */
  readonly on?: string | undefined;
  /** False while this process cannot do it. */
  canRun?(): boolean;
  /** If this fails, `stop` is called. */
  start(tenure: Tenure): Promise<void>;
  /** Finishes or records what is in flight. No effect unless started. */
  stop(): Promise<void>;
  /** True when stopping it should wait, if possible. */
  isBusy(): boolean;
}
