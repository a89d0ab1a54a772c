import { toMs } from '../model/clock.ts';
import type { Cron } from '../model/cron.ts';
import { formatDuration } from '../model/duration.ts';
import type { ClinicReport } from '../model/report.ts';
import type { Poll } from '../model/resource.ts';
import { clause } from '../model/sentences.ts';
import type { PollState } from '../store/store.ts';

/** Intervals without a complete, verified poll after which data is stale. */
const TOLERATED = 3;

/**
 * Older than three intervals, and three slots have gone by: an expression that pauses for the night does not make the
 * morning's data stale. `since`: the last complete poll, or the start where there was none (milliseconds).
 */
export function isStale({ next, intervalMs }: Cron, since: number, now: number): boolean {
  if (now - since <= TOLERATED * intervalMs) return false;
  let slot = since;
  for (let i = 0; i < TOLERATED; i += 1) slot = next(slot);
  return slot <= now;
}

/** Why a resource is stale, for people: `treatments last read 2 h ago (the clinic answers 401: …)`. */
function staleReason(poll: Poll, state: PollState | undefined, now: number): string {
  const read = state?.last_success_at
    ? `last read ${formatDuration(now - toMs(state.last_success_at))} ago`
    : 'never read';
  const because = state?.last_error ? ` (${clause(state.last_error)})` : '';
  return `${poll} ${read}${because}`;
}

/** One reason per stale resource, with the clinic's key where there are several. */
export const staleReasonsOf = (
  clinics: readonly ClinicReport[],
  runs: readonly PollState[],
  now: number,
): string[] =>
  clinics.flatMap(({ clinic, resources }) =>
    resources
      .filter(({ stale }) => stale)
      .map(({ poll }) => {
        const run = runs.find((one) => one.clinic === clinic && one.poll === poll);
        const reason = staleReason(poll, run, now);
        return clinics.length > 1 ? `${clinic}: ${reason}` : reason;
      }),
  );

/** Milliseconds since the resource that was read longest ago was read; undefined while one was never read. */
export function oldestAge(clinics: readonly ClinicReport[], now: number): number | undefined {
  const read = clinics.flatMap(({ resources }) => resources.map(({ last_success_at }) => last_success_at));
  return read.reduce<number | undefined>(
    (oldest, at) => (oldest === undefined || at === null ? undefined : Math.max(oldest, now - toMs(at))),
    0,
  );
}
