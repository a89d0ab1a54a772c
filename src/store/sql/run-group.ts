import type { BatchRun, Trx } from './database.ts';
import { atOnce } from './transaction.ts';

/** A write waiting for its turn. */
export interface Grouped {
  run: BatchRun<unknown, unknown>;
  item: unknown;
  /** Writes of different units touch different rows; undefined: may touch any. */
  unit?: string | undefined;
}

interface Batch {
  run: Grouped['run'];
  items: unknown[];
  unit: string | undefined;
  /** Position of its first item in the group. */
  from: number;
}

/** Each holds its rows in memory a second time. */
const UNITS_AT_ONCE = 16;

/**
 * Runs a group in one transaction: jobs of different units concurrently, because each statement is a round trip to a
 * server, all others in order. Resolves to one result each.
 */
export async function runGroup(trx: Trx, group: readonly Grouped[]): Promise<unknown[]> {
  const results: unknown[] = [];
  const run = async ({ run, items, from }: Batch) => {
    for (const [i, result] of (await run(trx, items)).entries()) results[from + i] = result;
  };
  for (const units of neighbours(batches(group))) {
    const work = async () => {
      for (let unit = units.shift(); unit !== undefined; unit = units.shift())
        for (const batch of unit) await run(batch);
    };
    await atOnce(...Array.from({ length: Math.min(UNITS_AT_ONCE, units.length) }, work));
  }
  return results;
}

/** Combines neighbours with the same `run`, keeping their order. */
function batches(group: readonly Grouped[]): Batch[] {
  const found: Batch[] = [];
  for (const [from, { run, item, unit }] of group.entries()) {
    const last = found.at(-1);
    if (last?.run === run) last.items.push(item);
    else found.push({ run, items: [item], unit, from });
  }
  return found;
}

/** Groups adjacent batches that have a unit, by unit; each of the others is a group of its own. */
function neighbours(all: readonly Batch[]): Batch[][][] {
  const found: { isOfUnits: boolean; units: Map<unknown, Batch[]> }[] = [];
  for (const batch of all) {
    const isOfUnits = batch.unit !== undefined;
    let last = found.at(-1);
    if (last === undefined || !isOfUnits || !last.isOfUnits) {
      last = { isOfUnits, units: new Map() };
      found.push(last);
    }
    const unit = last.units.get(batch.unit);
    if (unit === undefined) last.units.set(batch.unit, [batch]);
    else unit.push(batch);
  }
  return found.map(({ units }) => [...units.values()]);
}
