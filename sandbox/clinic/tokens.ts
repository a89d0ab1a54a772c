import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/platform/clock.ts';

/** Bearer tokens granted so far. In memory only: a restarted server knows none of them. */
export interface SandboxTokens {
  /** `expires_in` is in whole seconds and exact. */
  grant(): { access_token: string; expires_in: number };
  valid(token: string): boolean;
  /** Makes a token expire this many seconds from now. */
  shorten(token: string, seconds: number): void;
  revokeAll(): number;
  readonly granted: number;
}

export function createSandboxTokens({
  clock,
  lifetimeSeconds,
}: {
  clock: Clock;
  lifetimeSeconds: number;
}): SandboxTokens {
  /** Token → expiry. Monotonic, so that a jump of the wall clock expires no token. */
  const dies = new Map<string, number>();
  let granted = 0;

  const forgetDead = () => {
    for (const [token, at] of dies) if (at <= clock.monotonic()) dies.delete(token);
  };

  return {
    grant() {
      forgetDead();
      granted += 1;
      const access_token = randomBytes(32).toString('base64url');
      dies.set(access_token, clock.monotonic() + lifetimeSeconds * 1000);
      return { access_token, expires_in: lifetimeSeconds };
    },
    valid(token) {
      const at = dies.get(token);
      return at !== undefined && clock.monotonic() < at;
    },
    shorten(token, seconds) {
      if (dies.has(token)) dies.set(token, clock.monotonic() + seconds * 1000);
    },
    revokeAll() {
      forgetDead();
      const count = dies.size;
      dies.clear();
      return count;
    },
    get granted() {
      return granted;
    },
  };
}
