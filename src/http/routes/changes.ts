import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod';
import { HOUR } from '../../platform/duration.ts';
import { may } from '../access/roles.ts';
import { refuse } from '../answers.ts';
import type { ChangeLog, ChangePage } from '../change-pages.ts';
import { createAllowance } from '../limits/allowance.ts';
import type { RouteParts } from './route-parts.ts';

interface ChangesRoute extends Pick<RouteParts, 'gate' | 'audit' | 'clock'> {
  log: ChangeLog;
  draining: () => boolean;
}

/** How often a waiting request looks for changes; a look is one read by key. */
const LOOK_EVERY_MS = 1_000;
/** Requests that may wait at the same time; further ones are answered immediately. */
const WAITING = 50;
/** Added to the wait before the socket counts as silent. */
const ANSWER_MS = 10_000;

const whole = (most: number, without: number) => z.coerce.number().int().min(0).max(most).default(without);
const asked = z.object({
  clinic: z.string().optional(),
  after: whole(Number.MAX_SAFE_INTEGER, 0),
  limit: whole(1_000, 100).pipe(z.number().min(1)),
  wait: whole(30, 0),
});
type Asked = z.infer<typeof asked>;

/** The change log for receivers that pull: each requests what follows the last sequence it has. */
export function changesRoute(app: FastifyInstance, options: ChangesRoute): void {
  const { gate, audit, log, draining, clock } = options;
  const noted = createAllowance({ limit: 1, windowMs: HOUR, clock });
  let waiting = 0;

  /** Waits for the first change; returns what there is when time is up, the daemon stops or the client has left. */
  async function awaited({ raw }: FastifyReply, read: () => Promise<ChangePage>, wait: number) {
    const until = clock.monotonic() + wait * 1_000;
    const gone = new AbortController();
    // On the response: the connection outlives it, and would collect a listener with each request.
    raw.once('close', () => gone.abort());
    raw.socket?.setTimeout(wait * 1_000 + ANSWER_MS);
    waiting += 1;
    try {
      for (;;) {
        const found = await read();
        const leftMs = until - clock.monotonic();
        if (found.changes.length > 0 || leftMs <= 0 || draining() || gone.signal.aborted) return found;
        await clock.sleep(Math.min(LOOK_EVERY_MS, leftMs), gone.signal).catch(() => {});
      }
    } finally {
      waiting -= 1;
    }
  }

  app.get('/changes', async (request, reply) => {
    const { data: query, error } = asked.safeParse(request.query);
    if (error !== undefined) return refuse(request, reply, unreadable(error));
    const clinic = log.clinicOf(query.clinic);
    if (clinic === undefined)
      return refuse(request, reply, query.clinic === undefined ? whichClinic : noClinic);
    const visitor = gate.visitorOf(request);
    const patients = may(visitor?.role, '/bookings');
    const read = () => log.read({ clinic, after: query.after, limit: query.limit, patients });
    const waits = query.wait > 0 && waiting < WAITING;
    const { changes, latest } = waits ? await awaited(reply, read, query.wait) : await read();

    if (patients && visitor !== undefined && changes.length > 0 && noted.waitMs(visitor.by) === undefined) {
      noted.count(visitor.by);
      const what = { action: 'patients.read', subject: 'changes', result: 'ok' };
      await audit.note(visitor, { ...what, address: request.ip });
    }
    const next = changes.at(-1)?.sequence ?? query.after;
    return { ok: true, clinic, changes, next, latest };
  });
}

function unreadable({ issues }: z.ZodError<Asked>) {
  const names = [...new Set(issues.map(({ path }) => String(path[0])))].join(', ');
  return {
    status: 400,
    message: `Cannot be read: ${names}`,
    hint: '`after`, `limit` (1 to 1000) and `wait` (up to 30 seconds) are whole numbers.',
  };
}

const noClinic = { status: 404, message: 'There is no such clinic' };
const whichClinic = {
  status: 400,
  message: 'It is not clear which clinic is meant',
  hint: 'Add `clinic=` with its key in the configuration.',
};
