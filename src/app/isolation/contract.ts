import { z } from 'zod';
import type {
  BookingPort,
  Connector,
  EventDelivery,
  HttpIntake,
  Memory,
  MirrorView,
  StateDelivery,
} from '../../connector.ts';
import { mirrorTables } from '../../connector.ts';
import { bookingKinds, submissionFields } from '../../domain/bookings/booking.ts';
import { growingTables, loggedTables } from '../../domain/clinics/tables.ts';
import { isComplete } from '../../domain/texts/problem.ts';
import { DAY } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';

// All that crosses between the daemon and an isolated connector: each method with what it takes and what may come back.
// Both ends are derived from it. What the process sends is validated like any outside input.

const MEBIBYTE = 1024 * 1024;
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

type MethodsOf<T> = {
  [K in keyof T]-?: NonNullable<T[K]> extends (...args: never) => unknown ? K : never;
}[keyof T] &
  string;

/** The arguments of what the process may ask of the daemon. */
export const served = {
  bookings: {
    accept: [SentSubmission],
    validate: [SentSubmission],
    find: [name, name],
    withdraw: [name, name, sentence],
  } satisfies Record<MethodsOf<BookingPort>, z.ZodType[]>,
  memory: {
    get: [name],
    set: [z.record(name, z.string().max(MEBIBYTE).optional())],
    list: [name],
  } satisfies Record<MethodsOf<Memory>, z.ZodType[]>,
  view: {
    rows: [table, name],
    page: [growing, name, limit, row.optional()],
    rowsById: [logged, name, names],
    rowsChangedSince: [logged, name, count, limit],
    ownBookings: [name, ids],
    ownBookingsBySubmission: [name, ids],
    changes: [name, count, limit],
    leadCounts: [name, name, name],
    month: [name, z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/), z.number()],
    freshness: [name],
  } satisfies Record<MethodsOf<MirrorView>, z.ZodType[]>,
};

const argumentsOf = (object: keyof typeof served, first: z.ZodType[] = []) =>
  Object.entries<z.ZodType[]>(served[object]).map(([method, args]) => [
    `${object}.${method}`,
    z.tuple([...first, ...args] as [z.ZodType]),
  ]);
const calls: Readonly<Record<string, z.ZodType<unknown[]>>> = {
  ...Object.fromEntries(argumentsOf('bookings')),
  ...Object.fromEntries(argumentsOf('memory')),
  // The number of the view that was lent comes first.
  ...Object.fromEntries(argumentsOf('view', [z.int()])),
  log: z.tuple([z.enum(['debug', 'info', 'warn', 'error']), cut(1_000), z.record(z.string(), z.unknown())]),
  wake: z.tuple([]),
  secret: z.tuple([name]),
};

const html = z.object({ status: z.int().min(200).max(599), html: z.string().max(MEBIBYTE) });
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
    isVisitor: z.boolean().optional(),
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
/** What a connector says of itself at its start, per ability. Networks that share an address are not its to name. */
export const abilityFacts = {
  events: z.object({
    schedule: z.array(count).max(100),
    snapshot: z.boolean(),
    concurrency: z.int().min(1).max(100).optional(),
    deadlineMs,
    coalesce: z.boolean().optional(),
  }),
  state: z.object({
    everyMs: z.int().min(100),
    deadlineMs,
    retryWithinMs: z.int().min(100).max(DAY).optional(),
  }),
  intake: z.object({
    visitors: visitors.optional(),
    framedBy: z.array(origin).max(100).optional(),
  }),
  connector: z.object({ holdsNothing: z.boolean().optional() }),
};
const Facts = z.object({
  events: abilityFacts.events.optional(),
  state: abilityFacts.state.optional(),
  intake: abilityFacts.intake.optional(),
  connector: abilityFacts.connector,
  /** Its methods that a connector may lack. */
  has: z.array(name).max(100),
});
export type IsolatedFacts = z.infer<typeof Facts>;
export type Ability = keyof typeof abilityFacts;

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

const IntakeSetup = z.object({
  embed: z.string().max(4_000).optional(),
  sites: z.array(z.string().max(2_000)).max(100).optional(),
  carries: z.array(z.string().max(200)).max(20).optional(),
});

/** How an argument crosses: as it is, as a request, or as a view that is lent for this call. */
type Crossing = 'data' | 'request' | 'view';
export interface Method {
  takes: readonly Crossing[];
  answer: z.ZodType;
  /** Its last argument is a signal. */
  abortable?: true;
  /** A connector may lack it. */
  optional?: true;
  /** Instead of throwing, by the contract. */
  onFailure?: (failure: Failure) => unknown;
}

const quietly = () => undefined;
/** All but `stop`, which ends the process. A new method does not compile until it is here. */
const methods = {
  events: {
    wants: { takes: ['data'], answer: z.boolean() },
    encode: { takes: ['data'], answer: z.string().max(MEBIBYTE) },
    deliver: { takes: ['data'], answer: nothing, abortable: true },
  } satisfies Record<MethodsOf<EventDelivery>, Method>,
  state: {
    converge: { takes: ['view'], answer: Converged, abortable: true },
  } satisfies Record<MethodsOf<StateDelivery>, Method>,
  intake: {
    authorize: { takes: ['request'], answer: Refusal.optional() },
    receive: { takes: ['request', 'view'], answer: Result },
    accepted: { takes: ['data', 'data'], answer: nothing, optional: true, onFailure: quietly },
    setup: { takes: ['data', 'data'], answer: IntakeSetup, optional: true },
    sample: { takes: ['request'], answer: Result, optional: true },
    probe: { takes: ['data'], answer: ProbeRequest, optional: true },
    again: { takes: ['request', 'view', 'data'], answer: html.shape.html.optional(), optional: true },
    trouble: { takes: ['data'], answer: nothing, optional: true, onFailure: quietly },
    phone: { takes: ['view'], answer: name.optional(), optional: true },
    page: { takes: ['request', 'view'], answer: html.optional(), optional: true },
  } satisfies Record<MethodsOf<HttpIntake>, Method>,
  connector: {
    check: {
      takes: [],
      answer: z
        .array(z.object({ level: z.enum(['ok', 'warn', 'fail']), what: sentence, hint, said }))
        .max(100),
      abortable: true,
      onFailure: ({ message, hint = 'Look into the connector.' }) => [{ level: 'fail', what: message, hint }],
    },
    repair: { takes: [], answer: Converged, abortable: true, optional: true },
    forget: { takes: ['data', 'view'], answer: nothing, abortable: true, optional: true },
    tidy: { takes: ['data'], answer: count, abortable: true, optional: true },
  } satisfies Record<Exclude<MethodsOf<Connector>, 'stop'>, Method>,
};

/** Every method, and the ability it belongs to. Their names are unique. */
export const allMethods: readonly (Method & { ability: Ability; name: string })[] = Object.entries(
  methods,
).flatMap(([ability, of]) =>
  Object.entries<Method>(of).map(([name, method]) => ({ ...method, ability: ability as Ability, name })),
);

const answers: Readonly<Record<string, z.ZodType>> = {
  create: Facts,
  stop: nothing,
  ...Object.fromEntries(allMethods.map(({ name, answer }) => [name, answer])),
};

/** Validated arguments of a call from the process. Throws `Failure` refused. */
export function askedFor(method: string, args: unknown): unknown[] {
  const parsed = Object.hasOwn(calls, method) ? calls[method]?.safeParse(args) : undefined;
  if (parsed?.success) return parsed.data;
  throw new Failure({ kind: 'refused', message: `The contract has no such ${method}` });
}

/** The process's validated answer. Throws `Failure` transient naming the faulty member. */
export function validAnswer(method: string, value: unknown): unknown {
  const parsed = answers[method]?.safeParse(value);
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
