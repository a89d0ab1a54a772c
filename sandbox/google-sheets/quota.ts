import type { Clock } from '../../src/platform/clock.ts';
import { MINUTE } from '../../src/platform/duration.ts';
import { GoogleRefusal } from './refusal.ts';

/** Google counts per account and clock minute, including refused calls. */
export interface Quota {
  /** Throws the 429 once the minute is used up. */
  count(email: string, call: 'read' | 'write'): void;
  perMinute: { read: number; write: number };
}

export function createQuota({ clock, perMinute }: { clock: Clock; perMinute: Quota['perMinute'] }): Quota {
  let minute = -1;
  let used = new Map<string, number>();
  const quota: Quota = {
    perMinute,
    count(email, call) {
      const now = Math.floor(clock.now() / MINUTE);
      if (now !== minute) used = new Map();
      minute = now;
      const key = `${call} ${email}`;
      const count = (used.get(key) ?? 0) + 1;
      used.set(key, count);
      if (count <= quota.perMinute[call]) return;
      const name = call === 'read' ? 'Read requests' : 'Write requests';
      throw new GoogleRefusal(
        429,
        'RESOURCE_EXHAUSTED',
        `Quota exceeded for quota metric '${name}' and limit '${name} per ` +
          `minute per user' of service 'sheets.googleapis.com'.`,
      );
    },
  };
  return quota;
}
