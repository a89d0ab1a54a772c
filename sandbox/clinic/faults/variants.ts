import { z } from 'zod';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { jsonOf, refusal, withJson } from '../answer.ts';
import { endpoints } from '../routes.ts';
import { after, type FaultKind, only } from './kind.ts';
import { changedBody, changedPayload, isObject, lists, payloadKey, reads } from './payload.ts';

const ways = ['null', 'missing', 'number', 'digits', 'text', 'empty_list', 'empty_map'] as const;
type Way = (typeof ways)[number];

/** The value in the given way; undefined takes it out. */
function written(value: Json, way: Way): Json | undefined {
  switch (way) {
    case 'null':
      return null;
    case 'missing':
      return undefined;
    case 'number':
      return Number.isFinite(Number(value)) && value !== '' ? Number(value) : 7;
    case 'digits':
      return typeof value === 'boolean' ? String(Number(value)) : String(value ?? 7);
    case 'text':
      return 'n/a';
    case 'empty_list':
      return [];
    case 'empty_map':
      return {};
  }
}

/** `*` stands for every key or place. A path that is not there changes nothing. */
function vary(value: Json, [step, ...rest]: readonly string[], way: Way): Json | undefined {
  if (step === undefined) return written(value, way);
  const isHere = (key: string) => step === '*' || step === key;
  if (Array.isArray(value))
    return value.flatMap((item, i) => {
      const varied = isHere(String(i)) ? vary(item, rest, way) : item;
      return varied === undefined ? [] : [varied];
    });
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, item]) => [key, isHere(key) ? vary(item, rest, way) : item] as const,
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const variant: FaultKind = only(
  endpoints,
  after(
    {
      description:
        'The value at `path` below the data comes `as` null, missing, number, digits, text, empty_list or empty_map. A path is `image_url` or `opening_hours.monday.open`, `*` is every key; several may be given. In a list it applies to the row at `row` (default: every row).',
      parameters: {
        path: z.union([z.string().min(1), z.array(z.string().min(1))]),
        as: z.enum(ways),
        row: z.number().int().min(0).optional(),
      },
    },
    (_context, answer, { path, as, row }) => {
      const body = jsonOf(answer) ?? {};
      const key = payloadKey(body);
      const prefix = key === undefined ? [] : [key];
      if (key !== undefined && Array.isArray(body[key])) prefix.push(row === undefined ? '*' : String(row));
      const varied = [path]
        .flat()
        .reduce<Json>((value, one) => vary(value, [...prefix, ...one.split('.')], as) ?? null, body);
      return withJson(answer, varied);
    },
  ),
);

/** Read-after-write lag: a fresh appointment is not to be found for the first reads of it. */
const lateStatus: FaultKind = {
  ...only(
    ['status'],
    after(
      {
        description: '404 for the first `reads` (default 1) reads of each appointment, then as usual.',
        parameters: { reads: z.number().int().min(1).default(1) },
      },
      (_context, answer) => answer,
    ),
  ),
  arm(parameters) {
    const { reads } = parameters as { reads: number };
    const asked = new Map<string, number>();
    return {
      stage: 'after',
      act({ target }, answer) {
        const times = (asked.get(target) ?? 0) + 1;
        asked.set(target, times);
        return times > reads ? answer : refusal(404, 'not_found', 'No such appointment.');
      },
    };
  },
};

const rowsOf = ({ data }: JsonObject): Json[] => (Array.isArray(data) ? data : []);

const renamed = (row: Json = null): Json =>
  isObject(row)
    ? Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, key.endsWith('_name') ? `${value} (2)` : value]),
      )
    : null;

/** Answers that real servers give although the specification says otherwise. */
export const variantFaults = {
  variant,
  no_success: changedBody(
    reads,
    'The answer has no field success.',
    ({ success: _success, ...body }) => body,
  ),
  bad_row: changedBody(lists, 'The first row is null.', (body) => ({
    ...body,
    data: [null, ...rowsOf(body).slice(1)],
  })),
  twin_ids: changedBody(lists, 'The first row comes twice, the second time under another name.', (body) => ({
    ...body,
    data: [...rowsOf(body), renamed(rowsOf(body)[0])],
  })),
  other_care_id: changedPayload(['organization', 'website'], 'The care_id is another clinic’s.', (value) =>
    isObject(value) ? { ...value, care_id: Number(value.care_id) + 1 } : value,
  ),
  late_status: lateStatus,
};
