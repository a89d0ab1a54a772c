import { secretReader } from '../../config/secrets.ts';
import type {
  ClinicFacts,
  Connector,
  ConnectorContext,
  IntakeRequest,
  IntakeResult,
  MirrorView,
} from '../../connector.ts';
import type { Submission } from '../../domain/bookings/booking.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { type Ability, allMethods, askedFor, type IsolatedFacts, type Method, served } from './contract.ts';
import { foreignLog, type OwnWords } from './own-words.ts';
import type { Handler } from './wire.ts';

/** Sent to the process at its start. */
export type IsolatedStart = Pick<
  ConnectorContext,
  'name' | 'settings' | 'clinics' | 'includePatient' | 'includeHashed' | 'instance'
> & { use: string };

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
  { connector, has, ...abilities }: IsolatedFacts,
  lend: Lend,
): Omit<Connector, 'stop'> {
  const membersOf = (ability: Ability) =>
    Object.fromEntries(
      allMethods
        .filter((method) => method.ability === ability && (!method.optional || has.includes(method.name)))
        .map((method) => [method.name, callOver(method, name, call, lend)]),
    );
  const parts = Object.entries(abilities).map(([ability, facts]) => [
    ability,
    facts && { ...facts, ...membersOf(ability as Ability) },
  ]);
  return { ...connector, ...membersOf('connector'), ...Object.fromEntries(parts) } as Omit<Connector, 'stop'>;
}

function callOver(method: Method & { name: string }, source: string, call: Call, lend: Lend) {
  const { name, takes, abortable, onFailure } = method;
  const send = async (args: unknown[], signal: AbortSignal | undefined) => {
    const crossing = takes
      .slice(0, args.length)
      .map((kind, at) => (kind === 'request' ? sent(args[at]) : args[at]));
    const at = takes.indexOf('view');
    const view = crossing[at] as MirrorView | undefined;
    if (view === undefined) return call(name, crossing, signal);
    return lend(view, (lent) => call(name, crossing.with(at, lent), signal));
  };
  return async (...args: unknown[]) => {
    try {
      const signal = abortable ? (args[takes.length] as AbortSignal | undefined) : undefined;
      return inOwnName(await send(args, signal), source);
    } catch (error) {
      if (onFailure === undefined) throw error;
      return onFailure(asFailure(error, `The connector’s ${name}`));
    }
  };
}

const sent = (request: unknown): SentRequest => {
  const { query, ...rest } = request as IntakeRequest;
  return { ...rest, query: String(query) };
};

/** A connector cannot submit in the name of another source. */
function inOwnName(answer: unknown, source: string): unknown {
  const result = answer as IntakeResult | undefined;
  if (result?.kind !== 'submission') return answer;
  return { ...result, submission: { ...result.submission, source } };
}

const viewMethods = Object.keys(served.view) as (keyof typeof served.view)[];

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
