import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, sampleIntake, startSampleHttp } from '../../../test/support/http/http-kit.ts';
import { runCommand } from '../../../test/support/run-cli.ts';
import { emptyView } from '../../app/empty-view.ts';
import { operations } from '../../app/operations.ts';
import type { Http } from '../http.ts';
import { operationsOf } from './api-operations.ts';
import { openApi } from './openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, of which a test looks at what it names.
type Document = any;

const document: Document = openApi(operations);

/** Everything `paths` says, by `METHOD /path/{name}`. */
const described: [route: string, operation: Document][] = Object.entries<Document>(document.paths).flatMap(
  ([path, { parameters: _parameters, ...methods }]) =>
    Object.entries(methods).map(([method, operation]): [string, Document] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
);

let http: Http;
beforeAll(async () => {
  const intakes = new Map([['website', { intake: sampleIntake('website'), view: emptyView }]]);
  http = await startSampleHttp({ intakes });
});
afterAll(() => http.stop());

/** Unlike clients, the test lets no field pass that the document leaves out. */
function closed(schema: Document): Document {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isRecord = inner.type === 'object' && inner.properties !== undefined;
  return isRecord && inner.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const components = closed(document.components);
const checks = new Map<string, ValidateFunction>();

/** Why an answer is not as described; empty when it is. */
function differences(route: string, status: number, type: string, body: unknown): string[] {
  const operation = new Map(described).get(route);
  const response = operation?.responses[status] ?? operation?.responses.default;
  if (response === undefined) return [`${route} answers ${status}, which is not described`];
  const { content } = response.$ref ? document.components.responses.Refused : response;
  if (type === '') return content === undefined ? [] : [`${route} ${status} has no body`];
  const found = content?.[type];
  if (found === undefined) return [`${route} answers ${status} with ${type}, which is not described`];
  if (type !== 'application/json') return [];
  const key = `${route} ${status}`;
  const check = checks.get(key) ?? ajv.compile({ components, ...closed(found.schema) });
  checks.set(key, check);
  return check(body) ? [] : [`${key}: ${ajv.errorsText(check.errors)}`];
}

const concrete = (path: string) =>
  path
    .replace('{connector}', 'website')
    .replace('{ref}', 'CS-7K3Q9F')
    .replace(/\{\w+\}/, 'main');

interface Asked {
  headers?: Record<string, string>;
  body?: unknown;
  query?: string;
}

async function conforms(route: string, { headers = {}, body, query = '' }: Asked): Promise<number> {
  const [method = '', path = ''] = route.split(' ');
  const answer = await fetch(`${http.url}${concrete(path)}${query}`, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  });
  const text = await answer.text();
  const type = text === '' ? '' : ((answer.headers.get('content-type') ?? '').split(';')[0] ?? '');
  const value = type === 'application/json' ? JSON.parse(text) : text;
  expect(differences(route, answer.status, type, value)).toEqual([]);
  return answer.status;
}

describe('the description of the routes', () => {
  it('is valid OpenAPI', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));

    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('has every route of the server, and no other', () => {
    const registered = http.routes
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, path }) => `${method} ${path}`);

    expect(
      Object.keys(operationsOf(operations)).sort(),
      'describe it in src/http/api/api-operations.ts',
    ).toEqual(registered.sort());
  });

  it('names each operation once', () => {
    const names = described.map(([, { operationId }]) => operationId);

    expect(new Set(names).size).toBe(names.length);
  });

  it('is served to everybody, and printed by the command', async () => {
    const served = await fetch(`${http.url}/openapi.json`);
    const printed = await runCommand(['openapi']);

    expect(await served.json()).toEqual(JSON.parse(JSON.stringify(document)));
    expect(JSON.parse(printed.out)).toEqual(await (await fetch(`${http.url}/openapi.json`)).json());
  });

  it('says of the routes that need a role which one, and that strangers are refused', () => {
    const metrics = document.paths['/metrics'].get;

    expect(metrics).toMatchObject({ description: 'Least role: viewer.', responses: { 401: {}, 403: {} } });
    expect(document.paths['/livez'].get.security).toContainEqual({});
  });
});

describe('answers are as described', () => {
  const routes = described.map(([route]) => route);

  it.each(routes)('to strangers: %s', async (route) => {
    await conforms(route, {});
    await conforms(route, { headers: { accept: 'text/html' } });
  });

  it.each(routes)('to an admin’s program: %s', async (route) => {
    const status = await conforms(route, { headers: bearer, body: { as: 'booked-no-id', note: 'changed' } });

    expect([200, 204, 303, 401, 404, 406]).toContain(status);
  });

  it.each(routes)('to an admin’s browser: %s', async (route) => {
    await conforms(route, { headers: { ...bearer, accept: 'text/html' } });
  });

  it.each(['', '?validate=1', '?rehearse=1'])(
    'to a sender with its token: POST /in/website%s',
    async (query) => {
      const headers = { authorization: 'Bearer intake-token' };

      expect(await conforms('POST /in/{connector}', { headers, query })).toBe(200);
      expect(await conforms('GET /in/{connector}/{ref}', { headers })).toBe(200);
    },
  );
});
