import * as z from 'zod';
import { type Poll, polls } from '../domain/clinics/resource.ts';
import type { AdminOperations } from '../http/admin.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import { about, type BookingOperation, bookingOperations } from './booking-operations.ts';
import { checkConnector } from './check.ts';
import { answerSilence } from './closures.ts';
import type { Parts } from './parts.ts';

interface Context extends Pick<Parts, 'bookings' | 'deliveries' | 'store' | 'connectors' | 'config'> {
  clock: Clock;
  syncNow: (clinic: string, poll: Poll | undefined) => Promise<void>;
}

/** A check may call a remote server. */
const CHECK_MS = 30_000;

const missing = (what: string) =>
  new Failure({ kind: 'refused', status: 404, message: `There is no ${what}.` });

function connectorNamed({ connectors }: Context, name: string) {
  const found = connectors.find(({ settings }) => settings.name === name);
  if (found === undefined) throw missing(`connector ${name}`);
  return found;
}

function assertClinic({ config }: Context, key: string): void {
  if (!config.clinics.some((clinic) => clinic.key === key)) throw missing(`clinic ${key}`);
}

function pollNamed(name: string | undefined): Poll | undefined {
  if (name === undefined || name === '') return undefined;
  const found = polls.find((one) => one === name);
  if (found !== undefined) return found;
  const hint = `One of ${polls.join(', ')}, or none for all.`;
  throw new Failure({ kind: 'refused', status: 400, message: 'There is no such resource', hint });
}

const ofDead = (decision: 'retry' | 'skip', summary: string): BookingOperation<Context> => ({
  summary,
  body: z.object({ id: z.string().optional().meta({ description: 'One delivery; default: all.' }) }),
  async run(context, { subject: connector, fields }) {
    connectorNamed(context, connector);
    const count = await context.deliveries.decide(connector, decision, fields.id);
    if (count === 0)
      throw new Failure({ kind: 'refused', message: 'There is no dead delivery to decide about.' });
    return decision === 'retry'
      ? about(connector, 'retried', `Sending ${count} again.`)
      : about(connector, 'skipped', `Skipped ${count}.`);
  },
});

/**
 * Every `POST /admin/…`, for the buttons of the pages and for programs. From an entry follow its route, the least role
 * and the audit's row (by its path), what an unknown subject is called there, the route for many, and its OpenAPI.
 */
export const operations = {
  ...bookingOperations,
  '/admin/connectors/:name/pause': {
    summary: 'Pause a connector',
    async run(context, { subject: connector, by }) {
      connectorNamed(context, connector);
      await context.deliveries.pause(connector, by);
      return about(connector, 'paused');
    },
  },
  '/admin/connectors/:name/resume': {
    summary: 'Resume a connector',
    async run(context, { subject: connector, by }) {
      connectorNamed(context, connector);
      await context.deliveries.resume(connector, by);
      return about(connector, 'resumed');
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
  '/admin/connectors/:name/deliveries/retry': ofDead('retry', 'Send given-up deliveries again'),
  '/admin/connectors/:name/deliveries/skip': ofDead('skip', 'Skip given-up deliveries'),
  '/admin/guards/:id/approve': {
    summary: 'Let a guarded answer through',
    async run({ store, clock }, { subject: id, by }) {
      const isOpen = await store.guards.approve(id, instant(clock.now()), by);
      if (!isOpen) throw missing(`open guard ${id}`);
      return about(id, 'guard');
    },
  },
  '/admin/clinics/:clinic/resume-lane': {
    summary: 'Send bookings to the clinic again',
    async run(context, { subject: clinic, by }) {
      assertClinic(context, clinic);
      await context.bookings.resumeSending(clinic, by);
      return about(clinic, 'sending');
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
    body: z.object({
      until: z.string().meta({ description: 'The day on which it opens again; today: it is open.' }),
    }),
    run: ({ store, clock, config: { clinics } }, { subject: clinic, fields }) =>
      answerSilence(clinic, fields.until ?? '', { store, clinics, clock }),
  },
} satisfies Record<string, BookingOperation<Context>>;

/** An operation may concern a unit of another process; announced, it is noticed there within a second. */
export function adminOperations(context: Context): AdminOperations {
  const { fleet } = context.store;
  const bound = ([path, operation]: [string, BookingOperation<Context>]) => [
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
  return Object.fromEntries(Object.entries(operations).map(bound));
}
