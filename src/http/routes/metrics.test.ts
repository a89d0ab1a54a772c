import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { bearer, sampleIntake, startSampleHttp } from '../../../test/support/http/http-kit.ts';
import { sampleFleet, sampleReport } from '../../../test/support/http/sample-report.ts';
import { emptyView } from '../../app/empty-view.ts';
import type { HttpIntake } from '../../connector.ts';
import type { StatusReport } from '../../domain/status/report.ts';

const clock = fakeClock();

const troubled: Pick<StatusReport, 'health' | 'reasons'> = {
  health: 'trouble',
  reasons: [
    {
      health: 'trouble',
      kind: 'lane',
      clinic: 'main',
      subject: 'lane',
      sentence: 'bookings are not sent',
      since: null,
    },
  ],
};

const [sample] = sampleReport(clock.now()).clinics as [StatusReport['clinics'][number]];
/** With something in each figure that is absent while it is 0. */
const inTrouble = {
  ...sample,
  limiter: { ...sample.limiter, blocked_until: '2026-03-02T10:00:00.000Z', refused_last_hour: 3 },
  resources: sample.resources.map((one) => ({
    ...one,
    failures: 1,
    stale: true,
    unreadable: [{ id: '7', problem: 'no name', since: '2026-03-02T08:00:00.000Z' }],
  })),
};
const healthy = {
  ...sample,
  limiter: { ...sample.limiter, ceiling_per_minute: null, refused_last_hour: 0 },
  resources: sample.resources.map((one) => ({ ...one, failures: 0 })),
};

async function scrape(report = sampleReport(clock.now())) {
  const trouble = { cause: 'trap', sentence: '', action: '' };
  const receive: HttpIntake['receive'] = async ({ body }) =>
    body.length === 2 ? { kind: 'page', status: 422, html: '', trouble } : { kind: 'ignored', message: '' };
  const intakes = new Map([
    ['website', { intake: { ...sampleIntake('website'), receive }, view: emptyView }],
  ]);
  const http = await startSampleHttp({ report: async () => report, intakes }, clock);
  onTestFinished(() => http.stop());
  http.observeCall('main', {
    kind: 'call',
    priority: 'status',
    endpoint: 'GET /appointments/status/90211',
    status: 200,
    connected: true,
    ms: 120,
    at: '2026-03-02T09:00:00.000Z',
  });
  http.observeCall('main', { kind: 'token_granted', expires_at: '2026-03-02T10:00:00.000Z' });
  http.observeCall('main', { kind: 'blocked', until: '2026-03-02T09:01:00.000Z' });
  http.observeDelivery('notify.desk', 'transient', 1_200);
  for (const body of ['{}', '{"event":"PING"}'])
    await fetch(`${http.url}/in/website`, { method: 'POST', body });
  const answer = await fetch(`${http.url}/metrics`, { headers: bearer });
  return { type: answer.headers.get('content-type'), text: await answer.text(), http };
}

it('prints exactly the metrics that docs/metrics.md lists, with its labels', async () => {
  const documented = [
    ...readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8').matchAll(
      /^- `(\w+)(?:\{(.*?)\})?`/gm,
    ),
  ].map(([, name, labels = '']) => `${name} ${labels}`);

  const { text } = await scrape({
    ...sampleReport(clock.now()),
    ...troubled,
    clinics: [inTrouble],
    fleet: sampleFleet(clock.now()),
  });

  const histogram = /_(bucket|sum|count)$/;
  const labels = new Map(
    [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => [name, new Set<string>()]),
  );
  for (const [, sample = '', inside = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = labels.get(sample) ?? labels.get(sample.replace(histogram, ''));
    for (const [, label = ''] of inside.matchAll(/(\w+)="/g)) if (label !== 'le') known?.add(label);
  }
  const printed = [...labels].map(([name, names]) => `${name} ${[...names].sort().join(', ')}`);
  expect(printed.sort()).toEqual(documented.sort());
});

const promtool = spawnSync('promtool', ['--version']).error === undefined;

it.skipIf(!promtool)('is what Prometheus’ own linter calls clean', async () => {
  const { text } = await scrape({
    ...sampleReport(clock.now()),
    ...troubled,
    fleet: sampleFleet(clock.now()),
  });

  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });

  expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: '' });
});

it('says how old each resource is and how many bookings need a person', async () => {
  const { text, type } = await scrape();

  expect(type).toMatch(/^text\/plain/);
  expect(text).toContain('clinic_sync_resource_age_seconds{clinic="main",resource="dentists"} 180');
  expect(text).toContain('clinic_sync_bookings_need_person 2');
  expect(text).toContain('clinic_sync_bookings{source="website",state="booked"} 41');
  expect(text).toContain('clinic_sync_connector_up{connector="crm",use="webhook"} 0');
});

it('adds up what the daemons of one host have', async () => {
  const now = clock.now();

  const { text } = await scrape({ ...sampleReport(now), fleet: sampleFleet(now) });

  expect(text).toContain('clinic_sync_fleet_members 3');
  expect(text).toContain('clinic_sync_fleet_units{host="east",kind="clinic"} 2');
  expect(text).toContain('clinic_sync_fleet_alarms{kind="clock"} 1');
  expect(text).toContain('clinic_sync_fleet_clock_skew_seconds{host="west"} 2.4');
});

it('counts calls by endpoint, never by appointment', async () => {
  const { text } = await scrape();

  expect(text).toContain('endpoint="GET /appointments/status/{id}"');
  expect(text).not.toContain('90211');
});

it('counts intake answers by connector and status', async () => {
  const { text } = await scrape();

  expect(text).toContain('clinic_sync_intake_answers_total{connector="website",status="422"} 1');
});

it('forgets a connector that is no longer configured', async () => {
  const report = sampleReport(clock.now());
  const { http } = await scrape(report);
  report.connectors = [];
  await clock.advance(2_000);

  const text = await (await fetch(`${http.url}/metrics`, { headers: bearer })).text();

  expect(text).not.toContain('connector="crm"');
});

const manyClinics = (count: number): StatusReport => ({
  ...sampleReport(clock.now()),
  clinics: Array.from({ length: count }, (_, n) => ({
    ...healthy,
    clinic: `clinic-${n}`,
  })),
  clinics_total: count,
});

it('sums a thousand clinics when their own series are switched off', async () => {
  const series = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const figureOf = (text: string, name: string) =>
    Number(
      series(text)
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    );
  const one = await scrape(manyClinics(1));
  const report = manyClinics(1_000);
  const http = await startSampleHttp({ report: async () => report, metrics: { perClinic: false } }, clock);
  onTestFinished(() => http.stop());
  http.observeCall('clinic-7', {
    kind: 'call',
    priority: 'list',
    endpoint: 'GET /treatments',
    status: 200,
    connected: true,
    ms: 120,
    at: '2026-03-02T09:00:00.000Z',
  });

  const text = await (await fetch(`${http.url}/metrics`, { headers: bearer })).text();

  expect(text).not.toContain('clinic=');
  expect(series(text).length).toBeLessThan(200);
  expect(figureOf(text, 'clinic_sync_clinics')).toBe(1_000);
  for (const name of [
    'clinic_sync_resource_rows{',
    'clinic_sync_booking_lane_open',
    'clinic_sync_appointments_pending',
  ])
    expect(figureOf(text, name), name).toBe(1_000 * figureOf(one.text, name));
  const age = 'clinic_sync_resource_age_seconds';
  expect(figureOf(text, age)).toBe(figureOf(one.text, age));
  expect(figureOf(text, 'clinic_sync_clinic_call_seconds_count')).toBe(1);
});

it('adds less than a kilobyte for each clinic in which all is well', async () => {
  const [one, many] = [await scrape(manyClinics(1)), await scrape(manyClinics(101))];

  expect((many.text.length - one.text.length) / 100).toBeLessThan(1_000);
});

it('counts requests by route, method and class of status, whatever strangers ask for', async () => {
  const { http } = await scrape();
  const strange = ['/wp-login.php', '/clinics/Ann%20Lee/7', '/%ff', '/in/website/CS-7K3Q9F', '/in/nobody/x'];
  for (const path of strange) await fetch(`${http.url}${path}`, { redirect: 'manual' });
  await fetch(`${http.url}/no/such`, { method: 'PROPFIND' });

  const text = await (await fetch(`${http.url}/metrics`, { headers: bearer })).text();
  const counted = [...text.matchAll(/^clinic_sync_http_request_seconds_count(.*)$/gm)].map(([, one]) => one);

  expect(counted).toContain('{route="none",method="any",status="4xx"} 2');
  expect(counted).toContain('{route="/in/:connector/*",method="GET",status="4xx"} 2');
  expect(counted).toContain('{route="/metrics",method="GET",status="2xx"} 1');
  expect(counted.join()).not.toMatch(/Ann|wp-login|CS-7K3Q9F|nobody|PROPFIND/);
  expect(counted.length).toBeLessThan(8);
});
