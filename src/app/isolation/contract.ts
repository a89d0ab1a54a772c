import { z } from 'zod';
import { mirrorTables } from '../../connector.ts';
import { bookingKinds, submissionFields } from '../../domain/bookings/booking.ts';
import { growingTables, loggedTables } from '../../domain/clinics/tables.ts';
import { isComplete } from '../../domain/texts/problem.ts';
import { DAY } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';

// What an isolated connector may send, validated like any outside input.

const name = z.string().max(500);
const cut = (length: number) => z.string().transform((text) => text.slice(0, length));
const sentence = cut(1_000);
const hint = cut(500).optional();
const count = z.int().min(0);
/** Rows of one answer: each may have some thousand characters. */
const limit = z.int().min(1).max(1_000);
const names = z.array(name).max(10_000);
const ids = z.array(name).max(1_000);

const SentSubmission = z.object({
  clinic: name.optional(),
  submission_id: z.string().max(2_000).optional(),
  fields: z.partialRecord(z.enum(submissionFields), z.json().optional()),
  problems: z
    .array(z.object({ field: sentence, message: sentence }))
    .max(100)
    .optional(),
  over_limit: sentence.optional(),
  ask: sentence.optional(),
  version: z.object({ here: sentence, there: sentence }).optional(),
  task: sentence.optional(),
  task_kind: z.enum(bookingKinds).exclude(['booking']).optional(),
});

const table = z.enum(mirrorTables);
const growing = z.enum(growingTables);
const logged = z.enum(loggedTables);
const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const view = z.int();

const calls: Readonly<Record<string, z.ZodType<unknown[]>>> = {
  'bookings.accept': z.tuple([SentSubmission]),
  'bookings.validate': z.tuple([SentSubmission]),
  'bookings.find': z.tuple([name, name]),
  'bookings.withdraw': z.tuple([name, name, sentence]),
  'memory.get': z.tuple([name]),
  'memory.set': z.tuple([
    z.record(
      name,
      z
        .string()
        .max(1024 * 1024)
        .optional(),
    ),
  ]),
  'memory.list': z.tuple([name]),
  log: z.tuple([z.enum(['debug', 'info', 'warn', 'error']), cut(1_000), z.record(z.string(), z.unknown())]),
  wake: z.tuple([]),
  secret: z.tuple([name]),
  'view.rows': z.tuple([view, table, name]),
  'view.page': z.tuple([view, growing, name, limit, row.optional()]),
  'view.rowsById': z.tuple([view, logged, name, names]),
  'view.rowsChangedSince': z.tuple([view, logged, name, count, limit]),
  'view.ownBookings': z.tuple([view, name, ids]),
  'view.ownBookingsBySubmission': z.tuple([view, name, ids]),
  'view.changes': z.tuple([view, name, count, limit]),
  'view.leadCounts': z.tuple([view, name, name, name]),
  'view.month': z.tuple([view, name, z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/), z.number()]),
  'view.freshness': z.tuple([view, name]),
};

const html = z.object({ status: z.int().min(200).max(599), html: z.string().max(1024 * 1024) });
const Refusal = z.object({
  kind: z.literal('refused'),
  status: z.literal([400, 401, 403, 404, 415, 429]),
  message: sentence,
  hint,
});
const Result = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('submission'),
    submission: SentSubmission,
    /** Sent as a header. */
    thanks: z
      .string()
      .max(2_000)
      .regex(/^[\x21-\x7e]*$/)
      .optional(),
    unused: names.optional(),
    receipt: name.optional(),
  }),
  z.object({ kind: z.literal('ignored'), message: sentence }),
  html.extend({ kind: z.literal('page') }),
  Refusal,
]);
/** An unknown text is left out: its English sentence is sent, too. */
const said = z
  .object({ code: name, values: z.record(name, z.union([cut(500), z.number()])) })
  .refine(isComplete)
  .optional()
  .catch(undefined);
const Converged = z.object({
  written: z.record(name, z.number()),
  problems: z
    .array(
      z.union([
        cut(500),
        z.object({ sentence: cut(500), weight: z.enum(['need', 'trouble']).optional(), said }),
      ]),
    )
    .transform((problems) => problems.slice(0, 50)),
  nextInMs: count.optional(),
  unfinished: z.boolean().optional(),
});
const nothing = z.unknown().transform(() => undefined);

const deadlineMs = z.int().min(100).max(DAY).optional();
/** Part of the Content-Security-Policy: anything beyond an origin could let scripts in. */
const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text);
const visitors = z.object({ tenMinutes: count, day: count, everybodyHour: count });
const Facts = z.object({
  events: z
    .object({
      schedule: z.array(count).max(100),
      snapshot: z.boolean(),
      concurrency: z.int().min(1).max(100).optional(),
      deadlineMs,
      coalesce: z.boolean().optional(),
    })
    .optional(),
  state: z.object({ everyMs: z.int().min(100), deadlineMs }).optional(),
  intake: z
    .object({
      visitors: visitors.optional(),
      framedBy: z.array(origin).max(100).optional(),
      accepted: z.boolean(),
      sample: z.boolean(),
      probe: z.boolean(),
      page: z.boolean(),
    })
    .optional(),
  repair: z.boolean(),
  forget: z.boolean(),
  holdsNothing: z.boolean(),
  tidy: z.boolean(),
});

/** The daemon sends this request itself, so it must stay below the connector’s own address. */
const below = z
  .string()
  .max(2_000)
  .refine((path) => URL.parse(`http://door/in/one/${path}`)?.pathname.startsWith('/in/one/') === true);
const ProbeRequest = z.object({
  path: below.refine((path) => !/[?#]/.test(path)),
  page: below.optional(),
  headers: z.record(
    z.string().regex(/^[a-z][a-z0-9-]{0,99}$/),
    z
      .string()
      .max(4_000)
      .regex(/^[\x20-\x7e]*$/),
  ),
  body: z.string().max(64 * 1024),
});

const results: Readonly<Record<string, z.ZodType>> = {
  create: Facts,
  wants: z.boolean(),
  encode: z.string().max(1024 * 1024),
  deliver: nothing,
  converge: Converged,
  authorize: Refusal.optional(),
  receive: Result,
  accepted: nothing,
  sample: Result,
  probe: ProbeRequest,
  page: html.optional(),
  check: z.array(z.object({ level: z.enum(['ok', 'warn', 'fail']), what: sentence, hint, said })).max(100),
  repair: Converged,
  forget: nothing,
  tidy: count,
  stop: nothing,
};

/** Validated arguments of a call from the process. Throws `Failure` refused. */
export function askedFor(method: string, args: unknown): unknown[] {
  const parsed = Object.hasOwn(calls, method) ? calls[method]?.safeParse(args) : undefined;
  if (parsed?.success) return parsed.data;
  throw new Failure({ kind: 'refused', message: `The contract has no such ${method}` });
}

/** The process's validated answer. Throws `Failure` transient naming the faulty member. */
export function validAnswer(method: string, value: unknown): unknown {
  const parsed = results[method]?.safeParse(value);
  if (parsed?.success) return parsed.data;
  throw new Failure({
    kind: 'transient',
    message: `The connector’s ${method} answered what the contract does not have${member(method, parsed?.error)}`,
    hint: 'Its fault is in the connector.',
  });
}

/** Names only keys of our schema, never data: `create` answers have no others, elsewhere the first key is ours. */
function member(method: string, error: z.ZodError | undefined): string {
  const path = error?.issues[0]?.path ?? [];
  const ours = method === 'create' ? path : path.slice(0, 1);
  return ours.length === 0 ? '' : ` (${ours.join('.')})`;
}
