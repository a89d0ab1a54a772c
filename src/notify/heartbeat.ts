import { deliveriesTo, HEARTBEAT, type NotifyConfig } from '../config/notify.ts';
import type { Connector } from '../connector.ts';
import type { HealthReason } from '../domain/status/report.ts';
import { noteOfFailure, saidOf } from '../domain/texts/problem.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { SECOND } from '../platform/duration.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { destinations } from '../platform/network/destination.ts';
import { createPoster } from '../platform/network/post.ts';
import { unreachableFailure } from '../platform/network/unreachable.ts';
import { isWebPage } from '../platform/network/web-page.ts';
import { failureSentence } from '../platform/text/sentences.ts';
import type { Store } from '../store/store.ts';
import { checkAddress } from './targets/post-message.ts';
import { remedyOf } from './targets/remedies.ts';

interface HeartbeatOptions {
  heartbeat: NonNullable<NotifyConfig['heartbeat']>;
  /** Why health is not `ok`; throws while the database does not answer. */
  reasons: () => Promise<readonly HealthReason[]>;
  store: Pick<Store, 'deliveries'>;
  clock: Clock;
  log: Log;
}

type Heartbeat = HeartbeatOptions['heartbeat'];

/** Requests an address of the heartbeat once. Resolves to what it answered. Throws `Failure` unless that is a proof. */
export async function ping(
  { url: address, everyMs, allowNetworks }: Pick<Heartbeat, 'url' | 'everyMs' | 'allowNetworks'>,
  signal: AbortSignal,
): Promise<void> {
  const url = new URL(address);
  const poster = createPoster({
    url,
    timeoutMs: Math.max(SECOND, Math.min(everyMs, 15 * SECOND)),
    destinations: destinations(allowNetworks),
    connections: 1,
    method: 'GET',
    keepBytes: 4_096,
  });
  try {
    const { status, text } = await poster.post('', { 'user-agent': 'clinic-sync' }, signal);
    if (status >= 300)
      throw new Failure({ kind: 'transient', message: `${url.host} answered ${status}.`, status });
    if (!isTaken(text)) {
      const answer = [status, wordIn(text)].filter(Boolean).join(' ');
      const stated = remedyOf('heartbeat_unproven', { host: url.host, answer });
      throw new Failure({ kind: 'transient', status, ...stated });
    }
  } catch (error) {
    throw error instanceof Failure ? error : unreachableFailure(error, url.host);
  } finally {
    poster.close();
  }
}

/** Healthchecks answers `OK` and `OK (not found)`, Uptime Kuma JSON with `ok`; others answer nothing or a word. */
function isTaken(text: string): boolean {
  const answer = text.trim();
  if (isWebPage(answer) || /^OK \(/i.test(answer)) return false;
  return !/"(ok|success)"\s*:\s*false/.test(answer);
}

const wordIn = (text: string): string => /^[\w ().,-]{1,40}/.exec(text.trim())?.[0] ?? '';

/** More tries within the period after a failure: one lost packet is no alarm. */
const MORE_TRIES = 2;

/** It is listed with the targets, and its state is stored as theirs is. */
const NAME = deliveriesTo(HEARTBEAT);

/**
 * Its place among the connectors: `doctor` only looks whether its monitor can be reached, for a ping is a sign of life.
 */
export const heartbeatConnector = (heartbeat: Heartbeat): Connector => ({
  check: (signal) => checkAddress(heartbeat.url, heartbeat, signal),
  holdsNothing: true,
  stop: async () => {},
});

/**
 * Pings an address while health is `ok`, so that its monitor notices any failure here by the missing ping; and, where
 * there is one, the address for a failure once when health turns.
 */
export function startHeartbeat({ heartbeat, reasons, store, clock, log }: HeartbeatOptions): Loop {
  const { everyMs, fail } = heartbeat;
  const url_host = new URL(heartbeat.url).host;
  let problem: string | undefined;
  let failures = 0;
  let isOk = true;

  async function beat(signal: AbortSignal): Promise<void> {
    try {
      await ping(heartbeat, signal);
      [problem, failures] = [undefined, 0];
      const at = instant(clock.now());
      await store.deliveries.report(NAME, { last_success_at: at, last_error: null, failures });
    } catch (error) {
      signal.throwIfAborted();
      const failure = asFailure(error, 'The heartbeat');
      const { message, hint = '' } = failure;
      failures += 1;
      if (message !== problem) log.warn('heartbeat was not taken', { url_host, problem: message, hint });
      problem = message;
      await store.deliveries.report(NAME, {
        ...{ last_failure_at: instant(clock.now()), failures },
        ...{ last_error: failureSentence(failure), said: saidOf([noteOfFailure(failure)]) },
      });
    }
  }

  async function turn(isNowOk: boolean, signal: AbortSignal): Promise<void> {
    if (isNowOk === isOk) return;
    isOk = isNowOk;
    if (isNowOk || fail === undefined) return;
    await ping({ ...heartbeat, url: fail }, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const { message, hint = '' } = asFailure(error, 'The heartbeat');
      log.warn('heartbeat was not taken', { url_host: new URL(fail).host, problem: message, hint });
    });
  }

  return startLoop({
    clock,
    log,
    name: 'heartbeat',
    afterErrorMs: everyMs,
    async tick(signal) {
      if ((await store.deliveries.connector(NAME)).paused) return everyMs;
      // Its own failure must not keep it from trying again.
      const isNowOk = (await reasons()).every(
        ({ kind, subject }) => kind === 'connector' && subject === NAME,
      );
      await turn(isNowOk, signal);
      if (!isNowOk) return everyMs;
      await beat(signal);
      const isEarly = failures > 0 && failures <= MORE_TRIES;
      return isEarly ? Math.max(SECOND, everyMs / (MORE_TRIES + 2)) : everyMs;
    },
  });
}
