import type { NotifyConfig } from '../config/notify.ts';
import type { HealthReason } from '../domain/report.ts';
import type { Clock } from '../platform/clock.ts';
import { destinations } from '../platform/destination.ts';
import { SECOND } from '../platform/duration.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { createPoster } from '../platform/post.ts';
import { unreachableFailure } from '../platform/unreachable.ts';

interface HeartbeatOptions {
  heartbeat: NonNullable<NotifyConfig['heartbeat']>;
  /** Why health is not `ok`; throws while the database does not answer. */
  reasons: () => Promise<readonly HealthReason[]>;
  clock: Clock;
  log: Log;
}

type Heartbeat = HeartbeatOptions['heartbeat'];

/** Requests the address once. Throws `Failure`. */
export async function ping(
  { url: address, everyMs, allowNetworks }: Heartbeat,
  signal: AbortSignal,
): Promise<void> {
  const url = new URL(address);
  const poster = createPoster({
    url,
    timeoutMs: Math.max(SECOND, Math.min(everyMs, 15 * SECOND)),
    destinations: destinations(allowNetworks),
    connections: 1,
    method: 'GET',
  });
  try {
    const { status } = await poster.post('', { 'user-agent': 'clinic-sync' }, signal);
    if (status >= 300)
      throw new Failure({ kind: 'transient', message: `${url.host} answered ${status}.`, status });
  } catch (error) {
    throw error instanceof Failure ? error : unreachableFailure(error, url.host);
  } finally {
    poster.close();
  }
}

/** Pings an address while health is `ok`, so that its monitor notices any failure here by the missing ping. */
export function startHeartbeat({ heartbeat, reasons, clock, log }: HeartbeatOptions): Loop {
  const { everyMs } = heartbeat;
  const url_host = new URL(heartbeat.url).host;
  let hasFailed = false;
  return startLoop({
    clock,
    log,
    name: 'heartbeat',
    afterErrorMs: everyMs,
    async tick(signal) {
      if ((await reasons()).length > 0) return everyMs;
      try {
        await ping(heartbeat, signal);
        hasFailed = false;
      } catch (error) {
        signal.throwIfAborted();
        const { message, hint = '' } = asFailure(error, 'The heartbeat');
        if (!hasFailed) log.warn('heartbeat was not taken', { url_host, problem: message, hint });
        hasFailed = true;
      }
      return everyMs;
    },
  });
}
