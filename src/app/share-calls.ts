import type { Alarm } from '../domain/status/report.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { CallWatch } from '../status/call-watch.ts';
import type { FleetVerbs } from '../store/ports/fleet.ts';
import type { Store } from '../store/store.ts';
import type { ClinicWork } from './units/clinic-work.ts';

interface ShareOptions {
  fleet: Pick<FleetVerbs, 'report'>;
  store: Pick<Store, 'keyValue'>;
  clinics: ReadonlyMap<string, Pick<ClinicWork, 'isBehind' | 'alarms'>>;
  calls: CallWatch;
  clock: Clock;
  log: Log;
}

const EVERY_MS = 10_000;
/** Keys are `CLINIC/OWNER`: only what the owner of a clinic says counts. */
const FAILING = 'failing calls';
const SLOW = 'slow calls';
const ALARMS = 'schedule alarms';
const SCOPES = [FAILING, SLOW, ALARMS] as const;

/**
 * Tells the other daemons which clinics do not answer this one, or only slowly, and what polls do not run as scheduled;
 * hears the same of theirs.
 */
export function shareCalls({
  fleet,
  store,
  clinics,
  calls,
  clock,
  log,
}: ShareOptions): Loop & { alarms(): Alarm[] } {
  const { keyValue } = store;
  let heard: ReadonlyMap<string, string> = new Map();
  const slow = (): Map<string, string> => {
    const found = [...clinics].filter(([, { isBehind }]) => isBehind());
    return new Map(
      found.flatMap(([clinic]) => {
        const owner = calls.workingFor(clinic);
        return owner === undefined ? [] : [[`${clinic}/${owner}`, '']];
      }),
    );
  };
  const alarmed = () =>
    new Map(
      [...clinics].flatMap(([clinic, { alarms }]) => {
        const owner = calls.ownerOf(clinic);
        const found = owner === undefined ? [] : alarms();
        return found.length === 0 ? [] : [[`${clinic}/${owner}`, JSON.stringify(found)]];
      }),
    );
  const loop = startLoop({
    clock,
    log,
    name: 'failing calls',
    async tick() {
      const own = {
        [FAILING]: new Map([...calls.failing()].map(([key, failing]) => [key, JSON.stringify(failing)])),
        [SLOW]: slow(),
        [ALARMS]: alarmed(),
      };
      const stored = await Promise.all(
        SCOPES.map(async (scope) => ({ scope, all: Object.entries(await keyValue.list(scope, '')) })),
      );
      const owners = stored.every(({ all }) => all.length === 0) ? new Map() : await ownersOf(fleet);
      const none = () => new Map<string, string>();
      const told = { [FAILING]: none(), [SLOW]: none(), [ALARMS]: none() };
      for (const { scope, all } of stored) {
        // What a former owner said, and what is over.
        const isPast = ([key]: [string, string]) => {
          const [clinic = '', owner] = key.split('/');
          return (
            owners.get(`clinic/${clinic}`) !== owner ||
            (calls.ownerOf(clinic) !== undefined && !own[scope].has(key))
          );
        };
        const past = all.filter(isPast);
        const present = new Map(all.filter((one) => !isPast(one)));
        const news = [...own[scope]].filter(([key, text]) => present.get(key) !== text);
        if (past.length + news.length > 0)
          await keyValue.set(scope, Object.fromEntries([...past.map(([key]) => [key, undefined]), ...news]));
        for (const [key, text] of present) told[scope].set(key.split('/')[0] ?? '', text);
      }
      const failing = [...told[FAILING]].map(([clinic, text]) => [clinic, JSON.parse(text)] as const);
      calls.hear(new Map(failing), new Set(told[SLOW].keys()));
      heard = told[ALARMS];
      return EVERY_MS;
    },
  });
  return {
    ...loop,
    alarms: () =>
      [...heard].flatMap(([clinic, text]): Alarm[] =>
        calls.ownerOf(clinic) === undefined ? JSON.parse(text) : [],
      ),
  };
}

async function ownersOf(fleet: ShareOptions['fleet']): Promise<Map<string, string | null>> {
  const { units } = await fleet.report();
  return new Map(units.map(({ unit, owner }) => [unit, owner]));
}
