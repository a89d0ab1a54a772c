/** One measurement of one way to do the work. */
export type Variant = () => Promise<number>;

/**
 * Runs every variant once per round, in turn, so that a busy moment of the machine hits all of them and the ratio
 * within a round stays meaningful. The first round warms up and does not count.
 */
export async function interleaved<Name extends string>(
  variants: Record<Name, Variant>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(variants) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1)
    for (const name of names) {
      const figure = await variants[name]();
      if (round > 0) figures[name].push(figure);
    }
  return figures;
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

/** The median of the rounds' own ratios, which drifts less than the ratio of two medians. */
export const ratio = (ours: readonly number[], yardstick: readonly number[]): number =>
  median(ours.map((figure, round) => figure / (yardstick[round] ?? Number.NaN)));

export const elapsed = async (work: () => unknown): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
