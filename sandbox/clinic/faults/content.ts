import type { Json, JsonObject } from '../../../src/platform/json.ts';
import type { Endpoint } from '../routes.ts';
import { changedPayload, lists, reads } from './payload.ts';

const list = (description: string, change: (rows: Json[]) => Json[]) =>
  changedPayload(lists, description, (value) => (Array.isArray(value) ? change(value) : value));

/** Something done to every object of the payload. */
const objects = (
  endpoints: readonly Endpoint[],
  description: string,
  change: (row: JsonObject) => JsonObject,
) =>
  changedPayload(endpoints, description, (value) =>
    Array.isArray(value) ? value.map((row) => change(row as JsonObject)) : change(value as JsonObject),
  );

const mapValues = (row: JsonObject, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, change(value, key)]));

const swapType = (value: Json): Json =>
  typeof value === 'string' ? value.length : typeof value === 'number' ? String(value) : 'unexpected';

const isText = (value: Json): value is string => typeof value === 'string';

/** Reads that succeed with data that breaks the contract, or bends it. */
export const contentFaults = {
  empty_list: list('The list is empty.', () => []),
  half_list: list('Only the first half of the list.', (rows) => rows.slice(0, Math.ceil(rows.length / 2))),
  reversed_list: list('The list in reverse order; legal.', (rows) => rows.toReversed()),
  duplicate_ids: list('The first row comes twice.', (rows) => [...rows, ...rows.slice(0, 1)]),
  list_as_object: changedPayload(lists, 'The list as an object keyed by position.', (value) => ({
    ...(value as Json[]),
  })),
  missing_data: changedPayload(reads, 'The answer has no data (no site).', () => undefined),
  data_null: changedPayload(reads, 'The data (the site) is null.', () => null),
  missing_field: objects(reads, 'Every object lacks its last field.', (row) =>
    Object.fromEntries(Object.entries(row).slice(0, -1)),
  ),
  wrong_types: objects(reads, 'Numbers are strings and strings are numbers.', (row) =>
    mapValues(row, swapType),
  ),
  null_fields: objects(reads, 'Every field is null.', (row) => mapValues(row, () => null)),
  extra_fields: objects(reads, 'Every object has unspecified fields; harmless.', (row) => ({
    ...row,
    loyalty_points: 7,
    nested: { beta: true },
  })),
  decimal_numbers: objects(
    ['treatments', 'treatment', 'dentists'],
    'Decimals are JSON numbers, not strings.',
    (row) => mapValues(row, (value, key) => (key.endsWith('_fee') ? Number(value) : value)),
  ),
  id_changed_type: objects(['treatments', 'treatment', 'dentists'], 'Ids are strings.', (row) =>
    mapValues(row, (value, key) => (key.endsWith('_id') ? String(value) : value)),
  ),
  lone_surrogates: objects(reads, 'Every text ends in half a surrogate pair; legal JSON.', (row) =>
    mapValues(row, (value) => (isText(value) ? `${value}\ud800` : value)),
  ),
  decomposed_accents: objects(reads, 'Every text in decomposed Unicode (NFD); legal.', (row) =>
    mapValues(row, (value) => (isText(value) ? value.normalize('NFD') : value)),
  ),
  huge_text: objects(reads, 'Every text is 1 MB long.', (row) =>
    mapValues(row, (value, key) =>
      isText(value) && !key.endsWith('_fee') ? 'x'.repeat(1024 * 1024) : value,
    ),
  ),
  unknown_status: objects(['status'], 'A status that is not in the specification.', (row) => ({
    ...row,
    status: 'Rescheduled (SMS)',
  })),
  status_empty: objects(['status'], 'The status is an empty text.', (row) => ({ ...row, status: '' })),
  status_other_case: objects(['status'], 'The status in capitals; legal.', (row) => ({
    ...row,
    status: String(row.status).toUpperCase(),
  })),
  status_time_seconds: objects(['status'], 'The time has seconds.', (row) => ({
    ...row,
    time: `${row.time}:00`,
  })),
  other_patient: objects(['status'], 'Another person’s name and time.', (row) => ({
    ...row,
    name: 'Somebody Else',
    time: '06:45',
  })),
};
