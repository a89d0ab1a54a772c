/** Allowed multiple of the baseline on the largest accepted body. A quadratic reader takes a thousand times more. */
export const MOST_TIMES_BASELINE = 400;
/** The largest accepted body. */
export const SIZE = 65_536;

/** Milliseconds for one simple pass over `SIZE` bytes, in this run on this machine. */
export function baseline(): number {
  const bytes = Buffer.from('Ann, 🦷 1 '.repeat(SIZE / 12));
  const times = Array.from({ length: 15 }, () => {
    const from = performance.now();
    const text = bytes.toString('utf8').normalize('NFKC');
    JSON.parse(JSON.stringify([text.replace(/\s+/g, ' ').trim(), text.split(' ')]));
    return performance.now() - from;
  });
  return times.sort((a, b) => a - b)[7] ?? 1;
}
