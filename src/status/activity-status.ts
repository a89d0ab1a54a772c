import type { ClinicEvent } from '../clinic/clinic.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../platform/duration.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Activity } from '../store/ports/activity.ts';
import type { Store } from '../store/store.ts';

/** A little more than the charts show. */
const KEPT_MS = 8 * DAY;
/** The name of the series that adds up all clinics. */
const ALL_CLINICS = 'clinics';

interface ActivityOptions {
  store: Pick<Store, 'activity'>;
  /** How many changes each connector is behind. */
  lags: () => Promise<{ connector: string; lag: number }[]>;
  clock: Clock;
  log: Log;
}

/** Counts the work of clinics and connectors and stores it by the hour. A crash loses a minute of it. */
export function createActivity({ store, lags, clock, log }: ActivityOptions) {
  let counted = new Map<string, Activity>();
  const hour = () => instant(Math.floor(clock.now() / HOUR) * HOUR);
  const of = (series: string, at: string): Activity => {
    const key = `${series} ${at}`;
    const none = { series, at, answered: 0, refused: 0, failed: 0, total_ms: 0, most: 0 };
    const found = counted.get(key) ?? none;
    counted.set(key, found);
    return found;
  };

  return {
    observe(clinic: string, event: ClinicEvent): void {
      if (event.kind !== 'call') return;
      const { status } = event;
      const ms = Math.round(event.ms);
      for (const row of [of(`clinic/${clinic}`, hour()), of(ALL_CLINICS, hour())]) {
        if (status === 429) row.refused += 1;
        else if (status === 'none' || status >= 500 || status === 401 || status === 403) row.failed += 1;
        else {
          row.answered += 1;
          row.total_ms += ms;
          row.most = Math.max(row.most, ms);
        }
      }
    },
    start: (): Loop =>
      startLoop({
        clock,
        log,
        name: 'activity',
        async tick() {
          for (const { connector, lag } of await lags()) {
            const row = of(`connector/${connector}`, hour());
            row.most = Math.max(row.most, lag);
          }
          const rows = counted;
          counted = new Map();
          await store.activity.add([...rows.values()], instant(clock.now() - KEPT_MS));
          return MINUTE;
        },
      }),
  };
}
