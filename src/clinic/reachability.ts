import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { LimiterReport } from '../domain/status/report.ts';
import { backoffMs } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { proxyFor } from '../platform/network/outgoing-proxy.ts';
import { waitFor } from '../platform/wait-for.ts';
import type { Clinic } from './clinic.ts';

interface Destination {
  /** Supplies host and port; `https:` adds the TLS handshake with certificate check. */
  base_url: string;
  /** PEM of the certificate authorities to trust instead of the system's. */
  ca?: string;
}

/** As the call watch reports it. */
interface Failing {
  forMs: number;
  again: boolean;
  everywhere: boolean;
}

interface ReachabilityOptions extends Destination {
  clock: Clock;
  log: Log;
  /** How recent calls to this clinic went; milliseconds. */
  calls: () => { workedAgoMs: number | null; failing: Failing | null };
  /** Requests a poll now, of this resource or any: only that decides whether the clinic works. */
  ask: (poll?: 'organization') => void;
  clinic: Pick<Clinic, 'confirmIdentity' | 'website' | 'limiter'>;
  /** Number of clinics of this daemon. */
  clinics?: number;
  /** Default: `canConnect`; or one shared by clinics at the same address. */
  connects?: Connects;
  /** In [0, 1); spreads the clinics of one daemon. */
  random?: () => number;
}

/** A clinic that answered a call this recently is up. */
const QUIET_MS = 20_000;
const AGAIN_MS = 10_000;
const PATIENCE_MS = 5_000;
/** After failing this long, or again, calls are already reported as trouble and need no confirmation. */
const KNOWN_MS = MINUTE;
/** A server that connects but was not called for this long is called. */
const SILENT_MS = 30_000;
/**
 * This call is given up sooner than others, so that a second one fails within the minute; a slow clinic gets longer.
 */
const ANSWER_MS = 6_000;
const LONGEST_ANSWER_MS = 30_000;
const TIMES_USUAL = 4;
/** Spreads these calls, so that a thousand idle clinics cost two and a half of them a second. */
const SILENT_PER_CLINIC_MS = 400;
/** The least known limit, in calls a minute, of which these calls are too small a share to matter. */
const ROOMY = 60;
/** Where probes fail although calls work (a firewall, one broken endpoint), they become ever more rare. */
const LONGEST_QUIET_MS = 64 * QUIET_MS;

/**
 * Notices between two polls that a clinic is down or back, and requests a poll; only while no call has succeeded
 * lately. Mostly it just opens and closes a connection, which spends nothing of the clinic's call limit. That tells
 * nothing of a proxy before a dead server, or of refused keys, so where calls are no concern it also makes one now and
 * then.
 */
export function startReachability(options: ReachabilityOptions): Loop {
  const {
    clock,
    log,
    calls,
    ask,
    clinic,
    clinics = 1,
    connects = canConnect,
    random = Math.random,
  } = options;
  const silentMs = Math.max(SILENT_MS, clinics * SILENT_PER_CLINIC_MS);
  let begun = false;
  /** As of the last probe. */
  let isUp = true;
  /** Probes that found it down although other calls work. */
  let mistaken = 0;

  async function probe(signal: AbortSignal): Promise<number> {
    const { workedAgoMs } = calls();
    if (workedAgoMs !== null && workedAgoMs < QUIET_MS) return rest(workedAgoMs);
    const wasUp = isUp;
    const isConnected = await connects(options, clock, signal);
    isUp = isConnected && !(await failsCalls(signal));
    if (isUp) noteUp(wasUp);
    else if (!isKnown(calls().failing)) ask(isConnected ? 'organization' : undefined);
    return isUp ? Math.min(spread(QUIET_MS), untilSilent() || QUIET_MS) : spread(AGAIN_MS);
  }

  function noteUp(wasUp: boolean): void {
    mistaken = 0;
    if (!wasUp) ask();
  }

  /** Milliseconds until a call is due; 0 if it is already. */
  const untilSilent = (): number => Math.max(0, silentMs - (calls().workedAgoMs ?? silentMs));

  const spread = (ms: number): number => Math.round(ms * (0.75 + random() / 4));

  /** A call has worked: the clinic is up, whatever probes say. */
  function rest(workedAgoMs: number): number {
    if (!isUp) mistaken += 1;
    isUp = true;
    return backoffMs(mistaken + 1, { floor: QUIET_MS, cap: LONGEST_QUIET_MS }) - workedAgoMs;
  }

  /** Makes a call, then one to another endpoint, unless calls tell enough or are a concern. */
  async function failsCalls(signal: AbortSignal): Promise<boolean> {
    const { failing } = calls();
    const tellEnough = failing === null ? untilSilent() > 0 : isKnown(failing);
    const limit = clinic.limiter();
    if (tellEnough || !hasRoom(limit)) return false;
    const usualMs = (limit.answer_ms ?? 0) * TIMES_USUAL;
    const patienceMs = Math.min(LONGEST_ANSWER_MS, Math.max(ANSWER_MS, usualMs));
    // Also rejects where another clinic answers: no failing call, and the organization's guard reports it.
    const answer =
      failing === null ? clinic.confirmIdentity(signal, patienceMs) : clinic.website(signal, patienceMs);
    await answer.catch(() => signal.throwIfAborted());
    return calls().failing !== null;
  }

  return startLoop({
    clock,
    log,
    name: 'reachability',
    async tick(signal) {
      if (begun) return await probe(signal);
      begun = true;
      return Math.round(random() * QUIET_MS);
    },
  });
}

/** Not where calls are refused: each would be one less for bookings and polls. */
const hasRoom = ({ ceiling_per_minute, refused_last_hour }: LimiterReport): boolean =>
  refused_last_hour === 0 && (ceiling_per_minute === null || ceiling_per_minute >= ROOMY);

const isKnown = (failing: Failing | null): boolean =>
  failing !== null && (failing.forMs >= KNOWN_MS || (failing.again && failing.everywhere));

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

/** Whether a connection can be made within 5 s: to the proxy, if calls go through one. Sends no request. */
export async function canConnect(
  { base_url, ca }: Destination,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  signal.throwIfAborted();
  const url = new URL(base_url);
  const proxy = proxyFor(url, process.env);
  const { protocol, hostname, port } = proxy?.url ?? url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'https:';
  const to = { host, port: Number(port || (secure ? 443 : 80)) };
  const socket = secure
    ? connectSecurely({
        ...to,
        ...(isIP(host) === 0 && { servername: host }),
        ...(ca !== undefined && proxy === undefined && { ca }),
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
