import { parsedJson } from '../../platform/json.ts';
import { fold } from '../../platform/text/fold.ts';
import type { Row } from './tables.ts';

const isPresent = ({ removed_at }: Row): boolean => removed_at === null || removed_at === undefined;

/**
 * The rows that stand for what the clinic has now. While a guard holds a removal, a renumbered list is in the mirror
 * twice: of equal names, only those of the latest answer count.
 */
export function latestRows(rows: readonly Row[], name: string): Row[] {
  const present = rows.filter(isPresent);
  const latest = present.reduce((newest, { seen_at }) => {
    const at = String(seen_at ?? '');
    return at > newest ? at : newest;
  }, '');
  const isLatest = ({ seen_at }: Row) => String(seen_at ?? '') === latest;
  const nameOf = (row: Row) => fold(String(row[name] ?? ''));
  const renamed = new Set(present.filter(isLatest).map(nameOf));
  return present.filter((row) => isLatest(row) || !renamed.has(nameOf(row)));
}

/** Where the names of the latest answer are stored that a guard keeps out of the mirror, by id. */
export const heldNames = { scope: 'held_names', key: (clinic: string, list: string) => `${clinic} ${list}` };

export async function readHeldNames(
  { get }: { get(scope: string, key: string): Promise<string | undefined> },
  clinic: string,
  list: string,
): Promise<ReadonlyMap<string, string>> {
  const stored = await get(heldNames.scope, heldNames.key(clinic, list));
  return new Map(stored === undefined ? [] : (parsedJson(stored) as [string, string][]));
}
