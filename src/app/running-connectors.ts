import { findKind } from '../../connectors/registry.ts';
import type { Config, ConnectorSettings } from '../config/config.ts';
import type { BookingDoor, Connector, ConnectorContext, Memory } from '../connector.ts';
import type { Clock } from '../platform/clock.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { sentences } from '../platform/sentences.ts';
import type { Store } from '../store/store.ts';
import { startIsolated } from './isolation/isolation.ts';

/** A connector of the configuration: built, or set aside with the reason. */
export type Built =
  | { settings: ConnectorSettings; connector: Connector; quarantined?: undefined }
  | { settings: ConnectorSettings; connector?: undefined; quarantined: string }
  /** For a command that has no use for it, and not its secrets. */
  | { settings: ConnectorSettings; connector?: undefined; quarantined?: undefined };

interface BuildOptions {
  config: Config;
  store: Store;
  bookings: BookingDoor;
  clock: Clock;
  log: Log;
  wake: (connector: string) => void;
}

/** Builds every configured connector. One that cannot be built is quarantined: the others and the daemon go on. */
export async function buildConnectors({ config, ...parts }: BuildOptions): Promise<Built[]> {
  const built: Built[] = [];
  for (const settings of config.connectors) built.push(await build(settings, config, parts));
  return built;
}

async function build(
  settings: ConnectorSettings,
  config: Config,
  parts: Omit<BuildOptions, 'config'>,
): Promise<Built> {
  const { name, use, includePatient, clinics } = settings;
  const { store, bookings, clock, log, wake } = parts;
  if (settings.incomplete) return { settings };
  try {
    const connector = await create(settings, {
      name,
      settings: settings.settings,
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
      wake: () => wake(name),
    });
    return { settings, connector };
  } catch (error) {
    const failure = asFailure(error, `Starting the connector ${name}`);
    const quarantined = sentences(failure.message, failure.hint);
    log.error('connector is quarantined', { connector: name, kind: use, problem: failure.message });
    return { settings, quarantined };
  }
}

async function create({ use, isolate }: ConnectorSettings, context: ConnectorContext): Promise<Connector> {
  if (isolate) return startIsolated(use, context);
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
