import { bind, withoutNul } from '../bind.ts';

/** Rows for PostgreSQL's `json_populate_recordset` and `json_to_recordset`. */
export function rowsAsJson<C extends string>(
  columns: readonly C[],
  rows: readonly Readonly<Record<C, string | number | null>>[],
): string {
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column) => [column, cell(row[column])]))),
  );
}

function cell(value: string | number | null) {
  const bound = bind(value);
  return typeof bound === 'string' ? withoutNul(bound) : bound;
}
