import { z } from 'zod';
import { Failure } from '../model/failure.ts';
import type { Json } from '../model/json.ts';

/** Checks answers against the contract and names the first field that breaks it; never its value. */

const ListAnswer = z.looseObject({ success: z.literal(true), data: z.array(z.unknown()) });

/** The parsed value; throws `Failure` refused. `at` is where in the answer the value stands. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, endpoint: string, at: Path = []): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw broken(endpoint, issue === undefined ? 'breaks the contract' : wordsFor(issue, at));
}

/** A complete list with ids that occur once. Element by element, so that a million faults cost no more than one. */
export function checkedList<T extends object>(
  element: z.ZodType<T>,
  id: keyof T & string,
  value: Json,
  endpoint: string,
): T[] {
  const { data } = checked(ListAnswer, value, endpoint);
  const ids = new Set<unknown>();
  return data.map((item, index) => {
    const thing = checked(element, item, endpoint, ['data', index]);
    if (ids.has(thing[id])) throw broken(endpoint, `${id} ${String(thing[id])} occurs twice`);
    ids.add(thing[id]);
    return thing;
  });
}

const broken = (endpoint: string, what: string) =>
  new Failure({
    kind: 'refused',
    message: `${endpoint}: ${what}`,
    hint: 'The clinic’s server answers differently from its specification; nothing of this answer was used.',
  });

type Path = readonly PropertyKey[];

function wordsFor(issue: z.core.$ZodIssue, at: Path): string {
  const path = [...at, ...issue.path];
  return `${path.length === 0 ? 'the answer' : inWords(path)} ${expectation(issue)}`;
}

/** `data[3].base_fee` */
const inWords = (path: Path) =>
  path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i === 0 ? '' : '.'}${short(part)}`))
    .join('');

/** Some keys are the server's own words (`opening_hours`, `section_labels`). */
const short = (key: PropertyKey) =>
  String(key)
    .replace(/[^\w -]/g, '?')
    .slice(0, 40);

const articles: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && /undefined$/.test(issue.message)
        ? 'is missing'
        : `must be ${articles[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_format':
      return issue.message.startsWith('must ') ? issue.message : 'has the wrong form';
    default:
      return 'is not as specified';
  }
}
