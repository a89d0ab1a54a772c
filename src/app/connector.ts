import { findKind } from '../../connectors/registry.ts';
import type { Config, ConnectorSettings } from '../config/config.ts';
import type { BookingDoor, Connector, ConnectorContext, Memory } from '../connector.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { Clock } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { sentences } from '../platform/sentences.ts';
import type { Store } from '../store/store.ts';
import { startIsolated } from './isolation/isolation.ts';
import { environmentFiles } from './isolation/permissions.ts';
import { createUnit, type Unit } from './unit.ts';

/** A connector of the configuration. Its `start` never throws: one that cannot be built is quarantined. */
export interface ConnectorUnit extends Unit {
  readonly settings: ConnectorSettings;
  /** Undefined: stopped, quarantined, or for a command that has no use for it and not its secrets. */
  readonly connector: Connector | undefined;
  /** Why it could not be built. */
  readonly quarantined: string | undefined;
}

interface ConnectorOptions {
  config: Config;
  store: Store;
  bookings: BookingDoor;
  deliveries: Pick<Deliveries, 'start' | 'wake'>;
  clock: Clock;
  log: Log;
}

/** Each start builds the connector and delivers to it; a stop delivers nothing more to it and releases what it holds. */
export function createConnectorUnit(settings: ConnectorSettings, options: ConnectorOptions): ConnectorUnit {
  const { name, use } = settings;
  let quarantined: string | undefined;
  const unit = createUnit(async () => {
    quarantined = undefined;
    if (settings.incomplete) return { connector: undefined, stop: async () => {} };
    try {
      const { origin, secretFiles, store } = options.config;
      const kept = [
        origin,
        store.sqlite,
        ...secretFiles,
        ...environmentFiles([...process.execArgv, ...process.argv]),
      ];
      const connector = await create(settings, contextOf(settings, options), kept);
      const delivering = options.deliveries.start({ ...settings, connector });
      const stop = async () => {
        await delivering.stop();
        await connector.stop();
      };
      return { connector, stop };
    } catch (error) {
      const failure = asFailure(error, `Starting the connector ${name}`);
      quarantined = sentences(failure.message, failure.hint);
      options.log.error('connector is quarantined', {
        connector: name,
        kind: use,
        problem: failure.message,
      });
      return { connector: undefined, stop: async () => {} };
    }
  });
  return {
    settings,
    get connector() {
      return unit.running?.connector;
    },
    get quarantined() {
      return quarantined;
    },
    start: unit.start,
    stop: unit.stop,
  };
}

function contextOf(
  { name, settings, clinics, includePatient }: ConnectorSettings,
  { config, store, bookings, deliveries, clock, log }: ConnectorOptions,
): ConnectorContext {
  return {
    name,
    settings,
    clinics: config.clinics
      .filter(({ key }) => clinics.includes(key))
      .map(({ key, timezone, bookings: { horizon_days } }) => ({
        clinic: key,
        timezone,
        horizonDays: horizon_days,
      })),
    includePatient,
    instance: store.identity.instance,
    bookings,
    memory: memoryOf(store, name),
    clock,
    log,
    wake: () => deliveries.wake(name),
  };
}

async function create(
  { use, isolate }: ConnectorSettings,
  context: ConnectorContext,
  kept: readonly string[],
): Promise<Connector> {
  if (isolate) return startIsolated(use, context, kept);
  const kind = await findKind(use);
  if (kind === undefined) throw new Error('there is no such kind');
  return kind.create(context);
}

function memoryOf(store: Store, connector: string): Memory {
  const scope = `connector:${connector}`;
  return {
    get: (key) => store.keyValue.get(scope, key),
    set: (entries) => store.keyValue.set(scope, entries),
    list: (prefix) => store.keyValue.list(scope, prefix),
  };
}
