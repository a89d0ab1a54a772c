import { describe, expect, it } from 'vitest';
import { sampleFleet, sampleReport } from '../../../test/support/http/sample-report.ts';
import type { Need, StatusReport } from '../../domain/status/report.ts';
import { unreachableFailure } from '../../platform/network/unreachable.ts';
import { localeOf } from '../../platform/text/locale.ts';
import { loadTexts } from '../../texts/texts.ts';
import { publicStatus } from '../access/public-status.ts';
import type { Viewer } from './parts/layout.ts';
import { statusPage } from './status-page.ts';
import { strangerPage } from './stranger-page.ts';

const now = Date.parse('2026-03-02T09:00:00Z');
const stranger: Viewer = {
  canSignIn: true,
  by: undefined,
  role: undefined,
  canSignOut: false,
  formToken: '',
  notice: undefined,
  locale: localeOf('en'),
  here: '/',
};
const person: Viewer = { ...stranger, by: 'Ruma', role: 'admin', canSignOut: true, formToken: 'f0rm' };

const page = (more: Partial<StatusReport> = {}, viewer = stranger) =>
  statusPage({ report: { ...sampleReport(now), ...more }, viewer, now, refresh: true });

describe('at the top', () => {
  it('says in one sentence how it is, in the title, too', () => {
    const text = page({ health: 'ok', sentence: 'All good: data 3 min old' });

    expect(text).toContain('<h1 id="verdict">All good: data 3 min old</h1>');
    expect(text).toContain('<title>All good: data 3 min old · clinic-sync</title>');
  });

  it('shows each state by a shape of its own, not by colour alone', () => {
    const shapes = (['ok', 'trouble', 'stale'] as const).map(
      (health) =>
        page({ health, needs: [], needs_total: 0 }).match(/class="verdict[^>]*>(<svg.*?<\/svg>)/)?.[1],
    );

    expect(new Set(shapes).size).toBe(3);
  });
});

describe('what needs a person', () => {
  const needs = (['booking', 'guard', 'delivery', 'connector', 'clinic', 'database'] as const).map(
    (kind): Need => ({
      kind,
      clinic: 'main',
      subject: kind === 'clinic' ? 'main' : `the-${kind}`,
      sentence: `Something about a ${kind}`,
      action: 'Do something',
      since: '2026-03-02T08:00:00.000Z',
      urgent: kind === 'database',
    }),
  );

  const pausedOne = sampleReport(now)
    .connectors.slice(0, 1)
    .map((one) => ({ ...one, connector: 'the-connector', state: 'paused' as const }));

  it('comes with what to do, in the order of the report', () => {
    const text = page({ needs });

    expect([...text.matchAll(/Something about a (\w+)/g)].map(([, kind]) => kind)).toEqual(
      needs.map(({ kind }) => kind),
    );
    expect(text.match(/Do something/g)).toHaveLength(needs.length);
  });

  it('has buttons for those who are signed in, and none for others', () => {
    const buttons = (viewer: Viewer) =>
      [
        ...page({ needs, clinics: [], connectors: pausedOne }, viewer).matchAll(
          /(?:action|href)="(\/(?:admin|bookings)\/[^"]+)"/g,
        ),
      ].map(([, path]) => path);

    expect(buttons(stranger)).toEqual(['/admin/sign-in', '/admin/sign-in']);
    expect(buttons(person)).toEqual([
      '/admin/sign-out',
      '/bookings/the-booking',
      '/admin/guards/the-guard/approve',
      '/admin/connectors/the-delivery/deliveries/retry',
      '/admin/connectors/the-delivery/deliveries/skip',
      '/admin/connectors/the-connector/resume',
      '/admin/clinics/main/resume-lane',
      '/admin/clinics/main/sync',
      '/admin/connectors/the-connector/resume',
    ]);
  });

  it('has no button for what no button can settle', () => {
    const alarm: Need = { ...needs[0], kind: 'clinic', subject: 'schedule', sentence: 'It hangs' } as Need;
    delete alarm.clinic;
    const broken: Need = { ...alarm, kind: 'connector', subject: 'crm', sentence: 'It does not start' };

    const text = page({ needs: [alarm, broken], clinics: [], connectors: [] }, person);

    expect(text).not.toMatch(/resume|sync"/);
  });

  it('offers to skip what waits for a connector that is no longer configured', () => {
    const left = { ...needs[0], kind: 'connector', subject: 'old', said: { name: 'connector_left' } } as Need;

    expect(page({ needs: [left], clinics: [], connectors: [] }, person)).toContain(
      'action="/admin/connectors/old/deliveries/skip"',
    );
  });

  it('leads to the page of its connector, unless that is no longer configured', () => {
    const linksOf = (connectors: StatusReport['connectors']) =>
      [
        ...(
          page({ needs, clinics: [], connectors }).match(/<ul class="needs">.*?<\/ul>/s)?.[0] ?? ''
        ).matchAll(/href="(\/connectors\/[^"]+)"/g),
      ].map(([, path]) => path);

    expect(linksOf(pausedOne)).toEqual(['/connectors/the-connector']);
    expect(linksOf([])).toEqual([]);
  });

  it('says of which clinic it is, where there are several', () => {
    const [main] = sampleReport(now).clinics;
    expect.assert(main);
    const listOf = (clinics: StatusReport['clinics']) =>
      page({ needs, clinics }).match(/<ul class="needs">.*?<\/ul>/s)?.[0];

    const one = listOf([main]);
    const two = listOf([main, { ...main, clinic: 'south' }]);

    expect(one).not.toContain('<code>main</code>');
    expect(two).toContain('<p class="faint"><code>main</code> · ');
  });

  it('is not there when nothing does', () => {
    expect(page({ needs: [] })).not.toContain('Needs you');
  });
});

it('gives every time as a relative age with the exact moment beneath', () => {
  const text = page();

  expect(text).toContain(
    '<time datetime="2026-03-02T08:57:00.000Z" title="2 Mar 2026, 08:57:00">3 min ago</time>',
  );
  expect(text).toContain('<p>Times in UTC</p>');
});

it('does not say that there is no connector while the database does not answer', () => {
  const nothing = { clinics: [], connectors: [] };
  const database = { ok: false, problem: 'The database is damaged.', bytes: null };
  const counts = { ...publicStatus(sampleReport(now)), ...nothing };

  const texts = [
    page({ ...nothing, database }),
    strangerPage({ word: 'stale', counts, viewer: stranger, now }),
  ];

  expect(texts.join()).not.toContain('No connector');
});

it('says what there is not yet, instead of leaving holes', () => {
  const [clinic] = sampleReport(now).clinics;
  const resources = clinic?.resources.map((one) => ({
    ...one,
    last_success_at: null,
    last_change_at: null,
    next_due_at: null,
  }));
  const text = page({
    bookings: [],
    connectors: [],
    changes: [],
    started_at: null,
    clinics: clinic && resources ? [{ ...clinic, name: null, resources, statistics: [] }] : [],
  });

  expect(text).toContain('none yet');
  expect(text).toContain('No booking has come in yet');
  expect(text).toContain('No connector is configured');
  expect(text).not.toMatch(/undefined|null|NaN|Invalid/);
});

it('says in the reader’s language why a clinic’s resource cannot be read', async () => {
  await loadTexts('de');
  const report = sampleReport(now);
  const { said } = unreachableFailure(Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'clinic.example');
  for (const { resources } of report.clinics)
    Object.assign(resources[0] ?? {}, { failures: 2, last_error: 'GET /x: no connection', said });

  const text = page(report, { ...person, locale: localeOf('de') });

  expect(text).toContain('clinic.example hat die Verbindung abgelehnt.');
  expect(text).not.toContain('GET /x: no connection');
  expect(page(report, person)).toContain('GET /x: no connection');
});

it('escapes what comes from outside', () => {
  const nasty = '"><img src=x onerror=alert(1)>';
  const report = sampleReport(now);
  for (const clinic of report.clinics) clinic.name = nasty;
  for (const connector of report.connectors)
    Object.assign(connector, { connector: nasty, last_error: nasty, problems: [nasty] });
  for (const source of report.bookings) source.source = nasty;
  for (const change of report.changes) Object.assign(change, { id: nasty, summary: nasty, type: nasty });
  for (const need of report.needs) Object.assign(need, { subject: nasty, sentence: nasty, action: nasty });

  const text = statusPage({
    report: { ...report, sentence: nasty },
    viewer: { ...person, by: nasty },
    now,
    refresh: true,
  });

  expect(text).not.toContain('<img');
});

it('reloads automatically unless switched off', () => {
  const refresh = (on: boolean) =>
    statusPage({ report: sampleReport(now), viewer: stranger, now, refresh: on });

  expect(refresh(true)).toContain('http-equiv="refresh" content="30; url=?auto"');
  expect(refresh(false)).not.toContain('http-equiv="refresh"');
});

it('has one main heading, named landmarks and unique ids', () => {
  const text = page({}, person);

  expect(text.match(/<h1/g)).toHaveLength(1);
  expect(text).toMatch(/<html lang="en" dir="ltr">[\s\S]*<header[\s\S]*<main id="main"[\s\S]*<footer/);
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, id] of text.matchAll(/aria-labelledby="([^" ]+)/g)) expect(ids).toContain(id);
});

describe('of several daemons', () => {
  it('shows the daemons, what each runs since when, and what no daemon runs', () => {
    const text = page({ fleet: sampleFleet(now) });

    expect(text).toContain('<h2 id="fleet">Daemons</h2>');
    expect(text).toContain('<code>west</code> runs clinic/main, connector/accounts');
    expect(text).toContain('runs upkeep, and 1 more');
    expect(text).toContain('2 sec ahead');
    expect(text).toContain('No daemon runs connector/crm');
    expect(text).toContain('Last handover <time');
  });

  it('says nothing of that where one daemon has the database, and nothing to strangers', () => {
    expect(page()).not.toContain('id="fleet"');
    expect(JSON.stringify(publicStatus({ ...sampleReport(now), fleet: sampleFleet(now) }))).not.toContain(
      'west',
    );
  });
});
