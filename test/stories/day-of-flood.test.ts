/** @module-tag thorough */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { buildParts, type Parts } from '../../src/app/parts.ts';
import { fromText } from '../../src/config/load.ts';
import type { HttpIntake } from '../../src/connector.ts';
import { instant } from '../../src/platform/clock.ts';
import { MINUTE } from '../../src/platform/duration.ts';
import type { Log, LogFields } from '../../src/platform/log.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { formToken, hiddenFields } from '../support/forms/web-form.ts';
import { startSampleHttp } from '../support/http/http-kit.ts';

const HOURS = Number(process.env.VERIFY_RUNS ?? 1) > 1 ? 24 : 1;
const MEGABYTE = 2 ** 20;
/** The write-ahead log of the database: as large after an hour as after a day. */
const FIXED = 17;
const MOST = FIXED + ((100 - FIXED) * HOURS) / 24;
/**
 * More of each than is stored, logged or audited: 100 submissions an hour in full and 300 short ones, 10 lines a minute,
 * 100 rows a quarter.
 */
const PER_HOUR = { submissions: 420 };
const PER_MINUTE = { refused: 12, wrongTokens: 8 };

/** Counts the bytes of the lines that a log of the daemon would have. */
function countingLog(now: () => number) {
  const written = { bytes: 0 };
  const at =
    (level: string) =>
    (msg: string, fields: LogFields = {}) => {
      const line = JSON.stringify({ level, time: instant(now()), ...fields, msg });
      written.bytes += Buffer.byteLength(line) + 1;
    };
  const log: Log = { debug() {}, info: at('info'), warn: at('warn'), error: at('error') };
  return { log, written };
}

/** A public form, a folder of CSV files and a database, all in `folder`. */
async function startParts(folder: string, clock: FakeClock, log: Log): Promise<Parts> {
  const clinic = { base_url: 'http://127.0.0.1:1', app_key: 'a', secret_key: 's', timezone: 'Asia/Dhaka' };
  const yaml = stringify({
    version: 1,
    clinics: { main: { ...clinic, country: 'BD' } },
    connectors: {
      form: { use: 'web-form', preset: 'html-form', token: formToken, approval: 'required' },
      reports: { use: 'csv', directory: join(folder, 'csv') },
    },
    store: { sqlite: join(folder, 'clinic-sync.db') },
  });
  const options = { environment: {}, findKind, knownKinds: kindNames };
  const loaded = await fromText(yaml, 'flood.yaml', options);
  expect.assert(loaded.ok, JSON.stringify(loaded));
  const parts = await buildParts({
    config: loaded.config,
    clock,
    log,
    version: '1',
    mode: 'daemon',
  });
  onTestFinished(() => parts.close());
  for (const connector of parts.connectors) await connector.start();
  return parts;
}

/** Sends every request from a network of its own. */
async function startFlood(parts: Parts, clock: FakeClock, log: Log) {
  const { store, bookings, connectors, deliveries } = parts;
  const form = connectors.find(({ settings }) => settings.name === 'form');
  const intake = form?.connector?.intake as HttpIntake;
  const intakes = new Map([['form', { intake, view: await deliveries.view('form') }]]);
  const { audit, sessions } = store;
  const http = await startSampleHttp({ intakes, bookings, trustProxy: 1, audit, sessions, log }, clock);
  onTestFinished(() => http.stop());
  let visitors = 0;
  return async (path: string, body?: FormData, headers: Record<string, string> = {}) => {
    visitors += 1;
    const address = `${20 + (visitors >> 16)}.${(visitors >> 8) & 255}.${visitors & 255}.7`;
    const answer = await fetch(`${http.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-forwarded-for': address, origin: http.url, ...headers },
      ...(body && { body }),
    });
    return { status: answer.status, text: await answer.text() };
  };
}

/** The longest texts that a body has room for, of characters that take three bytes each. */
function longest(index: number, hidden: readonly [string, string][]): FormData {
  const form = new FormData();
  for (const [name, value] of hidden) form.append(name, value);
  for (const name of ['patient_name', 'address', 'doctor', 'treatment', 'note'])
    form.append(name, `${index} ${'字'.repeat(4_000)}`.slice(0, 4_000));
  form.append('patient_phone', `017${String(index).padStart(8, '0')}`);
  form.append('appointment_date', '2026-03-10');
  form.append('appointment_time', '10:30');
  return form;
}

/** Bytes of everything in the folder, by its first name there. */
async function bytesIn(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const path of await readdir(folder, { recursive: true })) {
    const file = await stat(join(folder, path));
    const [name = ''] = path.split('/');
    if (file.isFile()) sizes[name] = (sizes[name] ?? 0) + file.size;
  }
  return sizes;
}

it(`${HOURS} h of flood take less than ${MOST.toFixed(0)} MB of database, log and files`, {
  timeout: 1_800_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-sync-flood-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clock = fakeClock();
  const { log, written } = countingLog(clock.now);
  const parts = await startParts(folder, clock, log);
  const send = await startFlood(parts, clock, log);

  let stored = 0;
  for (let minute = 0; minute < HOURS * 60; minute += 1) {
    if (minute % 60 === 0) {
      const hidden = hiddenFields((await send('/in/form/form')).text);
      await clock.advance(10_000);
      for (let i = 0; i < PER_HOUR.submissions; i += 1) {
        const { status } = await send('/in/form', longest(minute * 1_000 + i, hidden));
        if (status === 200) stored += 1;
      }
    }
    for (let i = 0; i < PER_MINUTE.refused; i += 1) await send('/in/form', new FormData());
    for (let i = 0; i < PER_MINUTE.wrongTokens; i += 1)
      await send('/bookings', undefined, { authorization: 'Bearer wrong' });
    await clock.advance(MINUTE);
  }

  const sizes = { ...(await bytesIn(folder)), log: written.bytes };
  const megabytes = Object.values(sizes).reduce((sum, size) => sum + size, 0) / MEGABYTE;
  console.info(`${HOURS} h of flood: ${stored} stored, ${megabytes.toFixed(1)} MB: ${JSON.stringify(sizes)}`);
  expect(stored).toBe(400 * HOURS);
  expect(megabytes).toBeLessThan(MOST);
});
