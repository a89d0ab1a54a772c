import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findKind, kindNames } from '../../connectors/registry.ts';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { formToken, notebook, openWebForm } from '../../test/support/forms/web-form.ts';
import { startSampleHttp } from '../../test/support/http/http-kit.ts';
import { openDay } from '../../test/support/open-day.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { fromText } from '../config/load.ts';
import type { HttpIntake } from '../connector.ts';
import type { Rehearsed } from '../domain/bookings/probe.ts';
import { instant, systemClock } from '../platform/clock.ts';
import { HOUR, MINUTE, SECOND } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { failingProbes, keepProbes, probed, probeNeed } from '../status/probes.ts';
import { startDaemon } from './app.ts';
import { checkConnector } from './check-connector.ts';
import { emptyView } from './empty-view.ts';
import { startProbes } from './nightly-probe.ts';

const forms = `
  page: { use: web-form, preset: html-form, token: ${formToken} }
  shop: { use: web-form, preset: typeform, secret: a-secret-of-the-tool }
  blog: { use: web-form, preset: jotform, token: ${formToken} }`;

/** A daemon that probes its three forms every second, with a clinic that answers. */
async function probing(extra = '') {
  const folder = await temporaryFolder();
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { app_key, secret_key } = sandbox.credentials;
  const yaml = `version: 1
clinics: { main: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: Asia/Dhaka } }
connectors:${forms}
  files: { use: csv, directory: ${join(folder, 'files')} }
probe: "* * * * * *"
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0 }
${extra}`;
  const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
  expect.assert(loaded.ok);
  const { config } = loaded;
  const daemon = await startDaemon({ config, clock: systemClock, log: silentLog, version: '0.0.0' });
  onTestFinished(() => daemon.stop());
  const { store } = daemon.parts;
  await until(
    'the dentists are mirrored',
    async () => (await store.mirror.rows('dentists', 'main')).length > 0,
  );
  /** At least one more of each form, from now on. */
  const probes = async () => {
    const from = instant(systemClock.now());
    await until('every form is probed', async () => {
      const notes = [...(await probed(store)).values()];
      return notes.length === 3 && notes.every(({ at }) => at > from);
    });
    return Object.fromEntries(await probed(store));
  };
  return { daemon, sandbox, store, config, probes };
}

describe('a probe in a running daemon', () => {
  it('gets through every form to the edge of sending, and leaves nothing at the clinic or here', async () => {
    const { daemon, sandbox, store, probes } = await probing();
    const before = await store.changes.latest('main');
    const notes = await probes();
    await probes();

    expect(Object.values(notes).map(({ fault }) => fault)).toEqual([null, null, null]);
    // The lane is open and would send: a real lead goes.
    const at = instant(systemClock.now());
    const { ref } = await daemon.parts.bookings.accept({
      source: 'desk',
      fields: {
        patient_name: 'Ann Lee',
        patient_phone: '+8801712345610',
        appointment_date: openDay(20),
        appointment_time: '11:00',
      },
    });
    await until('it is booked', async () => (await store.bookings.get(ref))?.state === 'booked');
    await probes();

    expect(sandbox.control.ledger().map(({ body }) => body.patient_name)).toEqual(['Ann Lee']);
    expect((await store.bookings.list({})).map(({ source }) => source)).toEqual(['desk']);
    const totals = await store.bookings.totals(at, at);
    expect(totals.map(({ source, all }) => [source, all])).toEqual([['desk', 1]]);
    const changes = await store.changes.after('main', before, 1_000);
    const ofBookings = changes.filter(({ resource }) => resource === 'booking').map(({ id }) => id);
    expect(new Set(ofBookings)).toEqual(new Set([ref]));
    const metrics = await (await fetch(`${daemon.url}/metrics`)).text();
    expect(metrics).not.toMatch(/intake_\w+\{[^}]*connector="(page|shop|blog)"[^}]*\} [1-9]/);
    const report = await daemon.report();
    expect(report.bookings.map(({ source }) => source)).toEqual(['desk']);
    expect(report.needs).toEqual([]);
  });

  it('is only a validation for anyone without the daemon’s secret', { tags: ['thorough'] }, async () => {
    const { daemon, store } = await probing();
    const intake = daemon.parts.connectors.find(({ settings }) => settings.name === 'shop')?.connector
      ?.intake;
    const request = await intake?.probe?.({
      id: 'probe-of-a-stranger',
      clinic: 'main',
      fields: {
        patient_name: 'A stranger',
        patient_phone: '+8801712345611',
        appointment_date: openDay(9),
        appointment_time: '11:00',
      },
    });
    const answer = await fetch(`${daemon.url}/in/shop?validate=1`, {
      method: 'POST',
      headers: { ...request?.headers, 'x-clinic-sync-probe': 'a guess' },
      body: request?.body ?? '',
    });

    expect(await answer.json()).toEqual({ ok: true });
    expect(await store.bookings.list({})).toEqual([]);
  });
});

it('sends a probe for every clinic that a form serves, also through a form in a process of its own', {
  tags: ['thorough'],
}, async () => {
  const folder = await temporaryFolder();
  const clinics = await Promise.all(
    ['main', 'north'].map(async (key) => {
      const sandbox = await startSandbox();
      onTestFinished(() => sandbox.close());
      const { app_key, secret_key } = sandbox.credentials;
      return `  ${key}: { base_url: "${sandbox.url}", app_key: ${app_key}, secret_key: ${secret_key}, timezone: Asia/Dhaka }`;
    }),
  );
  const yaml = `version: 1
clinics:
${clinics.join('\n')}
connectors:
  shop: { use: web-form, preset: native, token: ${formToken} }
  page: { use: web-form, preset: html-form, token: ${formToken}, clinics: [north], isolate: true }
  far: { use: web-form, preset: jotform, token: ${formToken}, isolate: true, fields: { clinic: { from: Clinic } } }
probe: "* * * * * *"
store: { sqlite: ${join(folder, 'clinic.db')} }
http: { listen: 127.0.0.1:0 }
`;
  const loaded = await fromText(yaml, 'test.yaml', { environment: {}, findKind, knownKinds: kindNames });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const { config } = loaded;
  const daemon = await startDaemon({ config, clock: systemClock, log: silentLog, version: '0.0.0' });
  onTestFinished(() => daemon.stop());
  const { store } = daemon.parts;

  const notes = await until(
    'each is probed',
    async () => {
      const found = await probed(store);
      return found.size === 5 && [...found.values()].every(({ failures }) => failures === 0) && found;
    },
    { found: () => probed(store).then((found) => Object.fromEntries(found)) },
  );

  expect([...notes.keys()].toSorted()).toEqual(['far main', 'far north', 'page', 'shop main', 'shop north']);
  expect(await store.bookings.list({})).toEqual([]);
});

interface Night {
  settings?: Record<string, unknown>;
  rehearsed?: Partial<Rehearsed>;
  storing?: () => never;
}

/** A form behind a real door, probed by a clock of the test's own. */
async function night({ settings = { preset: 'native', token: formToken }, rehearsed, storing }: Night) {
  const clock = fakeClock('2026-03-02T01:00:00Z');
  const opened = await openWebForm(settings, { clock });
  let intake: HttpIntake = opened.intake;
  const word = 'the-word-of-the-test';
  const http = await startSampleHttp(
    {
      intakes: { get: () => ({ intake, view: emptyView }) },
      probes: {
        word,
        rehearse: async () =>
          storing?.() ?? {
            ...{ result: 'new', ref: null, state: 'queued', reason: null, faults: [] },
            ...rehearsed,
          },
      },
    },
    clock,
  );
  onTestFinished(() => http.stop());
  const deliveries = { connector: async () => ({ problems: [], asks: [] }) } as never;
  const store = { keyValue: keyValueOf(notebook()), deliveries };
  const unit = {
    settings: { name: 'website', use: 'web-form', clinics: ['main'] },
    connector: { ...opened.connector, intake },
  };
  const loop = startProbes({
    config: { clinics: [{ key: 'main', timezone: 'Asia/Dhaka' }], probe: '20 3 * * *' } as never,
    connectors: [unit] as never,
    entry: () => ({ url: http.url, secret: word }),
    ...{ store, clock, log: silentLog },
  });
  onTestFinished(() => loop.stop());
  const notes = async () => (await probed(store)).get('website');
  return {
    clock,
    notes,
    store,
    unit,
    told: async () => failingProbes(await probed(store)),
    /** Lets so much time pass, and the probes that are due in it end. */
    async pass(ms: number, failures: number) {
      await clock.advance(ms);
      await until(`${failures} probes failed`, async () => (await notes())?.failures === failures);
    },
    mend(other: HttpIntake) {
      intake = other;
      Object.assign(unit.connector, { intake: other });
    },
  };
}

function keyValueOf(memory: ReturnType<typeof notebook>) {
  return {
    get: (_scope: string, key: string) => memory.get(key),
    set: (_scope: string, entries: Record<string, string | undefined>) => memory.set(entries),
    list: (_scope: string, prefix: string) => memory.list(prefix),
  } as never;
}

const misread = { preset: 'contact-form-7', token: formToken, fields: { patient_phone: '{{phone}}x' } };

it('asks eight forms at a time, and waits for each that hangs no longer than 20 s', {
  tags: ['thorough'],
}, async () => {
  const clock = fakeClock('2026-03-02T03:19:00Z');
  const { intake } = await openWebForm({ preset: 'native', token: formToken }, { clock });
  const word = 'the-word-of-the-test';
  const rehearse = async () => ({ state: 'queued', reason: null, faults: [] }) as never;
  const http = await startSampleHttp(
    { intakes: { get: () => ({ intake, view: emptyView }) }, probes: { word, rehearse } },
    clock,
  );
  onTestFinished(() => http.stop());
  const asked: number[] = [];
  const hanging = (n: number) => {
    asked.push(n);
    return new Promise<never>(() => {});
  };
  const form = (name: string, own: unknown) => ({
    settings: { name, clinics: ['main'] },
    connector: { intake: own },
  });
  const store = { keyValue: keyValueOf(notebook()) };
  const loop = startProbes({
    config: { clinics: [{ key: 'main', timezone: 'UTC' }], probe: '20 3 * * *' } as never,
    connectors: [
      ...Array.from({ length: 20 }, (_, n) => form(`hanging-${n}`, { probe: () => hanging(n) })),
      form('website', intake),
    ] as never,
    entry: () => ({ url: http.url, secret: word }),
    ...{ store, clock, log: silentLog },
  });
  onTestFinished(() => loop.stop());

  const counts: number[] = [];
  await clock.advance(MINUTE);
  for (let twenties = 0; twenties < 3; twenties += 1) {
    counts.push(asked.length);
    await clock.advance(20 * SECOND);
  }
  const notes = await until('all are probed', async () => {
    const found = await probed(store);
    return found.size === 21 && found;
  });

  expect(counts).toEqual([8, 16, 20]);
  expect(notes.get('website')).toMatchObject({ failures: 0 });
  expect(notes.get('hanging-19')).toMatchObject({
    failures: 1,
    fault: { step: 'door', what: 'no answer within 20 s' },
  });
});

it('stops at once while a form hangs', { tags: ['thorough'] }, async () => {
  const clock = fakeClock('2026-03-02T03:19:00Z');
  const isAsked = Promise.withResolvers<void>();
  const probe = () => {
    isAsked.resolve();
    return new Promise<never>(() => {});
  };
  const loop = startProbes({
    config: { clinics: [{ key: 'main', timezone: 'UTC' }], probe: '20 3 * * *' } as never,
    connectors: [
      { settings: { name: 'website', clinics: ['main'] }, connector: { intake: { probe } } },
    ] as never,
    entry: () => ({ url: 'http://127.0.0.1:9', secret: '' }),
    ...{ store: { keyValue: keyValueOf(notebook()) }, clock, log: silentLog },
  });
  await clock.advance(MINUTE);
  await isAsked.promise;

  await expect(loop.stop()).resolves.toBeUndefined();
});

describe('a probe that does not get through', () => {
  it('waits for its hour, tries again after five minutes, then reports, and retries hourly until it succeeds', async () => {
    const { clock, notes, told, pass, mend } = await night({ settings: misread });
    await clock.advance(2 * HOUR + 19 * MINUTE);
    expect(await notes()).toBeUndefined();

    await pass(MINUTE, 1);
    expect(await told()).toEqual([]);
    await pass(5 * MINUTE, 2);
    expect(await told()).toMatchObject([
      {
        connector: 'website',
        since: '2026-03-02T03:20:00.000Z',
        fault: { step: 'mapping', what: 'patient_phone' },
      },
    ]);
    mend((await openWebForm({ preset: 'native', token: formToken }, { clock })).intake);
    await pass(HOUR, 0);
    expect(await told()).toEqual([]);
  });

  it.each<[string, Night, string, RegExp]>([
    ['the door', { settings: { preset: 'typeform', secret: formToken } }, 'door', /answers 401/],
    [
      'judging',
      {
        rehearsed: {
          state: 'held',
          reason: 'mapping',
          faults: [{ field: 'doctor', message: 'No dentist has this name.', reason: 'mapping' }],
        },
      },
      'judging',
      /doctor: No dentist/,
    ],
    [
      'storing',
      {
        storing() {
          throw new Error('disk I/O error');
        },
      },
      'storing',
      /answers 503/,
    ],
  ])('names the step that broke: %s', async (name, given, step, what) => {
    const { pass, clock, notes, mend } = await night(given);
    if (name === 'the door') {
      // The tool signs with another secret.
      const other = await openWebForm({ preset: 'typeform', secret: 'another-secret-of-it' }, { clock });
      const own = await openWebForm(given.settings ?? {}, { clock });
      mend({ ...own.intake, probe: other.intake.probe });
    }
    await pass(2 * HOUR + 20 * MINUTE, 1);
    expect(await notes()).toMatchObject({ fault: { step, what: expect.stringMatching(what) } });
  });

  it('succeeds when the lead would only wait for approval', async () => {
    const { pass, notes } = await night({ rehearsed: { state: 'held', reason: 'approval' } });
    await pass(2 * HOUR + 20 * MINUTE, 0);
    expect(await notes()).toMatchObject({ fault: null });
  });

  it('shows in `connectors check` for each clinic where it broke, and for the others by their number', async () => {
    const { store, unit, clock } = await night({});
    const clinics = Array.from({ length: 8 }, (_, n) => `clinic-${n}`);
    const fault = { step: 'mapping', what: 'clinic' } as const;
    const at = instant(clock.now());
    const notes = clinics.map((clinic, n) => [
      `website ${clinic}`,
      n === 3 ? { at, failures: 2, since: at, fault } : { at, failures: 0, since: null, fault: null },
    ]);
    await keepProbes(store, Object.fromEntries(notes));
    const several = {
      ...unit,
      settings: { name: 'website', use: 'web-form', clinics },
      quarantined: undefined,
    };
    const signal = new AbortController().signal;

    const lines = await checkConnector(several as never, { store, clock, signal });

    expect(lines.slice(-2)).toMatchObject([
      { level: 'fail', what: expect.stringContaining('the last probe for clinic-3') },
      { level: 'ok', what: 'the last probes for 7 clinics got through to the edge of sending' },
    ]);
  });

  it('shows in `connectors check`, and asks a person to repair what broke', {
    tags: ['thorough'],
  }, async () => {
    const { pass, store, unit, told, clock } = await night({ settings: misread });
    await pass(2 * HOUR + 20 * MINUTE, 1);
    await pass(5 * MINUTE, 2);
    const signal = new AbortController().signal;
    const lines = await checkConnector({ ...unit, quarantined: undefined } as never, {
      store,
      clock,
      signal,
    });

    expect(lines.at(-1)).toMatchObject({
      level: 'fail',
      what: 'the last probe, less than a second ago, did not get through: fields get lost (patient_phone)',
    });
    expect((await told()).map(probeNeed)).toMatchObject([
      { kind: 'probe', subject: 'website', urgent: true, action: expect.stringContaining('fields') },
    ]);
  });
});
