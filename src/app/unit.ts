import { turns } from '../platform/in-turn.ts';
import { alone, type Tenure } from '../store/ports/fleet.ts';

/** A clinic, a connector or the upkeep: started and stopped on its own, as often as wanted, while the others go on. */
export interface Unit {
  /** Starts it for as long as the tenure lasts. Does nothing while it runs. */
  start(tenure?: Tenure): Promise<void>;
  /** Finishes or records work in flight and releases everything. Does nothing when it does not run. */
  stop(): Promise<void>;
}

/** `begin` makes what runs between a start and a stop. Starts and stops wait for each other. */
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
