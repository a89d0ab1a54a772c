import type { Config } from '../config/config.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { openStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { auditing } from './audited.ts';
import { type ConfigArguments, requireConfig } from './configuration.ts';
import { Exit, exit, type Io } from './io.ts';

/** Opens the configured database beside a running daemon, for one command, and closes it whatever happens. */
export async function withStore<T>(
  io: Io,
  given: ConfigArguments,
  use: (parts: { config: Config; store: Store }) => Promise<T>,
): Promise<T> {
  const config = await requireConfig(io, given);
  const store = await openStore({
    file: config.store.sqlite,
    clock: systemClock,
    log: silentLog,
    mode: 'tool',
  });
  try {
    return await auditing(io, store, () => use({ config, store }));
  } finally {
    await store.close();
  }
}

/** The clinics a command reads: the one named, or all. */
export function clinicKeys(config: Config, named: string | undefined): string[] {
  const keys = config.clinics.map(({ key }) => key);
  if (named === undefined) return keys;
  if (!keys.includes(named))
    throw new Exit(exit.usage, `There is no clinic ${named}; configured: ${keys.join(', ')}.`);
  return [named];
}

/** The one clinic a command acts on. */
export function oneClinic(config: Config, named: string | undefined): string {
  const keys = clinicKeys(config, named);
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return only;
  throw new Exit(exit.usage, `Several clinics are configured; add --clinic with one of: ${keys.join(', ')}.`);
}

/** The connector of that name; a sentence with the names there are when there is none. */
export function knownConnector<T extends { name: string }>(connectors: readonly T[], name: string): T {
  const found = connectors.find((connector) => connector.name === name);
  if (found) return found;
  const known = connectors.map((connector) => connector.name).join(', ') || 'none';
  throw new Exit(exit.usage, `There is no connector ${name}; configured: ${known}.`);
}
