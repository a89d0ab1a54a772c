import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { startSandbox } from '../sandbox/clinic/clinic.ts';
import { builtDaemon } from './kit/built.ts';
import { everyPoll, writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { freePort, keptBytes } from './kit/inspector.ts';
import { lead } from './kit/lead.ts';
import { processorSeconds, residentBytes, startProgram } from './kit/program.ts';
import { megabytes, ms, type Report, times } from './kit/report.ts';
import { lastAppointment, yearsOfData } from './kit/years-of-data.ts';

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const MINUTES = number('SOAK_MINUTES', 20);
const LEAD_EVERY_MS = number('SOAK_LEAD_MS', 2_000);
const BOOKINGS = number('SOAK_BOOKINGS', 0);
const MINUTE_MS = number('SOAK_MINUTE_MS', 60_000);
/** Leaves out what only the start needs: compiled code, the first fill, pools. */
const WARM_UP = 0.25;
/** The limits of a 256 MB container. */
const HEAP = ['--max-semi-space-size=2', '--max-old-space-size=160'];
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1' };
const MEGABYTE = 1024 * 1024;
/** Collects all garbage this often, because resident memory swings in between. */
const COLLECTED_MINUTES = 10;
/** Accepted just now, and still to be booked. */
const AT_WORK = 5;
const TOKEN = 'bench-token-bench-token';

interface Minute {
  leads: number;
  cpuMs: number;
  /** Resident memory, the mean over each second. */
  bytes: number;
  /** The part without pages of files: its mean, and its least. */
  own: number;
  least: number;
  slowestMs: number;
}

/**
 * A daemon that polls every second and receives a lead every two, with a CSV folder and a webhook: processor time per
 * minute and per lead, and memory, at the beginning and at the end.
 */
export async function soak(): Promise<Report> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  // Statuses move faster than leads arrive, so that only a handful are pending, as at a clinic that answers.
  const sandbox = await startSandbox({
    life: { everyMs: 300 },
    ...(BOOKINGS > 0 && { lastId: lastAppointment(BOOKINGS) }),
  });
  cleanup.defer(() => sandbox.close());
  const receiver = startProgram([join(import.meta.dirname, 'kit/receiver.ts')]);
  cleanup.defer(() => receiver.stop());
  const [, hook = ''] = await receiver.line(/"port":(\d+)/);
  const config = writeConfiguration(folder.path, {
    sandbox,
    everySecond: everyPoll,
    connectors: [
      `website: { use: web-form, preset: native, token: ${TOKEN} }`,
      `reports: { use: csv, directory: ${folder.path}/csv }`,
      `crm: { use: webhook, url: "http://127.0.0.1:${hook}/hook", secret: whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0, snapshot: false, allow_networks: [127.0.0.0/8] }`,
    ],
  });
  const file = join(folder.path, 'clinic-sync.db');
  if (BOOKINGS > 0)
    await yearsOfData(file, {
      bookings: BOOKINGS,
      changes: BOOKINGS * 5,
      deliveries: BOOKINGS * 2.5,
    });
  const profile = process.env.SOAK_PROFILE;
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const start = (...more: string[]) =>
    startProgram([...HEAP, ...flags, ...more, builtDaemon(), 'run', '--config', config], ENVIRONMENT);
  if (BOOKINGS > 0) await fillFiles(start(), join(folder.path, 'csv/main/manifest.json'));
  const inspector = await freePort();
  const daemon = start(`--inspect=127.0.0.1:${inspector}`);
  cleanup.defer(() => daemon.stop());
  const [, port = ''] = await daemon.line(/"port":(\d+)/);

  const minutes: Minute[] = [];
  const kept: { minute: number; bytes: number }[] = [];
  let sent = 0;
  for (let index = 0; index < MINUTES; index += 1) {
    const minute = await oneMinute(daemon.pid, `http://127.0.0.1:${port}/in/website`, () => lead(1, ++sent));
    minutes.push(minute);
    const { leads, cpuMs, bytes, own, least, slowestMs } = minute;
    process.stdout.write(
      `${String(index + 1).padStart(3)}  ${leads} leads  cpu ${Math.round(cpuMs)} ms  rss ${megabytes(bytes)}, own ${megabytes(own)}, least ${megabytes(least)}  slowest lead ${ms(slowestMs)}\n`,
    );
    // Only twice: it does not belong to this load, and resident memory needs minutes to recover from it.
    if (index + 1 === COLLECTED_MINUTES || index + 1 === MINUTES)
      kept.push({ minute: index + 1, bytes: await keptBytes(inspector) });
  }
  const waiting = notBooked(file);
  if (waiting.length > AT_WORK)
    throw new Error(`leads were not booked: ${JSON.stringify(waiting.slice(-5))}`);
  return report(minutes, kept);
}

/** Leads of this run, which no figure may leave out: a lead that waits costs less than one that is booked. */
function notBooked(file: string): unknown[] {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare(
        "SELECT ref, state, reason FROM bookings WHERE submission_id NOT LIKE 'years-%' AND state <> 'booked'",
      )
      .all();
  } finally {
    database.close();
  }
}

/** Exports the existing bookings first, which is not measured. */
async function fillFiles(daemon: ReturnType<typeof startProgram>, manifest: string): Promise<void> {
  const began = performance.now();
  await daemon.line(/"port":/);
  while (!existsSync(manifest)) await wait(100);
  process.stdout.write(
    `the first export took ${ms(performance.now() - began)}, ${ms((processorSeconds(daemon.pid) ?? Number.NaN) * 1_000)} of processor time\n`,
  );
  await daemon.stop();
}

async function oneMinute(pid: number, url: string, body: () => string): Promise<Minute> {
  const before = processorSeconds(pid) ?? Number.NaN;
  const all: number[] = [];
  const own: number[] = [];
  // Memory is at its least for a second or two after a collection.
  const watch = setInterval(() => {
    all.push(residentBytes(pid) ?? Number.NaN);
    own.push(residentBytes(pid, 'RssAnon') ?? Number.NaN);
  }, 1_000);
  const end = performance.now() + MINUTE_MS;
  let leads = 0;
  let slowestMs = 0;
  for (let next = performance.now(); next < end; next += LEAD_EVERY_MS) {
    await wait(Math.max(0, next - performance.now()));
    const began = performance.now();
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: body(),
    });
    await response.text();
    if (response.status === 200) leads += 1;
    slowestMs = Math.max(slowestMs, performance.now() - began);
  }
  await wait(Math.max(0, end - performance.now()));
  clearInterval(watch);
  const cpuMs = ((processorSeconds(pid) ?? Number.NaN) - before) * 1_000;
  return { leads, cpuMs, bytes: meanOf(all), own: meanOf(own), least: Math.min(...own), slowestMs };
}

const meanOf = (seen: readonly number[]) => seen.reduce((sum, one) => sum + one, 0) / seen.length;

function report(minutes: readonly Minute[], kept: readonly { minute: number; bytes: number }[]): Report {
  const settled = minutes.slice(Math.ceil(minutes.length * WARM_UP));
  const half = Math.ceil(settled.length / 2);
  const mean = (some: readonly Minute[], value: (minute: Minute) => number) =>
    some.reduce((sum, minute) => sum + value(minute), 0) / some.length;
  const [early, late] = [settled.slice(0, half), settled.slice(-half)];
  const row = (name: string, value: (minute: Minute) => number, shown: (value: number) => string) => {
    const [before, after] = [mean(early, value), mean(late, value)];
    return [name, shown(before), shown(after), times(after / before)];
  };
  const [first, last] = [kept[0], kept.at(-1)];
  const hours = first && last ? ((last.minute - first.minute) * MINUTE_MS) / 3_600_000 : 0;
  const keeps =
    first && last && hours > 0
      ? [
          `after everything was collected the heap keeps ${(first.bytes / MEGABYTE).toFixed(1)} MB in minute ${first.minute} and ${(last.bytes / MEGABYTE).toFixed(1)} MB in minute ${last.minute}: ${signed((last.bytes - first.bytes) / MEGABYTE / hours)} MB an hour`,
        ]
      : [];
  return {
    title: `Soak: ${minutes.length} minutes on ${BOOKINGS} bookings, a lead every ${LEAD_EVERY_MS} ms, the first quarter left out`,
    columns: ['', 'earlier half', 'later half', 'ratio'],
    rows: [
      row('processor time a minute', ({ cpuMs }) => cpuMs, ms),
      row('processor time per lead, polls included', ({ cpuMs, leads }) => cpuMs / Math.max(1, leads), ms),
      row('resident memory', ({ bytes }) => bytes, megabytes),
      row('its own, without pages of files', ({ own }) => own, megabytes),
      row('slowest lead of a minute', ({ slowestMs }) => slowestMs, ms),
    ],
    notes: [
      ...keeps,
      `resident memory grows by ${signed(perHour(settled, ({ bytes }) => bytes / MEGABYTE))} MB an hour, its own by ${signed(perHour(settled, ({ own }) => own / MEGABYTE))} MB; the least of each ${COLLECTED_MINUTES} minutes of its own, which is what is kept, by ${signed(keptPerHour(settled))} MB`,
      `processor time a minute grows by ${signed(perHour(settled, ({ cpuMs }) => cpuMs))} ms an hour`,
    ],
  };
}

function keptPerHour(minutes: readonly Minute[]): number {
  const parts = Array.from({ length: Math.floor(minutes.length / COLLECTED_MINUTES) }, (_, index) =>
    minutes.slice(index * COLLECTED_MINUTES, (index + 1) * COLLECTED_MINUTES),
  );
  const least = (part: readonly Minute[]) => Math.min(...part.map((minute) => minute.least)) / MEGABYTE;
  return perHour(parts, least) / COLLECTED_MINUTES;
}

/** The slope of the least-squares line through one value per minute. */
function perHour<T>(minutes: readonly T[], value: (minute: T) => number): number {
  const middle = (minutes.length - 1) / 2;
  let products = 0;
  let squares = 0;
  for (const [index, minute] of minutes.entries()) {
    products += (index - middle) * value(minute);
    squares += (index - middle) ** 2;
  }
  return (products / squares) * (3_600_000 / MINUTE_MS);
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
