import { setImmediate as turn } from 'node:timers/promises';
import {
  type GrowingTable,
  type LoggedTable,
  loggedTables,
  type MirrorTable,
  type MirrorView,
  type Row,
} from '../../../src/connector.ts';

/** Small enough for pages to die young: with 500 rows, nearly every page caused a full garbage collection. */
export const ROWS_PER_PAGE = 50;

/** Columns by which the pages of a growing table are ordered. */
const keys: Record<GrowingTable, readonly string[]> = {
  organization_statistics: ['at'],
  appointments: ['appointment_id'],
  bookings: ['received_at', 'ref'],
  leads: ['received_at', 'ref'],
  conversions: ['converted_at', 'ref'],
  retractions: ['retracted_at', 'ref', 'n'],
};

export const isGrowing = (table: MirrorTable): table is GrowingTable => table in keys;
const logged: readonly MirrorTable[] = loggedTables;
export const isLogged = (table: MirrorTable): table is LoggedTable => logged.includes(table);

/** The columns that decide a row's position in the table. */
export const keyOf = (table: GrowingTable, row: Row): Row =>
  Object.fromEntries(keys[table].map((column) => [column, row[column] ?? null]));

/** Negative, zero or positive, in the database's order. */
export function orderOfRows(table: GrowingTable, one: Row, other: Row): number {
  for (const column of keys[table]) {
    const [a, b] = [one[column] ?? '', other[column] ?? ''];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}

interface Range {
  after?: Row | undefined;
  upTo?: Row | undefined;
}

/** The rows of a table in order, a page at a time. Yields to the event loop after each page. */
export async function* pagesOf(
  view: MirrorView,
  { table, clinic }: { table: MirrorTable; clinic: string },
  { after, upTo }: Range,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const all = isGrowing(table) ? undefined : await view.rows(table, clinic);
  let last = after;
  for (let from = 0; ; from += ROWS_PER_PAGE) {
    const page = isGrowing(table)
      ? await view.page(table, clinic, ROWS_PER_PAGE, last)
      : (all?.slice(from, from + ROWS_PER_PAGE) ?? []);
    const rows = upTo && isGrowing(table) ? page.filter((row) => orderOfRows(table, row, upTo) <= 0) : page;
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_PAGE) return;
    last = rows.at(-1);
    await turn();
    signal.throwIfAborted();
  }
}
