import * as z from 'zod';
import { nothingToReplay } from '../deliveries/deliveries.ts';
import { type Poll, polls } from '../domain/clinics/resource.ts';
import type { AdminOperations, Preview } from '../http/admin.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import { about, type BookingOperation, bookingOperations } from './booking-operations.ts';
import { checkConnector } from './check-connector.ts';
import { answerSilence } from './closures.ts';
import type { Parts } from './parts.ts';

export interface OperationContext
  extends Pick<Parts, 'bookings' | 'deliveries' | 'store' | 'connectors' | 'config'> {
  clock: Clock;
  syncNow: (clinic: string, poll: Poll | undefined) => Promise<void>;
}

export type OperationEntry = BookingOperation<OperationContext>;

/** A check may call a remote server. */
const CHECK_MS = 30_000;

const missing = (what: string, hint?: string) =>
  new Failure({ kind: 'refused', status: 404, message: `There is no ${what}.`, hint });

const configured = (names: readonly string[]): string => `Configured: ${names.join(', ') || 'none'}.`;

function connectorNamed({ connectors }: OperationContext, name: string) {
  const found = connectors.find(({ settings }) => settings.name === name);
  if (found !== undefined) return found;
  throw missing(`connector ${name}`, configured(connectors.map(({ settings }) => settings.name)));
}

function assertClinic({ config }: OperationContext, key: string): void {
  const keys = config.clinics.map((clinic) => clinic.key);
  if (!keys.includes(key)) throw missing(`clinic ${key}`, configured(keys));
}

function pollNamed(name: string | undefined): Poll | undefined {
  if (name === undefined || name === '') return undefined;
  const found = polls.find((one) => one === name);
  if (found !== undefined) return found;
  const hint = `One of ${polls.join(', ')}, or none for all.`;
  throw new Failure({ kind: 'refused', status: 400, message: 'There is no such resource', hint });
}

const deeds = { retry: ['retried', 'Sending again'], skip: ['skipped', 'Skipped'] } as const;

const ofDead = (
  decision: keyof typeof deeds,
  summary: string,
  examples: Record<string, string>,
): BookingOperation<OperationContext> => ({
  summary,
  command: `deliveries ${decision} <name> [id]`,
  examples,
  body: z.object({ id: z.string().optional().meta({ description: 'One delivery; default: all' }) }),
  async run(context, { subject: connector, fields: { id } }) {
    const isLeft = decision === 'skip' && (await isLeftBehind(context, connector));
    if (!isLeft) connectorNamed(context, connector);
    const count = await context.deliveries.decide(connector, isLeft ? 'abandon' : decision, id);
    if (count === 0 && id !== undefined)
      throw new Failure({ kind: 'refused', message: 'There is no dead delivery to decide about.' });
    const [said, done] = deeds[decision];
    const message = count === 0 ? 'There was no dead delivery to decide about.' : `${done}: ${count}.`;
    return { ...about(connector, said, message), data: { connector, decision, count } };
  },
});

/** Whether it was taken out of the configuration with deliveries waiting: even pending ones will never be sent. */
async function isLeftBehind({ connectors, store }: OperationContext, name: string): Promise<boolean> {
  const left = await store.deliveries.leftBehind(connectors.map(({ settings }) => settings.name));
  return left.some(({ connector }) => connector === name);
}

const MOST_NAMED = 20;

/** What a replay would begin with. Throws `Failure` refused. */
function replayed(context: OperationContext, name: string, fields: Readonly<Record<string, string>>) {
  const unit = connectorNamed(context, name);
  const keys = context.config.clinics.map(({ key }) => key);
  const { from: typed = '', clinic = keys.length === 1 ? keys[0] : undefined } = fields;
  const wrong = (message: string, hint?: string) =>
    new Failure({ kind: 'refused', status: 400, message, hint });
  if (clinic === undefined) throw wrong('There are several clinics.', `Add \`clinic\`: ${keys.join(', ')}.`);
  assertClinic(context, clinic);
  const from = Number(typed);
  if (!Number.isSafeInteger(from) || from < 1) throw wrong('`from` is a sequence: a whole number from 1.');
  return { unit, clinic, from };
}

async function replayPreview(
  context: OperationContext,
  name: string,
  fields: Readonly<Record<string, string>>,
): Promise<Preview> {
  const { store } = context;
  const { unit, clinic, from } = replayed(context, name, fields);
  const last = unit.connector?.events && (await store.deliveries.cursor(name, clinic));
  if (last === undefined || last < from) throw nothingToReplay(name, clinic, last);
  const changes = await store.changes.after(clinic, from - 1, MOST_NAMED);
  const more = last - from + 1 - changes.length;
  const lines = [
    `${name} would receive again, with new ids, what it takes of the changes ${from}–${last} of ${clinic}:`,
    ...changes.map(({ sequence, at, type, id }) => `  ${sequence}  ${at}  ${type}  ${id}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
  return { lines, data: { connector: name, clinic, from, last } };
}

async function guardPreview({ store }: OperationContext, id: string): Promise<Preview> {
  const guard = (await store.guards.open()).find((one) => one.id === id && one.state === 'open');
  if (guard === undefined) throw missing(`open guard ${id}`, 'See: clinic-sync guards list');
  const { sentence, things, count } = guard;
  const shown = things.slice(0, MOST_NAMED);
  const more = count - shown.length;
  const named = shown.map((thing) => `  ${thing.id}  ${thing.name ?? ''}`.trimEnd());
  return { lines: [sentence, ...named, ...(more > 0 ? [`  and ${more} more`] : [])], data: guard };
}

/**
 * What people can do, on the pages, by `POST /admin/…` and by command. From an entry follow its route, the least role
 * and the audit's row (by its path), what an unknown subject is called there, the route for many, its OpenAPI, and its
 * command with options, help, completion, the question before what cannot be undone, and result.
 */
export const operations = {
  ...bookingOperations,
  '/admin/connectors/:name/pause': {
    summary: 'Pause a connector; its deliveries wait',
    command: 'connectors pause <name>',
    examples: { 'connectors pause crm': 'while the receiver is being moved' },
    async run(context, { subject: connector, by }) {
      connectorNamed(context, connector);
      await context.deliveries.pause(connector, by);
      return { ...about(connector, 'paused'), data: { connector, paused: true } };
    },
  },
  '/admin/connectors/:name/resume': {
    summary: 'Resume a paused connector',
    command: 'connectors resume <name>',
    examples: { 'connectors resume crm': 'the receiver has been moved' },
    async run(context, { subject: connector, by }) {
      connectorNamed(context, connector);
      await context.deliveries.resume(connector, by);
      return { ...about(connector, 'resumed'), data: { connector, paused: false } };
    },
  },
  '/admin/connectors/:name/check': {
    summary: 'Run a connector’s own check, which changes nothing',
    async run(context, { subject: name }) {
      const { store, clock, deliveries } = context;
      const unit = connectorNamed(context, name);
      const lines = await checkConnector(unit, { store, clock, signal: AbortSignal.timeout(CHECK_MS) });
      // Someone who has just fixed it need not wait for the pause to end.
      deliveries.wake({ connector: name, soon: 'now' });
      const now = lines.filter(({ ran }) => ran === undefined);
      const bad = now.filter(({ level }) => level !== 'ok').length;
      const found =
        bad === 0
          ? about(name, 'can_work')
          : about(name, 'cannot_work', `${name}: ${bad} of ${now.length} checks say no.`);
      return { ...found, lines };
    },
  },
  '/admin/connectors/:name/deliveries/retry': ofDead('retry', 'Send dead deliveries again', {
    'deliveries retry crm': 'after the receiver was fixed',
  }),
  '/admin/connectors/:name/deliveries/skip': ofDead(
    'skip',
    'Give up dead deliveries; of a connector no longer configured, pending ones too',
    { 'deliveries skip crm evt_Zk2vQ0m5b1rXh8tYwA3nJ7eLcPs': 'the receiver will never take this one' },
  ),
  '/admin/connectors/:name/deliveries/replay': {
    summary: 'Deliver changes again, from a sequence on, with new ids',
    command: 'deliveries replay <name>',
    examples: { 'deliveries replay crm --from 120': 'the receiver lost what came after' },
    body: z.object({
      from: z.string().meta({ description: 'The first sequence to deliver again' }),
      clinic: z.string().optional().meta({ description: 'Of this clinic; needed where there are several' }),
    }),
    isFinal: true,
    preview: replayPreview,
    async run(context, { subject: connector, fields }) {
      const { clinic, from } = replayed(context, connector, fields);
      await context.deliveries.replay(connector, clinic, from);
      const message = `${connector} receives the changes of ${clinic} from sequence ${from} on again, with new ids.`;
      return { ...about(connector, 'replayed', message), data: { connector, clinic, from } };
    },
  },
  '/admin/guards/:id/approve': {
    summary: 'Let a held answer through at the next poll',
    command: 'guards approve <id>',
    examples: { 'guards approve 3': 'the clinic really did retire half its treatments' },
    isFinal: true,
    preview: guardPreview,
    async run({ store, clock }, { subject: id, by }) {
      const approved = await store.guards.approve(id, instant(clock.now()), by);
      if (!approved) throw missing(`open guard ${id}`, 'See: clinic-sync guards list');
      return { ...about(id, 'guard'), data: { id, approved } };
    },
  },
  '/admin/clinics/:clinic/resume-lane': {
    summary: 'Send bookings to a clinic again',
    command: 'bookings resume [clinic]',
    examples: { 'bookings resume': 'the clinic has been restored and checked' },
    async run(context, { subject: clinic, by }) {
      assertClinic(context, clinic);
      const { bookings, store } = context;
      const queued = await store.bookings.list({ clinic, states: ['queued'], limit: MOST_NAMED + 1 });
      if (!(await store.hasDaemon()))
        throw new Failure({
          kind: 'refused',
          message: `No daemon runs, so nothing is sent to ${clinic}.`,
          hint: 'Start it, look at what is held, then run this again.',
        });
      const was_paused = await bookings.resumeSending(clinic, by);
      const waiting = queued.map(({ ref }) => ref);
      const named = waiting.length > MOST_NAMED ? `more than ${MOST_NAMED} wait` : waiting.join(', ');
      const message = was_paused
        ? `Bookings are sent to ${clinic} again${named && `: ${named}`}.`
        : `Sending to ${clinic} is not paused.`;
      return { ...about(clinic, 'sending', message), data: { clinic, was_paused, waiting } };
    },
  },
  '/admin/clinics/:clinic/sync': {
    summary: 'Read the clinic now',
    body: z.object({
      resource: z.enum(polls).optional().meta({ description: 'One of them; default: all.' }),
    }),
    async run(context, { subject: clinic, fields }) {
      const poll = pollNamed(fields.resource);
      assertClinic(context, clinic);
      await context.syncNow(clinic, poll);
      return about(clinic, 'reading', `Reading ${poll ?? 'everything'} now.`);
    },
  },
  '/admin/silences/:clinic/answer': {
    summary: 'Say until when a clinic is closed, so that nobody is told that no leads arrive',
    command: 'silence <clinic>',
    examples: { 'silence main --until 2027-01-04': 'closed over the holidays' },
    body: z.object({
      until: z.string().meta({ description: 'The day on which it opens again (YYYY-MM-DD), or today' }),
    }),
    async run(context, { subject: clinic, fields }) {
      assertClinic(context, clinic);
      const { store, clock, config } = context;
      return answerSilence(clinic, fields.until ?? '', { store, clinics: config.clinics, clock });
    },
  },
} satisfies Record<string, BookingOperation<OperationContext>>;

/** An operation may concern a unit of another process; announced, it is noticed there within a second. */
export function adminOperations(
  context: OperationContext,
  entries: Readonly<Record<string, OperationEntry>> = operations,
): AdminOperations {
  const { fleet } = context.store;
  const bound = ([path, operation]: [string, OperationEntry]) => [
    path,
    {
      ...operation,
      async run(request: Parameters<typeof operation.run>[1]) {
        const done = await operation.run(context, request);
        // If the announcement is lost, the owner still looks within a minute.
        await fleet?.announce().catch(() => {});
        return done;
      },
    },
  ];
  return Object.fromEntries(Object.entries(entries).map(bound));
}
