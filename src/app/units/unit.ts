import { turns } from '../../platform/in-turn.ts';
import { alone, type Tenure } from '../../store/ports/fleet.ts';

/** A clinic, a connector or the upkeep, which can be started and stopped alone, any number of times. */
export interface Unit {
  /** Starts it under this tenure. Does nothing while it runs. */
  start(tenure?: Tenure): Promise<void>;
  /** Finishes or records work in flight and releases everything. Does nothing when stopped. */
  stop(): Promise<void>;
}

/** `begin` starts the work and returns what `stop` ends. Starts and stops run one after another. */
export function createUnit<Running extends { stop(): Promise<void> }>(
  begin: (tenure: Tenure) => Promise<Running>,
): Unit & { readonly running: Running | undefined } {
  let running: Running | undefined;
  const inTurn = turns();
  return {
    get running() {
      return running;
    },
    start: (tenure = alone) =>
      inTurn(async () => {
        running ??= await begin(tenure);
      }),
    stop: () =>
      inTurn(async () => {
        const ending = running;
        running = undefined;
        await ending?.stop();
      }),
  };
}
