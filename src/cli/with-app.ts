import { openDatabase } from '../app/choose-database.ts';
import type { Parts } from '../app/parts.ts';
import type { ClinicEvent } from '../clinic/clinic.ts';
import type { Config } from '../config/config.ts';
import { instant, systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import { auditing } from './audited.ts';
import type { CommonArguments } from './command.ts';
import { knownConnector, requireConfig } from './configuration.ts';
import { Exit, exit, type Io } from './io.ts';
import { packageVersion } from './package.ts';

/** Opens what a command needs, also beside a running daemon, and closes it however the command ends. */
const withOpened =
  <Opened extends { store: Store; close(): Promise<void> }>(open: (config: Config) => Promise<Opened>) =>
  async (io: Io, given: CommonArguments, use: (opened: Opened) => Promise<void>): Promise<void> => {
    const opened = await open(await requireConfig(io, given));
    try {
      await auditing(io, opened.store, () => use(opened));
    } finally {
      await opened.close();
    }
  };

export const openStore = (config: Config): Promise<Store> =>
  openDatabase(config.store, {
    clock: systemClock,
    log: silentLog,
    version: packageVersion(),
    mode: 'tool',
  });

/** The configured database. */
export const withStore = withOpened(async (config) => {
  const store = await openStore(config);
  return { config, store, close: () => store.close() };
});

/** All parts of the daemon, without loops. */
export const withParts = withOpened((config) => openParts(config, 'tool'));

/** Parts without loops. `alone`: creates a missing database. */
export async function openParts(
  config: Config,
  mode: 'tool' | 'alone',
  onClinicEvent?: (clinic: string, event: ClinicEvent) => void,
): Promise<Parts> {
  // Commands that only read the database do without: half of their processor time.
  const { buildParts } = await import('../app/parts.ts');
  return buildParts({
    ...{ config, clock: systemClock, log: silentLog, version: packageVersion(), mode },
    ...(onClinicEvent && { onClinicEvent }),
  });
}

/** The configuration with an in-memory database, for commands before the first start. */
export const inMemory = (config: Config): Config => ({
  ...config,
  store: { min_free: config.store.min_free, sqlite: ':memory:' },
});

/** A configured connector or whatever else bookings came from. */
export async function knownSource(
  { config, store }: Pick<Parts, 'config' | 'store'>,
  name: string,
): Promise<void> {
  if (config.connectors.some((connector) => connector.name === name)) return;
  const now = instant(systemClock.now());
  const sources = await store.bookings.totals(now, now);
  if (!sources.some(({ source }) => source === name)) knownConnector(config, name);
}

export const noSuchBooking = (ref: string): Exit =>
  new Exit(exit.needsPerson, `There is no booking ${ref}; see: clinic-sync bookings list`);
