import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { StatusReport } from '../../domain/report.ts';
import { HOUR, MINUTE, SECOND } from '../../platform/duration.ts';
import { asFailure } from '../../platform/failure.ts';
import { refuse } from '../answers.ts';
import { liveScript } from '../pages/live-script.ts';
import type { RouteParts } from './route-parts.ts';

interface LiveRoutes extends Pick<RouteParts, 'gate' | 'reports' | 'clock' | 'log'> {
  draining: () => boolean;
}

/** Open pages that are told at once; the others load themselves again when they are looked at. */
const MOST_STREAMS = 100;
/** Of one person, in however many browsers: nobody takes the places of all. */
const MOST_OF_ONE = 20;
const LOOK_EVERY_MS = 2 * SECOND;
/** Ages grow although nothing happens. */
const SAY_EVERY_MS = 30 * SECOND;
/** A page asks again after this time, and then shows whether it still may. */
const LONGEST_MS = 5 * MINUTE;

/** Tells pages that something changed (server-sent events); what it is they load themselves. */
export function liveRoutes(app: FastifyInstance, { gate, reports, clock, log, draining }: LiveRoutes): void {
  const streams = new Map<ServerResponse, { by: string | undefined; since: number }>();
  const stopping = new AbortController();
  let watching = false;

  const end = (stream: ServerResponse) => {
    streams.delete(stream);
    stream.end();
  };
  /** One that has not read the last word is not waited for. */
  const tell = (stream: ServerResponse) => {
    if (stream.writableLength > 0) {
      streams.delete(stream);
      stream.destroy();
    } else stream.write('data: changed\n\n');
  };

  const tellAll = () => {
    for (const stream of streams.keys()) tell(stream);
  };
  const endOver = () => {
    const isOver = (since: number) => draining() || clock.monotonic() - since > LONGEST_MS;
    for (const [stream, { since }] of streams) if (isOver(since)) end(stream);
  };
  const isFull = (by: string | undefined) =>
    streams.size >= MOST_STREAMS ||
    [...streams.values()].filter((one) => one.by === by).length >= MOST_OF_ONE;

  let isBlind = false;
  /** Undefined: nothing can be said of this moment. The log hears of the first failure in a row. */
  const look = async (): Promise<string | undefined> => {
    try {
      const mark = markOf(await reports.get());
      isBlind = false;
      return mark;
    } catch (error) {
      if (!isBlind)
        log.error('live pages are not told', { problem: asFailure(error, 'Looking at the report').message });
      isBlind = true;
      return undefined;
    }
  };

  async function watch(): Promise<void> {
    let seen: string | undefined;
    let saidAt = clock.monotonic();
    while (streams.size > 0 && !stopping.signal.aborted) {
      endOver();
      const mark = await look();
      const isNew = mark !== undefined && seen !== undefined && mark !== seen;
      if (isNew || clock.monotonic() - saidAt >= SAY_EVERY_MS) {
        saidAt = clock.monotonic();
        tellAll();
      }
      seen = mark ?? seen;
      await clock.sleep(LOOK_EVERY_MS, stopping.signal).catch(() => {});
    }
    watching = false;
  }

  app.get('/live', (request, reply) => {
    if (!request.headers.accept?.includes('text/event-stream'))
      return refuse(request, reply, { status: 406, message: 'This is a stream of events, for open pages' });
    const by = gate.visitorOf(request)?.by;
    if (draining() || isFull(by))
      return refuse(request, reply, {
        status: 503,
        message: 'Too many pages are open',
        retryAfter: HOUR / 1_000,
      });
    const { raw } = reply.hijack();
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    // Longer than between two words; the server's own limit for silent connections is shorter.
    raw.socket?.setTimeout(2 * SAY_EVERY_MS);
    raw.write('retry: 5000\n\n');
    streams.set(raw, { by, since: clock.monotonic() });
    raw.once('close', () => streams.delete(raw));
    raw.once('error', () => streams.delete(raw));
    if (!watching) {
      watching = true;
      void watch();
    }
    return reply;
  });

  app.addHook('preClose', async () => {
    stopping.abort();
    for (const stream of streams.keys()) end(stream);
  });

  app.get('/assets/live.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(liveScript),
  );
}

/** Everything that can be seen to change, without the time of the look. */
function markOf({
  at: _at,
  needs,
  clinics,
  connectors,
  bookings,
  reasons,
  changes,
  fleet,
}: StatusReport): string {
  const read = clinics.map(({ resources, lane }) => [
    lane.state,
    resources.map(({ last_success_at, failures, stale, rows }) => [last_success_at, failures, stale, rows]),
  ]);
  const [newest] = changes;
  const members = fleet?.members.map(({ id, units }) => [id, units]);
  return JSON.stringify([reasons, needs.length, needs[0], read, connectors, bookings, newest, members]);
}
