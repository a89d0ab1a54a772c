import type { Json } from '../platform/json.ts';
import { foldName } from '../platform/text/fold.ts';
import { isNoChoice } from './choice.ts';
import { partsOf } from './when-parts.ts';

/** The parts of a name in the order in which they are written, each under the names that tools give it. */
const parts = [
  ['prefix', 'title', 'salutation'],
  ['first', 'firstname', 'fname', 'given', 'givenname', 'forename', 'vorname', 'prenom'],
  ['middle', 'middlename'],
  ['last', 'lastname', 'lname', 'family', 'familyname', 'surname', 'nachname'],
  ['suffix'],
];
const wholes = ['full', 'fullname', 'name', 'display', 'displayname', 'formatted', 'value'];

/**
 * A name in an object: its known parts in their order, else the whole name alone. Flags, empty parts and whatever else
 * the tool sends are no part of it. Undefined without any.
 */
export function nameInParts(value: Json): string | undefined {
  const texts = partsOf(value);
  if (texts === undefined) return undefined;
  const found = parts.flatMap((names) => names.map((name) => texts.get(name)).find(Boolean) ?? []);
  const whole = wholes.map((name) => texts.get(name)).find(Boolean);
  const isOnlyTitle = found.length === 1 && texts.size > 1 && whole !== undefined;
  return found.length > 0 && !isOnlyTitle ? joined(found) : whole;
}

/** Never a part twice: some tools send the whole name as the last one, too. */
const joined = (parts: readonly string[]): string =>
  parts.reduce((name, part) => {
    if (part.startsWith(`${name} `)) return part;
    return name.endsWith(` ${part}`) ? name : `${name} ${part}`;
  });

/**
 * Signs that templates, programs, addresses and wrong code pages leave, and no name has. Others pass: apostrophes of
 * any kind, quoted nicknames, brackets, `a/l`, `Ann & Bob`, emoji.
 */
const foreign =
  /[@$%#<>{}|~=\\_^©®¶§†‡•°¤¦¬\u2500-\u259f]|\p{Sc}|(?!\+)\p{Sm}|(?<!\s)[+&]|[+&](?!\s)|^[:;]|^«.*»$|\[\]|^(?:\w{0,40}(?:error|exception)|warning):|^(?:System\.|stdClass\b)/iu;
/**
 * Before its first letter a name has quotes, brackets or an emoji; `//name`, `-- name` and `;name` are a program’s
 * comments.
 */
const comment =
  /^["'’‘ʻʼ´`“”„‹([\s]{0,9}[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{RI}"'’‘ʻʼ´`“”„‹([\s]|\/[/*]|\*\/|(?<!-)--|;/u;
/**
 * What a program, or a field that kept its prompt, says instead of a name. By `foldName`, without what surrounds it.
 */
const noName = new Set([
  ...['true', 'false', 'array', 'infinity', 'object', 'string', 'empty', 'blank', 'unknown', 'anonymous'],
  ...[
    'not set',
    'not provided',
    'not specified',
    'not available',
    'no name',
    'no data',
    'no value',
    'missing value',
    'dbnull',
    'loading',
    'loading…',
    'name',
    'your name',
    'full name',
  ],
]);
const around = /^[\s()[\]*.:-]{1,9}|(?<![\s()[\]*.:-])[\s()[\]*.:-]{1,9}$/g;

/** A program joined parts, one of which was not there: `null Lee`, but not `Christopher Null`. */
const partNotFilled = /(?:^|\s)(?:undefined|null|NaN)(?:$|\s)/;

const isNoName = (text: string): boolean => noName.has(foldName(text).replace(around, ''));

/** Why a text cannot be the name of a person, as a clause that follows the field; undefined if it can. */
export function doubtOfName(text: string): string | undefined {
  if (text === '') return undefined;
  if (/\p{L}\?\p{L}/u.test(text)) return 'has a question mark in place of a letter';
  if (!/\p{L}/u.test(text)) return 'contains no letter';
  const sign = [...(foreign.exec(text)?.[0] ?? '')][0] ?? [...(comment.exec(text)?.[0] ?? '')].at(-1);
  if (sign !== undefined)
    return `has a sign that names do not have (${sign}), so it is not certain that it is one`;
  const isNone =
    partNotFilled.test(text) ||
    (text.length <= 40 && (isNoChoice(text) || isNoName(text) || text.split(/\s+/).every(isNoChoice)));
  return isNone ? 'is no name, but what a form or a program writes where there is none' : undefined;
}
