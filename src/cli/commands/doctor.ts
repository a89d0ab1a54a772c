import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { buildParts, type Parts } from '../../app/parts.ts';
import type { Config } from '../../config/config.ts';
import type { CheckLine } from '../../connector.ts';
import { unnamedProxy } from '../../domain/unnamed-proxy.ts';
import { systemClock } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import { silentLog } from '../../platform/log.ts';
import { assertNotMissing, isDaemonRunning } from '../../store/sqlite.ts';
import { type ConfigArguments, faultsText, load } from '../configuration.ts';
import { Exit, exit, type Io, painter, print, printJson } from '../io.ts';
import { packageVersion } from '../package.ts';
import { checkText } from './connectors.ts';

interface Section {
  title: string;
  lines: CheckLine[];
}

const LEAST_FREE_MB = 200;
const MOST_SKEW_MS = 120_000;

/** `clinic-sync doctor`: everything that can be wrong from outside, each with what to do. Changes nothing. */
export const doctorCommand = (io: Io): CommandModule => ({
  command: 'doctor',
  describe: 'Check configuration, credentials, clock, disk, database and connectors',
  builder: (yargs) => yargs.example('$0 doctor', 'the first thing to run when something is wrong'),
  handler: async (argv) => {
    const given = argv as ConfigArguments & { json?: boolean };
    const loaded = await load(io, given);
    if (!loaded.ok) {
      if (given.json) printJson(io, loaded);
      else io.err(faultsText(io, loaded.origin, loaded.faults));
      throw new Exit(exit.needsPerson);
    }
    const { config } = loaded;
    const sections: Section[] = [
      {
        title: 'configuration',
        lines: [
          { level: 'ok', what: `${config.origin} is valid` },
          ...loaded.warnings.map(({ path, message, hint }) => ({
            level: 'warn' as const,
            what: `${path} ${message}`,
            ...(hint !== undefined && { hint }),
          })),
        ],
      },
      { title: 'disk', lines: diskLines(config.store.sqlite) },
    ];

    try {
      // Before the first start there is no database; credentials and connectors can be checked all the same.
      assertNotMissing(config.store.sqlite);
      const file = existsSync(config.store.sqlite) ? config.store.sqlite : ':memory:';
      const isNew = file === ':memory:';
      const parts = await buildParts({
        config: { ...config, store: { ...config.store, sqlite: file } },
        clock: systemClock,
        log: silentLog,
        version: packageVersion(),
        mode: isNew ? 'daemon' : 'tool',
        loops: false,
      });
      try {
        sections.push(
          await databaseSection(parts, isNew, io.signal),
          { title: 'http', lines: [await portLine(config)] },
          ...(isNew ? [] : [await guardSection(parts)]),
          ...(await httpSections(parts)),
          ...(await clinicSections(parts, io.signal)),
          ...(await connectorSections(parts, io.signal)),
        );
      } finally {
        await parts.close();
      }
    } catch (error) {
      sections.push({ title: 'database', lines: [failed(error, 'Opening the database')] });
    }

    if (given.json) printJson(io, sections);
    else for (const { title, lines } of sections) print(io, `${title}\n${checkText(lines, painter(io))}`);
    if (sections.some(({ lines }) => lines.some(({ level }) => level === 'fail')))
      throw new Exit(exit.needsPerson);
  },
});

function failed(error: unknown, doing: string): CheckLine {
  const { message, hint } = asFailure(error, doing);
  return { level: 'fail', what: message, ...(hint !== undefined && { hint }) };
}

function diskLines(file: string): CheckLine[] {
  const folder = dirname(resolve(file));
  const existing = nearestExisting(folder);
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    return [
      {
        level: 'fail',
        what: existing === folder ? `${folder} cannot be written` : `${folder} cannot be created`,
        hint: 'Create it, mount it, or give it to the user this runs as.',
      },
    ];
  }
  const { bavail, bsize } = statfsSync(existing);
  const free = Math.floor((bavail * bsize) / 1_000_000);
  if (free < LEAST_FREE_MB)
    return [
      { level: 'warn', what: `${free} MB free in ${folder}`, hint: 'Make room: a full disk stops bookings.' },
    ];
  const how = existing === folder ? 'can be written' : 'does not exist yet and will be created';
  return [{ level: 'ok', what: `${folder} ${how}, ${free} MB free` }];
}

/** The folder itself, or the one in which the first start creates it. */
const nearestExisting = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));

async function databaseSection({ store }: Parts, isNew: boolean, signal: AbortSignal): Promise<Section> {
  if (isNew)
    return { title: 'database', lines: [{ level: 'ok', what: 'not there yet; the first start makes it' }] };
  const { ok, problem, warning } = await store.health();
  const lines: CheckLine[] = [
    ok
      ? { level: 'ok', what: 'reads and writes; a commit is on the disk before it is acknowledged' }
      : { level: 'fail', what: problem ?? 'does not work' },
  ];
  if (warning !== null) lines.push({ level: 'warn', what: warning });
  if (ok) lines.push(await integrityLine(store, signal));
  return { title: 'database', lines };
}

async function integrityLine(store: Parts['store'], signal: AbortSignal): Promise<CheckLine> {
  try {
    const damage = await store.checkIntegrity(signal);
    if (damage === undefined) return { level: 'ok', what: 'every page is sound' };
    return failed(damage, 'Checking the pages');
  } catch (error) {
    return { level: 'warn', what: `The pages could not be checked: ${failed(error, 'the check').what}` };
  }
}

async function guardSection({ store }: Parts): Promise<Section> {
  const open = (await store.guards.list()).filter(({ state }) => state === 'open');
  const lines = open.map(({ id, clinic, sentence }): CheckLine => {
    const hint = `If that is right: \`clinic-sync guards approve ${id}\``;
    return { level: 'warn', what: `${clinic}: ${sentence}`, hint };
  });
  return { title: 'guards', lines: lines.length > 0 ? lines : [{ level: 'ok', what: 'no answer is held' }] };
}

/** Ours while the daemon runs; otherwise the daemon could not start. */
async function portLine({ http, store }: Config): Promise<CheckLine> {
  const place = `${http.host}:${http.port}`;
  if (http.port === 0) return { level: 'ok', what: 'the system chooses a port' };
  if (isDaemonRunning(store.sqlite)) return { level: 'ok', what: `the daemon runs and has ${place}` };
  const server = createServer();
  const code = await new Promise<string | undefined>((done) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => done(code ?? 'error'));
    server.listen({ host: http.host, port: http.port }, () => server.close(() => done(undefined)));
  });
  if (code === undefined) return { level: 'ok', what: `${place} is free` };
  const what = code === 'EADDRINUSE' ? `${place} is in use` : `cannot listen on ${place} (${code})`;
  return {
    level: 'fail',
    what,
    hint: 'Stop the other program, or set http.listen to another address or port.',
  };
}

/** What the daemon noted about the way to it; only a person can put that right. */
async function httpSections({ store, config }: Parts): Promise<Section[]> {
  const since = config.http.trustProxy === 0 ? await store.keyValue.get('http', 'unnamed_proxy') : undefined;
  if (since === undefined) return [];
  const { sentence, action } = unnamedProxy;
  return [{ title: 'http', lines: [{ level: 'warn', what: `${sentence} Seen ${since}.`, hint: action }] }];
}

async function clinicSections({ clinics }: Parts, signal: AbortSignal): Promise<Section[]> {
  const sections: Section[] = [];
  for (const { settings, clinic } of clinics.values()) {
    const lines: CheckLine[] = [];
    try {
      const { things } = await clinic.organization(signal);
      const name = things[0]?.fields.name ?? 'nothing readable';
      lines.push({ level: 'ok', what: `${settings.base_url} accepts the keys and calls itself ${name}` });
    } catch (error) {
      lines.push(failed(error, `Asking ${settings.base_url}`));
    }
    if (travelsInTheOpen(settings.base_url)) {
      const what = 'base_url begins with http: the keys and the patients travel unencrypted';
      lines.push({ level: 'warn', what, hint: 'Write https, if the clinic’s server has it.' });
    }
    const skew = await skewOf(settings.base_url, signal);
    if (skew !== undefined && Math.abs(skew) > MOST_SKEW_MS) {
      const what = `this machine's clock and the clinic's differ by ${Math.round(skew / 1000)} s`;
      lines.push({ level: 'warn', what, hint: 'Switch on time synchronisation (NTP) on this machine.' });
    }
    sections.push({ title: `clinic ${settings.key}`, lines });
  }
  return sections;
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
    connectors.map(async ({ settings, connector, quarantined }) => ({
      title: `connector ${settings.name} (${settings.use})`,
      lines: connector
        ? await connector.check(signal)
        : [{ level: 'fail' as const, what: quarantined ?? 'is quarantined' }],
    })),
  );
