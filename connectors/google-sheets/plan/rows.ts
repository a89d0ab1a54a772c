import { type Content, isFormula } from '../sheet/cells.ts';
import { contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { CLINIC, ID, rowKey, type TabSpec } from '../sheet/tab-spec.ts';

const asId = (content: Content): string | undefined =>
  content === null || isFormula(content) || typeof content === 'boolean' ? undefined : String(content).trim();

const isClinicKey = (text: string): boolean => /^[a-z0-9][a-z0-9_-]{0,31}$/.test(text);

/**
 * Row numbers by key (clinic and id), including rows above the header. Undefined without the columns that identify a
 * row; nothing is then written.
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

/** With a single clinic, only another clinic's key makes a row another's; a typing error does not. */
const clinicOf = (named: string | undefined, clinics: readonly string[]): string | undefined =>
  clinics.length <= 1 && (named === undefined || !isClinicKey(named)) ? clinics[0] : named;

/** Whether the row has content outside our columns. Such rows are people's work and are not deleted. */
export function hasForeignContent(tab: TabSnapshot, row: number): boolean {
  const ours = new Set(tab.columns.values());
  return (tab.cells[row] ?? []).some((content, column) => content !== null && !ours.has(column));
}

/** Whether the tab has content other than ours, apart from headers of empty columns. */
export function hasPeoplesContent(tab: TabSnapshot): boolean {
  const id = tab.columns.get(ID);
  return tab.cells.some(
    (cells, row) =>
      row > 0 &&
      (hasForeignContent(tab, row) || (cells[id ?? -1] ?? null) === null) &&
      cells.some((one) => one !== null),
  );
}
