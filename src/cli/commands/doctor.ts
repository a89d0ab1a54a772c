import { accessSync, constants, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { backupReport } from '../../app/backups.ts';
import { checkConnector } from '../../app/check-connector.ts';
import { isDatabaseNew } from '../../app/choose-database.ts';
import { installationKey } from '../../app/installation-key.ts';
import type { Parts } from '../../app/parts.ts';
import type { Config, ConnectorSettings } from '../../config/config.ts';
import { type CheckLine, fail, ok, warn } from '../../connector.ts';
import { conditionNeed } from '../../domain/status/need-words.ts';
import { checkIssuer } from '../../http/check-issuer.ts';
import { doctorPass } from '../../http/doctor-pass.ts';
import { reachable } from '../../http/http.ts';
import { formatBytes } from '../../platform/bytes.ts';
import { systemClock, toMs } from '../../platform/clock.ts';
import { formatDuration } from '../../platform/duration.ts';
import { asFailure } from '../../platform/failure.ts';
import { freeBytes } from '../../platform/free-space.ts';
import { silentLog } from '../../platform/log.ts';
import { assertNotMissing, assertOneName, isMarked } from '../../store/sqlite.ts';
import { command } from '../command.ts';
import { requireLoaded } from '../configuration.ts';
import { type DaemonFault, daemonFault } from '../daemon.ts';
import { Exit, exit, painter, print, printJson } from '../io.ts';
import { inMemory, openParts } from '../with-app.ts';
import { checkText, hasFailed } from './connectors.ts';
import { type ClockSkews, clinicSections, type DoctorSection } from './doctor-clinics.ts';
import { outsideLines } from './outside.ts';

const LEAST_FREE_BYTES = 200e6;

/** Checks everything outside the program that can go wrong. Changes nothing. */
export const doctor = command({
  name: 'doctor',
  describe: 'Check configuration, credentials, clock, disk, database and connectors',
  examples: { doctor: 'the first thing to run when something is wrong' },
  needsSecrets: true,
  async run(io, given) {
    const { config, warnings } = await requireLoaded(io, given, exit.needsPerson);
    const about = warnings.map(({ path, message, hint }) => warn(`${path} ${message}`, hint));
    const place = await placeOfDatabase(config.store);
    const sections: DoctorSection[] = [];
    const add = (section: DoctorSection) => {
      sections.push(section);
      // At once: a clinic that hangs takes minutes.
      if (!given.json) print(io, `${section.title}\n${checkText(section.lines, painter(io))}`);
    };
    add({ title: 'configuration', lines: [ok(`${config.origin} is valid`), ...about] });
    add({ title: place.title, lines: place.lines });
    if (place.state !== 'unusable')
      for await (const section of openedSections(config, place.state === 'empty', io.signal)) add(section);

    if (given.json) printJson(io, sections);
    if (sections.some(({ lines }) => hasFailed(lines))) throw new Exit(exit.needsPerson);
  },
});

const failed = (error: unknown, doing: string): CheckLine => fail(asFailure(error, doing));

/** The disk of the database file, or the server. */
async function placeOfDatabase(store: Config['store']) {
  if (store.postgres === undefined) {
    const state = isDatabaseNew(store) ? 'empty' : 'filled';
    return { title: 'disk', lines: [diskLine(store.sqlite)], state } as const;
  }
  const { inspectServer } = await import('../../store/postgres/inspect.ts');
  return { title: 'server', ...(await inspectServer(store.postgres, systemClock, silentLog)) };
}

/** Checks that need an open database, each as soon as it is known. */
async function* openedSections(
  config: Config,
  isNew: boolean,
  signal: AbortSignal,
): AsyncGenerator<DoctorSection> {
  try {
    // Before the first start there is no database; credentials and connectors can still be checked.
    if (config.store.postgres === undefined) assertNotMissing(config.store.sqlite);
    const skews: ClockSkews = new Map();
    const parts = await openParts(
      isNew ? inMemory(config) : config,
      isNew ? 'alone' : 'tool',
      (clinic, event) => {
        if (event.kind !== 'call' || event.serverTime === undefined) return;
        skews.set(clinic, event.serverTime - systemClock.now());
      },
    );
    try {
      const backups = await backupLines(parts);
      yield { title: 'database', lines: [...(await databaseLines(parts, isNew, signal)), ...backups] };
      yield { title: 'http', lines: [...(await portLines(config, parts)), ...(await proxyLines(parts))] };
      if (config.http.oidc) yield { title: 'sign-in', lines: await checkIssuer(config.http.oidc) };
      const outside = await fromOutside(config, parts, signal);
      if (outside.length > 0) yield { title: 'public address', lines: outside };
      if (!isNew) yield { title: 'guards', lines: await guardLines(parts) };
      const connectors = connectorSection(parts, signal);
      yield* asKnown(clinicSections(parts, skews, signal));
      yield await connectors;
    } finally {
      await parts.close();
    }
  } catch (error) {
    yield { title: 'database', lines: [failed(error, 'Opening the database')] };
  }
}

async function* asKnown(asked: readonly Promise<DoctorSection>[]): AsyncGenerator<DoctorSection> {
  const left = new Map(
    asked.map((one, index) => [index, one.then((section) => ({ index, section }))] as const),
  );
  while (left.size > 0) {
    const { index, section } = await Promise.race(left.values());
    left.delete(index);
    yield section;
  }
}

function diskLine(file: string): CheckLine {
  const folder = dirname(resolve(file));
  const existing = nearestExisting(folder);
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    const what = `${folder} cannot be ${existing === folder ? 'written' : 'created'}`;
    return fail({ message: what, hint: 'Create it, mount it, or give it to the user this runs as.' });
  }
  const bytes = freeBytes(existing);
  const free = bytes === null ? 'its free space is unknown' : `${formatBytes(bytes)} free`;
  if (bytes !== null && bytes < LEAST_FREE_BYTES)
    return warn(`${free} in ${folder}`, 'Make room: a full disk stops bookings.');
  const how = existing === folder ? 'can be written' : 'does not exist yet and will be created';
  return ok(`${folder} ${how}, ${free}`);
}

/** The nearest existing ancestor of a folder. */
const nearestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));

async function databaseLines(
  { store, config }: Parts,
  isNew: boolean,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  if (isNew) return [ok('not there yet; the first start makes it')];
  const health = await store.health();
  const { sqlite, postgres } = config.store;
  const warnings = [
    ...(health.warning === null ? [] : [warn(health.warning)]),
    ...(postgres === undefined ? [...nameLines(sqlite), ...markerLines(sqlite)] : []),
  ];
  if (!health.ok) return [fail({ message: health.problem ?? 'does not work' }), ...warnings];
  const works = ok('reads and writes; a commit is on the disk before it is acknowledged');
  const pages = await integrityLines(store, signal);
  return [...(pages.some(({ level }) => level === 'fail') ? [] : [works]), ...warnings, ...pages];
}

/** What the daemon copied by itself. */
async function backupLines({ config, store }: Parts): Promise<CheckLine[]> {
  const report = await backupReport(config, store);
  if (report === undefined || config.backup === undefined) return [];
  const { last_success_at: at, last_error, count } = report;
  const { directory } = config.backup;
  if (last_error !== null) return [warn(last_error, 'It is tried again within the hour.')];
  if (at === null) return [ok(`${directory} gets the first backup at the next start`)];
  const age = formatDuration(systemClock.now() - toMs(at));
  return [ok(`the newest backup in ${directory} is ${age} old; it holds ${count}`)];
}

/** The next start refuses a file that a second daemon could reach by another name. */
function nameLines(sqlite: string): CheckLine[] {
  try {
    assertOneName(sqlite);
    return [];
  } catch (error) {
    return [failed(error, 'Looking for other names of the file')];
  }
}

/** While it cannot be written, nothing is sent. */
function markerLines(sqlite: string): CheckLine[] {
  try {
    if (isMarked(sqlite)) return [];
    const hint =
      'A running daemon writes it with the next booking. At a start without it, what waits is held.';
    return [warn(`The marker ${sqlite}.marker is missing`, hint)];
  } catch (error) {
    return [failed(error, 'Opening the marker')];
  }
}

async function integrityLines(store: Parts['store'], signal: AbortSignal): Promise<CheckLine[]> {
  try {
    if (store.checkIntegrity === undefined) return [];
    const damage = await store.checkIntegrity(signal);
    return [damage === undefined ? ok('every page is sound') : failed(damage, 'Checking the pages')];
  } catch (error) {
    return [warn(`The pages could not be checked: ${failed(error, 'the check').what}`)];
  }
}

async function guardLines({ store, clinics }: Parts): Promise<CheckLine[]> {
  const open = (await store.guards.open()).filter((one) => one.state === 'open' && clinics.has(one.clinic));
  if (open.length === 0) return [ok('no answer is held')];
  return open.map(({ id, clinic, sentence }) =>
    warn(`${clinic}: ${sentence}`, `If that is right: \`clinic-sync guards approve ${id}\``),
  );
}

/** Walks the way of a visitor, where `public_url` says which it is. */
async function fromOutside(config: Config, { store }: Parts, signal: AbortSignal): Promise<CheckLine[]> {
  const { http, connectors } = config;
  if (http.publicUrl === undefined) return [];
  const forms = connectors.filter(
    ({ settings }) => (settings as { preset?: unknown })?.preset === 'html-form',
  );
  const { host, port } = http.intake ?? http;
  const own = (await daemonFault(http)) === undefined ? `http://${reachable(host)}:${port}` : undefined;
  const publicUrl = http.publicUrl.href.replace(/\/$/, '');
  // Without a daemon nothing answers, and there may be no key yet.
  const pass = own === undefined ? '' : doctorPass(await installationKey(store, config, 'visitor_key'));
  const isWhole = http.intake === undefined;
  return outsideLines({ publicUrl, isWhole, pass, own, forms: forms.map(({ name }) => name), signal });
}

async function portLines({ http }: Config, { store }: Parts): Promise<CheckLine[]> {
  const addresses = [http, ...(http.intake ? [http.intake] : [])];
  if (!(await store.hasDaemon())) return Promise.all(addresses.map(portLine));
  const fault = await daemonFault(http);
  if (fault === undefined)
    return addresses.map(({ host, port }) => ok(`the daemon runs and has ${host}:${port}`));
  if (fault.state === 'away' && http.port === 0) return [ok('a daemon runs')];
  return [faultLine(fault)];
}

const faultLine = ({ state, sentence }: DaemonFault): CheckLine => {
  switch (state) {
    case 'away':
      return warn(sentence, 'It is starting, runs on another machine, or was started with another address.');
    case 'hangs':
      return fail({ message: sentence, hint: 'Restart it.' });
    case 'not ready':
      return fail({ message: sentence });
  }
};

/** Whether a daemon could listen on the port. */
async function portLine({ host, port }: { host: string; port: number }): Promise<CheckLine> {
  const place = `${host}:${port}`;
  if (port === 0) return ok('the system chooses a port');
  const server = createServer();
  const code = await new Promise<string | undefined>((done) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => done(code ?? 'error'));
    server.listen({ host, port }, () => server.close(() => done(undefined)));
  });
  if (code === undefined) return ok(`${place} is free`);
  const what = code === 'EADDRINUSE' ? `${place} is in use` : `cannot listen on ${place} (${code})`;
  return fail({
    message: what,
    hint: 'Stop the other program, or set http.listen to another address or port.',
  });
}

/** Warns when the daemon has seen proxy headers and the configuration names no proxy. */
async function proxyLines({ store, config }: Parts): Promise<CheckLine[]> {
  const since = config.http.trustProxy === 0 ? await store.keyValue.get('http', 'unnamed_proxy') : undefined;
  if (since === undefined) return [];
  const { sentence, action } = conditionNeed('proxy', { since });
  return [warn(`${sentence} Seen ${since}.`, action)];
}

/** A line for each, in the order of the configuration; `connectors check` has the rest. */
async function connectorSection({ connectors, store }: Parts, signal: AbortSignal): Promise<DoctorSection> {
  const lines = await Promise.all(
    connectors.map(async (one) => summaryOf(one.settings, await checkConnector(one, { store, signal }))),
  );
  return { title: 'connectors', lines };
}

const levels = ['fail', 'warn', 'ok'] as const;

function summaryOf({ name, use }: ConnectorSettings, lines: readonly CheckLine[]): CheckLine {
  const level = levels.find((one) => lines.some((line) => line.level === one)) ?? 'ok';
  const [first, ...others] = lines.filter((line) => line.level === level);
  const more =
    level === 'ok' || others.length === 0
      ? ''
      : ` (and ${others.length} more: clinic-sync connectors check ${name})`;
  return {
    level,
    what: `${name} (${use}): ${first?.what ?? 'nothing to check'}${more}`,
    ...(first?.hint && { hint: first.hint }),
  };
}
