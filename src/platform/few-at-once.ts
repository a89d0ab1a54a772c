/**
 * Does the work for all, at most `most` at a time, and resolves to the results in order. After a failure nothing more
 * begins; rejects with it once what was under way has ended.
 */
export async function fewAtOnce<T, R>(
  all: Iterable<T>,
  most: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const queue = [...all].entries();
  const worker = async () => {
    for (const [n, one] of queue) {
      try {
        results[n] = await work(one);
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
