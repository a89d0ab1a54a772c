import { alone, type Tenure, type UnitKind } from '../store/ports/fleet.ts';

/** What one process at a time does, and how this process begins and ends it. */
export interface OwnedUnit {
  /** `clinic/main`, `connector/accounts`, `upkeep`. */
  readonly unit: string;
  readonly kind: UnitKind;
  /** After a failure nothing of it runs. */
  start(tenure: Tenure): Promise<void>;
  /** Finishes or records what is in flight. Nothing for what does not run. */
  stop(): Promise<void>;
  /** It should not be stopped now if that can wait. */
  isBusy(): boolean;
}

export interface Fleet {
  /** Ends what this process does, and gives it back. Idempotent. */
  stop(): Promise<void>;
}

interface FleetOptions {
  units: readonly OwnedUnit[];
}

/** Does everything, because the database is this process's alone. Rejects when a unit cannot start. */
export async function startFleet({ units }: FleetOptions): Promise<Fleet> {
  const stop = async () => {
    await Promise.allSettled(units.map((unit) => unit.stop()));
  };
  try {
    for (const unit of units) await unit.start(alone);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
