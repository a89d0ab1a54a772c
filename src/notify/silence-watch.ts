import type { NotifyTarget } from '../config/notify.ts';
import { CLOSURES, closureIn } from '../domain/clinics/closure.ts';
import { type Clock, instant, toMs } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import type { Store } from '../store/store.ts';
import type { Alert } from './alerts.ts';
import { LEARNED_MS, type Leads, silenceAlert, silenceOf } from './silence.ts';

const LISTEN_EVERY_MS = 15 * MINUTE;

export interface SilenceWatchOptions {
  targets: readonly NotifyTarget[];
  store: Pick<Store, 'bookings' | 'keyValue'>;
  /** Names of the connectors that leads may come from. */
  sources: readonly string[];
  clinics: readonly { key: string; timezone: string }[];
  publicUrl: string | undefined;
  clock: Clock;
}

/** Sources without their usual leads, checked four times an hour, and only for targets that subscribe to it. */
export function silenceWatch(options: SilenceWatchOptions) {
  const { targets, clinics, publicUrl, store, clock } = options;
  const isWanted = targets.some(({ on }) => on.includes('silence'));
  let heardAt = Number.NEGATIVE_INFINITY;
  let answered = '';
  let found: Alert[] = [];
  return async (): Promise<Alert[]> => {
    const now = clock.now();
    if (!isWanted) return found;
    const closures = await store.keyValue.list(CLOSURES, '');
    const answers = JSON.stringify(closures);
    if (answers === answered && Math.abs(now - heardAt) < LISTEN_EVERY_MS) return found;
    const all: Leads[] = [];
    for (const { key } of clinics) all.push(...(await leadsOf(key, now, options)));
    const zones = new Map(clinics.map(({ key, timezone }) => [key, timezone]));
    const silent = all.flatMap((leads) => {
      const zone = zones.get(leads.clinic) ?? 'UTC';
      const silence = silenceOf(leads, { now, zone, closure: closureIn(closures[leads.clinic]) });
      const url = publicUrl === undefined ? null : `${publicUrl}/clinics/${leads.clinic}`;
      return silence === undefined ? [] : silenceAlert(leads, silence, url);
    });
    [heardAt, answered] = [now, answers];
    found = silent;
    return found;
  };
}

async function leadsOf(
  clinic: string,
  now: number,
  { store, sources }: SilenceWatchOptions,
): Promise<Leads[]> {
  const counts = await store.bookings.leadsPerQuarter(clinic, instant(now - LEARNED_MS));
  return [...Map.groupBy(counts, ({ source }) => source)]
    .filter(([source]) => sources.includes(source))
    .map(([source, some]) => ({
      clinic,
      source,
      quarters: some.map(({ at, count }) => ({ ms: toMs(at), count })),
    }));
}
