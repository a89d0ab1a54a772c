import { hash } from 'node:crypto';
import { type Note, need, type Problem, said, trouble } from '../../../src/connector.ts';
import type { TabKey } from '../settings.ts';
import { type Content, isCut, sameContent } from '../sheet/cells.ts';
import {
  type Closed,
  closedAt,
  closedRows,
  contentAt,
  hiddenByMerges,
  placeOf,
  type TabSnapshot,
} from '../sheet/snapshot.ts';
import { CLINIC, type DesiredRow, headersOf, ID, rowKey, type TabSpec } from '../sheet/tab-spec.ts';
import { rowCurrencies } from './create-tab.ts';
import { type LayoutFaults, layoutFaults, layoutProblems, withoutMoved } from './layout-faults.ts';
import { noEdits, type TabEdits } from './requests.ts';
import { hasForeignContent, rowsByKey } from './rows.ts';

interface PlanOptions {
  /** Its name. */
  connector: string;
  /**
   * For `on_drift: report`, hashes of the last written rows by key: a cell that differs while its row is unchanged in
   * the mirror is kept and reported. Undefined: such a cell is overwritten.
   */
  lastWritten: ReadonlyMap<string, string> | undefined;
  /** Cells that this run may still write. */
  budget: number;
  /** False when no rows may be added: the spreadsheet is full, or it is unknown whether they were added already. */
  mayGrow: boolean;
  /** The tab is still filled for the first time, in several runs: the rest goes below. */
  isFilling?: boolean;
  /** Keys of rows that were added a second time after a lost answer: a copy of ours is taken back. */
  repeated?: ReadonlySet<string>;
}

interface TabPlan {
  edits: TabEdits;
  /** Number of changed, added or deleted rows. */
  rows: number;
  problems: Problem[];
  /** Cells that may still be written after this plan. */
  budget: number;
  /** Cells and rows beyond the budget. */
  left: number;
  /** Hashes of the rows after this plan, for `report`. */
  writing: Map<string, string>;
}

/** A plan in progress. */
interface Draft extends TabPlan {
  readonly tab: TabSnapshot;
  readonly spec: TabSpec;
  readonly options: PlanOptions;
  readonly layout: LayoutFaults;
  /** Row numbers in the sheet, by key. */
  readonly present: ReadonlyMap<string, number[]>;
  /** Number of cells and rows that each protection blocked. */
  readonly blocked: Map<Closed, number>;
  /** Ids that are in more than one row. */
  readonly doubled: string[];
  /** We doubled one of them, and people wrote beside both rows. */
  isOurDouble: boolean;
  /** Our compared columns with their indexes. */
  readonly columns: readonly [field: string, column: number][];
  /** Number of cells that people changed and that are kept. */
  drifted: number;
}

/** Rows within which headers are found, because people may insert rows above them. */
export const HEADERS_WITHIN = 10;

const hashOfRow = (row: DesiredRow): string =>
  hash('sha256', JSON.stringify(row.cells), 'base64url').slice(0, 8);

/** Plans the cells that differ, each found by its row's id. Pure. */
export function planTab(reading: TabSnapshot, spec: TabSpec, options: PlanOptions): TabPlan {
  const { budget } = options;
  const ids = new Set(spec.rows.map(({ id }) => String(id)));
  const layout = layoutFaults(reading, spec.columns, (row) =>
    ids.has(String(contentAt(reading, row, reading.columns.get(ID) ?? -1))),
  );
  const tab = withoutMoved(reading, layout);
  const plan: TabPlan = { edits: noEdits(tab), rows: 0, problems: [], budget, left: 0, writing: new Map() };
  const present = rowsByKey(tab, spec);
  if (present === undefined) {
    const isMoved = layout.moved.some(({ key }) => key === ID || key === CLINIC);
    const at = { place: tab.title, connector: options.connector };
    const gone = trouble(said('id_column_gone', { ...at, ...identifying(spec) }));
    return { ...plan, problems: isMoved ? layoutProblems(at, layout).map(trouble) : [gone] };
  }
  const draft: Draft = {
    ...plan,
    tab,
    spec,
    options,
    present,
    layout,
    blocked: new Map(),
    doubled: [],
    isOurDouble: false,
    columns: comparedColumns(tab, spec),
    drifted: 0,
  };
  insertRows(
    draft,
    spec.rows.filter((desired) => !compareRows(draft, desired)),
  );
  draft.edits.deletions.sort((a, b) => a - b);
  return { ...draft, problems: describe(draft) };
}

const comparedColumns = ({ columns }: TabSnapshot, spec: TabSpec): [string, number][] =>
  spec.columns.flatMap(({ key, input }): [string, number][] => {
    const column = columns.get(key);
    return key === ID || key === CLINIC || input || column === undefined ? [] : [[key, column]];
  });

/** Compares the rows with this id, or deletes them. False when a row has to be added. */
function compareRows(draft: Draft, desired: DesiredRow): boolean {
  const { tab, present, edits, options, writing } = draft;
  const key = rowKey(desired.clinic, desired.id);
  const carriers = present.get(key) ?? [];
  if (carriers.length === 0) return desired.gone === true;
  // A row with people's own content is not deleted.
  const kept =
    desired.gone === true
      ? carriers.filter((row) => hasForeignContent(tab, row))
      : withoutOurCopies(draft, key, carriers);
  const deleted = carriers.filter((row) => !kept.includes(row));
  edits.deletions.push(...deleted);
  draft.rows += deleted.length;
  if (kept.length === 0) return true;

  if (kept.length > 1) draft.doubled.push(String(desired.id));
  const { lastWritten } = options;
  const hash = lastWritten ? hashOfRow(desired) : '';
  const isUnmoved = lastWritten?.get(key) === hash;
  const compared = kept.map((row) => compareRow(draft, desired, { row, isUnmoved }));
  if (compared.some(({ differs }) => differs)) draft.rows += 1;
  if (lastWritten && compared.every(({ isWhole }) => isWhole)) writing.set(key, hash);
  return true;
}

/** All but the equal rows that we added a second time and nobody wrote beside. */
function withoutOurCopies(draft: Draft, key: string, rows: readonly number[]): readonly number[] {
  const { tab, options } = draft;
  if (rows.length < 2 || options.repeated?.has(key) !== true) return rows;
  const first = rows.find((row) => hasForeignContent(tab, row)) ?? rows[0] ?? -1;
  const isAlike = (row: number) =>
    [...tab.columns.values()].every((column) =>
      sameContent(contentAt(tab, row, column), contentAt(tab, first, column)),
    );
  const kept = rows.filter((row) => row === first || hasForeignContent(tab, row) || !isAlike(row));
  if (kept.length > 1) draft.isOurDouble = true;
  return kept;
}

/** `isWhole` is false when protections or the budget left out part of the row. */
function compareRow(
  draft: Draft,
  { cells }: DesiredRow,
  { row, isUnmoved }: { row: number; isUnmoved: boolean },
): { differs: boolean; isWhole: boolean } {
  const { tab, edits } = draft;
  let differs = false;
  let isWhole = true;
  for (const [field, column] of draft.columns) {
    const value = cells[field] ?? null;
    if (sameContent(contentAt(tab, row, column), value)) continue;
    const closed = closedAt(tab, row, column);
    if (closed) {
      block(draft, closed, 1);
      isWhole = false;
    } else if (isUnmoved) draft.drifted += 1;
    else if (draft.budget > 0) {
      edits.writes.push({ row, column, value });
      draft.budget -= 1;
      differs = true;
    } else {
      draft.left += 1;
      isWhole = false;
    }
  }
  return { differs, isWhole };
}

function block({ blocked }: Draft, closed: Closed, count: number): void {
  blocked.set(closed, (blocked.get(closed) ?? 0) + count);
}

/** Tabs whose columns people add up. Lines of the others are read in their order. */
const areSummed: ReadonlySet<TabKey> = new Set([
  ...(['treatments', 'dentists', 'fee_history', 'price_list'] as const),
  ...(['statistics', 'leads', 'appointments'] as const),
]);

/**
 * New rows, in the order of the mirror, right before our last row: what ends there, such as a sum, a named range or a
 * table, includes them only then. Other tabs have them after it.
 */
function insertRows(draft: Draft, fresh: readonly DesiredRow[]): void {
  const { tab, options, edits } = draft;
  if (fresh.length === 0 || !options.mayGrow) return;
  const width = Math.max(1, tab.columns.size);
  const rows = fresh.slice(0, Math.max(0, Math.floor(draft.budget / width)));
  draft.left += fresh.length - rows.length;
  if (rows.length === 0) return;

  const last = lastOwnRow(draft);
  const isInside = last > 0 && areSummed.has(tab.key) && options.isFilling !== true;
  const at = isInside ? last : Math.min(last + 1, tab.rowCount);
  const closed = closedRows(tab, at) ?? firstClosed(tab, at);
  if (closed) {
    block(draft, closed, rows.length);
    return;
  }
  const inserted = rows.map((row) => cellsOf(tab, row));
  const columns = draft.spec.columns.flatMap(({ key, kind }) =>
    kind === 'money' ? (tab.columns.get(key) ?? []) : [],
  );
  const looks = (start: number) =>
    rowCurrencies(draft.spec, rows, { sheetId: tab.sheetId, at: start, columns });
  const keys = rows.map(({ clinic, id }) => rowKey(clinic, id));
  edits.insertion = { at, rows: inserted, keys, isInside, looks };
  draft.rows += rows.length;
  for (const { size } of inserted) draft.budget -= size;
  if (options.lastWritten) for (const [key, hash] of hashesOf(rows)) draft.writing.set(key, hash);
}

function lastOwnRow({ spec, present, edits }: Draft): number {
  const deleted = new Set(edits.deletions);
  let last = 0;
  for (const { clinic, id } of spec.rows)
    for (const row of present.get(rowKey(clinic, id)) ?? [])
      if (!deleted.has(row)) last = Math.max(last, row);
  return last;
}

const firstClosed = (tab: TabSnapshot, row: number): Closed | undefined => {
  // A row inserted right below a protected one is open; one in an unbounded protected column is not.
  for (const column of tab.columns.values()) {
    const closed = closedAt(tab, row, column);
    if (closed && closed.area.endRowIndex === undefined) return closed;
  }
  return undefined;
};

function cellsOf(tab: TabSnapshot, { clinic, id, cells }: DesiredRow): ReadonlyMap<number, Content> {
  const found = new Map<number, Content>();
  for (const [key, column] of tab.columns) {
    const value = key === ID ? id : key === CLINIC ? clinic : (cells[key] ?? null);
    if (value !== null) found.set(column, value);
  }
  return found;
}

const identifying = ({ columns }: TabSpec) => ({
  id: headersOf(columns, ID),
  clinic: headersOf(columns, CLINIC),
});

function describe(draft: Draft): Problem[] {
  const { tab, spec, drifted, doubled, options } = draft;
  const place = tab.title;
  const problems = closedCells(draft);
  if (drifted > 0) problems.push(said('cells_drifted', { place, count: drifted }));
  const count = doubled.length;
  if (count > 0) {
    const double = said('rows_doubled', { place, count, ids: named(doubled) });
    problems.push(draft.isOurDouble ? need(double) : double);
  }
  const unknown = unknownRows(draft);
  if (unknown.length > 0)
    problems.push(
      said('rows_unknown', {
        ...{ place, count: unknown.length, rows: named(unknown.map((row) => row + 1)) },
        ...identifying(spec),
      }),
    );
  const { connector } = options;
  problems.push(...layoutProblems({ place, connector }, draft.layout), ...inexactFees(place, spec));
  const cut = spec.rows.flatMap(({ cells }) => Object.values(cells).filter(isCut)).length;
  if (cut > 0) problems.push(said('texts_cut', { place, count: cut }));
  return problems;
}

const named = (list: readonly (string | number)[]): string =>
  `${list.slice(0, 5).join(', ')}${list.length > 5 ? ` (+${list.length - 5})` : ''}`;

/** Tabs with every row that their table has. */
const isWhole: ReadonlySet<TabKey> = new Set(['treatments', 'dentists', 'price_list']);

/** Rows that were ours before a user changed their ID or clinic; each has a successor by now. */
function unknownRows({ tab, spec, present }: Draft): number[] {
  if (!isWhole.has(tab.key)) return [];
  const known = new Set(spec.rows.flatMap(({ clinic, id }) => present.get(rowKey(clinic, id)) ?? []));
  const [id, clinic] = [ID, CLINIC].map((key) => tab.columns.get(key) ?? -1);
  const headers = new Set(spec.columns.map(({ header }) => header));
  return [...tab.cells.keys()].filter((row) => {
    const [named, of] = [id, clinic].map((column) => contentAt(tab, row, column ?? -1));
    const isOurs = (named ?? null) !== null || spec.clinics.includes(String(of));
    return row >= Math.max(1, tab.frozenRowCount) && isOurs && !known.has(row) && !headers.has(String(named));
  });
}

function closedCells({ tab, present, blocked }: Draft): Problem[] {
  const hidden = hiddenByMerges(tab, new Set([...present.values()].flat()));
  const place = tab.title;
  const problems: Problem[] = hidden > 0 ? [need(said('cells_hidden', { place, count: hidden }))] : [];
  for (const [{ area, isMerge }, count] of blocked) {
    if (isMerge && hidden > 0) continue;
    // The name that people gave it stays in the spreadsheet, because this also goes out in messages.
    const range = placeOf(area);
    if (isMerge) problems.push(need(said('cells_merged', { place, count })));
    else if (range === undefined) problems.push(need(said('tab_protected', { place, count })));
    else problems.push(need(said('range_protected', { place, count, range })));
  }
  return problems;
}

/** Reports fees that are written as text because a spreadsheet would round them. */
export function inexactFees(place: string, { columns, rows }: TabSpec): Note[] {
  const fees = columns.filter(({ kind }) => kind === 'money').map(({ key }) => key);
  const count = rows.filter(({ cells }) => fees.some((key) => typeof cells[key] === 'string')).length;
  return count === 0 ? [] : [said('fees_as_text', { place, count })];
}

/** Hash of each row by key. */
export const hashesOf = (rows: readonly DesiredRow[]): Map<string, string> =>
  new Map(rows.map((row) => [rowKey(row.clinic, row.id), hashOfRow(row)]));
