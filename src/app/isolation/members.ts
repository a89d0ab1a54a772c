import { secretReader } from '../../config/secrets.ts';
import type {
  CheckLine,
  ClinicFacts,
  Connector,
  ConnectorContext,
  Converged,
  EventDelivery,
  HttpIntake,
  IntakeRefusal,
  IntakeRequest,
  IntakeResult,
  MirrorView,
  ProbeRequest,
  StateDelivery,
} from '../../connector.ts';
import type { Submission } from '../../domain/bookings/booking.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { askedFor } from './contract.ts';
import { foreignLog, type OwnWords } from './own-words.ts';
import type { Handler } from './wire.ts';

/** Sent to the process at its start. */
export type IsolatedStart = Pick<
  ConnectorContext,
  'name' | 'settings' | 'clinics' | 'includePatient' | 'includeHashed' | 'instance'
> & { use: string };

/** The capabilities of the connector in the process. */
export interface IsolatedFacts {
  events:
    | Pick<EventDelivery, 'schedule' | 'snapshot' | 'concurrency' | 'deadlineMs' | 'coalesce'>
    | undefined;
  state: Pick<StateDelivery, 'everyMs' | 'deadlineMs'> | undefined;
  intake:
    | (Pick<HttpIntake, 'visitors' | 'framedBy'> & {
        accepted: boolean;
        sample: boolean;
        probe: boolean;
        page: boolean;
      })
    | undefined;
  repair: boolean;
  forget: boolean;
  holdsNothing: boolean;
  tidy: boolean;
}

export interface SentView {
  id: number;
  clinics: readonly ClinicFacts[];
}

export type SentRequest = Omit<IntakeRequest, 'query' | 'body'> & { query: string; body: Uint8Array };

type Call = (method: string, args: unknown[], signal?: AbortSignal) => Promise<unknown>;
type Lend = <T>(view: MirrorView, use: (sent: SentView) => Promise<T>) => Promise<T>;

/** The connector as the daemon sees it: each member is a call to its process. */
export function connectorOver(
  name: string,
  call: Call,
  facts: IsolatedFacts,
  lend: Lend,
): Omit<Connector, 'stop'> {
  const { events, state, intake, repair, forget, holdsNothing, tidy } = facts;
  return {
    ...(events && { events: eventsOver(call, events) }),
    ...(state && {
      state: {
        ...state,
        converge: (view, signal) =>
          lend(view, (sent) => call('converge', [sent], signal) as Promise<Converged>),
      } as StateDelivery,
    }),
    ...(intake && { intake: intakeOver(name, call, intake, lend) }),
    async check(signal) {
      try {
        return (await call('check', [], signal)) as CheckLine[];
      } catch (error) {
        const { message, hint = 'Look into the connector.' } = asFailure(error, 'Checking the connector');
        return [{ level: 'fail', what: message, hint }];
      }
    },
    ...(repair && { repair: (signal) => call('repair', [], signal) as Promise<Converged> }),
    ...(forget && {
      forget: (erased, view, signal) =>
        lend(view, (sent) => call('forget', [erased, sent], signal) as Promise<void>),
    }),
    ...(holdsNothing && { holdsNothing }),
    ...(tidy && { tidy: (before, signal) => call('tidy', [before], signal) as Promise<number> }),
  };
}

const eventsOver = (call: Call, facts: NonNullable<IsolatedFacts['events']>): EventDelivery =>
  ({
    ...facts,
    wants: (change) => call('wants', [change]) as Promise<boolean>,
    encode: (change) => call('encode', [change]) as Promise<string>,
    deliver: (event, signal) => call('deliver', [event], signal) as Promise<void>,
  }) as EventDelivery;

function intakeOver(
  name: string,
  call: Call,
  { accepted, sample, probe, page, ...facts }: NonNullable<IsolatedFacts['intake']>,
  lend: Lend,
): HttpIntake {
  const sent = ({ query, ...request }: IntakeRequest): SentRequest => ({ ...request, query: String(query) });
  /** A connector cannot submit in the name of another source. */
  const answer = async (value: Promise<unknown>) => {
    const result = (await value) as IntakeResult;
    if (result.kind !== 'submission') return result;
    return { ...result, submission: { ...result.submission, source: name } };
  };
  return {
    ...facts,
    authorize: (request) => call('authorize', [sent(request)]) as Promise<IntakeRefusal | undefined>,
    receive: (request, view) =>
      view === undefined
        ? answer(call('receive', [sent(request)]))
        : lend(view, (lent) => answer(call('receive', [sent(request), lent]))),
    ...(accepted && {
      accepted: (receipt, ref) =>
        call('accepted', [receipt, ref]).then(
          () => {},
          () => {},
        ),
    }),
    ...(probe && { probe: (lead) => call('probe', [lead]) as Promise<ProbeRequest> }),
    ...(sample && { sample: (request) => answer(call('sample', [sent(request)])) }),
    ...(page && {
      page: (request, view) =>
        lend(
          view,
          (lent) => call('page', [sent(request), lent]) as ReturnType<NonNullable<HttpIntake['page']>>,
        ),
    }),
  };
}

/** Methods of a view that the process may call. */
export const viewMethods = [
  'rows',
  'page',
  'rowsById',
  'rowsChangedSince',
  'ownBookings',
  'ownBookingsBySubmission',
  'changes',
  'leadCounts',
  'month',
  'freshness',
] as const satisfies (keyof MirrorView)[];

/** Views are lent for one call: afterwards the process can read nothing through them. */
export function lending(): { lend: Lend; handlers: Record<string, Handler> } {
  const open = new Map<number, MirrorView>();
  let last = 0;
  return {
    async lend(view, use) {
      last += 1;
      const id = last;
      open.set(id, view);
      try {
        return await use({ id, clinics: view.clinics });
      } finally {
        open.delete(id);
      }
    },
    handlers: Object.fromEntries(
      viewMethods.map((method): [string, Handler] => [
        `view.${method}`,
        ([id, ...args]: [number, ...never[]]) => {
          const view = open.get(id);
          if (view === undefined)
            throw new Failure({
              kind: 'refused',
              message: 'This view of the mirror was lent for an earlier call',
            });
          return (view[method] as (...args: never[]) => unknown)(...args);
        },
      ]),
    ),
  };
}

/** What the process may ask of the daemon, always under its own name. */
export function servedTo(
  { name, settings, bookings, memory, log, wake, clock }: ConnectorContext,
  words: OwnWords,
): Record<string, Handler> {
  const own = (submission: Submission): Submission => ({ ...submission, source: name });
  return {
    'bookings.accept': ([submission]: [Submission]) => bookings.accept(own(submission)),
    'bookings.validate': ([submission]: [Submission]) => bookings.validate(own(submission)),
    'bookings.find': ([, ref]: [string, string]) => bookings.find(name, ref),
    'bookings.withdraw': ([, ref, why]: [string, string, string]) => bookings.withdraw(name, ref, why),
    'memory.get': ([key]: [string]) => memory.get(key),
    'memory.set': boundedNotes(memory),
    'memory.list': ([prefix]: [string]) => memory.list(prefix),
    log: foreignLog({ log, connector: name, clock, words }),
    wake: () => wake(),
    secret: ([secret]: [string]) => secretOf(settings, secret),
  };
}

/** Characters of all notes together: a list of them has to fit into the memory. */
const MOST_NOTED = 4_000_000;
/** What each takes beside its text. */
const NOTE = 100;

/** Expects one call at a time. */
function boundedNotes(memory: ConnectorContext['memory']): Handler {
  let known: Map<string, number> | undefined;
  return async ([entries]: [Record<string, string | undefined>]) => {
    known ??= sizesOf(await memory.list(''));
    const next = new Map([...known, ...sizesOf(entries)]);
    if ([...next.values()].reduce((sum, size) => sum + size, 0) > MOST_NOTED)
      throw new Failure({ kind: 'refused', message: 'Its notes are more than 4 MB', hint: 'Forget some.' });
    await memory.set(entries);
    known = next;
  };
}

const sizesOf = (notes: Readonly<Record<string, string | undefined>>) =>
  new Map(
    Object.entries(notes).map(([key, note]) => [
      key,
      note === undefined ? 0 : key.length + note.length + NOTE,
    ]),
  );

/** The same handlers, refusing arguments that break the contract. */
export const checkedHandlers = (handlers: Readonly<Record<string, Handler>>): Record<string, Handler> =>
  Object.fromEntries(
    Object.entries(handlers).map(([method, handler]): [string, Handler] => [
      method,
      (args, signal) => handler(askedFor(method, args) as never, signal),
    ]),
  );

/** One of its secrets, from the file that its settings name. Throws `Failure` refused. */
function secretOf(settings: unknown, name: string): string {
  const own: Record<string, unknown> = Object(settings);
  const [value, file] = [own[name], own[`${name}_file`]].map((given) =>
    typeof given === 'string' ? given : undefined,
  );
  const faults: Failure[] = [];
  const read = secretReader((path, message, hint) =>
    faults.push(new Failure({ kind: 'refused', message: `${String(path.at(-1))} ${message}`, hint })),
  );
  const secret = read([name], value, file);
  for (const fault of faults) throw fault;
  return secret;
}
