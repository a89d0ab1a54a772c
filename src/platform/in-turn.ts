/** Runs one piece of work at a time, first come first served. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function turns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}
