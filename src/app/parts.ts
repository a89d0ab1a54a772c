import { hostname } from 'node:os';
import { type Bookings, createBookings } from '../bookings/bookings.ts';
import type { ClinicEvent } from '../clinic/clinic.ts';
import type { ClinicSettings, Config } from '../config/config.ts';
import type { NotifyTarget } from '../config/notify.ts';
import { type Deliveries, type DeliveriesOptions, startDeliveries } from '../deliveries/deliveries.ts';
import type { Booking } from '../domain/bookings/booking.ts';
import type { OneTaps } from '../http/admin.ts';
import type { Clock } from '../platform/clock.ts';
import { type ClockTrust, createClockTrust } from '../platform/clock-trust.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';

import { createTurns } from '../platform/turns.ts';
import { alone, type Tenure } from '../store/ports/fleet.ts';

import type { Store } from '../store/store.ts';
import { type Mode, openDatabase } from './choose-database.ts';
import { installationKey } from './installation-key.ts';
import { createOneTaps, oneTapLinksOf } from './one-tap-links.ts';
import { type OpenClinic, openClinic } from './units/clinic-work.ts';
import { type ConnectorUnit, createConnectorUnit } from './units/connector-unit.ts';

/** A configured clinic and its API client. */
export type ClinicParts = OpenClinic;

/** Everything the daemon consists of, built but not running. */
export interface Parts {
  config: Config;
  store: Store;
  /** Whether the wall clock may be believed. */
  trust: ClockTrust;
  /** All are open: used by a unit while it runs, by people's requests otherwise. */
  clinics: Map<string, OpenClinic>;
  openClinic(settings: ClinicSettings, tenure?: Tenure): Promise<OpenClinic>;
  /**
   * Keys under which this organization is known and that are not configured here: with bookings, or run by another
   * daemon.
   */
  otherKeys(careId: string): Promise<string[]>;
  bookings: Bookings;
  connectors: readonly ConnectorUnit[];
  deliveries: Deliveries;
  /** The links in messages. */
  oneTaps: OneTaps;
  /** Closes the parts in reverse order. Idempotent. */
  close(): Promise<void>;
}

interface PartsOptions {
  config: Config;
  clock: Clock;
  log: Log;
  version: string;
  /** See `openDatabase`. */
  mode: Mode;
  signal?: AbortSignal | undefined;
  onClinicEvent?: (clinic: string, event: ClinicEvent) => void;
  onDelivery?: DeliveriesOptions['onDelivery'];
}

/** Builds the parts; if one fails, closes those already built. */
export async function buildParts(options: PartsOptions): Promise<Parts> {
  const { config, clock, log, version, mode, signal, onClinicEvent = () => {} } = options;
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };

  try {
    const store = await openDatabase(config.store, { clock, log, version, mode, signal });
    undo.push(() => store.close());
    signal?.throwIfAborted();

    const trust = await trustOf(store, clock, log);
    const heard: typeof onClinicEvent = (clinic, event) => {
      if (event.kind === 'call' && event.serverTime !== undefined) trust.compare(event.serverTime);
      onClinicEvent(clinic, event);
    };

    const zones = config.clinics.map(({ key, timezone }) => ({ clinic: key, timezone }));
    // A database file has a single host, whatever the pins say.
    const host = config.store.postgres === undefined ? undefined : hostname();
    const deliveries = startDeliveries({
      ...{ clinics: zones, host, store, clock, log },
      ...(options.onDelivery && { onDelivery: options.onDelivery }),
    });
    undo.push(() => deliveries.stop());

    const clinics = new Map<string, OpenClinic>();
    undo.push(async () => {
      await Promise.all([...clinics.values()].map(({ clinic }) => clinic.close()));
    });
    const keys = new Set(config.clinics.map(({ key }) => key));
    const otherKeys = async (careId: string) => {
      const others = (await store.mirror.keysOf(careId)).filter(({ key }) => !keys.has(key));
      const units = others.length === 0 ? [] : ((await store.fleet?.report())?.units ?? []);
      const isRun = (key: string) => units.some((one) => one.unit === `clinic/${key}` && one.owner !== null);
      return others.filter(({ key, hasBookings }) => hasBookings || isRun(key)).map(({ key }) => key);
    };
    const shared = { store, clock, log, version, onClinicEvent: heard, otherKeys, nextTurn: createTurns() };
    const open = (settings: ClinicSettings, tenure?: Tenure) => openClinic(settings, shared, tenure);
    const tenure = mode === 'alone' ? alone : undefined;
    for (const settings of config.clinics) {
      signal?.throwIfAborted();
      clinics.set(settings.key, await open(settings, tenure));
    }

    const sources = new Map(config.connectors.map(({ name, approval }) => [name, { approval }]));
    const onBookingChanged = ({ clinic }: Booking) => deliveries.wake({ clinic });
    const bookings = createBookings({ store, clinics, sources, clock, log, trust, onBookingChanged });
    await bookings.loadPauses();

    const { targets } = config.notify;
    const publicUrl = config.http.publicUrl?.href.replace(/\/$/, '');
    const signingKey = () => installationKey(store, config, 'one_tap_key');
    const oneTap = { store, bookings, clinics: config.clinics, targets, publicUrl, signingKey, clock };
    const linksTo = (target: NotifyTarget) => oneTapLinksOf(oneTap, target);
    const connectors = config.connectors.map((settings) =>
      createConnectorUnit(settings, { config, store, bookings, deliveries, linksOf: linksTo, clock, log }),
    );
    for (const connector of connectors) {
      signal?.throwIfAborted();
      undo.push(connector.stop);
      await connector.build();
    }

    const oneTaps = createOneTaps(oneTap);
    const opened = { store, trust, clinics, openClinic: open, otherKeys, bookings, connectors, deliveries };
    return { config, ...opened, oneTaps, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const CLOCK = 'clock';
const DOUBTED = 'doubted_until';

/** A doubt outlives a restart, or a machine that is started anew with a wrong clock would be believed. */
async function trustOf({ identity, keyValue }: Store, clock: Clock, log: Log): Promise<ClockTrust> {
  const doubtedUntil = await keyValue.get(CLOCK, DOUBTED);
  return createClockTrust({
    ...{ clock, log, doubtedUntil, seenAt: identity.seen_at ?? null },
    remember: (until) =>
      void keyValue.set(CLOCK, { [DOUBTED]: until }).catch((error: unknown) => {
        const { message: problem } = asFailure(error, 'Storing it');
        log.warn('whether the clock is trusted could not be stored: a restart would not know', { problem });
      }),
  });
}
