import { labelKey } from '../../../src/domain/bookings/field-labels.ts';
import { isObject, type Json, type JsonObject } from '../../../src/platform/json.ts';
import { noFields } from './fields.ts';

const nameKeys = ['name', 'label', 'title', 'key', 'column_id', 'column_name', 'question', 'id', 'field'];
const valueKeys = ['value', 'values', 'answer', 'string_value', 'answers'];
/** A tool's own times, beside its list of answers. */
const envelope = new Set([
  'date',
  'time',
  'createdat',
  'createdtime',
  'timestamp',
  'submittedat',
  'datecreated',
]);

const deepest = 4;

/** The answers of an entry `{ label, value }` under each of its names; undefined for anything else. */
function answerIn(entry: Json): { names: string[]; value: Json } | undefined {
  if (!isObject(entry)) return undefined;
  const valueKey = valueKeys.find((key) => Object.hasOwn(entry, key));
  const names = nameKeys.flatMap((key) => {
    const name = Object.hasOwn(entry, key) ? entry[key] : undefined;
    return typeof name === 'string' && name.trim() !== '' ? [name] : [];
  });
  return valueKey === undefined || names.length === 0 ? undefined : { names, value: entry[valueKey] ?? null };
}

/** `[{ name, value }, …]`, as `serializeArray` of jQuery makes of a form. */
export const isListOfAnswers = (value: unknown): value is Json[] =>
  Array.isArray(value) && value.length > 1 && value.every((one) => answerIn(one) !== undefined);

function* listsIn(value: Json, levels: number): Generator<{ names: string[]; value: Json }[]> {
  if (levels === 0 || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const answers = value.map(answerIn);
    if (value.length > 0 && answers.every((answer) => answer !== undefined)) {
      yield answers;
      return;
    }
  }
  for (const one of Object.values(value)) yield* listsIn(one, levels - 1);
}

/**
 * The fields of a body, with the answers of lists such as `[{ "name": "phone", "values": ["…"] }]` as fields of their
 * own, wherever such a list is. Beside one, the body's own date and time are the tool's.
 */
export function withListedAnswers(fields: JsonObject): JsonObject {
  if (!Object.values(fields).some((value) => typeof value === 'object')) return fields;
  const lists = [...listsIn(fields, deepest)];
  if (lists.length === 0) return fields;
  const found = noFields();
  for (const { names, value } of lists.flat())
    for (const name of names) if (!Object.hasOwn(found, name)) found[name] = value;
  for (const [name, value] of Object.entries(fields))
    if (!Object.hasOwn(found, name) && !envelope.has(labelKey(name))) found[name] = value;
  return found;
}
