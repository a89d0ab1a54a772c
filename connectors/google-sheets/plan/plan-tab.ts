import { createHash } from 'node:crypto';
import { type Content, sameContent } from '../sheet/cells.ts';
import { type Closed, closedAt, closedRows, contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { CLINIC, type DesiredRow, ID, rowKey, type TabSpec } from '../tabs/tab-spec.ts';
import { noEdits, type TabEdits } from './edits.ts';
import { hasForeignContent, rowsByKey } from './rows.ts';

export interface PlanOptions {
  /** `report`: cells that differ although nothing of ours moved since we wrote the row are left and named. */
  onDrift: 'heal' | 'report';
  /** Per row, a hash of what we last wrote; only for `report`. */
  lastWritten: ReadonlyMap<string, string>;
  /** Cells that may still be written in this run. */
  budget: number;
  /** False: no new rows (the spreadsheet is full). */
  mayGrow: boolean;
  /** A wrong policy, for the test that must catch it. */
  wholeRows?: boolean;
}

export interface TabPlan {
  edits: TabEdits;
  /** Rows that are changed, added or deleted. */
  rows: number;
  problems: string[];
  /** Rows that did not fit into the budget. */
  left: number;
  /** What the rows say after this plan, for `report`. */
  writing: Map<string, string>;
}

const hashOfRow = (row: DesiredRow): string =>
  createHash('sha256').update(JSON.stringify(row.cells)).digest('base64url').slice(0, 8);

/** Pure: what to write so that the tab says what it should. Only cells that differ, each found by its row's id. */
export function planTab(tab: TabSnapshot, spec: TabSpec, options: PlanOptions): TabPlan {
  const edits = noEdits(tab);
  const plan: TabPlan = { edits, rows: 0, problems: [], left: 0, writing: new Map() };
  const name = tab.title;
  const present = rowsByKey(tab, spec);
  if (present === undefined) {
    plan.problems.push(
      `${name}: the column ID (or Clinic) was deleted, so rows cannot be told apart and the tab is left as it is. Undo the deletion, or run: clinic-sync connectors repair.`,
    );
    return plan;
  }
  const blocked = new Map<Closed, number>();
  const columns = spec.columns.filter(({ key, input }) => key !== ID && key !== CLINIC && !input);
  let budget = options.budget;
  let drifted = 0;
  const fresh: DesiredRow[] = [];
  const doubled: string[] = [];

  for (const desired of spec.rows) {
    const key = rowKey(desired.clinic, desired.id);
    const rows = present.get(key) ?? [];
    if (desired.gone === true) {
      const [keep, go] = partition(rows, (row) => hasForeignContent(tab, row));
      edits.deletions.push(...go);
      plan.rows += go.length;
      if (keep.length === 0) continue;
    } else if (rows.length === 0) {
      fresh.push(desired);
      continue;
    }
    if (rows.length > 1) doubled.push(String(desired.id));
    const hash = options.onDrift === 'report' ? hashOfRow(desired) : '';
    const unmoved = options.onDrift === 'report' && options.lastWritten.get(key) === hash;
    let changed = false;
    let whole = true;
    for (const row of rows) {
      if (edits.deletions.includes(row)) continue;
      let differs = false;
      for (const { key: field } of columns) {
        const column = tab.columns.get(field);
        const value = desired.cells[field] ?? null;
        if (column === undefined || sameContent(contentAt(tab, row, column), value)) continue;
        const closed = closedAt(tab, row, column);
        if (closed) {
          blocked.set(closed, (blocked.get(closed) ?? 0) + 1);
          whole = false;
        } else if (unmoved) drifted += 1;
        else if (budget > 0) {
          edits.writes.push({ row, column, value });
          budget -= 1;
          differs = true;
        } else {
          plan.left += 1;
          whole = false;
        }
      }
      if (differs && options.wholeRows) edits.writes.push(...wholeRow(tab, row, desired));
      changed ||= differs;
    }
    if (changed) plan.rows += 1;
    if (options.onDrift === 'report' && whole) plan.writing.set(key, hash);
  }

  insertFresh(tab, spec, fresh, present, { plan, budget, options, blocked });
  edits.deletions.sort((a, b) => a - b);
  plan.problems.push(...describe(name, { blocked, drifted, doubled, tab, spec }));
  return plan;
}

interface Inserting {
  plan: TabPlan;
  budget: number;
  options: PlanOptions;
  blocked: Map<Closed, number>;
}

/** New rows go right after the last row of ours, in the order of the mirror. */
function insertFresh(
  tab: TabSnapshot,
  spec: TabSpec,
  fresh: readonly DesiredRow[],
  present: ReadonlyMap<string, number[]>,
  { plan, budget, options, blocked }: Inserting,
): void {
  if (fresh.length === 0) return;
  const width = Math.max(1, tab.columns.size);
  const room = options.mayGrow ? Math.max(0, Math.floor(budget / width)) : 0;
  const rows = fresh.slice(0, room);
  plan.left += options.mayGrow ? fresh.length - rows.length : 0;
  if (rows.length === 0) return;

  const known = new Set(spec.rows.map(({ clinic, id }) => rowKey(clinic, id)));
  let last = 0;
  for (const [key, at] of present) if (known.has(key)) for (const row of at) last = Math.max(last, row);
  const at = Math.min(last + 1, tab.rowCount);
  const closed = closedRows(tab, at) ?? firstClosed(tab, at);
  if (closed) {
    blocked.set(closed, (blocked.get(closed) ?? 0) + rows.length);
    return;
  }
  plan.edits.insertion = { at, rows: rows.map((row) => cellsOf(tab, row)) };
  plan.rows += rows.length;
  if (options.onDrift === 'report')
    for (const row of rows) plan.writing.set(rowKey(row.clinic, row.id), hashOfRow(row));
}

const firstClosed = (tab: TabSnapshot, row: number): Closed | undefined => {
  // A row that is put in right below a protected one is open; one in an endless protected column is not.
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

const wholeRow = (tab: TabSnapshot, row: number, desired: DesiredRow) => {
  const cells = cellsOf(tab, desired);
  return Array.from({ length: tab.columnCount }, (_, column) => ({
    row,
    column,
    value: cells.get(column) ?? null,
  }));
};

function partition<T>(list: readonly T[], keep: (item: T) => boolean): [T[], T[]] {
  return [list.filter(keep), list.filter((item) => !keep(item))];
}

interface Found {
  blocked: ReadonlyMap<Closed, number>;
  drifted: number;
  doubled: readonly string[];
  tab: TabSnapshot;
  spec: TabSpec;
}

function describe(name: string, { blocked, drifted, doubled, spec }: Found): string[] {
  const problems: string[] = [];
  for (const [{ description }, cells] of blocked) {
    const named = description ? ` “${description}”` : '';
    problems.push(
      `${name}: ${cells} ${cells === 1 ? 'cell or row is' : 'cells or rows are'} out of date because the range${named} is protected. Allow clinic-sync’s address to edit it.`,
    );
  }
  if (drifted > 0)
    problems.push(
      `${name}: ${drifted} ${drifted === 1 ? 'cell was' : 'cells were'} changed by hand and left so (on_drift: report).`,
    );
  if (doubled.length > 0) {
    const more = doubled.length > 5 ? ` and ${doubled.length - 5} more` : '';
    problems.push(
      `${name}: ${doubled.slice(0, 5).join(', ')}${more} ${doubled.length === 1 ? 'is' : 'are'} in more than one row; sums count it twice. Delete the copy.`,
    );
  }
  problems.push(...inexactFees(name, spec));
  return problems;
}

/** Fees that a spreadsheet would round stand there as text, and somebody should know. */
export function inexactFees(name: string, { columns, rows }: TabSpec): string[] {
  const fees = columns.filter(({ kind }) => kind === 'money').map(({ key }) => key);
  const wrong = rows.filter(({ cells }) => fees.some((key) => typeof cells[key] === 'string')).length;
  if (wrong === 0) return [];
  const are = wrong === 1 ? 'fee is' : 'fees are';
  return [`${name}: ${wrong} ${are} written as text: a spreadsheet cannot hold the number exactly.`];
}

/** What to remember of rows that are written, by key. */
export const hashesOf = (rows: readonly DesiredRow[]): Map<string, string> =>
  new Map(rows.map((row) => [rowKey(row.clinic, row.id), hashOfRow(row)]));
