import { findKind, kindNames } from '../../connectors/registry.ts';
import { openDatabase } from '../app/database.ts';
import { buildParts, type Parts } from '../app/parts.ts';
import type { ClinicEvent } from '../clinic/clinic.ts';
import type { Config } from '../config/config.ts';
import type { ConfigFault } from '../config/faults.ts';
import { type Loaded, loadConfig } from '../config/load.ts';
import type { ConnectorKind } from '../connector.ts';
import { instant, systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import type { Store } from '../store/store.ts';
import { auditing } from './audited.ts';
import type { CommonArguments } from './command.ts';
import { counted, Exit, exit, type Io, painter, printJson } from './io.ts';
import { packageVersion } from './package.ts';

const load = (io: Io, { config }: CommonArguments): Promise<Loaded> =>
  loadConfig({
    file: config,
    environment: io.environment,
    findKind,
    knownKinds: kindNames,
    secrets: (io.invocation?.needsSecrets ?? true) ? 'required' : 'optional',
  });

/** The configuration; otherwise prints every fault (with `json` on stdout) and ends with `code`. */
export async function requireLoaded(io: Io, given: CommonArguments, code: number = exit.config) {
  const loaded = await load(io, given);
  if (loaded.ok) return loaded;
  if (given.json) printJson(io, loaded);
  else io.err(faultsText(io, loaded.origin, loaded.faults));
  throw new Exit(code);
}

export const requireConfig = async (io: Io, { config }: CommonArguments): Promise<Config> =>
  (await requireLoaded(io, { config })).config;

export function faultsText(
  io: Io,
  origin: string,
  faults: readonly ConfigFault[],
  what: 'fault' | 'warning' = 'fault',
): string {
  const paint = painter(io);
  const lines = faults.flatMap(({ path, line, column, message, hint }) => {
    const place = line === undefined ? origin : `${origin}:${line}:${column}`;
    const fault = `  ${paint('dim', place)}  ${paint('bold', path)} ${message}`;
    return hint === undefined ? [fault] : [fault, `      → ${hint}`];
  });
  const count = counted(faults.length, what);
  return `${paint(what === 'fault' ? 'red' : 'yellow', `The configuration has ${count}:`)}\n${lines.join('\n')}\n`;
}

/** The connector kinds that a configuration uses, without those that do not load. */
export async function usableKinds(uses: Iterable<string>): Promise<Map<string, ConnectorKind>> {
  const found = new Map<string, ConnectorKind>();
  for (const use of new Set(uses)) {
    const kind = await findKind(use).catch(() => undefined);
    if (kind) found.set(use, kind);
  }
  return found;
}

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
export const openParts = (
  config: Config,
  mode: 'tool' | 'alone',
  onClinicEvent?: (clinic: string, event: ClinicEvent) => void,
): Promise<Parts> =>
  buildParts({
    ...{ config, clock: systemClock, log: silentLog, version: packageVersion(), mode },
    ...(onClinicEvent && { onClinicEvent }),
  });

/** The configuration with an in-memory database, for commands before the first start. */
export const inMemory = (config: Config): Config => ({
  ...config,
  store: { min_free: config.store.min_free, sqlite: ':memory:' },
});

/** The named clinic, or all clinics. */
export function clinicKeys(config: Config, named: string | undefined): string[] {
  const keys = config.clinics.map(({ key }) => key);
  if (named === undefined) return keys;
  if (!keys.includes(named))
    throw new Exit(exit.usage, `There is no clinic ${named}; configured: ${keys.join(', ')}.`);
  return [named];
}

/** The named clinic, or all clinics, with their settings. */
export function chosenClinics(config: Config, named: string | undefined): Config['clinics'] {
  const keys = clinicKeys(config, named);
  return config.clinics.filter(({ key }) => keys.includes(key));
}

/** The one clinic that a command acts on. */
export function oneClinic(config: Config, named: string | undefined, how = 'add --clinic with'): string {
  const keys = clinicKeys(config, named);
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return only;
  throw new Exit(exit.usage, `Several clinics are configured; ${how} one of: ${keys.join(', ')}.`);
}

/** The name of a configured connector; any other ends the command with the known names. */
export function knownConnector({ connectors }: Config, name: string): string {
  const known = connectors.map((connector) => connector.name);
  if (known.includes(name)) return name;
  throw new Exit(exit.usage, `There is no connector ${name}; configured: ${known.join(', ') || 'none'}.`);
}

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
