import type { IntakeRequest } from '../../../src/connector.ts';
import type { Target } from '../../../src/domain/bookings/field-labels.ts';
import { isObject, type Json, type JsonObject } from '../../../src/platform/json.ts';
import type { Proof } from '../authentication/proof.ts';
import type { BodyKind } from '../body.ts';
import { noFields } from '../mapping/fields.ts';
import type { BookingReading, FormReading } from '../mapping/mapping.ts';
import type { Rule } from '../mapping/rule.ts';

/** How we know what a tool sends, the surest first, in words for people. */
export const provenBy = {
  tool: 'run with the real tool',
  source: 'from its source',
  documentation: 'from its documentation',
} as const;

/** What one form tool sends, and how it authenticates. */
export interface Preset {
  /** For people: `Contact Form 7`. */
  readonly title: string;
  /** How well it is proven that the tool sends this, and by what. */
  readonly proven: { readonly level: keyof typeof provenBy; readonly by: string };
  /** Accepted proofs; each needs its setting. */
  readonly proofs: readonly Proof[];
  /** What the tool sends; by default JSON. Anything else of a sender that is proven is stored, too. */
  readonly bodies?: readonly BodyKind[];
  /** Unwraps the tool's payload. Does not throw; what is missing is left out. */
  read(body: JsonObject, request: Pick<IntakeRequest, 'headers'>): FormReading;
  /** The inverse of `read` for text fields: the tool's payload with them. Default: the fields themselves. */
  write?(fields: Readonly<Record<string, string>>, id: string): JsonObject;
  /** Rules for fields that the tool always sends in the same place. */
  readonly fixed?: Partial<Record<Target, Rule>>;
  /** False when fields must not be found by common labels. */
  readonly labels?: false;
  /** Takes fields with a booking's own names unchanged: before any rule, or only where there is none. */
  readonly own?: 'first' | 'unless ruled';
}

/**
 * Levels of an unknown event that are written down: far more than a form tool nests, far fewer than overflow the stack.
 */
const DEEPEST = 50;

/** What lies deeper is `…`. */
const downTo = (value: Json, levels: number): Json => {
  if (value === null || typeof value !== 'object') return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((inner) => downTo(inner, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, downTo(inner, levels - 1)]));
};

/** An event that is not known to be no lead: all of it goes to a person. */
export const unknownEvent = (body: JsonObject): BookingReading => ({
  kind: 'booking',
  fields: noFields(),
  extra: JSON.stringify(downTo(body, DEEPEST)),
  problems: [
    {
      field: 'fields',
      message: 'The form tool sent something of another kind than a submission. All of it is in the note.',
    },
  ],
});

/** One of the events that are known to be no leads. */
export function noLead(event: Json | undefined, known: RegExp, message: string): FormReading | undefined {
  const [name] = (typeof event === 'string' && known.exec(event)) || [];
  return name === undefined ? undefined : { kind: 'ignored', event: name, message };
}

/** The value if it is an object, otherwise an empty object. */
export const objectAt = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

export const objectsAt = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.map((item) => objectAt(item)) : [];

/** A name or an id as text; undefined for other types. */
export const idAt = (value: Json | undefined): string | undefined => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** A stored entry's number. WordPress sends 0 for entries it did not store; as an id that would merge them all. */
export const entryIdAt = (value: Json | undefined): string | undefined => {
  const id = idAt(value);
  return id === '0' ? undefined : id;
};

/** Without a prototype, so that `constructor` and `__proto__` are names like any other. */
export const fieldsAt = (value: Json | undefined): JsonObject => Object.assign(noFields(), objectAt(value));

/** Own fields only, so that `constructor` is a name like any other. */
export const at = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Stores an answer under each of its names (key, id, label) that is still free. */
export function putUnder(
  fields: JsonObject,
  names: readonly (string | undefined)[],
  value: Json | undefined,
): void {
  if (value === undefined || value === null) return;
  for (const name of names) if (name && !Object.hasOwn(fields, name)) fields[name] = value;
}
