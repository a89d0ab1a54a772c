import { isObject, type Json } from '../platform/json.ts';

/** The parts of a name in the order in which they are written, each under the names that tools give it. */
const parts = [
  ['prefix', 'title', 'salutation'],
  ['first', 'firstname', 'given', 'givenname', 'forename'],
  ['middle', 'middlename'],
  ['last', 'lastname', 'family', 'familyname', 'surname'],
  ['suffix'],
];
const wholes = ['full', 'fullname', 'name', 'display', 'displayname', 'formatted', 'value'];

/**
 * A name in an object: its known parts in their order, else the whole name alone. Flags, empty parts and whatever else
 * the tool sends are no part of it. Undefined without any.
 */
export function nameInParts(value: Json): string | undefined {
  if (!isObject(value)) return undefined;
  const texts = new Map(
    Object.entries(value).flatMap(([key, part]): [string, string][] =>
      typeof part === 'string' && part.trim() !== ''
        ? [[key.toLowerCase().replace(/[^a-z]/g, ''), part.trim()]]
        : [],
    ),
  );
  const found = parts.flatMap((names) => names.map((name) => texts.get(name)).find(Boolean) ?? []);
  const whole = wholes.map((name) => texts.get(name)).find(Boolean);
  const isOnlyTitle = found.length === 1 && texts.size > 1 && whole !== undefined;
  return found.length > 0 && !isOnlyTitle ? found.join(' ') : whole;
}
