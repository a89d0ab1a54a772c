import { turns } from '../platform/in-turn.ts';
import { alone, type Tenure } from '../store/ports/fleet.ts';

/** A clinic, a connector or the upkeep: started and stopped on its own, as often as wanted, while the others go on. */
export interface Unit {
  /** Starts what does not run, for as long as the tenure lasts; nothing for what does. */
  start(tenure?: Tenure): Promise<void>;
  /** Finishes or records what is in flight, and lets go of everything. Nothing for what does not run. */
  stop(): Promise<void>;
}

/** What runs between a start and a stop is made by `begin`. A start waits for the stop before it, and the other way round. */
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
