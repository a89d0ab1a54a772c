import { findKind, kindNames } from '../../connectors/registry.ts';
import type { Config, ConfigFault } from '../config/config.ts';
import { type Loaded, loadConfig } from '../config/load.ts';
import type { ConnectorKind } from '../connector.ts';
import { counted, Exit, exit, type Io, painter } from './io.ts';

export interface ConfigArguments {
  config?: string | undefined;
}

/** Commands that talk to a clinic or a connector, or are about the configuration. The others only read the database. */
const needSecrets = [
  'run',
  'sync',
  'doctor',
  'config check',
  'config show',
  'connectors check',
  'connectors repair',
  'bookings add',
  'bookings reconcile',
  'bookings resolve',
  'notify test',
];

export function load(io: Io, { config }: ConfigArguments): Promise<Loaded> {
  const command = io.invocation?.command ?? 'run';
  return loadConfig({
    file: config,
    environment: io.environment,
    findKind,
    knownKinds: kindNames,
    secrets: needSecrets.includes(command) ? 'required' : 'optional',
  });
}

/** The configuration, or every fault of it on stderr and exit 78. */
export async function requireConfig(io: Io, given: ConfigArguments): Promise<Config> {
  const loaded = await load(io, given);
  if (loaded.ok) return loaded.config;
  io.err(faultsText(io, loaded.origin, loaded.faults));
  throw new Exit(exit.config);
}

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

/** The kinds that a configuration uses, and those that come with clinic-sync; what does not load is left out. */
export async function usableKinds(uses: Iterable<string>): Promise<Map<string, ConnectorKind>> {
  const found = new Map<string, ConnectorKind>();
  for (const use of new Set(uses)) {
    const kind = await findKind(use).catch(() => undefined);
    if (kind) found.set(use, kind);
  }
  return found;
}
