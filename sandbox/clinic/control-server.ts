import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { wholeNumber } from '../../src/domain/clinics/setting.ts';
import { Failure } from '../../src/platform/failure.ts';
import type { SandboxControl } from './control.ts';
import { faultKinds } from './faults/catalog.ts';
import type { FaultKind } from './faults/kind.ts';
import { ScriptedFault } from './faults/script.ts';
import { LimiterOptions } from './limiter.ts';

const id = z.number().int();
const known = z.strictObject({ id });
const Fields = z.record(z.string(), z.json());
const edit = z.strictObject({ id, fields: Fields });

interface Verb {
  does: string;
  input: z.ZodType;
  run(input: unknown): unknown;
}

const verb = <S extends z.ZodType>(does: string, input: S, run: (input: z.output<S>) => unknown): Verb => ({
  does,
  input,
  run: (raw) => run(input.parse(raw)),
});

const nothing = z.strictObject({}).default({});

/** Read-only views by path. */
const views = (control: SandboxControl): Record<string, () => unknown> => ({
  ledger: control.ledger,
  appointments: control.appointments,
  requests: () => ({
    ...control.requests(),
    tokens_granted: control.tokensGranted(),
    limiter: control.limiterCounts() ?? null,
  }),
  faults: control.faults,
  'fault-kinds': () =>
    Object.entries<FaultKind>(faultKinds).map(([name, kind]) => {
      const { stage, description, endpoints } = kind;
      return { name, stage, description, endpoints };
    }),
});

/** Verbs: `POST /{verb}` with a JSON object. */
const verbs = (control: SandboxControl): Record<string, Verb> => ({
  'set-status': verb(
    'Sets an appointment’s status to any text.',
    z.strictObject({ id, status: z.string().min(1) }),
    (given) => control.setStatus(given.id, given.status),
  ),
  'edit-appointment': verb(
    'Changes status, name, date or time of an appointment.',
    z.strictObject({
      id,
      fields: z
        .strictObject({ status: z.string(), name: z.string(), date: z.string(), time: z.string() })
        .partial(),
    }),
    (given) => control.editAppointment(given.id, defined(given.fields)),
  ),
  'add-appointment': verb('Books at the front desk.', nothing, () => ({ id: control.addAppointment() })),
  'edit-treatment': verb('Changes fields of a treatment, such as base_fee.', edit, (given) =>
    control.editTreatment(given.id, given.fields),
  ),
  'add-treatment': verb(
    'Adds a treatment; omitted fields are made up.',
    Fields.default({}),
    control.addTreatment,
  ),
  'retire-treatment': verb('Makes a treatment inactive.', known, ({ id }) => control.retireTreatment(id)),
  'restore-treatment': verb('Makes it active again.', known, ({ id }) => control.restoreTreatment(id)),
  'edit-dentist': verb('Changes fields of a dentist.', edit, (given) =>
    control.editDentist(given.id, given.fields),
  ),
  'add-dentist': verb('Adds a dentist; omitted fields are made up.', Fields.default({}), control.addDentist),
  'remove-dentist': verb('Removes a dentist from the list.', known, ({ id }) => control.removeDentist(id)),
  'edit-organization': verb('Changes fields of the organization.', Fields, control.editOrganization),
  'edit-website': verb('Changes fields of the website settings.', Fields, control.editWebsite),
  'revoke-tokens': verb('Makes every access token invalid.', nothing, () => ({
    revoked: control.revokeTokens(),
  })),
  'set-limiter': verb(
    'Sets another rate limit, or none with null.',
    z.strictObject({ limiter: LimiterOptions.nullable() }),
    (given) => control.setLimiter(given.limiter ?? undefined),
  ),
  'script-faults': verb(
    'Adds faults to the script.',
    z.strictObject({ faults: z.array(ScriptedFault).min(1) }),
    (given) => control.script(...given.faults),
  ),
  'clear-faults': verb('Clears the script and listens again.', nothing, () => control.clearFaults()),
  restart: verb(
    'Restarts the API server: connections drop, tokens are forgotten.',
    z.strictObject({ ms: wholeNumber(0).default(0) }).prefault({}),
    (given) => control.restart(given.ms),
  ),
  'advance-life': verb(
    'Simulates this many events in the practice now.',
    z.strictObject({ events: wholeNumber(1, 1_000).default(1) }).prefault({}),
    (given) => control.advanceLife(given.events),
  ),
});

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The control channel: its own port, JSON, no credentials, for the local machine only. */
export async function startControlServer({
  control,
  host,
  port,
}: {
  control: SandboxControl;
  host: string;
  port: number;
}): Promise<{ url: string; close(): Promise<void> }> {
  const server: FastifyInstance = Fastify({ forceCloseConnections: true });
  // A web page can post text/plain, but not JSON, to a local port without a preflight request.
  server.removeContentTypeParser('text/plain');

  const all = verbs(control);
  const read = views(control);
  server.get('/', async () => ({
    views: Object.keys(read).map((name) => `GET /${name}`),
    verbs: Object.entries(all).map(([name, { does, input }]) => ({
      verb: `POST /${name}`,
      does,
      input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    })),
  }));
  for (const [name, view] of Object.entries(read)) server.get(`/${name}`, async () => view());
  for (const [name, { run }] of Object.entries(all))
    server.post(`/${name}`, async (request) => ({
      ok: true,
      result: (await run(request.body ?? undefined)) ?? null,
    }));

  server.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError)
      return reply.code(400).send({
        ok: false,
        faults: error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
      });
    if (error instanceof Failure) return reply.code(404).send({ ok: false, message: error.message });
    return reply.send(error);
  });

  const url = await server.listen({ host, port });
  return { url, close: () => server.close() };
}
