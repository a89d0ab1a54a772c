import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { jsonOf, withJson } from '../answer.ts';
import type { Endpoint } from '../routes.ts';
import { after, type FaultKind, only } from './kind.ts';

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where an answer keeps what it is about: `site` or `data`; undefined when it has neither. */
export const payloadKey = (body: JsonObject): string | undefined =>
  ['site', 'data'].find((key) => key in body);

/** Carried out, and answered with another JSON body. */
export const changedBody = (
  endpoints: readonly Endpoint[],
  description: string,
  change: (body: JsonObject) => Record<string, Json | undefined>,
): FaultKind =>
  only(
    endpoints,
    after(description, (_context, answer) => withJson(answer, change(jsonOf(answer) ?? {}))),
  );

/** Something done to what the answer is about; undefined takes it out. */
export const changedPayload = (
  endpoints: readonly Endpoint[],
  description: string,
  change: (value: Json) => Json | undefined,
): FaultKind =>
  changedBody(endpoints, description, (body) => {
    const key = payloadKey(body) ?? 'data';
    return { ...body, [key]: change(body[key] ?? null) };
  });

export const lists: readonly Endpoint[] = ['treatments', 'dentists'];
export const reads: readonly Endpoint[] = [
  'organization',
  'website',
  'treatments',
  'treatment',
  'dentists',
  'status',
];
