import { existsSync, readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import type { ConnectorKind } from '../connector.ts';
import { parseBytes } from '../model/bytes.ts';
import { parseDuration } from '../model/duration.ts';
import { closest } from './closest.ts';
import {
  ClinicConfig,
  CommonConnectorSettings,
  type Config,
  type ConfigFault,
  ConfigFile,
  type ConnectorSettings,
} from './config.ts';
import { environmentConfig } from './environment.ts';
import { faultAt, faultsOf, type Source } from './faults.ts';
import { HttpSettings, httpConfig, httpFromEnvironment } from './http.ts';
import { fillPlaceholders, guardPlaceholders } from './placeholders.ts';
import { secretReader } from './secrets.ts';
import { sharedFolders } from './shared-folders.ts';
import { yamlFaults } from './yaml-faults.ts';

/** Finds a connector kind by what `use:` says; rejects with a sentence when it cannot be had. */
export type FindKind = (use: string) => Promise<ConnectorKind | undefined>;

export interface LoadOptions {
  /** From `--config`. */
  file?: string | undefined;
  environment: NodeJS.ProcessEnv;
  findKind: FindKind;
  /** Names for "did you mean". */
  knownKinds: readonly string[];
}

export type Loaded =
  | { ok: true; config: Config; shown: ConfigFile }
  | { ok: false; origin: string; faults: ConfigFault[] };

const UsableCommon = CommonConnectorSettings.extend({
  clinics: CommonConnectorSettings.shape.clinics.catch(undefined),
  include: CommonConnectorSettings.shape.include.catch([]),
  approval: CommonConnectorSettings.shape.approval.catch('none'),
}).loose();

const PLACES = ['./clinic-sync.yaml', '/config/clinic-sync.yaml'];

/**
 * Reads, completes and checks the configuration. All faults at once, each with path, line and remedy; reads files and
 * the environment, writes nothing. Connector settings are checked by the kind's own schema.
 */
export async function loadConfig(options: LoadOptions): Promise<Loaded> {
  const named = options.file ?? options.environment.CLINIC_SYNC_CONFIG;
  const file = named ?? PLACES.find((place) => existsSync(place));
  if (file === undefined) return fromEnvironment(options);

  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const message = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    const hint = 'Write one with `clinic-sync config init`, or name another with --config.';
    return { ok: false, origin: file, faults: [{ path: file, message, hint }] };
  }
  return fromText(text, file, options);
}

/** The same for a text that has been read already. */
export async function fromText(text: string, origin: string, options: LoadOptions): Promise<Loaded> {
  const lines = new LineCounter();
  const document = parseDocument(guardPlaceholders(text), { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return { ok: false, origin, faults: yamlFaults(document.errors, text, lines) };
  }

  const source: Source = { document, lines };
  const faults = fillPlaceholders(source, options.environment);
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // Aliases are followed only here: one that leads nowhere, or many that would unfold to gigabytes.
    const message = `is not valid YAML: ${error instanceof Error ? error.message : 'an alias cannot be followed'}`;
    return { ok: false, origin, faults: [{ path: '(file)', message }] };
  }
  return complete(value ?? {}, origin, source, faults, options);
}

async function fromEnvironment(options: LoadOptions): Promise<Loaded> {
  const { value, faults, variables } = environmentConfig(options.environment);
  const origin = 'environment';
  const loaded = await complete(value, origin, {}, [], options);
  const others = loaded.ok
    ? []
    : loaded.faults.map((one) => ({ ...one, path: variables[one.path] ?? one.path }));
  const all = [...faults, ...others.filter(({ path }) => !faults.some((fault) => fault.path === path))];
  return loaded.ok && all.length === 0 ? loaded : { ok: false, origin, faults: all };
}

async function complete(
  given: unknown,
  origin: string,
  source: Source,
  earlier: readonly ConfigFault[],
  options: LoadOptions,
): Promise<Loaded> {
  const faults = [...earlier];
  const value = withEnvironment(given, options.environment);
  const parsed = ConfigFile.safeParse(value);
  if (!parsed.success) {
    faults.push(...faultsOf(source, parsed.error.issues, ConfigFile));
    faults.push(...faultsBehindWrongNames(source, parsed.error.issues, value));
  }

  // Everything is checked even when the rest is wrong: all faults at once.
  const wanted = parsed.success ? parsed.data.connectors : connectorsIn(value);
  const clinicKeys = Object.keys(parsed.success ? parsed.data.clinics : (recordAt(value, 'clinics') ?? {}));
  const connectors: ConnectorSettings[] = [];
  for (const [name, settings] of Object.entries(wanted)) {
    const connector = await completeConnector(name, settings, clinicKeys, { source, faults, options });
    if (connector) connectors.push(connector);
  }
  faults.push(...sharedFolders(source, connectors));
  const read = secretReader((path, message, hint) => faults.push(faultAt(source, path, message, hint)));
  const keys = new Map(
    clinicsIn(value).map(([key, clinic]) => {
      const secret = (name: string) =>
        read(['clinics', key, name], textAt(clinic, name), textAt(clinic, `${name}_file`));
      return [key, { app_key: secret('app_key'), secret_key: secret('secret_key') }];
    }),
  );
  const settings = HttpSettings.safeParse(recordAt(value, 'http') ?? {});
  const http =
    settings.data &&
    httpConfig(settings.data, read, (path, message, hint) =>
      faults.push(faultAt(source, path, message, hint)),
    );
  if (!parsed.success || http === undefined || faults.length > 0)
    return { ok: false, origin, faults: inOrder(faults) };

  const { clinics, store, retention, log } = parsed.data;
  const ready = Object.entries(clinics).map(
    ([key, { app_key, app_key_file, secret_key, secret_key_file, ...clinic }]) => ({
      ...clinic,
      key,
      ...(keys.get(key) ?? { app_key: '', secret_key: '' }),
    }),
  );
  const config: Config = {
    origin,
    clinics: ready,
    connectors,
    store: { ...store, min_free: parseBytes(store.min_free) ?? 0 },
    http,
    retention: {
      bookings: parseDuration(retention.bookings ?? ''),
      dropped: parseDuration(retention.dropped ?? ''),
      changes: parseDuration(retention.changes ?? ''),
      inbox: parseDuration(retention.inbox ?? ''),
    },
    log,
  };
  return { ok: true, config, shown: parsed.data };
}

/** The file has the last word; a secret that it names in either way is not given twice. */
function withEnvironment(value: unknown, environment: NodeJS.ProcessEnv): unknown {
  const http = typeof value === 'object' && value !== null ? (value as { http?: unknown }).http : null;
  if (http === null || (http !== undefined && (typeof http !== 'object' || Array.isArray(http))))
    return value;
  const { admin_token, admin_token_file, ...rest } = httpFromEnvironment(environment);
  const isSilent = !Object.keys(http ?? {}).some((key) => key.startsWith('admin_token'));
  const token = isSilent && {
    ...(admin_token ? { admin_token } : {}),
    ...(admin_token_file ? { admin_token_file } : {}),
  };
  return { ...(value as object), http: { ...rest, ...token, ...http } };
}

/** What zod does not look into: the settings under a name that is refused. */
function faultsBehindWrongNames(
  source: Source,
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
): ConfigFault[] {
  const schemas: Record<string, z.ZodType> = {
    clinics: ClinicConfig,
    connectors: CommonConnectorSettings.loose(),
  };
  return issues.flatMap(({ code, path: [group = '', name = ''] }) => {
    const schema = code === 'invalid_key' ? schemas[String(group)] : undefined;
    const checked = schema?.safeParse(recordAt(value, String(group))?.[String(name)]);
    return schema && checked?.error ? faultsOf(source, checked.error.issues, schema, [group, name]) : [];
  });
}

interface Completing {
  source: Source;
  faults: ConfigFault[];
  options: LoadOptions;
}

async function completeConnector(
  name: string,
  given: unknown,
  clinicKeys: readonly string[],
  { source, faults, options }: Completing,
): Promise<ConnectorSettings | undefined> {
  const base = ['connectors', name];
  const common = CommonConnectorSettings.loose().safeParse(given);
  const usable = common.success ? common.data : usableCommon(given);
  if (usable === undefined) return undefined;
  const { use, clinics, include, approval, ...own } = usable;

  for (const clinic of clinics ?? []) {
    if (clinicKeys.includes(clinic)) continue;
    faults.push(
      faultAt(
        source,
        [...base, 'clinics'],
        `names the clinic ${clinic}, which is not configured`,
        `Configured: ${clinicKeys.join(', ')}.`,
      ),
    );
  }

  const rest = {
    use,
    name,
    clinics: clinics ?? [...clinicKeys],
    includePatient: include.includes('patient'),
    approval,
  };
  let kind: ConnectorKind | undefined;
  try {
    kind = await options.findKind(use);
  } catch {
    // Somebody else's connector that does not load is quarantined by the daemon, not a reason to stand still.
    return { ...rest, settings: own };
  }
  if (kind === undefined) {
    const near = closest(use, options.knownKinds);
    const hint = near
      ? `Did you mean ${near}?`
      : `Known: ${options.knownKinds.join(', ')}; or a package, or a path.`;
    faults.push(
      faultAt(source, [...base, 'use'], `names the connector kind ${use}, which is not known`, hint),
    );
    return undefined;
  }
  const settings = await kind.settings.safeParseAsync(own);
  if (!settings.success) {
    faults.push(...faultsOf(source, settings.error.issues, kind.settings, base));
    return undefined;
  }
  return { ...rest, settings: settings.data };
}

/** A connector with a fault among its common settings: what can still be checked of it. */
function usableCommon(given: unknown): z.infer<typeof UsableCommon> | undefined {
  return UsableCommon.safeParse(given).data;
}

function recordAt(value: unknown, key: string): Record<string, unknown> | undefined {
  const found =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined;
}

/** A setting as text; '' when it is something else, which the schema has refused already. */
function textAt(record: Record<string, unknown> | undefined, key: string): string | undefined {
  const value = record?.[key];
  return value === undefined || typeof value === 'string' ? value : '';
}

function clinicsIn(value: unknown): [string, Record<string, unknown>][] {
  const clinics = recordAt(value, 'clinics') ?? {};
  return Object.keys(clinics).flatMap((key) => {
    const clinic = recordAt(clinics, key);
    return clinic ? [[key, clinic]] : [];
  });
}

const connectorsIn = (value: unknown): Record<string, unknown> => recordAt(value, 'connectors') ?? {};

/** Each once, in the order of the file; those without a place last. */
function inOrder(faults: readonly ConfigFault[]): ConfigFault[] {
  const distinct = new Map(faults.map((fault) => [`${fault.path}\n${fault.message}`, fault]));
  const last = Number.MAX_SAFE_INTEGER;
  return [...distinct.values()].sort(
    (a, b) => (a.line ?? last) - (b.line ?? last) || (a.column ?? 0) - (b.column ?? 0),
  );
}
