import type { IntakeRequest } from '../../../src/connector.ts';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import type { Proof } from '../authentication/proof.ts';
import type { BodyKind } from '../body.ts';
import { noFields } from '../mapping/fields.ts';
import type { Rule, Target } from '../mapping/rule.ts';

/** What one form tool sends, and how it proves that it was the tool. */
export interface Preset {
  /** For people: `Contact Form 7`. */
  readonly title: string;
  /** Ways to prove where a request comes from; every one that has its setting is accepted. */
  readonly proofs: readonly Proof[];
  /** Other bodies are answered 415. Default: JSON. */
  readonly bodies?: readonly BodyKind[];
  /** Takes the tool's wrapping off. Never throws; what is not there is left out. */
  read(body: JsonObject, request: Pick<IntakeRequest, 'headers'>): Reading;
  /** Fields that the tool always sends in the same place. */
  readonly fixed?: Partial<Record<Target, Rule>>;
  /** False: fields are not looked for by the labels people commonly use. */
  readonly labels?: false;
  /** Fields with a booking's own names are taken exactly as they came: before any rule, or where there is none. */
  readonly own?: 'first' | 'unless ruled';
}

export type Reading =
  | {
      kind: 'booking';
      /** The answers by the names a person would map them by. */
      fields: JsonObject;
      /** The tool's own id of this submission, for deduplication. */
      id?: string | undefined;
    }
  /** Something a person has to do: a cancellation, a move. `task` is one sentence without patient data. */
  | { kind: 'task'; fields: JsonObject; id?: string | undefined; task: string; moves?: true }
  /** A ping, a test, an event that is none of ours: answered 200 and not stored. */
  | { kind: 'ignored'; message: string };

/** An object, or an empty one: what a tool leaves out or sends differently is simply not there. */
export const objectAt = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

export const objectsAt = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.map((item) => objectAt(item)) : [];

/** A name or an id as text; undefined for anything that is neither. */
export const idAt = (value: Json | undefined): string | undefined => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** The number of a stored entry; WordPress says 0 for each one that was not stored, and one id for all would lose all but one. */
export const entryIdAt = (value: Json | undefined): string | undefined => {
  const id = idAt(value);
  return id === '0' ? undefined : id;
};

/** Without a prototype: `constructor` and `__proto__` are names like any other. */
export const fieldsAt = (value: Json | undefined): JsonObject => Object.assign(noFields(), objectAt(value));

/** Own fields only: `constructor` is a name like any other. */
export const at = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** One answer under each of its names (its key, its id, its label); a name that is taken stays with the first. */
export function putUnder(
  fields: JsonObject,
  names: readonly (string | undefined)[],
  value: Json | undefined,
): void {
  if (value === undefined || value === null) return;
  for (const name of names) if (name && !Object.hasOwn(fields, name)) fields[name] = value;
}
