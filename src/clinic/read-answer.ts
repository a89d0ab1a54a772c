import { type FieldKind, recordFields } from '../domain/clinics/record-fields.ts';
import type { ListPoll, Statistics } from '../domain/clinics/resource.ts';
import { Failure } from '../platform/failure.ts';
import { isObject, type Json, type JsonObject } from '../platform/json.ts';
import type { AppointmentStatus, Listing, Received, UnreadableRecord } from './clinic.ts';
import { partOf } from './part-of-list.ts';
import {
  countValue,
  date,
  decimal,
  flagValue,
  id,
  listOf,
  mapOf,
  numberValue,
  objectOf,
  plainText,
  textValue,
  timeValue,
  type ValueReader,
} from './values.ts';

/**
 * Reads the clinic's answers as tolerantly as is safe: an optional field is null when it is absent, null or of a type
 * that has no equal value; a required one makes its object unreadable, and only that object. Throws `Failure` refused
 * for an answer whose envelope cannot be read. Messages name fields, never their values.
 */

const texts = (...names: string[]): Record<string, ValueReader> =>
  Object.fromEntries(names.map((name) => [name, textValue]));

/** Section 2.3: the contents of fields that are lists or maps. */
const inside: Record<string, ValueReader> = {
  opening_hours: mapOf(objectOf({ open: textValue, close: textValue, is_closed: flagValue })),
  team_members: listOf(objectOf(texts('photo', 'name', 'role', 'linkedin'))),
  testimonials: listOf(objectOf(texts('photo', 'name', 'role', 'comment'))),
  faqs: listOf(objectOf(texts('question', 'answer'))),
  services: listOf(objectOf(texts('image', 'title', 'description', 'features'))),
  section_labels: mapOf(textValue),
};

/** Characters of the longest value; a longer one makes its object unreadable. What is real is far shorter. */
const LONGEST = { name: 500, decimal: 40, text: 100_000 };

/** Of one object: all of it is compared, stored and logged at once. Each value and name counts as ten characters. */
const LARGEST = 200_000;
const VALUE = 10;

const sizeOf = (value: Json): number => {
  if (typeof value === 'string') return VALUE + value.length;
  if (typeof value !== 'object' || value === null) return VALUE;
  let size = VALUE;
  for (const [name, one] of Object.entries(value)) {
    size += VALUE + name.length + sizeOf(one);
    if (size > LARGEST) break;
  }
  return size;
};

const excessOf = (raw: JsonObject): string | undefined =>
  sizeOf(raw) > LARGEST ? `has more than ${LARGEST} characters` : undefined;

/** `must`: the requirement on a required field. */
const kinds: Record<FieldKind, { read: ValueReader; must?: string; longest?: number }> = {
  id: { read: id, must: 'must be a whole number' },
  name: { read: plainText, must: 'must be a text', longest: LONGEST.name },
  fee: { read: decimal, must: 'must be a decimal number', longest: LONGEST.decimal },
  text: { read: plainText, longest: LONGEST.text },
  date: { read: textValue, longest: LONGEST.decimal },
  number: { read: numberValue, longest: LONGEST.decimal },
  decimal: { read: decimal, longest: LONGEST.decimal },
  json: { read: () => undefined },
};

const short: ValueReader = (value) =>
  typeof value === 'string' && value.length > LONGEST.name ? undefined : plainText(value);

/** Fields that are HTML (section 2.3), in which an entity is part of the markup. */
const markup: ReadonlySet<string> = new Set(['hero_subtitle', 'about_description']);

/** Strings that are HTML (section 2.3) keep their entities. */
const readerOf = (field: string, kind: FieldKind): ValueReader =>
  inside[field] ?? (markup.has(field) ? textValue : kinds[kind].read);

/** By resource; built once, because a list may have thousands of objects. */
const shapes = Object.fromEntries(
  Object.entries(recordFields).map(([resource, fields]) => [
    resource,
    Object.entries(fields).map(([field, kind]) => [field, kind, readerOf(field, kind)]),
  ]),
) as Record<ListPoll, [field: string, kind: FieldKind, read: ValueReader][]>;

/** Rows of a list. A clinic has tens; each costs memory in every step up to the database. */
const MOST_ROWS = 10_000;

/** Sections 4.4 and 4.6. An object listed twice with equal content counts once. */
export function readList(
  resource: 'treatments' | 'dentists',
  answer: Json,
  endpoint: string,
  pages?: JsonObject,
): Listing {
  const data = fieldOf(answer, 'data', endpoint);
  if (!Array.isArray(data))
    throw broken(endpoint, data === undefined ? 'data is missing' : 'data must be a list');
  if (data.length > MOST_ROWS) throw broken(endpoint, `data has more than ${MOST_ROWS} rows`);
  const part = partOf(answer, data.length, pages);
  if (part !== undefined) throw incomplete(endpoint, part);
  return listing(resource, data);
}

/** Sections 4.2 and 4.3: the single object as a list. */
export function readSingle(resource: 'organization' | 'website', answer: Json, endpoint: string): Listing {
  const key = resource === 'website' ? 'site' : 'data';
  return listing(resource, [objectIn(answer, key, endpoint)]);
}

/** Section 4.5. */
export function readTreatment(answer: Json, endpoint: string): Received {
  const read = readRecord('treatments', objectIn(answer, 'data', endpoint), 0);
  if (!('problem' in read)) return read;
  const { field, problem } = read;
  throw broken(endpoint, `data${path(field)} ${problem}`, { field, problem });
}

/** Section 2.2: undefined when the answer has none of the figures; a single missing one is null. */
export function readStatistics(answer: Json): Statistics | undefined {
  const given = isObject(answer) && isObject(answer.data) ? answer.data.statistics : undefined;
  if (!isObject(given)) return undefined;
  const figure = (name: keyof Statistics) => (countValue(given[name]) ?? null) as number | null;
  const statistics = {
    total_users: figure('total_users'),
    total_patients: figure('total_patients'),
    total_appointments: figure('total_appointments'),
    total_doctors: figure('total_doctors'),
  };
  return Object.values(statistics).every((value) => value === null) ? undefined : statistics;
}

/** Section 2.2: null when missing or unreadable. */
export function readCareId(answer: Json): string | null {
  const known = isObject(answer) && isObject(answer.data) ? id(answer.data.care_id) : undefined;
  return known === undefined ? null : String(known);
}

/** Section 2.6: only the status is required. */
export function readStatus(answer: Json, endpoint: string): AppointmentStatus {
  const raw = objectIn(answer, 'data', endpoint);
  const { status } = raw;
  const excess = excessOf(raw);
  if (excess !== undefined) throw broken(endpoint, `data ${excess}`);
  const problem =
    status === undefined || status === null
      ? 'is missing'
      : typeof status !== 'string' || status.trim() === ''
        ? 'must be a text that is not empty'
        : status.length > LONGEST.name
          ? `has more than ${LONGEST.name} characters`
          : undefined;
  if (problem !== undefined) throw broken(endpoint, `data.status ${problem}`, { field: 'status', problem });
  const read = (reader: ValueReader, value: Json | undefined) => (reader(value) ?? null) as string | null;
  return {
    status: String(status),
    name: read(short, raw.name),
    date: read(date, raw.date),
    time: read(timeValue, raw.time),
    raw,
  };
}

/** The specification's default lifetime (section 5), for answers that give none. */
const USUAL_LIFE_S = 3_600;

/** Section 2.1. */
export function readToken(answer: Json, endpoint: string): { access_token: string; expires_in: number } {
  const token = textValue(fieldOf(answer, 'access_token', endpoint));
  if (typeof token !== 'string' || token === '') {
    const isInside = isObject(answer) && isObject(answer.data) && 'access_token' in answer.data;
    throw broken(endpoint, `access_token is ${isInside ? 'in data, where it is not read' : 'missing'}`);
  }
  const life = numberValue(isObject(answer) ? answer.expires_in : undefined);
  return { access_token: token, expires_in: typeof life === 'number' && life > 0 ? life : USUAL_LIFE_S };
}

function listing(resource: ListPoll, data: readonly Json[]): Listing {
  const records = new Map<string, Received>();
  const unreadable: UnreadableRecord[] = [];
  data.forEach((element, position) => {
    const read = readRecord(resource, element, position);
    if ('problem' in read) unreadable.push(read);
    else {
      const twin = records.get(read.id);
      if (twin === undefined) records.set(read.id, read);
      else if (JSON.stringify(twin.fields) !== JSON.stringify(read.fields))
        unreadable.push({
          id: read.id,
          position,
          field: idOf(resource),
          problem: 'occurs twice, with different content',
        });
    }
  });
  // There is no telling which of the two is right, even if one of them cannot be read at all.
  for (const { id } of unreadable) if (id !== null) records.delete(id);
  return { records: [...records.values()], unreadable };
}

const idOf = (resource: ListPoll): string => shapes[resource][0]?.[0] ?? '';

function readRecord(resource: ListPoll, raw: Json, position: number): Received | UnreadableRecord {
  if (!isObject(raw)) return { id: null, position, field: null, problem: 'must be an object' };
  const known = id(raw[idOf(resource)]);
  const name = known === undefined ? null : String(known);
  const excess = excessOf(raw);
  if (excess !== undefined) return { id: name, position, field: null, problem: excess };
  const fields: JsonObject = {};
  for (const [field, kind, read] of shapes[resource]) {
    const given = raw[field];
    const { must, longest = Number.POSITIVE_INFINITY } = kinds[kind];
    if (typeof given === 'string' && given.length > longest)
      return { id: name, position, field, problem: `has more than ${longest} characters` };
    const value = read(given);
    if (value === undefined && must !== undefined)
      return { id: name, position, field, problem: given == null ? 'is missing' : must };
    fields[field] = value ?? null;
  }
  return { id: String(known), fields, raw };
}

function fieldOf(answer: Json, key: string, endpoint: string): Json | undefined {
  if (!isObject(answer)) throw broken(endpoint, 'the answer must be an object');
  return answer[key];
}

function objectIn(answer: Json, key: string, endpoint: string): JsonObject {
  const value = fieldOf(answer, key, endpoint);
  if (isObject(value)) return value;
  throw broken(endpoint, `${key} ${value == null ? 'is missing' : 'must be an object'}`);
}

const incomplete = (endpoint: string, part: string) =>
  new Failure({
    kind: 'refused',
    message: `${endpoint}: ${part}`,
    hint:
      'The whole list is needed, or what is on other pages would count as removed: ask whoever runs ' +
      'the clinic’s server to answer all of it at once. Nothing in this answer was used.',
    fault: { field: null, problem: part },
  });

const path = (field: string | null): string => (field === null ? '' : `.${field}`);

const broken = (endpoint: string, what: string, fault: Failure['fault'] = { field: null, problem: what }) =>
  new Failure({
    kind: 'refused',
    message: `${endpoint}: ${what}`,
    hint: 'The clinic’s server does not follow its specification; nothing in this answer was used.',
    fault,
  });
