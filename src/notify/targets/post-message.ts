import type { NotifyTarget } from '../../config/notify.ts';
import { type CheckLine, fail, ok } from '../../connector.ts';
import { stated } from '../../domain/texts/problem.ts';
import { SECOND } from '../../platform/duration.ts';
import { codeOf, Failure } from '../../platform/failure.ts';
import { destinations } from '../../platform/network/destination.ts';
import { createPoster } from '../../platform/network/post.ts';
import { reach } from '../../platform/network/reach.ts';
import { unreachableFailure } from '../../platform/network/unreachable.ts';
import type { NotificationRequest } from './requests.ts';
import { type HttpKind, proofIn, unsure } from './target-answers.ts';

/** Long, because waiting for a slow target is better than telling it twice. */
export const TIMEOUT_MS = 60 * SECOND;
/** Telegram returns the whole message, with each letter as an escape. */
const KEPT_BYTES = 64 * 1024;

interface Posting {
  nowMs: number;
  signal: AbortSignal;
  /** Awaited before the first byte leaves. */
  leaving: (() => Promise<void>) | undefined;
}

/**
 * Posts once, over a new connection, because a kept one may be dead. Resolves to the id of the message at the target.
 * Throws `Failure`, `ambiguous` between the last byte of the request and the answer.
 */
export async function postMessage(
  { url: address, headers, body }: NotificationRequest,
  { use, allowNetworks, settings }: NotifyTarget & { use: HttpKind },
  { nowMs, signal, leaving }: Posting,
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
    const answer = await poster.post(body, { 'user-agent': 'clinic-sync', ...headers }, signal, leaving);
    const { token, secret, chat, url: configured } = settings;
    const secrets = [configured, url.pathname, token, secret, chat];
    return proofIn(answer, { use, host: url.host, secrets, nowMs });
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (mayHaveArrived(error)) throw unsure(url.host);
    signal.throwIfAborted();
    throw unreachableFailure(error, url.host);
  } finally {
    poster.close();
  }
}

/** Whether the address can be reached, without a message. */
export async function checkAddress(
  address: string,
  { allowNetworks }: Pick<NotifyTarget, 'allowNetworks'>,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const url = new URL(address);
  try {
    const checked = { url, destinations: destinations(allowNetworks), timeoutMs: 15 * SECOND };
    return [ok(stated('check_reachable', { host: await reach(checked, signal) }))];
  } catch (error) {
    return [fail(error instanceof Failure ? error : unreachableFailure(error, url.host))];
  }
}

/** What answers no HTTP never saw a message. */
const mayHaveArrived = (error: unknown): boolean =>
  error instanceof Error &&
  'sent' in error &&
  error.sent === true &&
  codeOf(error) !== 'HPE_INVALID_CONSTANT';
