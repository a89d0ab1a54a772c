import type { Tenure, UnitKind } from '../store/ports/fleet.ts';

/** What one process at a time does, and how this process begins and ends it. */
export interface OwnedUnit {
  /** `clinic/main`, `connector/accounts`, `upkeep`. */
  readonly unit: string;
  readonly kind: UnitKind;
  /** After a failure, `stop` is called. */
  start(tenure: Tenure): Promise<void>;
  /** Finishes or records what is in flight. Nothing for what does not run. */
  stop(): Promise<void>;
  /** It should not be stopped now if that can wait. */
  isBusy(): boolean;
}
