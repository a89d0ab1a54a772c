import { findKind } from '../../../connectors/registry.ts';
import type { Config, ConnectorSettings } from '../../config/config.ts';
import { HEARTBEAT, type NotifyConfig, type NotifyTarget } from '../../config/notify.ts';
import type { BookingPort, Connector, ConnectorContext, Memory } from '../../connector.ts';
import type { Deliveries } from '../../deliveries/deliveries.ts';
import type { LinksOf, PatientOf } from '../../notify/message.ts';
import type { Clock } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import { turns } from '../../platform/in-turn.ts';
import type { Log } from '../../platform/log.ts';
import { inertText } from '../../platform/text/inert-text.ts';
import { sentences } from '../../platform/text/sentences.ts';
import { alone, type Tenure } from '../../store/ports/fleet.ts';
import { ownedStore, type Store } from '../../store/store.ts';
import { startIsolated } from '../isolation/isolation.ts';
import { environmentFiles } from '../isolation/permissions.ts';
import type { Unit } from './unit.ts';

/** A configured connector: takes bookings once built, delivers from `start` to `rest`. */
export interface ConnectorUnit extends Unit {
  readonly settings: ConnectorSettings;
  /** Undefined when stopped or quarantined, and in commands that neither use it nor have its secrets. */
  readonly connector: Connector | undefined;
  /** Why it could not be built. */
  readonly quarantined: string | undefined;
  readonly isDelivering: boolean;
  /** Never throws: a connector that cannot be built is quarantined. */
  build(): Promise<void>;
  /** Stops delivering until the next start. */
  rest(): Promise<void>;
  /** Builds it anew, from its settings as they are now, and goes on. A door stays open meanwhile. Never throws. */
  reload(): Promise<void>;
}

interface ConnectorOptions {
  config: Config;
  store: Store;
  bookings: BookingPort;
  deliveries: Pick<Deliveries, 'start' | 'wake'>;
  /** The links in the messages of a notification target. */
  linksOf: (target: NotifyTarget) => LinksOf;
  clock: Clock;
  log: Log;
}

/** `start` builds the connector if necessary and delivers to it; `stop` also releases its resources. */
export function createConnectorUnit(settings: ConnectorSettings, options: ConnectorOptions): ConnectorUnit {
  const { name, use } = settings;
  const { deliveries, store, log } = options;
  const inTurn = turns();
  let quarantined: string | undefined;
  let connector: Connector | undefined;
  let atRest: { stop(): Promise<void> } | undefined;
  let delivering: { stop(): Promise<void> } | undefined;
  /** Only the process that holds the connector may write its memory while it delivers. */
  let memory = store;
  let held: Tenure = alone;

  const made = () => {
    const facts = {
      clinics: options.config.clinics,
      patientOf: patientOf(store),
      linksOf: options.linksOf,
    };
    return create(
      settings,
      contextOf(settings, options, () => memory),
      keptFrom(options.config),
      facts,
    );
  };
  const build = async () => {
    if (connector !== undefined || settings.incomplete) return;
    quarantined = undefined;
    try {
      connector = await made();
      atRest = deliveries.start({ ...settings, connector });
    } catch (error) {
      const failure = asFailure(error, `Starting the connector ${name}`);
      quarantined = sentences(failure.message, failure.hint);
      log.error('connector is quarantined', { connector: name, kind: use, problem: failure.message });
    }
  };
  const rest = async () => {
    if (delivering === undefined || connector === undefined) return;
    const ending = delivering;
    delivering = undefined;
    atRest = deliveries.start({ ...settings, connector });
    await ending.stop();
    memory = store;
  };

  const deliver = () => {
    if (delivering !== undefined || connector === undefined) return;
    memory = ownedStore(store, held);
    delivering = deliveries.start({ ...settings, connector }, memory);
  };
  const release = async () => {
    await rest();
    await atRest?.stop();
    const released = connector;
    connector = undefined;
    await released?.stop();
  };
  /** A sender that finds no door may not come again, so the next one is there before the former is gone. */
  const exchangeDoor = async (former: Connector) => {
    try {
      connector = await made();
    } catch (error) {
      const { message: problem } = asFailure(error, `Starting the connector ${name}`);
      return log.error('connector goes on with its former settings', { connector: name, problem });
    }
    await atRest?.stop();
    atRest = deliveries.start({ ...settings, connector });
    await former.stop();
  };

  return {
    settings,
    get connector() {
      return connector;
    },
    get quarantined() {
      return quarantined;
    },
    get isDelivering() {
      return delivering !== undefined;
    },
    build: () => inTurn(build),
    start: (tenure = alone) =>
      inTurn(async () => {
        held = tenure;
        await build();
        deliver();
      }),
    rest: () => inTurn(rest),
    reload: () =>
      inTurn(async () => {
        const wasDelivering = delivering !== undefined;
        if (connector?.intake === undefined) await release();
        else await rest();
        if (connector === undefined) await build();
        else await exchangeDoor(connector);
        if (wasDelivering) deliver();
      }),
    stop: () => inTurn(release),
  };
}

/** Files that an isolated connector must not reach. */
const keptFrom = ({ origin, secretFiles, store, backup }: Config): string[] => [
  origin,
  store.sqlite,
  ...(backup === undefined ? [] : [backup.directory]),
  ...secretFiles,
  ...environmentFiles([...process.execArgv, ...process.argv]),
];

function contextOf(
  { name, settings, clinics, includePatient, includeHashed = false }: ConnectorSettings,
  { config, store, bookings, deliveries, clock, log }: ConnectorOptions,
  memory: () => Store,
): ConnectorContext {
  return {
    name,
    settings,
    clinics: config.clinics
      .filter(({ key }) => clinics.includes(key))
      .map(({ key, timezone, country, bookings: { horizon_days } }) => ({
        clinic: key,
        timezone,
        horizonDays: horizon_days,
        ...(country !== undefined && { country }),
      })),
    includePatient,
    includeHashed,
    instance: store.identity.instance,
    bookings,
    memory: memoryOf(memory, name),
    clock,
    log,
    wake: () => deliveries.wake({ connector: name }),
  };
}

async function create(
  { use, isolate }: ConnectorSettings,
  context: ConnectorContext,
  kept: readonly string[],
  facts: MessageFacts,
): Promise<Connector> {
  if (isTarget(use)) return createNotifyTarget(use, context, facts);
  if (isolate) return startIsolated(use, context, kept);
  const kind = await findKind(use);
  if (kind === undefined) throw new Error('there is no such kind');
  return kind.create(context);
}

/** A notification target, whose messages are delivered like events. */
const isTarget = (use: string): boolean => use.startsWith('notify:');

/** What messages say about bookings. */
interface MessageFacts {
  clinics: Config['clinics'];
  patientOf: PatientOf;
  linksOf: (target: NotifyTarget) => LinksOf;
}

async function createNotifyTarget(
  use: string,
  { settings, memory, clock, log }: ConnectorContext,
  { linksOf, ...facts }: MessageFacts,
): Promise<Connector> {
  if (use === `notify:${HEARTBEAT}`) {
    const { heartbeatConnector } = await import('../../notify/heartbeat.ts');
    return heartbeatConnector(settings as NonNullable<NotifyConfig['heartbeat']>);
  }
  const { createTarget } = await import('../../notify/targets/target.ts');
  const target = settings as NotifyTarget;
  return createTarget(target, { ...facts, clock, log, linksOf: linksOf(target), memory });
}

/** The patient of a booking, for targets that may name patients. */
const patientOf =
  (store: Store): PatientOf =>
  async (ref) => {
    const booking = await store.bookings.get(ref);
    const parts = [booking?.patient_name, booking?.patient_phone].filter((part) => part != null);
    return parts.length === 0 ? undefined : parts.map((typed) => inertText(typed)).join(', ');
  };

function memoryOf(store: () => Store, connector: string): Memory {
  const scope = `connector:${connector}`;
  return {
    get: (key) => store().keyValue.get(scope, key),
    set: (entries) => store().keyValue.set(scope, entries),
    list: (prefix) => store().keyValue.list(scope, prefix),
  };
}
