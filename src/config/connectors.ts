import { accessSync, constants } from 'node:fs';
import type { z } from 'zod';
import type { ConnectorKind } from '../connector.ts';
import { asFailure } from '../platform/failure.ts';
import { closest } from '../platform/text/closest.ts';
import { clause } from '../platform/text/sentences.ts';
import { CommonConnectorSettings, type ConnectorSettings } from './config.ts';
import { type ConfigFault, faultAt, faultsOf, type Source } from './faults.ts';
import { secretsFromFiles } from './json-schema.ts';
import { secretReader } from './secrets.ts';

const UsableCommon = CommonConnectorSettings.extend({
  clinics: CommonConnectorSettings.shape.clinics.catch(undefined),
  include: CommonConnectorSettings.shape.include.catch([]),
  approval: CommonConnectorSettings.shape.approval.catch('none'),
  isolate: CommonConnectorSettings.shape.isolate.catch(true),
  on: CommonConnectorSettings.shape.on.catch(undefined),
}).loose();

/** Finds the connector kind that `use:` names; rejects with a sentence when it cannot be loaded. */
type FindKind = (use: string) => Promise<ConnectorKind | undefined>;

export interface ConnectorOptions {
  environment: NodeJS.ProcessEnv;
  findKind: FindKind;
  /** Names for "did you mean". */
  knownKinds: readonly string[];
  /** `optional` is for commands that only read the database: a connector without its secrets is `incomplete`. */
  secrets?: 'required' | 'optional';
}

interface Completing {
  source: Source;
  faults: ConfigFault[];
  warnings: ConfigFault[];
  options: ConnectorOptions;
  /** Some of its secrets are not in the environment, and need not be. */
  isUnset: boolean;
}

/** One connector with its settings checked by its kind; undefined when that is not possible. */
export async function completeConnector(
  name: string,
  written: unknown,
  clinicKeys: readonly string[],
  { source, faults, warnings, options, isUnset }: Completing,
): Promise<ConnectorSettings | undefined> {
  const base = ['connectors', name];
  const common = CommonConnectorSettings.loose().safeParse(written);
  const usable = common.success ? common.data : usableCommon(written);
  if (usable === undefined) return undefined;
  const { use, clinics, include, approval, isolate, on, ...given } = usable;

  for (const clinic of (clinics ?? []).filter((key) => !clinicKeys.includes(key))) {
    const message = `names the clinic ${clinic}, which is not configured`;
    faults.push(faultAt(source, [...base, 'clinics'], message, `Configured: ${clinicKeys.join(', ')}.`));
  }

  const rest = {
    use,
    name,
    clinics: clinics ?? [...clinicKeys],
    includePatient: include.includes('patient'),
    includeHashed: include.includes('hashed_contacts'),
    approval,
    isolate,
    on,
  };
  // Loading its code here would run it with our keys.
  if (isolate) return { ...rest, settings: given };
  let kind: ConnectorKind | undefined;
  try {
    kind = await options.findKind(use);
  } catch (error) {
    // The daemon quarantines a third-party connector that does not load, and runs without it.
    const { message, hint } = asFailure(error, `Loading ${use}`);
    warnings.push(faultAt(source, [...base, 'use'], clause(message), hint));
    return { ...rest, settings: given };
  }
  if (kind === undefined) {
    faults.push(faultAt(source, [...base, 'use'], ...unknownKind(use, options.knownKinds)));
    return undefined;
  }
  const own = withoutFormer(kind, given, (key) =>
    warnings.push(faultAt(source, [...base, key], 'has no effect any more', 'Remove it.')),
  );
  // Some kinds read their files themselves, only when they are built.
  if (isUnset || isLacking(own, options)) return { ...rest, settings: own, incomplete: true };
  const found = secretFiles(kind, own);
  if (found.faults.length > 0 && options.secrets === 'optional')
    return { ...rest, settings: own, incomplete: true };
  for (const { name: setting, message, hint } of found.faults)
    faults.push(faultAt(source, [...base, setting], message, hint));
  if (found.faults.length > 0) return undefined;
  const settings = await kind.settings.safeParseAsync(found.settings);
  if (!settings.success) {
    faults.push(...faultsOf(source, settings.error.issues, kind.settings, base));
    return undefined;
  }
  return { ...rest, settings: settings.data, ...factsOf(kind, settings.data) };
}

/** What earlier versions had must not keep this one from starting. */
function withoutFormer(
  { former = [] }: ConnectorKind,
  given: Readonly<Record<string, unknown>>,
  warn: (key: string) => void,
): Record<string, unknown> {
  for (const key of former) if (key in given) warn(key);
  return Object.fromEntries(Object.entries(given).filter(([key]) => !former.includes(key)));
}

const factsOf = (kind: ConnectorKind, settings: unknown) => ({
  scriptHosts: kind.scriptHosts?.(settings),
  clinicHint: kind.clinicHint?.(settings),
});

const isLacking = (own: Record<string, unknown>, { secrets }: ConnectorOptions): boolean =>
  secrets === 'optional' && Object.entries(own).some(isUnreadableFile);

const isUnreadableFile = ([name, value]: [string, unknown]): boolean => {
  if (!name.endsWith('_file') || typeof value !== 'string') return false;
  try {
    accessSync(value, constants.R_OK);
    return false;
  } catch {
    return true;
  }
};

function unknownKind(use: string, known: readonly string[]): [message: string, hint: string] {
  const near = closest(use, known);
  const hint = near ? `Did you mean ${near}?` : `Known: ${known.join(', ')}; or a package, or a path.`;
  return [`names the connector kind ${use}, which is not known`, hint];
}

/** Reads secrets given as `…_file`, which works for every kind, even one that does not support it. */
function secretFiles(kind: ConnectorKind, own: Record<string, unknown>) {
  const faults: { name: string; message: string; hint: string }[] = [];
  const settings = { ...own };
  // Skipped when no file is named: finding the secrets takes a JSON Schema, a thirtieth of a start.
  if (!Object.keys(own).some((name) => name.endsWith('_file'))) return { settings, faults };
  const read = secretReader((path, message, hint) =>
    faults.push({ name: String(path.at(-1)), message, hint }),
  );
  for (const secret of secretsFromFiles(kind)) {
    const { [`${secret}_file`]: file, [secret]: value } = settings;
    if (typeof file !== 'string') continue;
    delete settings[`${secret}_file`];
    settings[secret] = read([secret], typeof value === 'string' ? value : undefined, file);
  }
  return { settings, faults };
}

/** The usable part of common settings that have a fault, so that the rest can still be checked. */
function usableCommon(given: unknown): z.infer<typeof UsableCommon> | undefined {
  return UsableCommon.safeParse(given).data;
}
