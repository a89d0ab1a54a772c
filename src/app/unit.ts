/** A clinic or a connector: started and stopped on its own, as often as wanted, while the others go on. */
export interface Unit {
  /** Starts what does not run; nothing for what does. */
  start(): Promise<void>;
  /** Finishes or records what is in flight, and lets go of everything. Nothing for what does not run. */
  stop(): Promise<void>;
}

/** What runs between a start and a stop is made by `begin`. A start waits for the stop before it, and the other way round. */
export function createUnit<Running extends { stop(): Promise<void> }>(
  begin: () => Promise<Running>,
): Unit & { readonly running: Running | undefined } {
  let running: Running | undefined;
  let last: Promise<void> = Promise.resolve();
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    const turn = last.then(step);
    last = turn.catch(() => {});
    return turn;
  };
  return {
    get running() {
      return running;
    },
    start: () =>
      inTurn(async () => {
        running ??= await begin();
      }),
    stop: () =>
      inTurn(async () => {
        const ending = running;
        running = undefined;
        await ending?.stop();
      }),
  };
}
