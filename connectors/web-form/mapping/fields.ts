import type { FieldFault } from '../../../src/domain/bookings/booking.ts';
import { labelKey } from '../../../src/domain/bookings/field-labels.ts';
import type { Json, JsonObject } from '../../../src/platform/json.ts';

const mostFields = 1_000;
const mostFieldBytes = 32_768;
/** Form tools nest answers only a few levels deep. */
const deepest = 6;

/** An empty object without a prototype, where `__proto__` is a name like any other. */
export function noFields(): JsonObject {
  return Object.create(null);
}

/**
 * The first 1,000 fields and any `wanted` ones after them, each cut to 32 kB; the request's size limit bounds the rest.
 * A cut is reported as a problem, so that a person looks at it. `more`: fields were left out.
 */
export function limited(
  fields: JsonObject,
  wanted: ReadonlySet<string>,
): { fields: JsonObject; problems: FieldFault[]; more: boolean } {
  const kept = noFields();
  const problems: FieldFault[] = [];
  const names = Object.keys(fields);
  const taken = names.filter((name, index) => index < mostFields || wanted.has(closeName(name)));
  let cut = false;
  const short = (value: Json): Json => {
    if (typeof value !== 'string' || Buffer.byteLength(value) <= mostFieldBytes) return value;
    cut = true;
    return Buffer.from(value)
      .subarray(0, mostFieldBytes)
      .toString('utf8')
      .replace(/\uFFFD$/, '');
  };
  for (const name of taken) kept[name] = bounded(fields[name] ?? null, deepest, short);
  if (cut)
    problems.push({
      field: 'fields',
      message: 'A field was longer than 32 kB; the rest of it was left out.',
    });
  return { fields: kept, problems, more: taken.length < names.length };
}

/** A copy no deeper than `levels`, so that recursion cannot overflow the stack. */
function bounded(value: Json, levels: number, text: (value: Json) => Json): Json {
  if (value === null || typeof value !== 'object') return text(value);
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.slice(0, mostFields).map((item) => bounded(item, levels - 1, text));
  const copy = noFields();
  for (const [name, item] of Object.entries(value).slice(0, mostFields))
    copy[name] = bounded(item, levels - 1, text);
  return copy;
}

/** A value as text: lists are joined with commas, the parts of a name or an address with spaces. */
export function fieldText(value: Json | undefined, pick: 'all' | 'first' | 'last' = 'all'): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value))
    return Object.values(value)
      .map((item) => (typeof item === 'boolean' ? '' : fieldText(item, pick)))
      .filter((text) => text !== '')
      .join(' ');
  const texts = value.map((item) => fieldText(item, pick)).filter((text) => text !== '');
  if (pick === 'first') return texts[0] ?? '';
  if (pick === 'last') return texts.at(-1) ?? '';
  return texts.join(', ');
}

/** Equal for `Dr. Ann (mornings)` and `dr. ann  (mornings)`, but not for `1.5` and `15`. */
export const closeName = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

interface Names {
  loose: Map<string, string>;
  close: Map<string, string>;
}
const known = new WeakMap<JsonObject, Names>();

/** Normalized field names of a submission, cached because some eighty labels are looked up in each. */
function namesOf(fields: JsonObject): Names {
  const before = known.get(fields);
  if (before) return before;
  const names: Names = { loose: new Map(), close: new Map() };
  for (const name of Object.keys(fields).reverse()) {
    // Tools put what they know themselves, such as the day of the submission, under names like `_date`.
    if (!name.startsWith('_')) names.loose.set(labelKey(name), name);
    names.close.set(closeName(name), name);
  }
  known.set(fields, names);
  return names;
}

/** A field under the tool's own name. */
export interface Found {
  name: string;
  value: Json;
}

/**
 * Finds a field by a configured name: exact, ignoring case, or as a path into nested answers (`address.city`,
 * `choices.0`). An exact name wins over a path, since some tools use dots in names (`1.3`).
 */
export function findField(fields: JsonObject, wanted: string): Found | undefined {
  const name = Object.hasOwn(fields, wanted) ? wanted : namesOf(fields).close.get(closeName(wanted));
  if (name !== undefined) return { name, value: fields[name] ?? null };
  const [root = '', ...steps] = wanted.split('.');
  let value: Json | undefined = fields[root];
  for (const step of steps) {
    if (value === undefined || value === null || typeof value !== 'object') return undefined;
    value = Object.hasOwn(value, step) ? (value as JsonObject)[step] : undefined;
  }
  return value === undefined ? undefined : { name: root, value };
}

/** Finds a field by a common label, ignoring separators, case and asterisks. */
export function findLabel(fields: JsonObject, label: string): Found | undefined {
  const name = namesOf(fields).loose.get(labelKey(label));
  return name === undefined ? undefined : { name, value: fields[name] ?? null };
}
