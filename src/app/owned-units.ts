import { sharedConnections } from '../clinic/reachability.ts';
import type { OwnedUnit } from '../fleet/fleet.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { CallWatch } from '../status/call-watch.ts';
import { startHealthWatch } from '../status/health-watch.ts';
import type { Status } from '../status/status.ts';
import { ownedStore } from '../store/store.ts';
import { createPlaces } from '../sync/schedule/places.ts';
import { type ClinicUnit, createClinicUnit } from './clinic.ts';
import type { ConnectorUnit } from './connector.ts';
import { startUpkeep } from './housekeeping.ts';
import type { Parts } from './parts.ts';
import { createUnit, type Unit } from './unit.ts';

interface ClinicUnitsOptions {
  parts: Parts;
  calls: CallWatch;
  onChanged: (clinic: string) => void;
  onRecovered: () => void;
  stopping: AbortSignal;
  clock: Clock;
  log: Log;
}

export function clinicUnits({ parts, ...options }: ClinicUnitsOptions): Map<string, ClinicUnit> {
  const { config, store, bookings, clinics, openClinic: open } = parts;
  const count = config.clinics.length;
  const places = createPlaces({ clinics: count, clock: options.clock });
  const shared = { clinics, open, store, bookings, places, connects: sharedConnections(), count, ...options };
  return new Map(config.clinics.map((settings) => [settings.key, createClinicUnit(settings, shared)]));
}

interface UpkeepOptions {
  parts: Parts;
  reasons: Status['reasons'];
  clock: Clock;
  log: Log;
}

/** Work that belongs to no clinic: retention, bookings without a clinic, reminders, incidents. */
export function upkeepUnit({ parts, reasons, clock, log }: UpkeepOptions): Unit & { wake(): void } {
  const unit = createUnit(async (tenure) => {
    const store = ownedStore(parts.store, tenure);
    const ofBookings = await parts.bookings.startUpkeep(store, await clinicsElsewhere(parts.store));
    const health = startHealthWatch({ reasons, store, clock, log });
    const pruning = startUpkeep({ ...parts, store }, clock, log);
    return {
      health,
      async stop() {
        await Promise.all([ofBookings, health, pruning].map((one) => one.stop()));
      },
    };
  });
  return { start: unit.start, stop: unit.stop, wake: () => unit.running?.health.wake() };
}

/** Another process may have a clinic that this one's configuration lacks: its bookings are not without a home. */
async function clinicsElsewhere({ fleet }: Parts['store']): Promise<string[]> {
  const units = (await fleet?.report())?.units ?? [];
  const had = units.filter(({ kind, owner }) => kind === 'clinic' && owner !== null);
  return had.map(({ unit }) => unit.slice('clinic/'.length));
}

export const ownedUnits = (
  clinics: ReadonlyMap<string, ClinicUnit>,
  connectors: readonly ConnectorUnit[],
  upkeep: Unit,
): OwnedUnit[] => [
  { unit: 'upkeep', kind: 'upkeep', start: upkeep.start, stop: upkeep.stop, isBusy: () => false },
  ...[...clinics].map(
    ([key, { start, stop, isBusy }]): OwnedUnit => ({
      ...{ unit: `clinic/${key}`, kind: 'clinic', start, stop, isBusy },
    }),
  ),
  ...connectors.map(
    ({ settings: { name }, start, rest }): OwnedUnit => ({
      ...{ unit: `connector/${name}`, kind: 'connector', start, stop: rest, isBusy: () => false },
    }),
  ),
];
