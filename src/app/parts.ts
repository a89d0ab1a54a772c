import { type Bookings, createBookings } from '../bookings/bookings.ts';
import { createClinic } from '../clinic/client.ts';
import type { Clinic, ClinicEvent, LimiterMemory } from '../clinic/clinic.ts';
import type { ClinicSettings, Config } from '../config/config.ts';
import { type Deliveries, type RunningConnector, startDeliveries } from '../deliveries/deliveries.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { openStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { createMirror, type Mirror } from '../sync/mirror.ts';
import { type Built, buildConnectors } from './running-connectors.ts';

/** One clinic of the configuration with what talks to it. */
export interface ClinicParts {
  settings: ClinicSettings;
  clinic: Clinic;
  mirror: Mirror;
}

/** Everything the daemon consists of, built and not yet running. */
export interface Parts {
  config: Config;
  store: Store;
  clinics: ReadonlyMap<string, ClinicParts>;
  bookings: Bookings;
  connectors: readonly Built[];
  deliveries: Deliveries;
  /** In reverse order of building. Idempotent. */
  close(): Promise<void>;
}

export interface PartsOptions {
  config: Config;
  clock: Clock;
  log: Log;
  version: string;
  /** `daemon`: alone with the database. `tool`: one command beside a running daemon. */
  mode: 'daemon' | 'tool';
  /** Whether deliveries run by themselves or only when told. */
  loops: boolean;
  onClinicEvent?: (clinic: string, event: ClinicEvent) => void;
}

/** Builds the parts; what was built is closed again when a later one fails. */
export async function buildParts(options: PartsOptions): Promise<Parts> {
  const { config, clock, log, version, mode, loops, onClinicEvent = () => {} } = options;
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };

  try {
    const store = await openStore({
      file: config.store.sqlite,
      minFree: config.store.min_free,
      clock,
      log,
      mode,
    });
    undo.push(() => store.close());

    const clinics = new Map<string, ClinicParts>();
    for (const settings of config.clinics) {
      const { key, base_url, app_key, secret_key } = settings;
      const clinic = await createClinic({
        key,
        base_url,
        app_key,
        secret_key,
        clock,
        log,
        version,
        memory: limiterMemory(store, key, mode),
        onEvent: (event) => onClinicEvent(key, event),
      });
      undo.push(() => clinic.close());
      clinics.set(key, { settings, clinic, mirror: createMirror({ clinic, store, clock, log, settings }) });
    }

    // Connectors are built with a door to bookings, and a booking's move wakes the deliveries: the late one is reached through this.
    let wake: Deliveries['wake'] = () => {};
    const sources = new Map(config.connectors.map(({ name, approval }) => [name, { approval }]));
    const bookings = createBookings({ store, clinics, sources, clock, log, onBookingChanged: () => wake() });
    if (mode === 'tool') await bookings.loadPauses();
    const connectors = await buildConnectors({
      config,
      store,
      bookings,
      clock,
      log,
      wake: (name) => wake(name),
    });
    undo.push(async () => {
      for (const { connector } of connectors) await connector?.stop();
    });

    const running = connectors.flatMap(({ settings, connector }): RunningConnector[] =>
      connector ? [{ ...settings, connector }] : [],
    );
    const zones = config.clinics.map(({ key, timezone }) => ({ clinic: key, timezone }));
    const deliveries = startDeliveries({ connectors: running, clinics: zones, store, clock, log, loops });
    undo.push(() => deliveries.stop());
    wake = (name) => deliveries.wake(name);

    return { config, store, clinics, bookings, connectors, deliveries, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A command beside the daemon reads what the daemon learned, but never overwrites it. */
function limiterMemory(store: Store, clinic: string, mode: PartsOptions['mode']): LimiterMemory {
  const scope = `limiter:${clinic}`;
  return {
    load: () => store.keyValue.get(scope, 'state'),
    save: async (state) => {
      if (mode === 'daemon') await store.keyValue.set(scope, { state });
    },
  };
}
