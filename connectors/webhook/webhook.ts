import { readFileSync } from 'node:fs';
import {
  type CheckLine,
  type Connector,
  type ConnectorContext,
  defineConnector,
  fail,
  type Memory,
  ok,
  stated,
  warn,
} from '../../src/connector.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/platform/duration.ts';
import { codeOf, Failure } from '../../src/platform/failure.ts';
import { type Destinations, destinations } from '../../src/platform/network/destination.ts';
import { createPoster } from '../../src/platform/network/post.ts';
import { reach } from '../../src/platform/network/reach.ts';
import { signer, signingKey } from '../../src/platform/network/signature.ts';
import { unreachableFailure } from '../../src/platform/network/unreachable.ts';
import { isWebPage } from '../../src/platform/network/web-page.ts';
import { failureOf, pageFailure } from './answer.ts';
import { eventBody, meets, typeMatcher } from './event.ts';
import { WebhookSettings } from './settings.ts';

/** The schedule that Standard Webhooks recommends, about three days in all: a receiver may be down over a weekend. */
const schedule = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  DAY,
];

const CONNECTIONS = 8;
/** Enough of an answer to tell a web page. */
const KEPT_BYTES = 512;
const PLAIN = 'answers-plainly';
const SHORTEST_KEY_BYTES = 24;

export const webhook = defineConnector<WebhookSettings>({
  name: 'webhook',
  summary: 'Posts every change as a signed event (Standard Webhooks) to an HTTP address.',
  settings: WebhookSettings,
  secrets: ['secret', 'headers'],
  requestOf: ({ url, headers }, { id }) => ({
    to: new URL(url).host,
    headers: {
      'user-agent': 'clinic-sync',
      ...Object.fromEntries(Object.keys(headers).map((name) => [name.toLowerCase(), '…'])),
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': '…',
      'webhook-signature': 'v1,…',
    },
  }),
  create: async (context) => createWebhook(context),
  beyondReach({ name, settings: { events = [] }, clinics, includePatient, leads }) {
    if (includePatient) return [`what was sent to the receiver of ${name} (webhook)`];
    if (!events.some((pattern) => /^(booking|lead|\*)/.test(pattern))) return [];
    const told = leads.filter(({ clinic, isTracked }) => isTracked && clinics.includes(clinic));
    const refs = [...new Set(told.map(({ ref }) => ref))];
    return refs.length === 0
      ? []
      : [`campaigns and clicks that the receiver of ${name} (webhook) received about ${refs.join(', ')}`];
  },
});

function createWebhook({
  settings,
  includePatient,
  clock,
  memory,
}: ConnectorContext<WebhookSettings>): Connector {
  const url = new URL(settings.url);
  const timeoutMs = settings.timeout * SECOND;
  const keys = keysOf(settings);
  const sign = signer(keys);
  const wanted = settings.events.map(typeMatcher);
  const allowed = destinations(settings.allow_networks);
  const concurrency = Math.max(1, Math.min(CONNECTIONS, Math.ceil(settings.rate ?? CONNECTIONS)));
  const poster = createPoster({
    url,
    timeoutMs,
    destinations: allowed,
    connections: concurrency,
    keepBytes: KEPT_BYTES,
  });
  const isSuspicious = createPageWatch(memory);
  const turn = pace(clock, settings.rate);
  const waitForTurnMs = settings.rate === undefined ? 0 : (concurrency / settings.rate) * SECOND;

  return {
    events: {
      schedule,
      snapshot: settings.snapshot,
      coalesce: settings.coalesce,
      concurrency,
      deadlineMs: timeoutMs + waitForTurnMs + 5 * SECOND,

      wants: (change) => wanted.some((matches) => matches(change.type)) && meets(change.data, settings.where),

      encode: (change) => eventBody(change, settings.thin),

      async deliver({ id, body }, signal) {
        await turn(signal);
        const headers = {
          'user-agent': 'clinic-sync',
          ...settings.headers,
          'content-type': 'application/json',
          ...sign({ id, body, nowMs: clock.now() }),
        };
        const answer = await poster.post(body, headers, signal).catch((error: unknown) => {
          signal.throwIfAborted();
          throw unreachableFailure(error, url.host);
        });
        const failure = failureOf(answer, clock.now());
        if (failure) throw failure;
        if (await isSuspicious(answer.text)) throw pageFailure(answer.status);
      },
    },

    check: (signal) =>
      checkReceiver(
        {
          url,
          timeoutMs,
          destinations: allowed,
          includePatient,
          shortSecret: keys.some(({ length }) => length < SHORTEST_KEY_BYTES),
        },
        signal,
      ),

    holdsNothing: !includePatient,
    stop: async () => poster.close(),
  };
}

/**
 * Whether a successful answer is a web page from a receiver that has answered without one before: then its domain may
 * be parked, or a portal may answer. A receiver that always answers with pages is believed.
 */
function createPageWatch(memory: Memory): (text: string) => Promise<boolean> {
  let isPlain: boolean | undefined;
  return async (text) => {
    isPlain ??= (await memory.get(PLAIN)) !== undefined;
    if (isWebPage(text)) return isPlain;
    if (!isPlain) await memory.set({ [PLAIN]: 'true' });
    isPlain = true;
    return false;
  };
}

/** Resolves at the next turn: at most `perSecond` turns a second, evenly spaced, first come first served. */
function pace(clock: Clock, perSecond = Number.POSITIVE_INFINITY): (signal: AbortSignal) => Promise<void> {
  let next = 0;
  return async (signal) => {
    const now = clock.monotonic();
    const turn = Math.max(now, next);
    next = turn + 1000 / perSecond;
    if (turn > now) await clock.sleep(turn - now, signal);
  };
}

function keysOf({ secret, secret_file }: WebhookSettings): Buffer[] {
  const secrets = secret === undefined ? secretsIn(secret_file ?? '') : [secret].flat();
  const keys = secrets.map(signingKey).filter((key) => key !== undefined);
  if (keys.length > 0 && keys.length === secrets.length && keys.length <= 2) return keys;
  throw new Failure({
    kind: 'refused',
    message: `secret_file ${secret_file ?? ''} does not hold one secret, or two on two lines.`,
    hint: 'Write the secret into it as one line.',
  });
}

function secretsIn(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (cause) {
    const code = codeOf(cause) ?? 'unknown error';
    throw new Failure({
      kind: 'refused',
      message: `secret_file ${file} cannot be read (${code}).`,
      hint: 'Check the path, the mount and the permissions.',
      cause,
    });
  }
}

interface Checked {
  url: URL;
  destinations: Destinations;
  timeoutMs: number;
  includePatient: boolean;
  shortSecret: boolean;
}

/** Resolves the name, connects, completes any TLS handshake and disconnects. Posts nothing. */
export async function checkReceiver(checked: Checked, signal: AbortSignal): Promise<CheckLine[]> {
  const { url, includePatient, shortSecret } = checked;
  const lines: CheckLine[] = [];
  try {
    const host = await reach(checked, signal);
    const code = url.protocol === 'https:' ? 'check_certificate' : 'check_reachable';
    lines.push(ok(stated(code, { host })));
  } catch (error) {
    lines.push(fail(unreachableFailure(error, url.host)));
  }
  if (url.protocol === 'http:' && includePatient) lines.push(warn(stated('check_unencrypted', {})));
  if (shortSecret) lines.push(warn(stated('check_short_secret', {})));
  return lines;
}
