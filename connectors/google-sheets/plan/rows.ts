import { type Content, isFormula } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { CLINIC, ID, rowKey, type TabSpec } from '../tabs/tab-spec.ts';

const asId = (content: Content): string | undefined =>
  content === null || isFormula(content) || typeof content === 'boolean' ? undefined : String(content).trim();

const isClinicKey = (text: string): boolean => /^[a-z0-9][a-z0-9_-]{0,31}$/.test(text);

/**
 * Which rows carry which id, by key; all rows are looked at, above the header too. Undefined when the columns that find
 * a row are gone: then nothing in the tab can be told apart, and nothing is written.
 */
export function rowsByKey(
  tab: TabSnapshot,
  { clinics }: Pick<TabSpec, 'clinics'>,
): Map<string, number[]> | undefined {
  const idColumn = tab.columns.get(ID);
  const clinicColumn = tab.columns.get(CLINIC);
  const [only, ...others] = clinics;
  if (idColumn === undefined) return undefined;
  if (clinicColumn === undefined && others.length > 0) return undefined;

  const found = new Map<string, number[]>();
  for (let row = 0; row < tab.cells.length; row += 1) {
    const id = asId(contentAt(tab, row, idColumn));
    if (id === undefined || id === '') continue;
    const named = clinicColumn === undefined ? undefined : asId(contentAt(tab, row, clinicColumn));
    // With one clinic only another clinic's key makes a row somebody else's; a slip in that column does not.
    const clinic = others.length === 0 && (named === undefined || !isClinicKey(named)) ? only : named;
    const key = rowKey(clinic ?? '', id);
    const rows = found.get(key);
    if (rows) rows.push(row);
    else found.set(key, [row]);
  }
  return found;
}

/** Does the row hold anything outside of our columns? Then it is somebody's work and is not deleted. */
export function hasForeignContent(tab: TabSnapshot, row: number): boolean {
  const ours = new Set(tab.columns.values());
  return (tab.cells[row] ?? []).some((content, column) => content !== null && !ours.has(column));
}

/** Does the tab hold anything that is not ours, beside the header of somebody's empty column? */
export function hasPeoplesContent(tab: TabSnapshot): boolean {
  const id = tab.columns.get(ID);
  return tab.cells.some(
    (cells, row) =>
      row > 0 &&
      (hasForeignContent(tab, row) || (cells[id ?? -1] ?? null) === null) &&
      cells.some((one) => one !== null),
  );
}
