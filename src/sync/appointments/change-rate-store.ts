import { wallClockInstant } from '../../domain/date-time.ts';
import { type Clock, instant, toMs } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import type { Store } from '../../store/store.ts';
import { fade, learn, type Seen, statusKey } from './change-rate.ts';

const LOOK_BACK = 28 * 24 * HOUR;
const KEY = 'habits';

/** When this clinic's statuses move, learned from our own looks, kept over restarts. */
export interface Habits {
  seen(): Seen;
  /** Takes in what was observed since the last time; at most once an hour, otherwise nothing. */
  refresh(zoneOffset: number): Promise<void>;
}

export function createHabits({
  store,
  clock,
  clinic,
  zone,
}: {
  store: Pick<Store, 'appointments' | 'keyValue'>;
  clock: Clock;
  clinic: string;
  zone: string;
}): Habits {
  const scope = `mirror/${clinic}`;
  let seen: Seen = {};
  let until: number | undefined;

  return {
    seen: () => seen,
    async refresh(zoneOffset) {
      const now = clock.now();
      if (until === undefined) {
        const kept = recall(await store.keyValue.get(scope, KEY));
        seen = kept?.seen ?? {};
        until = kept?.until ?? now - LOOK_BACK;
      }
      // A clock that was set back must not stop the learning for as long.
      if (until > now) until = now;
      if (now - until < HOUR) return;

      const observed = await store.appointments.observations(clinic, instant(until));
      fade(seen, now - until);
      for (const { status, date, time, from, to, changed } of observed) {
        const start = visitStart(date, time, zone);
        if (start === undefined || toMs(to) <= until) continue;
        // A stretch without a change is kept as one and grows: only what is new of it counts.
        const begin = changed ? toMs(from) : Math.max(toMs(from), until);
        learn(seen, { status: statusKey(status), start, from: begin, to: toMs(to), changed }, zoneOffset);
      }
      until = now;
      await store.keyValue.set(scope, { [KEY]: JSON.stringify({ until: instant(now), seen }) });
    },
  };
}

/** What an earlier version or a damaged value left behind teaches nothing, and breaks nothing. */
function recall(text: string | undefined): { seen: Seen; until: number } | undefined {
  if (text === undefined) return undefined;
  try {
    const { seen, until } = JSON.parse(text) as { seen: Seen; until: string };
    const sound = Object.values(seen).every(
      ({ changes, minutes }) => Number.isFinite(changes) && Number.isFinite(minutes),
    );
    return sound && Number.isFinite(toMs(until)) ? { seen, until: toMs(until) } : undefined;
  } catch {
    return undefined;
  }
}

/** Start of a visit, milliseconds since the epoch; undefined for a date or time that does not exist. */
export function visitStart(date: string | null, time: string | null, zone: string): number | undefined {
  if (date === null) return undefined;
  try {
    return wallClockInstant(date, time ?? '12:00', zone).ms;
  } catch {
    return undefined;
  }
}
