import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { changedPayload, edited, lists, reads } from './edits.ts';

const list = (description: string, change: (rows: Json[]) => Json[]) =>
  changedPayload(lists, description, (value) => (Array.isArray(value) ? change(value) : value));

/** Changes every object of the payload. */
const objects = (description: string, change: (row: JsonObject) => JsonObject) =>
  changedPayload(reads, description, (value) =>
    Array.isArray(value) ? value.map((row) => change(row as JsonObject)) : change(value as JsonObject),
  );

const MEGABYTE = 1024 * 1024;

/** Reads that succeed with data that breaks or stretches the contract. */
export const contentFaults = {
  empty_list: list('The list is empty.', () => []),
  half_list: list('Only the first half of the list.', (rows) => rows.slice(0, Math.ceil(rows.length / 2))),
  reversed_list: list('The list in reverse order; legal.', (rows) => rows.toReversed()),
  duplicate_ids: list('The first row comes twice.', (rows) => [...rows, ...rows.slice(0, 1)]),
  list_as_object: changedPayload(lists, 'The list as an object keyed by position.', (value) => ({
    ...(value as Json[]),
  })),
  missing_data: edited(reads, 'The answer has no data (no site).', { path: '.', as: 'missing' }),
  data_null: edited(reads, 'The data (the site) is null.', { path: '.', as: 'null' }),
  missing_field: objects('Every object lacks its last field.', (row) =>
    Object.fromEntries(Object.entries(row).slice(0, -1)),
  ),
  wrong_types: edited(reads, 'Numbers are strings and strings are numbers.', { path: '*', as: 'other_type' }),
  null_fields: edited(reads, 'Every field is null.', { path: '*', as: 'null' }),
  extra_fields: objects('Every object has unspecified fields; harmless.', (row) => ({
    ...row,
    loyalty_points: 7,
    nested: { beta: true },
  })),
  decimal_numbers: edited(
    ['treatments', 'treatment', 'dentists'],
    'Decimals are JSON numbers, not strings.',
    { path: '*_fee', as: 'number' },
  ),
  id_changed_type: edited(['treatments', 'treatment', 'dentists'], 'Ids are strings.', {
    path: '*_id',
    as: 'digits',
  }),
  lone_surrogates: edited(reads, 'Every text ends in half a surrogate pair; legal JSON.', {
    path: '*',
    plus: '\ud800',
  }),
  decomposed_accents: edited(reads, 'Every text in decomposed Unicode (NFD); legal.', {
    path: '*',
    as: 'decomposed',
  }),
  huge_text: objects('Every text is 1 MB long.', (row) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        typeof value === 'string' && !key.endsWith('_fee') ? 'x'.repeat(MEGABYTE) : value,
      ]),
    ),
  ),
  unknown_status: edited(['status'], 'A status that is not in the specification.', {
    path: 'status',
    value: 'Rescheduled (SMS)',
  }),
  status_empty: edited(['status'], 'The status is an empty text.', { path: 'status', value: '' }),
  status_other_case: edited(['status'], 'The status in capitals; legal.', { path: 'status', as: 'capitals' }),
  status_time_seconds: edited(['status'], 'The time has seconds.', { path: 'time', plus: ':00' }),
  other_patient: edited(
    ['status'],
    'Another person’s name and time.',
    { path: 'name', value: 'Somebody Else' },
    { path: 'time', value: '06:45' },
  ),
};
