import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { backoffMs } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { waitFor } from '../platform/wait-for.ts';

interface Destination {
  /** Supplies host and port; `https:` adds the TLS handshake with certificate check. */
  base_url: string;
  /** PEM of the certificate authorities to trust instead of the system's. */
  ca?: string;
}

interface ReachabilityOptions extends Destination {
  clock: Clock;
  log: Log;
  /** How recent calls to this clinic went; milliseconds. */
  calls: () => { workedAgoMs: number | null; failing: { forMs: number } | null };
  /** Requests a real call now: only that decides whether the clinic works. */
  ask: () => void;
  /** Default: `canConnect`; or one shared by clinics at the same address. */
  connects?: Connects;
  /** In [0, 1); spreads the clinics of one daemon. */
  random?: () => number;
}

/** A clinic that answered a call this recently is up. */
const QUIET_MS = 20_000;
const AGAIN_MS = 10_000;
const PATIENCE_MS = 5_000;
/** After failing this long, calls are already reported as trouble and need no confirmation. */
const KNOWN_MS = MINUTE;
/** Where connections fail although calls work (a firewall, say), they are tried ever more rarely. */
const LONGEST_QUIET_MS = 64 * QUIET_MS;

/**
 * Notices between two polls that a clinic is down or back, and requests a call. It only opens and closes a connection,
 * so that nothing of the clinic's call limit is spent, and only while no call has succeeded lately.
 */
export function startReachability(options: ReachabilityOptions): Loop {
  const { clock, log, calls, ask, connects = canConnect, random = Math.random } = options;
  let begun = false;
  let reachable = true;
  let mistaken = 0;

  async function probe(signal: AbortSignal): Promise<number> {
    const { workedAgoMs, failing } = calls();
    if (workedAgoMs !== null && workedAgoMs < QUIET_MS) {
      if (!reachable) mistaken += 1;
      reachable = true;
      return backoffMs(mistaken + 1, { floor: QUIET_MS, cap: LONGEST_QUIET_MS }) - workedAgoMs;
    }
    const before = reachable;
    reachable = await connects(options, clock, signal);
    if (reachable) mistaken = 0;
    if (reachable ? !before : !isKnown(failing)) ask();
    return reachable ? QUIET_MS : AGAIN_MS;
  }

  return startLoop({
    clock,
    log,
    name: 'reachability',
    async tick(signal) {
      if (begun) return Math.round((await probe(signal)) * (0.75 + random() / 4));
      begun = true;
      return Math.round(random() * QUIET_MS);
    },
  });
}

const isKnown = (failing: { forMs: number } | null): boolean => failing !== null && failing.forMs >= KNOWN_MS;

type Connects = (to: Destination, clock: Clock, signal: AbortSignal) => Promise<boolean>;

/** As long as one attempt may take. */
const SHARED_MS = PATIENCE_MS;

/**
 * `canConnect` for many clinics: those at the same address share one connection, and its answer for five seconds.
 */
export function sharedConnections(): Connects {
  const known = new Map<string, Asked>();
  return async (to, clock, signal) => {
    const key = `${new URL(to.base_url).origin} ${to.ca ?? ''}`;
    let asked = known.get(key);
    if (asked === undefined || clock.monotonic() - asked.at >= SHARED_MS) {
      const abandoned = new AbortController();
      const answer = canConnect(to, clock, abandoned.signal);
      asked = { at: clock.monotonic(), answer, waiting: 0, abandoned };
      known.set(key, asked);
    }
    asked.waiting += 1;
    try {
      return await waitFor(asked.answer, signal);
    } catch (error) {
      // One clinic that stops must not abort the attempt for the others.
      if (asked.waiting === 1) {
        asked.abandoned.abort(error);
        known.delete(key);
      }
      throw error;
    } finally {
      asked.waiting -= 1;
    }
  };
}

interface Asked {
  at: number;
  answer: Promise<boolean>;
  waiting: number;
  /** Aborts once no clinic waits for the answer. */
  abandoned: AbortController;
}

/** Whether a connection can be made within 5 s. Sends no request and, like every call, uses no proxy. */
export async function canConnect(
  { base_url, ca }: Destination,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  signal.throwIfAborted();
  const { protocol, hostname, port } = new URL(base_url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'https:';
  const to = { host, port: Number(port || (secure ? 443 : 80)) };
  const socket = secure
    ? connectSecurely({
        ...to,
        ...(isIP(host) === 0 && { servername: host }),
        ...(ca !== undefined && { ca }),
      })
    : connect(to);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once(secure ? 'secureConnect' : 'connect', () => resolve(true));
  socket.on('error', () => resolve(false));
  const done = new AbortController();
  const late = clock.sleep(PATIENCE_MS, AbortSignal.any([signal, done.signal])).then(() => false);
  try {
    return await Promise.race([promise, late]);
  } finally {
    done.abort();
    late.catch(() => {});
    socket.destroy();
  }
}
