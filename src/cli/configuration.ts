import { findKind, kindNames } from '../../connectors/registry.ts';
import type { Config } from '../config/config.ts';
import type { ConfigFault } from '../config/faults.ts';
import { type Loaded, loadConfig } from '../config/load.ts';
import type { ConnectorKind } from '../connector.ts';
import type { CommonArguments } from './command.ts';
import { counted, Exit, exit, type Io, painter, printJson } from './io.ts';

/** With every fault; see `requireLoaded`. */
export const loadFor = (io: Io, { config }: CommonArguments): Promise<Loaded> =>
  loadConfig({
    file: config,
    environment: io.environment,
    findKind,
    knownKinds: kindNames,
    secrets: (io.invocation?.needsSecrets ?? true) ? 'required' : 'optional',
  });

/** The configuration; otherwise prints every fault (with `json` on stdout) and ends with `code`. */
export async function requireLoaded(io: Io, given: CommonArguments, code: number = exit.config) {
  const loaded = await loadFor(io, given);
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
