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
  if (idColumn === undefined || (clinicColumn === undefined && clinics.length > 1)) return undefined;

  const found = new Map<string, number[]>();
  for (const row of tab.cells.keys()) {
    const id = asId(contentAt(tab, row, idColumn));
    if (!id) continue;
    const named = clinicColumn === undefined ? undefined : asId(contentAt(tab, row, clinicColumn));
    const key = rowKey(clinicOf(named, clinics) ?? '', id);
    const rows = found.get(key);
    if (rows) rows.push(row);
    else found.set(key, [row]);
  }
  return found;
}

/** With one clinic only another clinic's key makes a row another clinic's; a slip in that column does not. */
const clinicOf = (named: string | undefined, clinics: readonly string[]): string | undefined =>
  clinics.length <= 1 && (named === undefined || !isClinicKey(named)) ? clinics[0] : named;

/** Does the row hold anything outside of our columns? Then it is a person's work and is not deleted. */
export function hasForeignContent(tab: TabSnapshot, row: number): boolean {
  const ours = new Set(tab.columns.values());
  return (tab.cells[row] ?? []).some((content, column) => content !== null && !ours.has(column));
}

/** Does the tab hold anything that is not ours, beside the header of an empty column? */
export function hasPeoplesContent(tab: TabSnapshot): boolean {
  const id = tab.columns.get(ID);
  return tab.cells.some(
    (cells, row) =>
      row > 0 &&
      (hasForeignContent(tab, row) || (cells[id ?? -1] ?? null) === null) &&
      cells.some((one) => one !== null),
  );
}
