import type { ClinicEvent } from '../clinic/clinic.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';

/** Success and failure of the calls to one clinic, whatever they requested. */
export interface Calls {
  /** The failures since the last success; null while calls succeed. */
  failing: { since: Instant; forMs: number; refused: boolean } | null;
  /** Milliseconds since the last success; null before the first. */
  workedAgoMs: number | null;
}

/** Of the clinics that this process runs: another one may have reached a clinic since it was ours. */
export interface CallWatch {
  begin(clinic: string): void;
  end(clinic: string): void;
  observe(clinic: string, event: ClinicEvent): void;
  of(clinic: string): Calls;
}

interface Watched {
  workedAt?: number;
  failing?: { since: Instant; at: number; refused: boolean };
}

/** Records whether each call succeeded. In memory only: the next process starts afresh. */
export function createCallWatch(clock: Clock): CallWatch {
  const watched = new Map<string, Watched>();
  return {
    begin: (clinic) => void watched.set(clinic, {}),
    end: (clinic) => void watched.delete(clinic),
    observe(clinic, event) {
      const before = watched.get(clinic);
      if (event.kind !== 'call' || before === undefined) return;
      const served = serves(event.status);
      if (served === undefined) return;
      const at = clock.monotonic();
      const refused = event.status === 401 || event.status === 403;
      const failing = { since: instant(clock.now()), at, ...before.failing, refused };
      watched.set(clinic, served ? { workedAt: at } : { ...before, failing });
    },
    of(clinic) {
      const { workedAt, failing } = watched.get(clinic) ?? {};
      const now = clock.monotonic();
      return {
        failing: failing === undefined ? null : { ...failing, forMs: now - failing.at },
        workedAgoMs: workedAt === undefined ? null : now - workedAt,
      };
    },
  };
}

/** Undefined when the answer only asks us to wait. A 4xx about the request itself counts as success. */
function serves(status: number | 'none'): boolean | undefined {
  if (status === 408 || status === 425 || status === 429) return undefined;
  return status !== 'none' && status < 500 && status !== 401 && status !== 403;
}
