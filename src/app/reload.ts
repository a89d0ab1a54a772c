import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config.ts';
import { targetOf } from '../config/notify.ts';
import { ADMIN, type Person } from '../domain/people.ts';
import { asFailure, type Failure } from '../platform/failure.ts';
import { turns } from '../platform/in-turn.ts';
import type { ClinicWork } from './units/clinic-work.ts';
import type { ConnectorUnit } from './units/connector-unit.ts';

/** What became of a changed configuration, as paths of settings. */
export interface Reloaded {
  applied: string[];
  /** Still as they were. */
  restart: string[];
}

interface ReloadParts {
  /** What everything was built from; what is applied is changed in it. */
  config: Config;
  clinics: ReadonlyMap<string, Pick<ClinicWork, 'restart'>>;
  connectors: readonly Pick<ConnectorUnit, 'settings' | 'reload'>[];
  upkeep: Unit;
  /** Called when a part cannot begin again: the process has to be replaced, and the new one reads the new settings. */
  ended: (why: Failure) => void;
}

/** One changed setting, and what has to begin anew to use it; undefined: the whole process. */
interface Change {
  path: string;
  /** Puts the new value into the configuration in use. */
  apply?: () => void;
  unit?: Unit;
}
type Unit = { restart(): Promise<void> };

/**
 * Applies a valid configuration to a running daemon as far as that is safe: users, schedules and keys of clinics,
 * settings of connectors and notification targets, retention, probes and backups. Reloads run one after another.
 */
export function createReload(parts: ReloadParts): (next: Config) => Promise<Reloaded> {
  const inTurn = turns();
  return (next) =>
    inTurn(async () => {
      const changes = changesTo(parts, next);
      const units = new Set<Unit>();
      for (const { apply, unit } of changes) {
        apply?.();
        if (unit !== undefined) units.add(unit);
      }
      try {
        for (const unit of units) await unit.restart();
      } catch (error) {
        const failure = asFailure(error, 'Applying the changed settings');
        parts.ended(failure);
        throw failure;
      }
      const paths = (isApplied: boolean) => [
        ...new Set(
          changes.filter(({ apply }) => (apply !== undefined) === isApplied).map(({ path }) => path),
        ),
      ];
      return { applied: paths(true), restart: paths(false) };
    });
}

const changesTo = (parts: ReloadParts, next: Config): Change[] => [
  ...clinicChanges(parts, next),
  ...connectorChanges(parts, next),
  ...httpChanges(parts.config.http, next.http),
  ...(['probe', 'backup', 'retention'] as const).flatMap((name): Change[] => {
    if (isDeepStrictEqual(parts.config[name], next[name])) return [];
    const apply = () =>
      name === 'retention'
        ? replace(parts.config.retention, next.retention)
        : assign(parts.config, { [name]: next[name] });
    return [{ path: name, unit: parts.upkeep, apply }];
  }),
  ...(['store', 'log'] as const).flatMap((name) =>
    isDeepStrictEqual(parts.config[name], next[name]) ? [] : [{ path: name }],
  ),
];

/** Names of the fields that differ. */
const differing = <T extends object>(before: T, after: T): (keyof T & string)[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name as keyof T], after[name as keyof T]),
  ) as (keyof T & string)[];

/** Keeps the object, which others hold. */
const assign = <T extends object>(target: T, fields: Partial<T>): void => void Object.assign(target, fields);

const replace = <T extends object>(target: T, whole: T): void => {
  for (const name of Object.keys(target) as (keyof T)[]) if (!(name in whole)) delete target[name];
  Object.assign(target, whole);
};

/** Names that only one side has. */
function moved(path: string, before: readonly string[], after: readonly string[]): Change[] {
  const names = [
    ...before.filter((name) => !after.includes(name)),
    ...after.filter((name) => !before.includes(name)),
  ];
  return names.map((name) => ({ path: `${path}.${name}` }));
}

const ofClinic: ReadonlySet<string> = new Set(['schedule', 'app_key', 'secret_key', 'keyFiles']);

function clinicChanges({ config, clinics }: ReloadParts, next: Config): Change[] {
  const keysOf = (one: Config) => one.clinics.map(({ key }) => key);
  return [
    ...moved('clinics', keysOf(config), keysOf(next)),
    ...config.clinics.flatMap((before) => {
      const after = next.clinics.find(({ key }) => key === before.key);
      const unit = clinics.get(before.key);
      if (after === undefined || unit === undefined) return [];
      return differing(before, after).map((name): Change => {
        const path = `clinics.${before.key}.${name === 'keyFiles' ? 'app_key' : name}`;
        if (!ofClinic.has(name)) return { path };
        return { path, unit, apply: () => assign(before, { [name]: after[name] }) };
      });
    }),
  ];
}

const ofConnector: ReadonlySet<string> = new Set([
  'settings',
  'includePatient',
  'includeHashed',
  'scriptHosts',
  'clinicHint',
]);

function connectorChanges({ config, connectors, upkeep }: ReloadParts, next: Config): Change[] {
  const pathOf = ({ name, use }: { name: string; use: string }) =>
    use.startsWith('notify:') ? `notify.${targetOf(name)}` : `connectors.${name}`;
  const pathsOf = (one: Config) => one.connectors.map(pathOf);
  const ofEach = connectors.flatMap(({ settings: before, reload }) => {
    const after = next.connectors.find(({ name }) => name === before.name);
    if (after === undefined) return [];
    const path = pathOf(before);
    const names = differing(before, after);
    if (names.length === 0) return [];
    // Its sources, its place in a fleet and its process were made with the daemon.
    if (!names.every((name) => ofConnector.has(name))) return [{ path }];
    return [{ path, unit: { restart: reload }, apply: () => replace(before, after) }];
  });
  const told = ofEach.find((one) => 'apply' in one && one.path.startsWith('notify.'));
  return [
    ...moved('', pathsOf(config), pathsOf(next)).map(({ path }) => ({ path: path.slice(1) })),
    ...ofEach,
    ...(told === undefined
      ? []
      : [{ path: told.path, unit: upkeep, apply: () => tellAnew(config.notify, next.notify) }]),
  ];
}

/** The targets that stay, for what decides whom to tell. */
function tellAnew(before: Config['notify'], after: Config['notify']): void {
  for (const target of before.targets) {
    const changed = after.targets.find(({ name }) => name === target.name);
    if (changed !== undefined) replace(target, changed);
  }
  if (before.heartbeat !== undefined && after.heartbeat !== undefined)
    replace(before.heartbeat, after.heartbeat);
}

/** Whether anybody can sign in, and how, decides what the server answers to strangers. */
const waysIn = ({ people }: { people: readonly Person[] }) => [
  people.length > 0,
  people.some(({ key }) => key !== undefined),
  people.some(({ name }) => name === ADMIN),
];

const httpSettings: Record<keyof Config['http'], string> = {
  ...{ host: 'listen', port: 'listen', intake: 'listen', people: 'users', signInHeader: 'sign_in_header' },
  oidc: 'oidc',
  ...{ isPublic: 'status', publicUrl: 'public_url', allowedHosts: 'allowed_hosts', metrics: 'metrics' },
  trustProxy: 'trust_proxy',
};

function httpChanges(before: Config['http'], after: Config['http']): Change[] {
  return differing(before, after).map((name) => {
    if (name !== 'people' || !isDeepStrictEqual(waysIn(before), waysIn(after)))
      return { path: `http.${httpSettings[name]}` };
    const apply = () => void before.people.splice(0, before.people.length, ...after.people);
    return { path: 'http.users', apply };
  });
}
