import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { parseBytes } from '../platform/bytes.ts';
import { parseDuration } from '../platform/duration.ts';
import { codeOf } from '../platform/failure.ts';
import { placeInAddress } from '../platform/network/postgres-address.ts';
import {
  ClinicConfig,
  CommonConnectorSettings,
  type Config,
  ConfigFile,
  type ConnectorSettings,
} from './config.ts';
import { type ConnectorOptions, completeConnector } from './connectors.ts';
import { environmentConfig } from './environment.ts';
import { type ConfigFault, faultAt, faultsOf, pathText, type Source } from './faults.ts';
import { httpConfig, httpFromEnvironment, usableHttp } from './http.ts';
import { asConnectors, notifyConfig } from './notify.ts';
import { fillPlaceholders, guardPlaceholders } from './placeholders.ts';
import { type ReadSecret, secretReader } from './secrets.ts';
import { clinicless, scriptsBesideTheDesk, unusedProxy, warningsOf } from './warnings.ts';

export interface LoadOptions extends ConnectorOptions {
  /** From `--config`. */
  file?: string | undefined;
}

export type Loaded =
  | { ok: true; config: Config; shown: ConfigFile; warnings: ConfigFault[] }
  | { ok: false; origin: string; faults: ConfigFault[] };

const PLACES = ['./clinic-sync.yaml', '/config/clinic-sync.yaml', '/etc/clinic-sync/clinic-sync.yaml'];

/**
 * Reads, completes and checks the configuration. Reports all faults at once, each with path, line and remedy. Reads
 * files and the environment, writes nothing. Connector settings are checked by the kind's own schema.
 */
export async function loadConfig(options: LoadOptions): Promise<Loaded> {
  const named = options.file ?? options.environment.CLINIC_SYNC_CONFIG;
  const file = named ?? PLACES.find((place) => existsSync(place));
  if (file === undefined) return fromEnvironment(options);

  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = codeOf(error) ?? 'unknown error';
    const message = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    const hint = 'Write one with `clinic-sync config init`, or name another with --config.';
    return { ok: false, origin: file, faults: [{ path: file, message, hint }] };
  }
  return fromText(text, file, options);
}

/** Like `loadConfig`, for a text that was already read. */
export async function fromText(text: string, origin: string, options: LoadOptions): Promise<Loaded> {
  const lines = new LineCounter();
  const document = parseDocument(guardPlaceholders(text), {
    lineCounter: lines,
    prettyErrors: false,
    // A list used as a key is reported below with its place; the library would only log a warning.
    logLevel: 'error',
  });
  if (document.errors.length > 0) {
    return { ok: false, origin, faults: yamlFaults(document.errors, text, lines) };
  }

  const source: Source = { document, lines };
  const { faults, unset } = withoutSecrets(fillPlaceholders(source, options.environment), options);
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // Aliases are only followed here: one may lead nowhere, many may unfold to gigabytes.
    return { ok: false, origin, faults: [{ path: '(file)', ...notYaml(error) }] };
  }
  return complete({ value: value ?? {}, origin, source, faults, unset }, options);
}

async function fromEnvironment(options: LoadOptions): Promise<Loaded> {
  const { value, faults, variables } = environmentConfig(options.environment);
  const origin = 'environment';
  if (value === undefined) return { ok: false, origin, faults };
  const loaded = await complete({ value, origin, source: {}, faults: [], unset: [] }, options);
  const others = loaded.ok
    ? []
    : loaded.faults.map((one) => ({ ...one, path: variables[one.path] ?? one.path }));
  const all = [...faults, ...others.filter(({ path }) => !faults.some((fault) => fault.path === path))];
  return loaded.ok && all.length === 0 ? loaded : { ok: false, origin, faults: all };
}

interface Given {
  value: unknown;
  origin: string;
  source: Source;
  faults: readonly ConfigFault[];
  /** Paths of secrets that are missing and need not be given. */
  unset: readonly string[];
}

async function complete(given: Given, options: LoadOptions): Promise<Loaded> {
  const { origin, source, unset } = given;
  const faults = [...given.faults];
  const warnings: ConfigFault[] = [];
  const value = withEnvironment(given.value, options.environment);
  const parsed = ConfigFile.safeParse(value);
  if (!parsed.success) {
    faults.push(...faultsOf(source, parsed.error.issues, ConfigFile));
    faults.push(...faultsBehindWrongNames(source, parsed.error.issues, value));
  }

  // Checked even when the rest is faulty, to report all faults at once.
  const wanted = parsed.success ? parsed.data.connectors : connectorsIn(value);
  const clinicKeys = Object.keys(parsed.success ? parsed.data.clinics : (recordAt(value, 'clinics') ?? {}));
  const connectors: ConnectorSettings[] = [];
  for (const [name, settings] of Object.entries(wanted)) {
    const isUnset = unset.some((path) => path.startsWith(`connectors.${name}.`));
    const connector = await completeConnector(name, settings, clinicKeys, {
      source,
      faults,
      warnings,
      options,
      isUnset,
    });
    if (connector) connectors.push(connector);
  }
  faults.push(...sharedFolders(source, connectors));
  const known = new Set(faults.map(({ path }) => path));
  const report = (path: readonly PropertyKey[], message: string, hint: string) =>
    void (
      options.secrets !== 'optional' &&
      !known.has(pathText(path)) &&
      faults.push(faultAt(source, path, message, hint))
    );
  const read = secretReader(report, (path, message, hint) =>
    warnings.push(faultAt(source, path, message, hint)),
  );
  const keys = new Map(
    clinicsIn(value).map(([key, clinic]) => {
      const secret = (name: string) =>
        read(['clinics', key, name], textAt(clinic, name), textAt(clinic, `${name}_file`));
      return [key, { app_key: secret('app_key'), secret_key: secret('secret_key') }];
    }),
  );
  const postgres = postgresAddress(recordAt(value, 'store'), read, report);
  faults.push(...backupOfServer(source, value, postgres));
  const http = httpConfig(usableHttp(recordAt(value, 'http')), read, report);
  const told = recordAt(value, 'notify') ?? {};
  const withoutSecrets = options.secrets === 'optional';
  const notify = notifyConfig(told, { source, faults, read, clinicKeys, withoutSecrets });
  if (!parsed.success || faults.length > 0) return { ok: false, origin, faults: inOrder(faults) };

  const { clinics, store, probe, backup, retention, log } = parsed.data;
  const ready = Object.entries(clinics).map(
    ([key, { app_key, app_key_file, secret_key, secret_key_file, ...clinic }]) => ({
      ...clinic,
      key,
      ...(keys.get(key) ?? { app_key: '', secret_key: '' }),
      keyFiles: { app_key: app_key_file, secret_key: secret_key_file },
    }),
  );
  const config: Config = {
    origin,
    secretFiles: filesIn(value),
    clinics: ready,
    connectors: [...connectors, ...asConnectors(told, notify)],
    notify,
    ...(probe !== 'off' && { probe }),
    store: { sqlite: store.sqlite, ...postgres, min_free: parseBytes(store.min_free) ?? 0 },
    http,
    backup: backup && { ...backup, every: parseDuration(backup.every) ?? 0 },
    retention: Object.fromEntries(
      Object.entries(retention).map(([what, text]) => [what, parseDuration(text ?? '')]),
    ),
    log,
  };
  for (const { path, message, hint } of [
    ...warningsOf(ready, http, notify.targets),
    ...scriptsBesideTheDesk(connectors, http),
    ...clinicless(connectors),
    ...unusedProxy(options.environment),
  ])
    warnings.push(faultAt(source, path, message, hint));
  return { ok: true, config, shown: parsed.data, warnings: inOrder(warnings) };
}

/** The address of the PostgreSQL database; undefined when a file is used. */
function postgresAddress(
  store: Record<string, unknown> | undefined,
  read: ReadSecret,
  report: (path: readonly PropertyKey[], message: string, hint: string) => void,
): { postgres?: string; postgres_file?: string | undefined } {
  const [given, file] = [textAt(store, 'postgres'), textAt(store, 'postgres_file')];
  if (given === undefined && file === undefined) return {};
  const path = ['store', 'postgres'];
  if (store?.sqlite !== undefined) report(path, 'is given beside sqlite', 'Keep one of them.');
  const address = read(path, given, file);
  if (address !== '' && placeInAddress(address) === undefined)
    report(path, 'is not the address of a PostgreSQL database', ADDRESS_HINT);
  return { postgres: address, postgres_file: file };
}

function backupOfServer(source: Source, value: unknown, { postgres }: { postgres?: string }): ConfigFault[] {
  if (postgres === undefined || recordAt(value, 'backup') === undefined) return [];
  return [faultAt(source, ['backup'], 'copies a database file, and store.postgres is a server', PG_DUMP)];
}

const PG_DUMP = 'Remove it, and back the server up with pg_dump or its own tools (docs/postgres.md).';

const ADDRESS_HINT =
  'Write postgres://USER:PASSWORD@HOST:5432/NAME, with special characters of the password as %XX.';

function filesIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return name.endsWith('_file') ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => filesIn(inner, key));
}

const SECRET =
  /^(clinics\.[^.]+\.(app_key|secret_key)|connectors\..+|notify\..+|http\.(admin_token|users.*|oidc\.client_secret))$/;

/** Separates missing variables into faults and, where allowed, unset optional secrets. */
function withoutSecrets(
  missing: readonly ConfigFault[],
  { secrets }: LoadOptions,
): { faults: ConfigFault[]; unset: string[] } {
  const isTolerated = ({ path }: ConfigFault) => secrets === 'optional' && SECRET.test(path);
  return {
    faults: missing.filter((fault) => !isTolerated(fault)),
    unset: missing.filter(isTolerated).map(({ path }) => path),
  };
}

/** The file takes precedence: a secret that it gives, directly or as a file, is not taken from the environment. */
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

/** Faults of settings under an invalid name, which Zod does not check. */
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

function recordAt(value: unknown, key: string): Record<string, unknown> | undefined {
  const found =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined;
}

/** A setting as text; '' for any other type, which the schema has already refused. */
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

/** Distinct faults in the order of the file; those without a line come last. */
function inOrder(faults: readonly ConfigFault[]): ConfigFault[] {
  const distinct = new Map(faults.map((fault) => [`${fault.path}\n${fault.message}`, fault]));
  const last = Number.MAX_SAFE_INTEGER;
  return [...distinct.values()].sort(
    (a, b) => (a.line ?? last) - (b.line ?? last) || (a.column ?? 0) - (b.column ?? 0),
  );
}

/** Two connectors of a kind in one folder would overwrite each other's files, or book the same ones. */
function sharedFolders(source: Source, connectors: readonly ConnectorSettings[]): ConfigFault[] {
  return connectors.flatMap((later, index) =>
    ['directory', 'inbox'].flatMap((setting) => {
      const folder = folderOf(later, setting);
      if (folder === undefined) return [];
      // A `directory` has a folder per clinic.
      const meets = ({ clinics }: ConnectorSettings) =>
        setting === 'inbox' || clinics.some((clinic) => later.clinics.includes(clinic));
      const first = connectors
        .slice(0, index)
        .find((one) => one.use === later.use && folderOf(one, setting) === folder && meets(one));
      if (first === undefined) return [];
      const path = ['connectors', later.name, setting];
      return [faultAt(source, path, `is also the ${setting} of ${first.name}`, 'Give each its own folder.')];
    }),
  );
}

function folderOf({ settings }: ConnectorSettings, setting: string): string | undefined {
  const folder = (settings as Record<string, unknown> | null)?.[setting];
  return typeof folder === 'string' ? resolve(folder) : undefined;
}

const LOOK = 'Look here and just before: indentation, brackets, and text with : # , { } [ ] put in quotes.';

/** Where a file is not YAML. Faults on the same or the next line count as one mistake. */
function yamlFaults(errors: readonly YAMLParseError[], text: string, lines: LineCounter): ConfigFault[] {
  let former = Number.NEGATIVE_INFINITY;
  return errors.flatMap(({ code, message, pos: [start] }) => {
    const { line, col: column } = lines.linePos(start);
    const isEcho = line <= former + 1;
    former = line;
    if (isEcho) return [];
    const at = { path: '(file)', line, column };
    if (code !== 'DUPLICATE_KEY') return [{ ...at, ...notYaml(message) }];
    const [name = 'a name'] = text.slice(start).match(/^[^\s:]+/) ?? [];
    return [
      { ...at, message: `has ${name} twice`, hint: 'Give one of them another name, or make them one.' },
    ];
  });
}

/**
 * Drops quotations from the file: an unquoted secret may begin with `*`, `!` or `
 * `.
 */
function notYaml(error: unknown): Pick<ConfigFault, 'message' | 'hint'> {
  const [problem = ''] = String(error instanceof Error ? error.message : error).split(/:\s|\n/);
  const unquoted = problem.replace(/^(Invalid escape sequence).*/, '$1');
  return { message: `is not valid YAML: ${unquoted}`, hint: LOOK };
}
