import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import { hastyClock } from '../../test/support/hasty-clock.ts';
import { type Receiver, startReceiver } from '../../test/support/http/receiver.ts';
import { asServicesDo } from '../../test/support/notify/services.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import { seenOf } from '../domain/bookings/booking-seen.ts';
import { oneTapToken } from '../domain/bookings/one-tap.ts';
import { type Clock, instant } from '../platform/clock.ts';
import { DAY } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { type Daemon, startDaemon } from './app.ts';
import { installationKey } from './installation-key.ts';

const TOKEN = 'form-token-of-the-test';
const ADMIN_TOKEN = 'admin-token-of-the-test';

let folder: string;
let sandbox: Sandbox;
let receiver: Receiver;
let clock: Clock;
beforeEach(async () => {
  clock = hastyClock(5);
  folder = mkdtempSync(join(tmpdir(), 'notifications-'));
  sandbox = await startSandbox();
  receiver = await startReceiver();
  receiver.answer = asServicesDo;
});
afterEach(async () => {
  await sandbox.close();
  await receiver[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function withDaemon(use: (daemon: Daemon) => Promise<void>): Promise<void> {
  const { app_key, secret_key } = sandbox.credentials;
  const loaded = await fromText(
    `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: Asia/Dhaka }
connectors:
  website: { use: web-form, token: ${TOKEN}, approval: required }
  crm: { use: webhook, url: "${receiver.url}/crm", secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, allow_networks: [127.0.0.0/8], events: ["needs_you.*"] }
notify:
  desk: { use: slack, language: de, url: "${receiver.url}/desk", allow_networks: [127.0.0.0/8] }
  phone: { use: webhook, url: "${receiver.url}/phone", allow_networks: [127.0.0.0/8], include: [patient] }
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0, public_url: "https://ops.clinic.example/sync", admin_token: ${ADMIN_TOKEN} }
`,
    'test.yaml',
    { environment: {}, findKind, knownKinds: kindNames },
  );
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const daemon = await startDaemon({
    config: loaded.config,
    clock,
    log: silentLog,
    version: '0.0.0',
  });
  try {
    await use(daemon);
  } finally {
    await daemon.stop();
  }
}

async function lead(url: string, time = '11:00', more: Record<string, string> = {}): Promise<string> {
  const body = JSON.stringify({
    patient_name: 'Ann Lee',
    patient_phone: '+8801712345678',
    appointment_date: '2031-01-01',
    appointment_time: time,
    ...more,
  });
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/in/website`, { method: 'POST', headers, body });
  return ((await answer.json()) as { ref: string }).ref;
}

/** The links of the newest message to the target that has any, where they lead while no proxy is in front. */
async function linksIn(path: string, { url }: Daemon): Promise<Record<string, string>> {
  const told = () =>
    receiver.received.filter((one) => one.path === path && one.body.includes('/links/')).at(-1);
  await until('it was told', async () => told() !== undefined);
  const { data } = JSON.parse(told()?.body ?? '') as { data: { links: { action: string; url: string }[] } };
  return Object.fromEntries(
    data.links.map((link) => [link.action, link.url.replace('https://ops.clinic.example/sync', url)]),
  );
}

const browser = { accept: 'text/html' };
const open = (link: string | undefined) => fetch(link ?? '', { headers: browser });
const tap = (link: string | undefined, fields: Record<string, string> = {}) =>
  fetch(link ?? '', { method: 'POST', headers: browser, body: new URLSearchParams(fields) });

it('notifies each target once of a waiting lead, with a link, across restarts, and names the patient only if configured', async () => {
  await withDaemon(async ({ url }) => {
    await lead(url);
  });

  await withDaemon(async ({ parts }) => {
    await receiver.until(3);
    await until('both are stored as delivered', async () => {
      const counts = await Promise.all(
        ['notify.desk', 'notify.phone'].map((name) => parts.store.deliveries.counts(name)),
      );
      return counts.every(({ pending }) => pending === 0);
    });
  });
  await withDaemon(async (daemon) => {
    await until('everything is read', async () => (await daemon.report()).health === 'ok');
  });

  const sent = receiver.received
    .filter(({ path }) => path !== '/crm')
    .toSorted((a, b) => a.path.localeCompare(b.path));
  expect(sent.map(({ path }) => path)).toEqual(['/desk', '/phone']);
  expect(sent[0]?.body).toMatch(/https:\/\/ops\.clinic\.example\/sync\/bookings\/CS-/);
  expect(sent[0]?.body).not.toMatch(/Ann Lee|1712345678/);
  expect(sent[0]?.body).toMatch(
    /clinic-sync: Wartet auf Sie.*So weit im Voraus bucht die Praxis nicht\..*Freigeben und senden/,
  );
  expect(sent[1]?.body).toContain('Ann Lee, +8801712345678');
});

it('says without the patient’s name which field a lead lacks and when its visit is; its delivery links to it', {
  tags: ['thorough'],
}, async () => {
  await withDaemon(async ({ url, parts }) => {
    const ref = await lead(url, '11:00', { patient_phone: '' });
    await until('it was told', async () => receiver.received.some(({ path }) => path === '/desk'));
    await until('it is stored as delivered', async () => {
      const { pending } = await parts.store.deliveries.counts('notify.desk');
      return pending === 0;
    });
    const headers = { ...browser, authorization: `Bearer ${ADMIN_TOKEN}` };
    const page = await (await fetch(`${url}/connectors/notify.desk`, { headers })).text();

    const { text } = JSON.parse(receiver.received.find(({ path }) => path === '/desk')?.body ?? '');
    expect(text).toMatch(
      /Etwas fehlt, das die Praxis braucht \(Telefon\)\. Termin: Mi\., 1\. Jan\. 2031,? 11:00\./,
    );
    expect(text).not.toContain('Ann Lee');
    expect(page).toContain(`<a href="/sync/bookings/${ref}">${ref}</a>`);
    expect(page).not.toContain('ntf_');
  });
});

it('approves a lead by a link of a message: after asking, once, and in the name of the target', async () => {
  await withDaemon(async (daemon) => {
    const { store } = daemon.parts;
    const ref = await lead(daemon.url);
    const { approve, drop } = await linksIn('/phone', daemon);
    const moves = async () => (await store.bookings.events(ref)).length;
    const before = await moves();

    const scanned = await Promise.all([open(approve), open(drop), open(approve)]);
    const page = await scanned[0]?.text();
    expect(scanned.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(page).toContain('Ann Lee, +8801712345678');
    expect(await moves()).toBe(before);

    const taps = await Promise.all([tap(approve), tap(approve), tap(drop)]);
    expect(taps.filter(({ status }) => status === 200)).toHaveLength(1);
    const again = await tap(approve);
    expect([again.status, await again.text()]).toEqual([410, expect.stringContaining('has been used')]);
    await until('it is booked', async () => (await store.bookings.get(ref))?.state === 'booked');
    const late = await open(drop);
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('has changed since')]);
    expect(await store.audit.list({ limit: 5 })).toContainEqual(
      expect.objectContaining({
        actor: 'link of phone',
        action: 'booking.approve',
        subject: ref,
        result: 'ok',
      }),
    );
    expect(sandbox.control.ledger()).toHaveLength(1);
  });
});

it('speaks the language of who opens a link: what it does, what was done, and why it no longer works', {
  tags: ['thorough'],
}, async () => {
  await withDaemon(async (daemon) => {
    await lead(daemon.url);
    const { drop = '' } = await linksIn('/phone', daemon);
    const german = { ...browser, 'accept-language': 'de' };
    const asked = await (await fetch(drop, { headers: german })).text();
    const pressed = async () => (await fetch(drop, { method: 'POST', headers: german })).text();

    const pages = [asked, await pressed(), await pressed()];

    expect(pages.map((page) => /<h1>([^<]*)<.h1>/.exec(page)?.[1]?.replace(/CS-\w+/, 'REF'))).toEqual([
      'Verwerfen: REF',
      'REF ist verworfen.',
      'Das ist jetzt nicht möglich',
    ]);
    expect(pages[0]).toContain('Es geschieht nichts weiter mit ihr.');
    expect(pages[2]).toContain('Dieser Link ist schon benutzt.');
    for (const page of pages) expect(page).not.toContain('lang="en" dir');
  });
});

it('shows no patient through a link of a target without patient data', { tags: ['thorough'] }, async () => {
  await withDaemon(async (daemon) => {
    await lead(daemon.url);
    await linksIn('/phone', daemon);
    await until('the desk was notified', async () => receiver.received.some(({ path }) => path === '/desk'));
    const { body = '' } = receiver.received.find(({ path }) => path === '/desk') ?? {};
    const [, link = ''] =
      /<https:..ops\.clinic\.example\/sync(\/links\/[^|]+)\|Freigeben und senden>/.exec(body) ?? [];

    const page = await (await open(`${daemon.url}${link}`)).text();

    expect(page).toContain('Approve and send: CS-');
    expect(page).not.toMatch(/Ann Lee|1712345678/);
  });
});

it('refuses a link that is too old, was changed, or belongs to no target', {
  tags: ['thorough'],
}, async () => {
  await withDaemon(async (daemon) => {
    const { store } = daemon.parts;
    const ref = await lead(daemon.url);
    const { drop = '' } = await linksIn('/phone', daemon);
    const key = await installationKey(store, daemon.parts.config, 'one_tap_key');
    const booking = await store.bookings.get(ref);
    if (booking === undefined) throw new Error('the booking is gone');
    const made = { ref, action: 'drop', target: 'phone', until: clock.now() + 3_600_000 } as const;
    const seen = seenOf(booking);
    const linkOf = (more: object) => `${daemon.url}/links/${oneTapToken(key, { ...made, seen, ...more })}`;

    const stored = (await store.keyValue.get('http', 'one_tap_key')) ?? '';
    const answers = await Promise.all([
      // Signed with all that the database holds.
      tap(`${daemon.url}/links/${oneTapToken(stored, { ...made, seen })}`),
      tap(linkOf({ until: clock.now() - 1 })),
      tap(drop.replace('.drop.', '.approve.')),
      // The highest bits of the last character, which all count.
      tap(drop.replace(/.$/, (last) => (/[A-P]/.test(last) ? 'Q' : 'A'))),
      tap(linkOf({ target: 'stranger' })),
      tap(linkOf({ seen: 'another' })),
      tap(`${daemon.url}/links/nonsense`),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 410, 404, 404, 404, 409, 404]);
    expect((await store.bookings.get(ref))?.state).toBe('held');
  });
});

it('notes by a link until when the clinic is closed, shows it, and lets a person open it again', {
  tags: ['thorough'],
}, async () => {
  await withDaemon(async (daemon) => {
    const { parts, url } = daemon;
    const key = await installationKey(parts.store, parts.config, 'one_tap_key');
    const made = { ref: 'main', action: 'closed', target: 'desk', seen: '' } as const;
    const link = `${url}/links/${oneTapToken(key, { ...made, until: clock.now() + 3_600_000 })}`;
    const day = instant(clock.now() + 20 * DAY).slice(0, 10);
    const closedUntil = async () => (await daemon.report()).clinics.map((one) => one.closed_until);
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };

    const page = await open(link);
    const scanned = await closedUntil();
    const mistyped = await tap(link, { until: '2062-01-01' });
    const answer = await tap(link, { until: day });
    const again = await tap(link, { until: day });
    const closed = await closedUntil();
    const shown = await (await fetch(`${url}/`, { headers: { ...headers, ...browser } })).text();
    const opened = await fetch(`${url}/admin/silences/main/answer`, {
      ...{ method: 'POST', headers },
      body: new URLSearchParams({ until: 'today' }),
    });

    expect([page.status, mistyped.status, answer.status, again.status]).toEqual([200, 400, 200, 410]);
    expect(await page.text()).toContain('name="until"');
    expect([scanned, closed]).toEqual([[null], [day]]);
    expect(shown).toContain('Closed until');
    expect([opened.status, await closedUntil()]).toEqual([200, [null]]);
    const audit = await parts.store.audit.list({ limit: 10 });
    expect(
      audit.map(({ actor, action, subject, result }) => `${actor}: ${action} ${subject} ${result}`),
    ).toEqual([
      'admin: silence.answer main ok',
      'link of desk: silence.answer main ok',
      'link of desk: silence.answer main refused',
    ]);
  });
});

it('takes “it is there” for a booking of unknown outcome, with the number when it is right', {
  tags: ['thorough'],
}, async () => {
  await withDaemon(async (daemon) => {
    const { store } = daemon.parts;
    const ref = await lead(daemon.url);
    await tap((await linksIn('/phone', daemon)).approve);
    await until('it is booked', async () => (await store.bookings.get(ref))?.state === 'booked');
    const taken = (await store.bookings.get(ref))?.appointment_id;
    sandbox.control.script({ match: { endpoint: 'book' }, fault: { kind: 'reset_after_commit' } });
    const second = await lead(daemon.url, '15:00');
    receiver.received.length = 0;
    await daemon.parts.bookings.approve(second, 'a person');
    await until(
      'its outcome is unknown',
      async () => (await store.bookings.get(second))?.state === 'unknown',
    );
    await until('it was told', async () => receiver.received.some(({ body }) => body.includes('"booked"')));
    const { booked } = await linksIn('/phone', daemon);

    const stored = async () => JSON.stringify(await store.keyValue.list('one_tap', ''));
    const wrong = await tap(booked, { appointment_id: String(taken) });
    const right = await tap(booked, { appointment_id: String(Number(taken) + 1) });

    expect([wrong.status, right.status]).toEqual([409, 200]);
    expect(await stored()).not.toContain(new URL(booked ?? '').pathname.split('/').at(-1) ?? '');
    expect(await store.bookings.get(second)).toMatchObject({
      state: 'booked',
      appointment_id: Number(taken) + 1,
    });
  });
});

it('sends a connector what waits and that it is settled, in order and with its position in the log', {
  tags: ['thorough'],
}, async () => {
  await withDaemon(async (daemon) => {
    const ref = await lead(daemon.url);
    await tap((await linksIn('/phone', daemon)).drop);
    const events = () =>
      receiver.received.filter(({ path }) => path === '/crm').map(({ body }) => JSON.parse(body));
    await until('both events came', async () => events().length === 2);

    expect(events()).toMatchObject([
      { type: 'needs_you.opened', clinic: 'main', sequence: expect.any(Number), data: { subject: ref } },
      { type: 'needs_you.settled', clinic: 'main', sequence: expect.any(Number), data: { kind: 'booking' } },
    ]);
    expect(JSON.stringify(events())).not.toMatch(/Ann Lee|1712345678/);
  });
});
