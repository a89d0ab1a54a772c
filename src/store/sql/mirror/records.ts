import type { ClinicRecord, ListPoll } from '../../../domain/clinics/resource.ts';
import type { Json, JsonObject } from '../../../platform/json.ts';
import { type Column, recordColumns } from '../column.ts';
import { parseJson } from '../database.ts';
import type { Cell } from '../insert-many.ts';

/** The table of a poll's records; the view for users has the poll's own name. */
export const recordTable = {
  organization: 'organization_things',
  website: 'website_things',
  treatments: 'treatments_things',
  dentists: 'dentists_things',
} as const satisfies Record<ListPoll, string>;

export const fieldColumns: Record<ListPoll, Record<string, Column>> = recordColumns;

const toCell = (value: Json | undefined, column: Column): Cell => {
  if (value === undefined || value === null) return null;
  if (column.json || typeof value === 'object' || typeof value === 'boolean') return JSON.stringify(value);
  return value;
};

/** The record's fields as columns. Fields without a column are only in `raw`. */
export function toRow(poll: ListPoll, record: ClinicRecord): Record<string, Cell> {
  const row: Record<string, Cell> = { id: record.id, hash: record.hash, raw: JSON.stringify(record.raw) };
  for (const [name, column] of Object.entries(fieldColumns[poll]))
    row[name] = toCell(record.fields[name], column);
  return row;
}

export function toRecord(poll: ListPoll, row: Record<string, Cell>): ClinicRecord {
  const fields: JsonObject = {};
  for (const [name, column] of Object.entries(fieldColumns[poll])) {
    const value = row[name] ?? null;
    fields[name] = column.json && typeof value === 'string' ? parseJson<Json>(value) : value;
  }
  return { id: String(row.id), hash: String(row.hash), fields, raw: parseJson(String(row.raw)) };
}
