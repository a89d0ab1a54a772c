import { z } from 'zod';
import { wholeNumber } from '../../../src/domain/clinics/setting.ts';
import { isObject, type Json, type JsonObject } from '../../../src/platform/json.ts';
import { jsonOf, type SandboxAnswer, withJson } from '../answer.ts';
import { type Endpoint, endpoints } from '../routes.ts';
import { afterCommit, type FaultKind, only } from './kind.ts';

/** The key of an answer's payload, `site` or `data`; undefined if it has neither. */
const payloadKey = (body: JsonObject): string | undefined => ['site', 'data'].find((key) => key in body);

/** Ways to change a value; undefined removes it. */
const ways = {
  null: () => null,
  missing: () => undefined,
  number: (value) => (Number.isFinite(Number(value)) && value !== '' ? Number(value) : 7),
  digits: (value) => (typeof value === 'boolean' ? String(Number(value)) : String(value ?? 7)),
  text: () => 'n/a',
  empty_list: () => [],
  empty_map: () => ({}),
  negative: (value) => -Number(value),
  other_type: (value) =>
    typeof value === 'string' ? value.length : typeof value === 'number' ? String(value) : 'unexpected',
  capitals: (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  decomposed: (value) => (typeof value === 'string' ? value.normalize('NFD') : value),
} as const satisfies Record<string, (value: Json) => Json | undefined>;
type Way = keyof typeof ways;

/** One change to the JSON of an answer; exactly one of `as`, `value` and `plus` is given. */
export interface AnswerEdit {
  /**
   * `image_url` or `opening_hours.monday.open` below the data, `*` for any text in a step (`*_fee`); `.` is the data
   * itself, `/success` a field beside it. A path that does not exist changes nothing.
   */
  path: string;
  as?: Way | undefined;
  value?: Json | undefined;
  /** Added to a number, or appended to a text. */
  plus?: number | string | undefined;
  /** In a list, the row to change. Default: every row. */
  row?: number | undefined;
}

function changed(value: Json, { as, value: other, plus }: AnswerEdit): Json | undefined {
  if (as !== undefined) return ways[as](value);
  if (plus === undefined) return other;
  if (typeof plus === 'number') return Number(value) + plus;
  return typeof value === 'string' ? value + plus : value;
}

const isNamed = (step: string, key: string): boolean =>
  step.startsWith('*') ? key.endsWith(step.slice(1)) : step === key;

function vary(value: Json, [step, ...rest]: readonly string[], edit: AnswerEdit): Json | undefined {
  if (step === undefined) return changed(value, edit);
  if (Array.isArray(value))
    return value.flatMap((item, i) => {
      const varied = isNamed(step, String(i)) ? vary(item, rest, edit) : item;
      return varied === undefined ? [] : [varied];
    });
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, item]) => [key, isNamed(step, key) ? vary(item, rest, edit) : item] as const,
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function stepsTo({ path, row }: AnswerEdit, body: JsonObject): string[] {
  if (path.startsWith('/')) return path.slice(1).split('.');
  const key = payloadKey(body);
  if (path === '.') return [key ?? 'data'];
  const rows = key !== undefined && Array.isArray(body[key]) ? [row === undefined ? '*' : String(row)] : [];
  return [...(key === undefined ? [] : [key]), ...rows, ...path.split('.')];
}

const withEdits = (answer: SandboxAnswer, edits: readonly AnswerEdit[]): SandboxAnswer =>
  withJson(
    answer,
    edits.reduce<JsonObject>(
      (body, edit) => (vary(body, stepsTo(edit, body), edit) ?? {}) as JsonObject,
      jsonOf(answer) ?? {},
    ),
  );

/** Carries the request out and answers with these changes. */
export const edited = (
  at: readonly Endpoint[],
  description: string,
  ...edits: readonly AnswerEdit[]
): FaultKind =>
  only(
    at,
    afterCommit(description, (_context, answer) => withEdits(answer, edits)),
  );

/** Carries the request out and answers with other data (or site). */
export const changedPayload = (
  at: readonly Endpoint[],
  description: string,
  change: (value: Json) => Json,
): FaultKind =>
  only(
    at,
    afterCommit(description, (_context, answer) => {
      const body = jsonOf(answer) ?? {};
      const key = payloadKey(body) ?? 'data';
      return withJson(answer, { ...body, [key]: change(body[key] ?? null) });
    }),
  );

const anyField: FaultKind = only(
  endpoints,
  afterCommit(
    {
      description:
        `The value at \`path\` below the data comes \`as\` ${Object.keys(ways).join(', ')}, as another ` +
        '`value`, or with `plus` added. A path is `image_url` or `opening_hours.monday.open`, ' +
        '`*` is every key and `*_fee` some, `.` the data itself, `/success` a field beside it; ' +
        'several may be given. In a list it applies to the row at `row` (default: every row).',
      parameters: {
        path: z.union([z.string().min(1), z.array(z.string().min(1))]),
        as: z.enum(Object.keys(ways) as [Way, ...Way[]]).optional(),
        value: z.json().optional(),
        plus: z.union([z.number(), z.string()]).optional(),
        row: wholeNumber(0).optional(),
      },
    },
    (_context, answer, { path, ...how }) =>
      withEdits(
        answer,
        [path].flat().map((one) => ({ ...how, path: one }) as AnswerEdit),
      ),
  ),
);

/** Any change to any field of any answer. */
export const variant: FaultKind = {
  ...anyField,
  parameters: anyField.parameters.refine(
    ({ as, value, plus }) => [as, value, plus].filter((one) => one !== undefined).length === 1,
    { message: 'needs one of as, value and plus', path: ['as'] },
  ),
};

export const lists: readonly Endpoint[] = ['treatments', 'dentists'];
export const reads: readonly Endpoint[] = [
  'organization',
  'website',
  'treatments',
  'treatment',
  'dentists',
  'status',
];
