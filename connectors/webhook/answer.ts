import { DAY } from '../../src/platform/duration.ts';
import { Failure } from '../../src/platform/failure.ts';
import type { Answer } from '../../src/platform/post.ts';
import { retryAfterMs } from '../../src/platform/retry-after.ts';

/** Longest `Retry-After` that is obeyed: a receiver must not silence itself by mistake. */
const LONGEST_WAIT_MS = DAY;

const hints: Record<number, string> = {
  400: 'Look into the receiver’s log: it does not accept this event.',
  401: 'Check the secret and the headers on both sides.',
  403: 'Check the secret and the headers on both sides.',
  404: 'Check the url: the receiver has nothing there.',
  405: 'Check the url: the receiver does not take POST there.',
  410: 'The receiver wants no more events. Remove the connector, or resume it when that is wrong.',
  413: 'Let the receiver take larger bodies, or set thin: true.',
  429: 'Set rate to what the receiver allows.',
};

/**
 * The failure behind an answer; undefined for any 2xx. All but 410 are retried: a wrong secret or path is usually
 * corrected within hours, and giving up at a deployment's first 404 would lose the event. The body is never quoted,
 * because receivers echo what they were sent.
 */
export function failureOf({ status, retryAfter }: Omit<Answer, 'text'>, nowMs: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const redirect = status >= 300 && status < 400;
  const hint = redirect
    ? 'Redirects are not followed: put the address it redirects to into url.'
    : (hints[status] ?? (status >= 500 ? 'The receiver has a problem; look into its log.' : undefined));
  return new Failure({
    kind: status === 410 ? 'refused' : 'transient',
    message: `The receiver answered ${status}.`,
    status,
    hint,
    retryAfterMs: retryAfterMs(retryAfter, { now: nowMs, longestMs: LONGEST_WAIT_MS }),
  });
}
