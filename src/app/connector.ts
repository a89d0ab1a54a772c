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

/** A connector of the configuration: running, or set aside with the reason, or not built at all. */
export interface StartedConnector {
  settings: ConnectorSettings;
  /** Undefined: quarantined, or for a command that has no use for it and not its secrets. */
  connector?: Connector | undefined;
  quarantined?: string;
  /** Delivers nothing more to it and takes nothing more from it; releases what it holds. Others go on. Idempotent. */
  stop(): Promise<void>;
}

interface ConnectorOptions {
  config: Config;
  store: Store;
  bookings: BookingDoor;
  deliveries: Pick<Deliveries, 'start' | 'wake'>;
  clock: Clock;
  log: Log;
}

/** Builds one connector and delivers to it. One that cannot be built is quarantined: the others and the daemon go on. */
export async function startConnector(
  settings: ConnectorSettings,
  options: ConnectorOptions,
): Promise<StartedConnector> {
  const { name, use } = settings;
  if (settings.incomplete) return { settings, stop: async () => {} };
  try {
    const kept = [options.config.origin, options.config.store.sqlite];
    const connector = await create(settings, contextOf(settings, options), kept);
    const delivering = options.deliveries.start({ ...settings, connector });
    const stop = async () => {
      await delivering.stop();
      await connector.stop();
    };
    let stopping: Promise<void> | undefined;
    const started: StartedConnector = {
      settings,
      connector,
      stop() {
        started.connector = undefined;
        stopping ??= stop();
        return stopping;
      },
    };
    return started;
  } catch (error) {
    const failure = asFailure(error, `Starting the connector ${name}`);
    const quarantined = sentences(failure.message, failure.hint);
    options.log.error('connector is quarantined', { connector: name, kind: use, problem: failure.message });
    return { settings, quarantined, stop: async () => {} };
  }
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
