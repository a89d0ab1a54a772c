import { setImmediate as turn } from 'node:timers/promises';
import { wallClockInstant } from '../../domain/date-time.ts';
import { type Clock, instant, toMs } from '../../platform/clock.ts';
import { DAY, HOUR } from '../../platform/duration.ts';
import type { AppointmentVerbs, ObservedInterval } from '../../store/ports/appointments.ts';
import type { Store } from '../../store/store.ts';
import { fade, learn, type Seen, statusKey } from './change-rate.ts';

const LOOK_BACK = 28 * DAY;
/** Observations per read: some milliseconds of work, so that learning at a first start never delays a lead. */
const PORTION = 250;
const KEY = 'habits';

/** When this clinic's statuses change, learned from our own reads and kept across restarts. */
export interface ChangeRateStore {
  seen(): Seen;
  /** Learns from what was observed since the last time; does nothing within an hour of it. */
  refresh(zoneOffset: number): Promise<void>;
}

interface Parts {
  store: Pick<Store, 'appointments' | 'keyValue'>;
  clock: Clock;
  clinic: string;
  zone: string;
}

/** What was learned from observations up to `until`. */
interface Learned {
  seen: Seen;
  until: number;
}

export function createChangeRateStore({ store, clock, clinic, zone }: Parts): ChangeRateStore {
  const scope = `mirror/${clinic}`;
  let learned: Learned | undefined;

  return {
    seen: () => learned?.seen ?? {},
    async refresh(zoneOffset) {
      const now = clock.now();
      learned ??= recall(await store.keyValue.get(scope, KEY)) ?? { seen: {}, until: now - LOOK_BACK };
      // A clock set back must not stop learning until it has caught up.
      if (learned.until > now) learned.until = now;
      if (now - learned.until < HOUR) return;

      // On a copy, so that a failed read leaves no partial result.
      const seen = structuredClone(learned.seen);
      fade(seen, now - learned.until);
      let last: Parameters<AppointmentVerbs['observations']>[1] | undefined = {
        to: instant(learned.until),
        n: 0,
      };
      while (last !== undefined) {
        const observed = await store.appointments.observations(clinic, last, PORTION);
        for (const one of observed) learnFrom({ seen, until: learned.until }, one, zone, zoneOffset);
        last = observed.length === PORTION ? observed.at(-1) : undefined;
        await turn();
      }
      learned = { seen, until: now };
      const stored = { until: instant(now), seen: learned.seen };
      await store.keyValue.set(scope, { [KEY]: JSON.stringify(stored) });
    },
  };
}

function learnFrom(
  { seen, until }: Learned,
  observed: ObservedInterval,
  zone: string,
  zoneOffset: number,
): void {
  const { status, date, time, changed } = observed;
  const [from, to] = [toMs(observed.from), toMs(observed.to)];
  const start = visitStart(date, time, zone);
  if (start === undefined || to <= until) return;
  // An interval without a change is one stored row that grows: count only its new part.
  const begin = changed ? from : Math.max(from, until);
  learn(seen, { status: statusKey(status), start, from: begin, to, changed }, zoneOffset);
}

/** Undefined for a damaged value or one of an earlier version: learning starts over. */
function recall(text: string | undefined): Learned | undefined {
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
