import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import { openDay } from '../../test/support/open-day.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { type Daemon, startDaemon } from './app.ts';

const ADMIN = 'sesame-opens-the-door';
const FORM = 'form-token-of-the-test';

let folder: string;
let sandbox: Sandbox;
let daemon: Daemon;

const yaml = () => `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key: ${sandbox.credentials.app_key}, secret_key: ${sandbox.credentials.secret_key}, timezone: Asia/Dhaka }
connectors:
  reports: { use: csv, directory: ${join(folder, 'csv')} }
  website: { use: web-form, token: ${FORM}, approval: required }
  broken: { use: ./no-such-connector.js }
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0, admin_token: ${ADMIN} }
`;

async function start(): Promise<Daemon> {
  const find: typeof findKind = async (use) => {
    if (use === './no-such-connector.js') throw new Error('does not load');
    return findKind(use);
  };
  const loaded = await fromText(yaml(), 'test.yaml', {
    environment: {},
    findKind: find,
    knownKinds: kindNames,
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return startDaemon({ config: loaded.config, clock: systemClock, log: silentLog, version: '0.0.0' });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'daemon-'));
  sandbox = await startSandbox();
  daemon = await start();
  await until(
    'dentists are mirrored',
    async () => (await daemon.parts.store.mirror.rows('dentists', 'main')).length === 6,
  );
});
afterEach(async () => {
  await daemon.stop();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function post(
  path: string,
  body: object,
  token = ADMIN,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${daemon.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const lead = {
  patient_name: 'Ann Lee',
  patient_phone: '+8801712345678',
  appointment_date: '2031-01-01',
  appointment_time: '11:00',
};
const submit = async (fields: object = {}) => {
  const { body } = await post('/in/website', { ...lead, ...fields }, FORM);
  return String(body.ref);
};
const stateOf = async (ref: string) => (await daemon.parts.store.bookings.get(ref))?.state;

describe('the daemon', () => {
  it('mirrors, and reports a broken connector that it set aside', { tags: ['thorough'] }, async () => {
    const report = await daemon.report();

    expect(report.clinics[0]?.resources.find(({ poll }) => poll === 'treatments')?.rows).toBe(14);
    expect(report.connectors.find(({ connector }) => connector === 'broken')?.state).toBe('quarantined');
    expect(report.connectors.find(({ connector }) => connector === 'reports')?.state).toBe('ok');
  });

  it('asks senders of a connector that could not be started to retry, and rejects unknown ones', {
    tags: ['thorough'],
  }, async () => {
    const setAside = await post('/in/broken', lead, FORM);
    const unknown = await post('/in/nobody', lead, FORM);

    expect([setAside.status, unknown.status]).toEqual([503, 404]);
    expect(await daemon.parts.store.bookings.list({})).toEqual([]);
  });

  it('sends a booking once a person has approved it, and follows the appointment', async () => {
    const ref = await submit({ appointment_date: openDay(20) });
    const held = await stateOf(ref);

    const { status } = await post(`/admin/bookings/${ref}/approve`, { by: 'rita' });

    expect([held, status]).toEqual(['held', 200]);
    await until('booked', async () => (await stateOf(ref)) === 'booked');
    expect(sandbox.control.ledger()).toHaveLength(1);
    const [tracked] = await daemon.parts.store.appointments.page('main', 100);
    expect(tracked?.ref).toBe(ref);
    const events = await daemon.parts.store.bookings.events(ref);
    expect(events.some(({ actor, by }) => actor === 'person' && by.includes('rita'))).toBe(true);
  });

  it('lets a person edit, drop, pause, resume and poll now', { tags: ['thorough'] }, async () => {
    const ref = await submit();

    const edited = await post(`/admin/bookings/${ref}/edit`, { note: 'window seat', by: 'rita' });
    const dropped = await post(`/admin/bookings/${ref}/drop`, { why: 'asked to', by: 'rita' });
    const paused = await post('/admin/connectors/reports/pause', { by: 'rita' });
    const pausedReport = await daemon.report();
    const resumed = await post('/admin/connectors/reports/resume', { by: 'rita' });
    sandbox.control.editTreatment(3, { base_fee: '321.00' });
    const polled = await post('/admin/clinics/main/sync', { resource: 'treatments' });

    expect([edited, dropped, paused, resumed, polled].map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
    expect(await stateOf(ref)).toBe('dropped');
    expect(pausedReport.connectors.find(({ connector }) => connector === 'reports')?.state).toBe('paused');
    await until('the fee is recorded', async () => {
      const [change] = await daemon.parts.store.changes.page({ limit: 1 });
      return change?.data.base_fee === '321.00';
    });
  });

  it('explains what does not exist', { tags: ['thorough'] }, async () => {
    const answers = await Promise.all([
      post('/admin/connectors/nobody/pause', {}),
      post('/admin/guards/99/approve', {}),
      post('/admin/clinics/nowhere/sync', {}),
      post('/admin/connectors/reports/deliveries/retry', { id: 'evt_none' }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 409]);
    for (const { body } of answers) expect(body.message).toMatch(/^There is no/);
  });

  it('lets a person settle an unknown booking by its number, but not by a wrong one', {
    tags: ['thorough'],
  }, async () => {
    sandbox.control.script({ fault: 'reset_after_commit', match: { endpoint: 'book' } });
    const ref = await submit({ appointment_date: openDay(20) });
    await post(`/admin/bookings/${ref}/approve`, {});
    await until('unknown', async () => (await stateOf(ref)) === 'unknown');
    const [committed] = sandbox.control.ledger();
    const other = sandbox.control.addAppointment({
      name: 'Somebody Else',
      date: '2026-12-02',
      time: '09:00',
    });

    const wrong = await post(`/admin/bookings/${ref}/resolve`, { as: 'booked', appointment_id: other });
    const right = await post(`/admin/bookings/${ref}/resolve`, {
      as: 'booked',
      appointment_id: committed?.appointment_id,
    });

    expect(wrong.status).toBe(409);
    expect(JSON.stringify(wrong.body)).not.toContain('Somebody Else');
    expect(right.status).toBe(200);
    expect(await stateOf(ref)).toBe('booked');
    expect(sandbox.control.ledger()).toHaveLength(1);
  });

  it('refuses a second daemon on the same database', { tags: ['thorough'] }, async () => {
    await expect(start()).rejects.toThrow(/daemon/);
  });

  it('continues after a restart with what it knew', { tags: ['thorough'] }, async () => {
    const ref = await submit();
    await daemon.stop();
    daemon = await start();

    const again = await post('/in/website', { ...lead }, FORM);

    expect(again.body.ref).toBe(ref);
  });
});
