import type { Json, JsonObject } from '../../../src/platform/json.ts';

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
