import * as z from 'zod';
import { roles } from '../../domain/role.ts';
import { needOf } from '../access/roles.ts';
import { operationsOf } from './api-operations.ts';
import { type AnswerSchema, type Operation, refusedAnswer } from './operation.ts';

type Json = Record<string, unknown>;

/** Raised when a client of the previous version would stop working. */
const VERSION = '1';

const parameters: Record<string, string> = {
  connector: 'The connector’s name in the configuration',
  ref: 'A booking’s reference, as CS-7K3Q9F',
  name: 'The connector’s name in the configuration',
  id: 'Its id, as the list shows it',
  clinic: 'The clinic’s key in the configuration',
  token: 'The signed end of the link’s address',
};

/** The OpenAPI document of every route, generated from the operations and the roles. */
export function openApi(admin: Parameters<typeof operationsOf>[0]): Json {
  const components: Components = new Map();
  const paths: Record<string, Json> = {};
  for (const [route, operation] of Object.entries(operationsOf(admin))) {
    const [method = '', path = ''] = route.split(' ');
    const key = templateOf(path);
    paths[key] ??= parametersOf(key);
    (paths[key] as Json)[method.toLowerCase()] = describe({ method, path, operation, components });
  }
  const answer = content(refusedAnswer('Refused'), components);
  return {
    openapi: '3.1.1',
    info: {
      title: 'clinic-sync',
      version: VERSION,
      summary: 'Status, changes and bookings of a dental clinic’s practice system.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '.', description: 'Where this document is' }],
    paths,
    components: {
      responses: { Refused: answer },
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes,
    },
  };
}

const signInFirst = { description: 'A browser is sent to the sign-in page' };

const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: `\`http.admin_token\`, or the token of one of \`http.users\`. Roles: ${roles.join(', ')}.`,
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'clinic_sync_session',
    description:
      'The cookie that signing in sets; over HTTPS its name begins with `__Host-` or `__Secure-`. A ' +
      'POST with it needs the `form_token` of its page, and the page’s own site.',
  },
  connector: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The connector’s token. Instead: a signature by Standard Webhooks or of the form tool, or ' +
      'the token in the path; a public form takes what its own page sends.',
  },
};

/** `/in/:connector/*` becomes `/in/{connector}/{ref}`. */
const templateOf = (path: string): string => path.replace('*', ':ref').replace(/:(\w+)/g, '{$1}');

function parametersOf(path: string): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  const listed = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: parameters[name] ?? name,
    schema: { type: 'string' },
  }));
  return { parameters: listed };
}

interface Described {
  method: string;
  path: string;
  operation: Operation;
  components: Components;
}

function describe({ method, path, operation, components }: Described): Json {
  const { summary, tag, query = {}, body, answers } = operation;
  const asked = Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
  const { security, note, refusals } = accessOf(path, tag);
  const toSignIn = method === 'GET' && refusals.includes('403') && { 303: signInFirst };
  return {
    operationId: nameOf(method, path),
    summary,
    tags: [tag],
    ...(note !== '' && { description: note }),
    ...(asked.length > 0 && { parameters: asked }),
    ...(body && { requestBody: requestBody(schemaOf(body, components), tag === 'intake') }),
    security,
    responses: {
      ...toSignIn,
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, content(answer, components)]),
      ),
      ...Object.fromEntries(
        refusals
          .filter((status) => !(Number(status) in answers))
          .map((status) => [status, { $ref: '#/components/responses/Refused' }]),
      ),
    },
  };
}

function accessOf(
  path: string,
  tag: Operation['tag'],
): { security: Json[]; note: string; refusals: string[] } {
  if (tag === 'intake')
    return { security: [{ connector: [] }, {}], note: '', refusals: ['401', '404', 'default'] };
  const role = needOf(path);
  if (role === 'open') return { security: [{}, { token: [] }], note: '', refusals: ['default'] };
  return {
    security: [{ token: [] }, { session: [] }],
    note: `Least role: ${role}.`,
    refusals: ['401', '403', 'default'],
  };
}

/** `GET /bookings/:ref` becomes `get_bookings_ref`. */
const nameOf = (method: string, path: string): string =>
  [method, ...path.replace('*', 'ref').split(/\W+/)]
    .filter((word) => word !== '')
    .join('_')
    .toLowerCase();

function requestBody(schema: unknown, withFiles: boolean): Json {
  const types = ['application/json', 'application/x-www-form-urlencoded'];
  if (withFiles) types.push('multipart/form-data');
  return { content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function content({ description, json = [], text = [] }: AnswerSchema, components: Components): Json {
  const schemas = [json].flat().map((schema) => schemaOf(schema, components));
  const types: [string, Json][] = text.map((type) => [type, { schema: { type: 'string' } }]);
  if (schemas.length > 0) {
    const [only] = schemas;
    types.unshift(['application/json', { schema: schemas.length === 1 ? only : { anyOf: schemas } }]);
  }
  return { description, ...(types.length > 0 && { content: Object.fromEntries(types) }) };
}

/** Collects named schemas while the document is generated. */
type Components = Map<string, unknown>;

/** A reference to the component; a schema without a name is written inline. */
function schemaOf(schema: z.ZodType, components: Components): unknown {
  // Only within another schema does a named one become a reference.
  const { properties, $defs = {} } = inComponents(
    z.toJSONSchema(z.object({ it: schema }), {
      // Clients must tolerate fields that are added later.
      override({ jsonSchema }) {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        delete jsonSchema.id;
      },
    }),
  );
  for (const [name, found] of Object.entries($defs)) components.set(name, found);
  return properties.it;
}

const inComponents = (schema: Json): { properties: Json; $defs?: Json } =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
