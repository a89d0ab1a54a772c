import type { NotifyTarget } from '../config/notify.ts';
import { destinations } from '../platform/destination.ts';
import { SECOND } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { type Answer, createPoster } from '../platform/post.ts';
import { retryAfterMs } from '../platform/retry-after.ts';
import { unreachableFailure } from '../platform/unreachable.ts';
import type { Request } from './requests.ts';

/** Long, because waiting for a slow target is better than telling it twice. */
export const TIMEOUT_MS = 60 * SECOND;
/** Telegram returns the whole message, with each letter as an escape. */
const KEPT_BYTES = 64 * 1024;
const LONGEST_WAIT_MS = 3_600 * SECOND;

const hints: Record<number, string> = {
  400: 'It does not accept the message: check which kind of target the address is for.',
  401: 'Check the token or the secret.',
  403: 'Check the token or the secret, and that the channel may be written to.',
  404: 'Check the address: it does not exist or was revoked. Copy it again.',
  410: 'The address was given up; make a new one.',
  429: 'It gets too many messages; this one waits and is sent later.',
};

/** The failure behind an answer; undefined for any 2xx. Only 410 is final. */
function answerFailure({ status, retryAfter }: Omit<Answer, 'text'>, nowMs: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const isRedirect = status >= 300 && status < 400;
  return new Failure({
    kind: status === 410 ? 'refused' : 'transient',
    message: `It answered ${status}.`,
    status,
    hint: isRedirect
      ? 'Redirects are not followed: configure the address it redirects to.'
      : (hints[status] ??
        (status >= 500 ? 'It has a problem itself; the message is sent later.' : undefined)),
    retryAfterMs: retryAfterMs(retryAfter, { now: nowMs, longestMs: LONGEST_WAIT_MS }),
  });
}

/** It may have arrived, so it is repeated by the next reminder, not as a copy. */
export const unsure = (host: string): Failure =>
  new Failure({
    kind: 'ambiguous',
    message: `${host} took the message and did not answer.`,
    hint: 'Check whether it arrived there; it is not sent again.',
  });

/**
 * Posts once, over a new connection, because a kept one may be dead. Throws `Failure`, `ambiguous` when the message was
 * sent and no answer came. Resolves to the answer.
 */
export async function postMessage(
  { url: address, headers, body }: Request,
  { allowNetworks }: Pick<NotifyTarget, 'allowNetworks'>,
  { nowMs, signal }: { nowMs: number; signal: AbortSignal },
): Promise<string> {
  const url = new URL(address);
  const poster = createPoster({
    url,
    timeoutMs: TIMEOUT_MS,
    destinations: destinations(allowNetworks),
    connections: 1,
    keepBytes: KEPT_BYTES,
  });
  try {
    const answer = await poster.post(body, { 'user-agent': 'clinic-sync', ...headers }, signal);
    const failure = answerFailure(answer, nowMs);
    if (failure) throw failure;
    return answer.text;
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof Error && 'sent' in error && error.sent === true) throw unsure(url.host);
    signal.throwIfAborted();
    throw unreachableFailure(error, url.host);
  } finally {
    poster.close();
  }
}
