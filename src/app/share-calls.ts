import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { CallWatch } from '../status/call-watch.ts';
import type { FleetVerbs } from '../store/ports/fleet.ts';
import type { Store } from '../store/store.ts';

interface ShareOptions {
  fleet: Pick<FleetVerbs, 'report'>;
  store: Pick<Store, 'keyValue'>;
  calls: CallWatch;
  clock: Clock;
  log: Log;
}

const EVERY_MS = 10_000;
/** Keys are `CLINIC/OWNER`: only what the owner of a clinic says counts. */
const SCOPE = 'failing calls';

/** Tells the other daemons which clinics do not answer this one, and hears the same of theirs. */
export function shareCalls({ fleet, store: { keyValue }, calls, clock, log }: ShareOptions): Loop {
  return startLoop({
    clock,
    log,
    name: 'failing calls',
    async tick() {
      const stored = Object.entries(await keyValue.list(SCOPE, ''));
      const owners = stored.length === 0 ? new Map() : await ownersOf(fleet);
      const own = new Map([...calls.failing()].map(([key, failing]) => [key, JSON.stringify(failing)]));
      // What a former owner said, and what is over.
      const isPast = ([key]: [string, string]) => {
        const [clinic = '', owner] = key.split('/');
        return owners.get(`clinic/${clinic}`) !== owner || (calls.isOwn(clinic) && !own.has(key));
      };
      const [past, present] = [stored.filter(isPast), stored.filter((one) => !isPast(one))];
      const told = new Map(present);
      const news = [...own].filter(([key, text]) => told.get(key) !== text);
      if (past.length + news.length > 0)
        await keyValue.set(SCOPE, Object.fromEntries([...past.map(([key]) => [key, undefined]), ...news]));
      calls.hear(new Map(present.map(([key, text]) => [key.split('/')[0] ?? '', JSON.parse(text)])));
      return EVERY_MS;
    },
  });
}

async function ownersOf(fleet: ShareOptions['fleet']): Promise<Map<string, string | null>> {
  const { units } = await fleet.report();
  return new Map(units.map(({ unit, owner }) => [unit, owner]));
}
