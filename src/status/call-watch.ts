import type { ClinicEvent } from '../clinic/clinic.ts';
import { type Clock, type Instant, instant, toMs } from '../platform/clock.ts';
import { LATE_AFTER_MS } from './staleness.ts';

/** Success and failure of the calls to one clinic, whatever they requested. */
export interface CallState {
  /**
   * The failures since the last success; null while calls succeed. They began when the first of them was sent, not when
   * it timed out. `again`: one that was sent some seconds later failed, too. `everywhere`: not only at one endpoint,
   * which may be the only one that is broken.
   */
  failing: { since: Instant; forMs: number; refused: boolean; again: boolean; everywhere: boolean } | null;
  /** Milliseconds since the last success; null before the first. */
  workedAgoMs: number | null;
}

/** What another process reports about the calls to a clinic that it runs. */
interface FailingCalls {
  since: Instant;
  refused: boolean;
  again: boolean;
}

export interface CallWatch {
  /** This process runs the clinic from now on, as `owner`; only then its calls count. */
  begin(clinic: string, owner: string): void;
  end(clinic: string): void;
  /** As whom this process runs the clinic; undefined if it does not. */
  ownerOf(clinic: string): string | undefined;
  observe(clinic: string, event: ClinicEvent): void;
  /** Of the clinics that this process runs and that fail everywhere, by `CLINIC/OWNER`. */
  failing(): ReadonlyMap<string, FailingCalls>;
  /** The owner of a clinic that this process runs and whose calls succeed; undefined otherwise. */
  workingFor(clinic: string): string | undefined;
  /** All that other processes tell: the failing clinics, and those that are slow although their calls succeed. */
  hear(failing: ReadonlyMap<string, FailingCalls>, slow: ReadonlySet<string>): void;
  of(clinic: string): CallState;
}

interface Watched {
  owner: string;
  workedAt?: number;
  failing?: FailingCalls & { at: number; everywhere: boolean; endpoint: string };
}

/** Calls sent closer to each other may fail of the same hiccup. */
const APART_MS = 5_000;
/** Without a token no other call is made. */
const GRANT = 'POST /granttoken';

/** Records whether each call succeeded. In memory only: the next process starts afresh. */
export function createCallWatch(clock: Clock): CallWatch {
  const watched = new Map<string, Watched>();
  let heard: ReadonlyMap<string, FailingCalls> = new Map();
  let heardSlow: ReadonlySet<string> = new Set();

  const failed = (
    { workedAt = Number.NEGATIVE_INFINITY, failing: former }: Watched,
    { endpoint, status, connected, ms }: Extract<ClinicEvent, { kind: 'call' }>,
  ): NonNullable<Watched['failing']> => {
    const now = clock.monotonic();
    const sentAt = now - ms;
    const at = Math.max(sentAt, workedAt);
    const isOther = former !== undefined && former.endpoint !== endpoint;
    return {
      ...{ at, since: instant(clock.now() - (now - at)), endpoint, ...former },
      refused: status === 401 || status === 403,
      again: former !== undefined && (former.again || sentAt - former.at >= APART_MS),
      everywhere: former?.everywhere || isOther || !connected || endpoint === GRANT,
    };
  };

  return {
    begin: (clinic, owner) => void watched.set(clinic, { owner }),
    end: (clinic) => void watched.delete(clinic),
    ownerOf: (clinic) => watched.get(clinic)?.owner,
    observe(clinic, event) {
      const before = watched.get(clinic);
      if (event.kind !== 'call' || before === undefined) return;
      const served = serves(event.status);
      if (served === undefined) return;
      const { owner } = before;
      const at = clock.monotonic();
      watched.set(clinic, served ? { owner, workedAt: at } : { ...before, failing: failed(before, event) });
    },
    failing() {
      const found = new Map<string, FailingCalls>();
      for (const [clinic, { owner, failing }] of watched)
        if (failing?.everywhere)
          found.set(`${clinic}/${owner}`, {
            since: failing.since,
            refused: failing.refused,
            again: failing.again,
          });
      return found;
    },
    workingFor(clinic) {
      const { owner, workedAt } = watched.get(clinic) ?? {};
      const hasWorked = workedAt !== undefined && clock.monotonic() - workedAt < LATE_AFTER_MS;
      return hasWorked ? owner : undefined;
    },
    hear(failing, slow) {
      heard = failing;
      heardSlow = slow;
    },
    of(clinic) {
      const own = watched.get(clinic);
      if (own === undefined) {
        const told = heard.get(clinic);
        const forMs = told === undefined ? 0 : clock.now() - toMs(told.since);
        const failing = told === undefined ? null : { ...told, forMs, everywhere: true };
        return { failing, workedAgoMs: heardSlow.has(clinic) ? 0 : null };
      }
      const { workedAt, failing } = own;
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
