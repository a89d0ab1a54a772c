import { backoffMs } from '../../platform/backoff.ts';
import { type Clock, type Instant, instant } from '../../platform/clock.ts';
import { DAY, MINUTE } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import { waitFor } from '../../platform/wait-for.ts';

/** The access token of one credential (specification section 5). */
export interface Tokens {
  /**
   * A token that should still be valid; all waiters share one grant. Throws `Failure`: refused when the clinic rejects
   * the keys (cached for a while), transient when there is no token now.
   */
  get(signal: AbortSignal): Promise<Token>;
  /** Whether this is still the token to use. */
  isCurrent(token: Token): boolean;
  /**
   * Call after a refusal of this token. True when another one may be tried: after a 401, else only in place of a token
   * that is older than a minute, and ever more rarely for an endpoint that refuses new ones, too.
   */
  refused(token: Token, by: { endpoint: string; surely: boolean }): boolean;
  /** Call after a 401 with the token that replaced a refused one. */
  refusedAgain(): void;
  accepted(endpoint: string): void;
  expiresAt(): Instant | null;
}

export interface Token {
  readonly value: string;
  readonly grantedAt: number;
  readonly renewAt: number;
  readonly expiresAt: number;
}

interface TokenOptions {
  /** POST /granttoken. Throws `Failure`: refused when the keys are rejected. */
  grant: () => Promise<{ access_token: string; expires_in: number }>;
  /** Whether refused keys have been replaced since. */
  mayTryAgain?: () => boolean;
  clock: Clock;
  onGranted: (expiresAt: Instant) => void;
}

/** Rejected keys are retried rarely: after 30 s, doubling to a quarter of an hour. */
const PAUSES = { floor: 30_000, cap: 900_000 };
const LONGEST_LIFE_MS = DAY;
/** A newer token than this is hardly why a call is refused. */
const NEW_FOR_MS = MINUTE;

export function createTokens({ grant, mayTryAgain = () => false, clock, onGranted }: TokenOptions): Tokens {
  let current: Token | undefined;
  let granting: Promise<Token> | undefined;
  let refusal: Failure | undefined;
  const keysPause = createPause(clock);
  const renewalPause = createPause(clock);
  /** Of endpoints whose refusals may be about the token. */
  const doubts = new Map<string, ReturnType<typeof createPause>>();

  const isOnlyDoubted = (token: Token, endpoint: string): boolean => {
    const pause = doubts.get(endpoint) ?? createPause(clock);
    doubts.set(endpoint, pause);
    if (clock.monotonic() - token.grantedAt < NEW_FOR_MS || pause.leftMs() > 0) return false;
    pause.longer();
    return true;
  };

  const grantOnce = async (): Promise<Token> => {
    // Measured on the monotonic clock from before the request, so that neither latency nor a clock change matters.
    const asked = clock.monotonic();
    try {
      const { access_token, expires_in } = await grant();
      const life = Math.min(expires_in * 1_000, LONGEST_LIFE_MS);
      current = {
        value: access_token,
        grantedAt: asked,
        renewAt: asked + life - Math.min(MINUTE, life / 10),
        expiresAt: asked + life,
      };
      refusal = undefined;
      keysPause.reset();
      onGranted(instant(clock.now() + current.expiresAt - clock.monotonic()));
      return current;
    } catch (error) {
      if (error instanceof Failure && error.kind === 'refused') {
        refusal = error;
        keysPause.longer();
      } else if (current !== undefined && clock.monotonic() < current.expiresAt) {
        // Renewing early failed, but the old token is still valid for a while.
        return current;
      }
      throw error;
    } finally {
      granting = undefined;
    }
  };

  return {
    async get(signal) {
      signal.throwIfAborted();
      if (current !== undefined && clock.monotonic() < current.renewAt) return current;
      if (refusal !== undefined && keysPause.leftMs() > 0 && !mayTryAgain())
        throw paused(refusal, keysPause.leftMs());
      granting ??= grantOnce();
      return waitFor(granting, signal);
    },
    isCurrent: (token) => token === current && clock.monotonic() < token.expiresAt,
    refused(token, { endpoint, surely }) {
      if (token !== current) return true;
      if (surely ? renewalPause.leftMs() > 0 : !isOnlyDoubted(token, endpoint)) return false;
      current = undefined;
      return true;
    },
    refusedAgain: () => renewalPause.longer(),
    accepted(endpoint) {
      renewalPause.reset();
      doubts.delete(endpoint);
    },
    expiresAt() {
      const leftMs = current === undefined ? 0 : current.expiresAt - clock.monotonic();
      return leftMs > 0 ? instant(clock.now() + leftMs) : null;
    },
  };
}

const paused = (refusal: Failure, retryAfterMs: number) =>
  new Failure({
    kind: 'refused',
    message: refusal.message,
    hint: refusal.hint,
    status: refusal.status,
    retryAfterMs,
  });

/** A pause that doubles with each start until reset. Overlapping starts count once. */
function createPause(clock: Clock) {
  let times = 0;
  let until = 0;
  const leftMs = () => Math.max(0, until - clock.monotonic());
  return {
    leftMs,
    longer() {
      if (leftMs() > 0) return;
      times += 1;
      until = clock.monotonic() + backoffMs(times, PAUSES);
    },
    reset() {
      times = 0;
      until = 0;
    },
  };
}
