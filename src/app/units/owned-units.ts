import { sharedConnections } from '../../clinic/reachability.ts';
import type { Alarm } from '../../domain/status/report.ts';
import { clinicsRun } from '../../fleet/fleet.ts';
import type { OwnedUnit } from '../../fleet/owned-unit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Loop } from '../../platform/loop.ts';
import type { CallWatch } from '../../status/call-watch.ts';
import { startHealthWatch } from '../../status/health-watch.ts';
import type { Status } from '../../status/status.ts';
import { ownedStore, type Store } from '../../store/store.ts';
import { createPlaces } from '../../sync/schedule/places.ts';
import { startBackups } from '../backups.ts';
import { startCertificateWatch } from '../certificates.ts';
import { type ProbeEntry, startProbes } from '../nightly-probe.ts';
import type { Parts } from '../parts.ts';
import { startTerms, startUpkeep } from '../upkeep.ts';
import { type ClinicWork, createClinicWork } from './clinic-work.ts';
import type { ConnectorUnit } from './connector-unit.ts';
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

export function clinicUnits({ parts, ...options }: ClinicUnitsOptions): Map<string, ClinicWork> {
  const { config, store, bookings, clinics, openClinic: open } = parts;
  const count = config.clinics.length;
  const places = createPlaces({ clinics: count, clock: options.clock });
  const shared = { clinics, open, store, bookings, places, connects: sharedConnections(), count, ...options };
  return new Map(config.clinics.map((settings) => [settings.key, createClinicWork(settings, shared)]));
}

interface UpkeepOptions {
  parts: Parts;
  status: Pick<Status, 'reasons' | 'needs'>;
  /** The address that probes are sent to. */
  entry: () => ProbeEntry;
  clock: Clock;
  log: Log;
}

/** Work that belongs to no clinic: retention, search terms, bookings without a clinic, reminders, incidents. */
export function upkeepUnit({
  parts,
  status,
  entry,
  clock,
  log,
}: UpkeepOptions): Unit & { wake(): void; alarms(): Alarm[]; restart(): Promise<void> } {
  const unit = createUnit(async (tenure) => {
    const store = ownedStore(parts.store, tenure);
    // First, because it can fail, and then nothing may be running.
    const startNotifying = await notifyingOf({ parts, status, clock, log }, store);
    const ofBookings = await parts.bookings.startUpkeep(store, () => clinicsElsewhere(parts.store));
    const health = startHealthWatch({ reasons: status.reasons, store, clock, log });
    const pruning = startUpkeep({ ...parts, store }, clock, log);
    const terms = startTerms({ store }, clock, log);
    const certificates = startCertificateWatch({ config: parts.config, store, clock, log });
    const probes = startProbes({ ...parts, entry, store, clock, log });
    const backups = startBackups({ ...parts, store, clock, log });
    const notifying = startNotifying.map((start) => start());
    return {
      health,
      alarms: ofBookings.alarms,
      async stop() {
        await Promise.all(
          [ofBookings, health, pruning, terms, certificates, probes, backups, ...notifying].map((one) =>
            one.stop(),
          ),
        );
      },
    };
  });
  return {
    start: unit.start,
    stop: unit.stop,
    restart: unit.restart,
    wake: () => unit.running?.health.wake(),
    alarms: () => unit.running?.alarms() ?? [],
  };
}

async function clinicsElsewhere({ fleet }: Pick<Store, 'fleet'>): Promise<string[]> {
  const report = await fleet?.report();
  return report === undefined ? [] : clinicsRun(report);
}

/** Nothing without targets and without connectors that take events; its code is then not loaded either. */
async function notifyingOf(
  { parts: { config, deliveries, connectors }, status, clock, log }: Omit<UpkeepOptions, 'entry'>,
  store: Store,
): Promise<(() => Loop)[]> {
  const { targets, heartbeat } = config.notify;
  const starts: (() => Loop)[] = [];
  if (heartbeat !== undefined) {
    const { startHeartbeat } = await import('../../notify/heartbeat.ts');
    starts.push(() => startHeartbeat({ heartbeat, reasons: status.reasons, store, clock, log }));
  }
  const receivers = () =>
    connectors.flatMap(({ settings: { name, clinics, use }, connector }) =>
      connector?.events === undefined || use.startsWith('notify:')
        ? []
        : [{ name, clinics, events: connector.events }],
    );
  if (targets.length === 0 && receivers().length === 0) return starts;
  const { startNotifier } = await import('../../notify/notify.ts');
  starts.push(() =>
    startNotifier({
      ...{ targets, store, receivers, clock, log },
      clinics: config.clinics,
      sources: config.connectors.map(({ name }) => name),
      publicUrl: config.http.publicUrl?.href.replace(/\/$/, ''),
      look: status.needs,
      wake: (connector) => deliveries.wake({ connector }),
    }),
  );
  return starts;
}

export const ownedUnits = (
  clinics: ReadonlyMap<string, ClinicWork>,
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
    (connector): OwnedUnit => ({
      ...{ unit: `connector/${connector.settings.name}`, kind: 'connector', on: connector.settings.on },
      ...{ start: connector.start, stop: connector.rest, isBusy: () => false },
      canRun: () => connector.quarantined === undefined,
    }),
  ),
];
