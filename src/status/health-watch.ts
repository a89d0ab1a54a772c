import type { HealthReason } from '../domain/status/report.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Incident } from '../store/ports/incidents.ts';
import type { Store } from '../store/store.ts';

interface HealthWatchOptions {
  /** Why health is not `ok` right now. */
  reasons: () => Promise<HealthReason[]>;
  store: Pick<Store, 'incidents'>;
  clock: Clock;
  log: Log;
}

const LOOK_EVERY_MS = 10_000;
/** The wall clock was set forward if it gained more than this on one that cannot be set. */
const SET_MS = MINUTE;
/** The schedule notices within a minute that polls are due. */
const POLLED_MS = MINUTE + LOOK_EVERY_MS;

/**
 * Stores and logs when trouble begins and ends, for the page, for commands and for notifications. Trouble with the
 * database itself cannot be stored; the report shows it.
 */
export const startHealthWatch = ({ reasons, store, clock, log }: HealthWatchOptions): Loop => {
  let known: string | undefined;
  let ahead = clock.now() - clock.uptime();
  return startLoop({
    clock,
    log,
    name: 'health watch',
    async tick() {
      // All data now looks hours old, as on each start of a machine without a battery: no outage until polls have run.
      const before = ahead;
      ahead = clock.now() - clock.uptime();
      if (ahead - before > SET_MS) return POLLED_MS;
      const now = await reasons();
      // Unchanged health writes nothing. The first check also ends incidents that the previous process left open.
      const seen = JSON.stringify(
        now.map(({ kind, clinic, subject, health }) => [kind, clinic, subject, health]),
      );
      if (seen === known) return LOOK_EVERY_MS;
      const { begun, ended } = await store.incidents.settle(now, instant(clock.now()));
      known = seen;
      for (const incident of begun) log.warn('trouble', fieldsOf(incident));
      for (const incident of ended)
        log.info(now.length === 0 ? 'recovered' : 'one trouble less', fieldsOf(incident));
      return LOOK_EVERY_MS;
    },
  });
};

const fieldsOf = ({ clinic, kind, subject, health, sentence, since }: Incident) => ({
  ...(clinic !== null && { clinic }),
  kind,
  resource: subject,
  state: health,
  problem: sentence,
  at: since,
});
