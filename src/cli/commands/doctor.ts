import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { Parts } from '../../app/parts.ts';
import type { ClinicSettings, Config } from '../../config/config.ts';
import type { CheckLine } from '../../connector.ts';
import { unnamedProxy } from '../../domain/unnamed-proxy.ts';
import { formatBytes } from '../../platform/bytes.ts';
import { systemClock } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import { assertNotMissing, isDaemonRunning } from '../../store/sqlite.ts';
import { command } from '../command.ts';
import { Exit, exit, painter, print, printJson } from '../io.ts';
import { faultsText, inMemory, load, openParts } from '../with-app.ts';
import { checkLines, checkText, hasFailed } from './connectors.ts';

interface Section {
  title: string;
  lines: readonly CheckLine[];
}

const LEAST_FREE_BYTES = 200e6;
const MOST_SKEW_MS = 120_000;

/** Everything that can be wrong from outside, each with what to do. Changes nothing. */
export const doctor = command({
  name: 'doctor',
  describe: 'Check configuration, credentials, clock, disk, database and connectors',
  examples: { doctor: 'the first thing to run when something is wrong' },
  async run(io, given) {
    const loaded = await load(io, given);
    if (!loaded.ok) {
      if (given.json) printJson(io, loaded);
      else io.err(faultsText(io, loaded.origin, loaded.faults));
      throw new Exit(exit.needsPerson);
    }
    const { config, warnings } = loaded;
    const about = warnings.map(({ path, message, hint }) => warn(`${path} ${message}`, hint));
    const sections: Section[] = [
      { title: 'configuration', lines: [ok(`${config.origin} is valid`), ...about] },
      { title: 'disk', lines: [diskLine(config.store.sqlite)] },
      ...(await openedSections(config, io.signal)),
    ];

    if (given.json) printJson(io, sections);
    else for (const { title, lines } of sections) print(io, `${title}\n${checkText(lines, painter(io))}`);
    if (sections.some(({ lines }) => hasFailed(lines))) throw new Exit(exit.needsPerson);
  },
});

const ok = (what: string): CheckLine => ({ level: 'ok', what });
const warn = (what: string, hint?: string): CheckLine => ({
  level: 'warn',
  what,
  ...(hint !== undefined && { hint }),
});

function failed(error: unknown, doing: string): CheckLine {
  const { message, hint } = asFailure(error, doing);
  return { level: 'fail', what: message, ...(hint !== undefined && { hint }) };
}

/** What can be seen only with the database open. */
async function openedSections(config: Config, signal: AbortSignal): Promise<Section[]> {
  try {
    // Before the first start there is no database; credentials and connectors can be checked all the same.
    assertNotMissing(config.store.sqlite);
    const isNew = !existsSync(config.store.sqlite);
    const parts = await openParts(isNew ? inMemory(config) : config, isNew ? 'daemon' : 'tool');
    try {
      return [
        await databaseSection(parts, isNew, signal),
        { title: 'http', lines: [await portLine(config)] },
        ...(isNew ? [] : [await guardSection(parts)]),
        ...(await proxySections(parts)),
        ...(await clinicSections(parts, signal)),
        ...(await connectorSections(parts, signal)),
      ];
    } finally {
      await parts.close();
    }
  } catch (error) {
    return [{ title: 'database', lines: [failed(error, 'Opening the database')] }];
  }
}

function diskLine(file: string): CheckLine {
  const folder = dirname(resolve(file));
  const existing = nearestExisting(folder);
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    const what = `${folder} cannot be ${existing === folder ? 'written' : 'created'}`;
    return { level: 'fail', what, hint: 'Create it, mount it, or give it to the user this runs as.' };
  }
  const { bavail, bsize } = statfsSync(existing);
  const free = formatBytes(bavail * bsize);
  if (bavail * bsize < LEAST_FREE_BYTES)
    return warn(`${free} free in ${folder}`, 'Make room: a full disk stops bookings.');
  const how = existing === folder ? 'can be written' : 'does not exist yet and will be created';
  return ok(`${folder} ${how}, ${free} free`);
}

/** The folder itself, or the one in which the first start creates it. */
const nearestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));

async function databaseSection({ store }: Parts, isNew: boolean, signal: AbortSignal): Promise<Section> {
  const title = 'database';
  if (isNew) return { title, lines: [ok('not there yet; the first start makes it')] };
  const health = await store.health();
  const warnings = health.warning === null ? [] : [warn(health.warning)];
  if (!health.ok)
    return { title, lines: [{ level: 'fail', what: health.problem ?? 'does not work' }, ...warnings] };
  const pages = await integrityLine(store, signal);
  const works = ok('reads and writes; a commit is on the disk before it is acknowledged');
  return { title, lines: [...(pages.level === 'fail' ? [] : [works]), ...warnings, pages] };
}

async function integrityLine(store: Parts['store'], signal: AbortSignal): Promise<CheckLine> {
  try {
    const damage = await store.checkIntegrity(signal);
    return damage === undefined ? ok('every page is sound') : failed(damage, 'Checking the pages');
  } catch (error) {
    return warn(`The pages could not be checked: ${failed(error, 'the check').what}`);
  }
}

async function guardSection({ store }: Parts): Promise<Section> {
  const open = (await store.guards.list()).filter(({ state }) => state === 'open');
  const lines = open.map(({ id, clinic, sentence }) =>
    warn(`${clinic}: ${sentence}`, `If that is right: \`clinic-sync guards approve ${id}\``),
  );
  return { title: 'guards', lines: lines.length > 0 ? lines : [ok('no answer is held')] };
}

/** Ours while the daemon runs; otherwise the daemon could not start. */
async function portLine({ http, store }: Config): Promise<CheckLine> {
  const place = `${http.host}:${http.port}`;
  if (http.port === 0) return ok('the system chooses a port');
  if (isDaemonRunning(store.sqlite)) return ok(`the daemon runs and has ${place}`);
  const server = createServer();
  const code = await new Promise<string | undefined>((done) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => done(code ?? 'error'));
    server.listen({ host: http.host, port: http.port }, () => server.close(() => done(undefined)));
  });
  if (code === undefined) return ok(`${place} is free`);
  const what = code === 'EADDRINUSE' ? `${place} is in use` : `cannot listen on ${place} (${code})`;
  const hint = 'Stop the other program, or set http.listen to another address or port.';
  return { level: 'fail', what, hint };
}

/** What the daemon noted about the proxy in front of it; only a person can put that right. */
async function proxySections({ store, config }: Parts): Promise<Section[]> {
  const since = config.http.trustProxy === 0 ? await store.keyValue.get('http', 'unnamed_proxy') : undefined;
  if (since === undefined) return [];
  const { sentence, action } = unnamedProxy;
  return [{ title: 'http', lines: [warn(`${sentence} Seen ${since}.`, action)] }];
}

async function clinicSections({ clinics }: Parts, signal: AbortSignal): Promise<Section[]> {
  const sections: Section[] = [];
  for (const { settings, clinic } of clinics.values()) {
    const answers = await clinic.organization(signal).then(
      ({ things }) => {
        const name = things[0]?.fields.name ?? 'nothing readable';
        return ok(`${settings.base_url} accepts the keys and calls itself ${name}`);
      },
      (error: unknown) => failed(error, `Asking ${settings.base_url}`),
    );
    const lines = [answers, ...openLines(settings), ...(await clockLines(settings, signal))];
    sections.push({ title: `clinic ${settings.key}`, lines });
  }
  return sections;
}

const openLines = ({ base_url }: ClinicSettings): CheckLine[] =>
  travelsInTheOpen(base_url)
    ? [
        warn(
          'base_url begins with http: the keys and the patients travel unencrypted',
          'Write https, if the clinic’s server has it.',
        ),
      ]
    : [];

async function clockLines({ base_url }: ClinicSettings, signal: AbortSignal): Promise<CheckLine[]> {
  const skew = await skewOf(base_url, signal);
  if (skew === undefined || Math.abs(skew) <= MOST_SKEW_MS) return [];
  const what = `this machine's clock and the clinic's differ by ${Math.round(skew / 1000)} s`;
  return [warn(what, 'Switch on time synchronisation (NTP) on this machine.')];
}

function travelsInTheOpen(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !/^(localhost|127\..*|\[::1\])$/.test(hostname);
}

/** The server's clock minus ours, from the Date header of any answer; undefined when it sends none. */
async function skewOf(baseUrl: string, signal: AbortSignal): Promise<number | undefined> {
  const answer = await fetch(`${baseUrl}/organization`, { redirect: 'manual', signal }).catch(
    () => undefined,
  );
  const date = Date.parse(answer?.headers.get('date') ?? '');
  await answer?.body?.cancel();
  return Number.isNaN(date) ? undefined : date - systemClock.now();
}

const connectorSections = ({ connectors }: Parts, signal: AbortSignal): Promise<Section[]> =>
  Promise.all(
    connectors.map(async (one) => ({
      title: `connector ${one.settings.name} (${one.settings.use})`,
      lines: await checkLines(one, signal),
    })),
  );
