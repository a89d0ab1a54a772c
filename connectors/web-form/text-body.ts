import type { FieldFault } from '../../src/domain/bookings/booking.ts';
import { parsedJson } from '../../src/platform/json.ts';
import { fieldsOfPairs } from './body.ts';
import type { BookingReading, LineKind } from './mapping/mapping.ts';

const LONGEST_NAME = 60;

const brokenJson: FieldFault = {
  field: 'fields',
  message:
    'The form tool’s body looks like JSON but is none, as when a quotation mark in an answer is not escaped. ' +
    'All of it is in the note. Leave the tool’s own body template empty.',
};

const severalLeads: FieldFault = {
  field: 'fields',
  message:
    'The form tool sent several submissions at once. All of them are in the note. Send each by itself.',
};

/**
 * Reads text that a tool makes from a template of `Name: value` lines. A message has its own lines, some with colons,
 * so only names known to the mapping begin a field, a message continues until the next of them, and all other text goes
 * to the note: no word is lost. A visitor can write such a name as well; then a person decides.
 */
export function readTextBody(
  text: string,
  kindOf: KindOf,
): Pick<BookingReading, 'fields' | 'extra' | 'lines' | 'problems'> {
  const whole: [string, string] = ['text', text];
  if (/^\s*[[{]/.test(text))
    return {
      fields: fieldsOfPairs([whole]),
      extra: text.trim(),
      problems: [parsedJson(text) === undefined ? brokenJson : severalLeads],
    };
  const { answers, rest } = answersIn(text, kindOf);
  const pairs = answers.map(({ name, lines }): [string, string] => [name, lines.join('\n').trim()]);
  const extra = rest.join('\n').trim();
  return {
    fields: fieldsOfPairs([...pairs, whole]),
    lines: answers.map(({ name }) => name),
    ...(extra !== '' && { extra }),
  };
}

type KindOf = (name: string) => LineKind | undefined;

interface Answer {
  name: string;
  kind: LineKind;
  lines: string[];
}

function answersIn(text: string, kindOf: KindOf): { answers: Answer[]; rest: string[] } {
  const answers: Answer[] = [];
  const rest: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { name, value } = named(line);
    const kind = name === undefined ? undefined : kindOf(name);
    const current = answers.at(-1);
    const goesOn = current?.kind === 'message' || (current?.kind === 'lines' && name === undefined);
    if (name !== undefined && kind !== undefined) answers.push({ name, kind, lines: [value] });
    else (goesOn && current ? current.lines : rest).push(line);
  }
  return { answers, rest };
}

/** Splits `Phone: 0171…` into its two parts. */
function named(line: string): { name: string | undefined; value: string } {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trim();
  return {
    name: name === '' || name.length > LONGEST_NAME ? undefined : name,
    value: line.slice(colon + 1).trim(),
  };
}
