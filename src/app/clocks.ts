import type { Config } from '../config/config.ts';
import { clockOf } from '../domain/date-time.ts';
import type { Clock } from '../platform/clock.ts';
import type { Store } from '../store/store.ts';

/**
 * Stores each clinic's UTC offsets by this configuration, before retention counts days for the last time. Not left to
 * the clinics' owners: one of an older configuration or version may keep them for as long as it lives.
 */
export async function applyClocks(
  { config, store }: { config: Pick<Config, 'clinics'>; store: Pick<Store, 'appointments'> },
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  const zones = new Map(config.clinics.map(({ timezone }) => [timezone, clockOf(timezone, now)]));
  // Together: the first start of a thousand clinics is then a few commits instead of a thousand.
  await Promise.all(
    config.clinics.map(({ key, timezone }) =>
      store.appointments.applyClock(key, zones.get(timezone) ?? clockOf(timezone, now)),
    ),
  );
}
