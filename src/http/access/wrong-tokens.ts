import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { MINUTE, SECOND } from '../../platform/duration.ts';
import type { Log } from '../../platform/log.ts';
import type { HttpRefusal } from '../answers.ts';
import { addressKey, createAllowance } from '../limits/allowance.ts';
import type { Auditor } from './auditor.ts';

interface WrongTokensOptions {
  /** Wrong tokens of one address in 15 minutes that are answered at once. */
  atOnce: number;
  audit: Auditor;
  clock: Clock;
  log: Log;
}

const WINDOW_MS = 15 * MINUTE;
/** Audit rows in 15 minutes, from all addresses; the next row tells how many were left out. */
const WRITTEN = 100;
/** For each further answer, one after the other. */
const SLOW_MS = SECOND;

/**
 * What a wrong token costs its sender. Beyond the first few, an address (or an IPv6 /64) is answered once a second,
 * however many connections it uses; every one counts in the audit. The right token is never counted and never waits, so
 * nobody can be locked out by others at the same address.
 */
export function createWrongTokens({ atOnce, audit, clock, log }: WrongTokensOptions) {
  const window = { windowMs: WINDOW_MS, clock };
  const failures = createAllowance({ ...window, limit: atOnce });
  const written = createAllowance({ ...window, limit: WRITTEN });
  const logged = createAllowance({ ...window, limit: 1 });
  const turns = new Map<string, number>();
  let unwritten = 0;

  /** Until the answers before this one are given, or the sender has gone. */
  const waitForTurn = async ({ ip, raw: { socket } }: FastifyRequest): Promise<void> => {
    const key = addressKey(ip);
    const now = clock.monotonic();
    const turn = Math.max(now, turns.get(key) ?? 0) + SLOW_MS;
    turns.set(key, turn);
    const gone = new AbortController();
    const onClose = () => gone.abort();
    socket.once('close', onClose);
    await clock.sleep(turn - now, gone.signal).catch(() => {});
    socket.off('close', onClose);
    if (turns.get(key) === turn) turns.delete(key);
  };

  const write = async (address: string): Promise<void> => {
    if (written.waitMs('') !== undefined) {
      unwritten += 1;
      return;
    }
    written.count('');
    const failed = { action: 'sign_in', subject: null };
    const result = `${unwritten} more wrong tokens`;
    if (unwritten > 0) await audit.note(undefined, { ...failed, result, address: null });
    unwritten = 0;
    await audit.note(undefined, { ...failed, result: 'wrong token', address });
  };

  return async (request: FastifyRequest): Promise<HttpRefusal> => {
    const waitMs = failures.waitMs(request.ip);
    if (waitMs === undefined) {
      failures.count(request.ip);
      await write(request.ip);
      return { status: 401, message: 'The token is wrong', hint: tokenHint };
    }
    unwritten += 1;
    if (logged.waitMs('') === undefined) {
      logged.count('');
      log.warn('somebody guesses tokens: each further answer takes a second', { count: unwritten });
    }
    await waitForTurn(request);
    return tooManyTokens(waitMs);
  };
}

export const tokenHint = 'At /admin/sign-in, or send `Authorization: Bearer` with your token.';

const tooManyTokens = (waitMs: number): HttpRefusal => ({
  status: 429,
  message: 'Too many wrong tokens from this address',
  hint: `The right one is accepted at any time; a wrong one again in ${Math.ceil(waitMs / MINUTE)} min.`,
  retryAfter: Math.ceil(waitMs / 1_000),
});
