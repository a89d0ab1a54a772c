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
): Unit & { readonly running: Running | undefined; restart(): Promise<void> } {
  let running: Running | undefined;
  let held: Tenure = alone;
  const inTurn = turns();
  return {
    get running() {
      return running;
    },
    start: (tenure = alone) =>
      inTurn(async () => {
        held = tenure;
        running ??= await begin(tenure);
      }),
    /** Begins anew under the same tenure; does nothing while stopped. */
    restart: () =>
      inTurn(async () => {
        if (running === undefined) return;
        const ending = running;
        running = undefined;
        await ending.stop();
        running = await begin(held);
      }),
    stop: () =>
      inTurn(async () => {
        const ending = running;
        running = undefined;
        await ending?.stop();
      }),
  };
}
