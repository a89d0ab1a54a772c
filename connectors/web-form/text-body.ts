import type { FieldFault } from '../../src/domain/booking.ts';
import { fieldsOfPairs } from './body.ts';
import type { LineKind } from './mapping/mapping.ts';
import type { BookingReading } from './presets/preset.ts';

const LONGEST_NAME = 60;

const brokenJson: FieldFault = {
  field: 'fields',
  message:
    'The form tool’s body looks like JSON but is none, as when a quotation mark in an answer is not escaped. All of it is in the note. Leave the tool’s own body template empty.',
};
const namedTwice: FieldFault = {
  field: 'fields',
  message:
    'Two lines of the form tool’s text have the same name, so it is not certain which one the tool wrote.',
};

/**
 * Reads the text that a tool makes from a template of `Name: value` lines. Answers may have several lines, and a visitor
 * may write a colon: only names that the mapping looks for begin a field within a free text, so no word of a message is
 * lost. What belongs to no field goes to the note.
 */
export function readText(
  text: string,
  kindOf: KindOf,
): Pick<BookingReading, 'fields' | 'extra' | 'problems'> {
  const whole: [string, string] = ['text', text];
  if (/^\s*[[{]/.test(text))
    return { fields: fieldsOfPairs([whole]), extra: text.trim(), problems: [brokenJson] };
  const { ahead, answers } = answersIn(text, kindOf);
  const single = answers.filter(({ kind }) => kind === 'single').map(({ name }) => name);
  const pairs = answers.map(({ name, lines }): [string, string] => [name, lines.join('\n').trim()]);
  const extra = ahead.join('\n').trim();
  return {
    fields: fieldsOfPairs([...pairs, whole]),
    ...(extra !== '' && { extra }),
    ...(new Set(single).size < single.length && { problems: [namedTwice] }),
  };
}

type KindOf = (name: string) => LineKind | undefined;

interface Answer {
  name: string;
  kind: LineKind | undefined;
  lines: string[];
}

function answersIn(text: string, kindOf: KindOf): { ahead: string[]; answers: Answer[] } {
  const ahead: string[] = [];
  const answers: Answer[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const current = answers.at(-1);
    const { name, value } = named(line);
    const kind = name === undefined ? undefined : kindOf(name);
    const begins = kind !== undefined || current?.kind !== 'free';
    if (name !== undefined && begins) answers.push({ name, kind, lines: [value] });
    else (current?.lines ?? ahead).push(line);
  }
  return { ahead, answers };
}

/** `Phone: 0171…` as its two parts. */
function named(line: string): { name: string | undefined; value: string } {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trim();
  return {
    name: name === '' || name.length > LONGEST_NAME ? undefined : name,
    value: line.slice(colon + 1).trim(),
  };
}
