import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Config } from '../config/config.ts';
import { conditionNeed } from '../domain/status/need-words.ts';
import type { Need } from '../domain/status/report.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import { DAY, HOUR, SECOND } from '../platform/duration.ts';
import { fewAtOnce } from '../platform/few-at-once.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Store } from '../store/store.ts';

const SCOPE = 'certificates';
const LOOK_EVERY_MS = 6 * HOUR;
const PATIENCE_MS = 15 * SECOND;
const AT_ONCE = 8;
const SOON_MS = 14 * DAY;
const URGENT_MS = 2 * DAY;

interface Certificate {
  from: number;
  to: number;
}

/** A server whose certificate is watched: a clinic's, or the one in front of our pages. */
interface Place {
  key: string;
  url: URL;
  clinic: string | null;
}

const placesOf = ({ clinics, http: { publicUrl } }: Config): Place[] =>
  [
    ...clinics.map(({ key, base_url }) => ({ key: `clinic ${key}`, url: new URL(base_url), clinic: key })),
    ...(publicUrl === undefined ? [] : [{ key: 'public_url', url: publicUrl, clinic: null }]),
  ].filter(({ url }) => url.protocol === 'https:');

/** Checks the certificates a few times a day and stores a need for each that is about to expire. */
export function startCertificateWatch(options: {
  config: Config;
  store: Pick<Store, 'keyValue'>;
  clock: Clock;
  log: Log;
}): Loop {
  const { config, store, clock, log } = options;
  const places = placesOf(config);
  return startLoop({
    clock,
    log,
    name: 'certificates',
    async tick(signal) {
      const stored = await store.keyValue.list(SCOPE, '');
      const note = async (key: string, need: string | undefined) => {
        if (need !== stored[key]) await store.keyValue.set(SCOPE, { [key]: need });
      };
      for (const key of Object.keys(stored))
        if (!places.some((place) => place.key === key)) await note(key, undefined);
      await fewAtOnce(places, AT_ONCE, async (place) => {
        const certificate = await certificateOf(place.url, signal);
        signal.throwIfAborted();
        // Unreachable: reported elsewhere, and our own public address may not be reachable from here.
        if (certificate === undefined) return;
        const need = certificateNeed(place, certificate, {
          now: clock.now(),
          since: sinceOf(stored[place.key]),
        });
        await note(place.key, need && JSON.stringify(need));
      });
      return LOOK_EVERY_MS;
    },
  });

  function sinceOf(noted: string | undefined): Instant {
    return noted === undefined ? instant(clock.now()) : (JSON.parse(noted) as Need).since;
  }
}

/** The needs that the watch has stored. */
export const certificateNeeds = async ({ keyValue }: Pick<Store, 'keyValue'>): Promise<Need[]> =>
  Object.values(await keyValue.list(SCOPE, '')).map((need) => JSON.parse(need) as Need);

/** The need to renew a certificate with less than two weeks and a quarter of its life left. Pure. */
export function certificateNeed(
  { url, clinic }: Pick<Place, 'url' | 'clinic'>,
  { from, to }: Certificate,
  { now, since }: { now: number; since: Instant },
): Need | undefined {
  if (to - now > Math.min(SOON_MS, (to - from) / 4)) return undefined;
  return conditionNeed(to <= now ? 'certificate_ended' : 'certificate_ends', {
    ...{ clinic: clinic ?? undefined, since, what: url.host, day: instant(to).slice(0, 10) },
    urgent: to - now <= URGENT_MS,
  });
}

/** Undefined when no TLS handshake completes. Also reads an untrusted certificate: it may just have expired. */
export function certificateOf(url: URL, signal: AbortSignal): Promise<Certificate | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve } = Promise.withResolvers<Certificate | undefined>();
  const socket = connect({
    host,
    port: Number(url.port) || 443,
    servername: isIP(host) === 0 ? host : '',
    // Nothing is sent over this connection.
    rejectUnauthorized: false,
  });
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  socket.setTimeout(PATIENCE_MS, stop);
  socket.once('secureConnect', () => {
    const { valid_from, valid_to } = socket.getPeerCertificate();
    const found = { from: Date.parse(valid_from), to: Date.parse(valid_to) };
    resolve(Number.isNaN(found.to) ? undefined : found);
    socket.destroy();
  });
  socket.once('error', () => resolve(undefined));
  socket.once('close', () => {
    signal.removeEventListener('abort', stop);
    resolve(undefined);
  });
  return promise;
}
