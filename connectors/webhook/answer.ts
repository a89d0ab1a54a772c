import { type ProblemCode, stated, statedFrom } from '../../src/connector.ts';
import { DAY, MINUTE } from '../../src/platform/duration.ts';
import { Failure } from '../../src/platform/failure.ts';
import type { PostAnswer } from '../../src/platform/network/post.ts';
import { retryAfterMs } from '../../src/platform/network/retry-after.ts';
import { redirectTo } from '../../src/platform/network/unreachable.ts';

/** Longest `Retry-After` that is obeyed: a receiver must not silence itself by mistake. */
const LONGEST_WAIT_MS = DAY;

const codes: Readonly<Record<number, ProblemCode>> = {
  400: 'receiver_rejects',
  401: 'receiver_denies',
  403: 'receiver_denies',
  404: 'receiver_not_there',
  405: 'receiver_no_post',
  410: 'receiver_gone',
  413: 'receiver_too_large',
  415: 'receiver_rejects',
  422: 'receiver_rejects',
  429: 'receiver_slow_down',
};

const codeFor = (status: number): ProblemCode => {
  if (status >= 300 && status < 400) return 'receiver_redirect';
  return codes[status] ?? (status >= 500 ? 'receiver_broken' : 'receiver_status');
};

/**
 * The failure behind an answer; undefined for any 2xx. All but 410 are retried: a wrong secret or path is usually
 * corrected within hours, and giving up at a deployment's first 404 would lose the event. The body is never quoted,
 * because receivers echo what they were sent.
 */
export function failureOf(
  { status, retryAfter, location, date }: Omit<PostAnswer, 'text' | 'complete'>,
  nowMs: number,
): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  return new Failure({
    kind: status === 410 ? 'refused' : 'transient',
    ...(clockFault(status, date, nowMs) ??
      statedFrom(codeFor(status), { status: `${status}${redirectTo(location)}` })),
    status,
    retryAfterMs: retryAfterMs(retryAfter, { now: nowMs, longestMs: LONGEST_WAIT_MS }),
  });
}

export const pageFailure = (status: number): Failure =>
  new Failure({ kind: 'transient', ...stated('receiver_web_page', { status: String(status) }), status });

/** Receivers of signed events refuse what is older or newer than a few minutes (Standard Webhooks: five). */
const MOST_SKEW_MS = 2 * MINUTE;

function clockFault(status: number, date: string | undefined, nowMs: number) {
  const skewMs = Math.abs(Date.parse(date ?? '') - nowMs);
  if (!(codes[status] === 'receiver_denies' || status === 400) || !(skewMs > MOST_SKEW_MS)) return undefined;
  return statedFrom('receiver_clock', {
    status: String(status),
    minutes: String(Math.round(skewMs / MINUTE)),
  });
}
