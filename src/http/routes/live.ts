import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { StatusReport } from '../../domain/status/report.ts';
import { HOUR, MINUTE, SECOND } from '../../platform/duration.ts';
import { asFailure } from '../../platform/failure.ts';
import { type Loop, startLoop } from '../../platform/loop.ts';
import { adminName, type Visitor } from '../access/access.ts';
import { refuse } from '../answers.ts';
import { assetRoute } from './assets.ts';
import type { RouteParts } from './route-parts.ts';

interface LiveRoutes extends Pick<RouteParts, 'gate' | 'reports' | 'clock' | 'log'> {
  draining: () => boolean;
}

/** Open pages that are notified at once; further ones reload when they are looked at. */
const MOST_STREAMS = 100;
/** So that no one person occupies every place. */
const MOST_OF_ONE = 20;
const LOOK_EVERY_MS = 2 * SECOND;
/** Ages grow even when nothing happens. */
const SAY_EVERY_MS = 30 * SECOND;
/** A page then reconnects, which checks its permission again. */
const LONGEST_MS = 5 * MINUTE;

interface Stream {
  request: FastifyRequest;
  /** Whose place it takes. */
  owner: string;
  since: number;
}

/** Notifies pages of changes (server-sent events); the pages load the content themselves. */
export function liveRoutes(app: FastifyInstance, { gate, reports, clock, log, draining }: LiveRoutes): void {
  const streams = new Map<ServerResponse, Stream>();
  let watch: Loop | undefined;

  const end = (stream: ServerResponse) => {
    streams.delete(stream);
    stream.end();
  };
  /** Skips a stream that has not read its last message. */
  const tell = (stream: ServerResponse) => {
    if (stream.writableLength > 0) {
      streams.delete(stream);
      stream.destroy();
    } else stream.write('data: changed\n\n');
  };
  /** Also when its session ended, which is read again: this or another process may have ended it. */
  const endOver = async () => {
    const isOver = async ({ request, since }: Stream) =>
      draining() || clock.monotonic() - since > LONGEST_MS || !(await gate.isStillSignedIn(request));
    await Promise.all(
      [...streams].map(async ([stream, one]) => {
        if (await isOver(one)) end(stream);
      }),
    );
  };
  const isFull = (owner: string) =>
    streams.size >= MOST_STREAMS ||
    [...streams.values()].filter((one) => one.owner === owner).length >= MOST_OF_ONE;

  let isBlind = false;
  /** The current mark; undefined when it cannot be read. Logs the first failure in a row. */
  const look = async (): Promise<string | undefined> => {
    try {
      const mark = markOf(await reports.get());
      isBlind = false;
      return mark;
    } catch (error) {
      if (!isBlind)
        log.error('live pages lack news', { problem: asFailure(error, 'Looking at the report').message });
      isBlind = true;
      return undefined;
    }
  };

  /** Ends with the last stream. */
  function startWatch(): Loop {
    let seen: string | undefined;
    let saidAt = clock.monotonic();
    return startLoop({
      clock,
      log,
      name: 'live pages',
      async tick() {
        const mark = await look();
        const isNew = mark !== undefined && seen !== undefined && mark !== seen;
        if (isNew || clock.monotonic() - saidAt >= SAY_EVERY_MS) {
          saidAt = clock.monotonic();
          for (const stream of streams.keys()) tell(stream);
        }
        seen = mark ?? seen;
        await endOver();
        if (streams.size === 0) stopWatch();
        return LOOK_EVERY_MS;
      },
    });
  }
  function stopWatch(): void {
    void watch?.stop();
    watch = undefined;
  }

  app.get('/live', (request, reply) => {
    if (!request.headers.accept?.includes('text/event-stream'))
      return refuse(request, reply, { status: 406, message: 'This is a stream of events, for open pages' });
    const owner = ownerOf(gate.visitorOf(request));
    if (draining() || isFull(owner))
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
    // Longer than the pause between two messages; the server's own limit for silent connections is shorter.
    raw.socket?.setTimeout(2 * SAY_EVERY_MS);
    raw.write('retry: 5000\n\n');
    streams.set(raw, { request, owner, since: clock.monotonic() });
    raw.once('close', () => streams.delete(raw));
    raw.once('error', () => streams.delete(raw));
    watch ??= startWatch();
    return reply;
  });

  app.addHook('preClose', async () => {
    stopWatch();
    for (const stream of streams.keys()) end(stream);
  });

  assetRoute(app, '/assets/live.js');
}

/** A person in any number of browsers; who signed in without a name, in one browser: others share that token. */
const ownerOf = ({ by, session }: Partial<Visitor> = {}): string =>
  (by === adminName('') ? session : undefined) ?? by ?? '';

/** Everything on the page that can change, without the time of the report. */
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
