import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  admin,
  bearer,
  person,
  plantedWords,
  samplePeopleStore,
  startSampleHttp,
} from '../../../test/support/http/http-kit.ts';
import { languages } from '../../texts/texts.ts';
import type { Http } from '../http.ts';

const pages = [
  '/',
  '/clinics/main',
  '/clinics/main/treatments',
  '/clinics/main/treatments/7',
  '/clinics/main/organization',
  '/clinics/main/website',
  '/clinics/main/appointments',
  '/connectors/crm',
  '/connectors/website',
  '/change-log',
  '/change-log?clinic=main&resource=treatment',
  '/reports',
  '/reports?by=month&clinic=main&month=2026-02',
  '/reports?by=weekday',
  '/fees',
  '/fees/main/treatment/7',
  '/incidents',
];

let http: Http;
const kept = samplePeopleStore();
beforeAll(async () => {
  http = await startSampleHttp({ ...kept, people: [admin, person('Rima', 'desk'), person('Vik', 'viewer')] });
});
afterAll(() => http.stop());

const load = async (path: string, lang = 'en') => {
  const headers = { ...bearer, accept: 'text/html', cookie: `clinic_sync_lang=${lang}` };
  const answer = await fetch(`${http.url}${path}`, { headers });
  return { status: answer.status, text: await answer.text() };
};

describe.each(pages)('%s', (path) => {
  it.each(languages)('is complete in %s, and contains no patient data', async (lang) => {
    const { status, text } = await load(path, lang);

    expect(status).toBe(200);
    expect(text).toContain(`<html lang="${lang}"`);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).not.toMatch(/undefined|NaN|\[object|\{\w+\}/);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // Who may see patients, sees them here, too.
    if (path !== '/' && !path.endsWith('/appointments'))
      for (const word of plantedWords) expect(text).not.toContain(word);
  });
});

it('describes a fee and its history as a person would', async () => {
  const { text } = await load('/fees/main/treatment/7');

  expect(text.replace(/<[^>]+>/g, '')).toMatch(
    /Fee of Scaling: 80\.00 BDT → 90\.00 BDT since \d+ \w+ 20\d\d/,
  );
});

it('shows from right to left, too, which way a fee went', async () => {
  const fee = await load('/fees/main/treatment/7', 'ar');
  const log = await load('/change-log', 'ar');

  expect(fee.text).toContain('<bdi>80.00 BDT</bdi> ← <bdi>90.00 BDT</bdi>');
  expect(log.text).toContain('<bdi>السعر</bdi> <bdi dir="ltr"><bdi>80.00</bdi> → <bdi>90.00</bdi></bdi>');
});

it.each(['/clinics/main/treatments/7', '/fees/main/treatment/7'])(
  'draws the fee over time on %s',
  async (path) => {
    const { text } = await load(path, 'de');
    const [chart = ''] = /<svg class="plot"[\s\S]*?<\/svg>/.exec(text) ?? [];

    expect(chart).toMatch(/<title id="plot-fee-t">Preis für Scaling<\/title>/);
    expect(chart).toMatch(/<title>\d+\. \S+ 2026: 80,00\sBDT<\/title>/);
    expect(chart).toMatch(/<title>\d+\. \S+ 2026: 90,00\sBDT<\/title>/);
  },
);

it('has the values of each chart for the pointer, and in a table for everyone else', async () => {
  const { text } = await load('/clinics/main');

  expect(text).toMatch(/<title>\w+ \d+ \w+, \d\d:\d\d: \d+<\/title>/);
  expect(text).toMatch(/<title>\d\d:\d\d–\d\d:\d\d: (ok|trouble|stale|not read)/);
  for (const svg of text.match(/<svg class="plot[\s\S]*?<\/svg>/g) ?? []) expect(svg).toContain('<desc');
  expect(text.match(/<summary>In numbers<\/summary>/g)?.length).toBeGreaterThanOrEqual(3);
});

it('says how long calls were counted when that is less than an hour', async () => {
  const { text } = await load('/clinics/main');

  expect(text).toContain('<dt>Calls in 22 min</dt><dd>412');
});

it('leads from a price and from a record to their history', async () => {
  expect((await load('/fees')).text).toContain('<a href="/fees/main/treatment/7">Scaling</a>');
  expect((await load('/fees')).text).toContain('<a href="/fees/main/dentist/4">');
  expect((await load('/clinics/main/treatments')).text).toContain(
    '<a href="/clinics/main/treatments/7"><bdi>Scaling</bdi></a>',
  );
  expect((await load('/change-log')).text).toContain(
    '<a href="/clinics/main/treatments/7"><b>Scaling</b></a>',
  );
  expect((await load('/clinics/main/treatments/7')).text).toContain('<a href="/fees/main/treatment/7">');
});

it.each(['/clinics/other', '/clinics/main/other', '/connectors/other', '/fees/other/treatment/7'])(
  'answers 404 for %s',
  async (path) => {
    expect((await load(path)).status).toBe(404);
  },
);

it('asks before a connector is paused, without a script', async () => {
  const { text } = await load('/connectors/crm');

  expect(text).toMatch(
    /<details class="sure"><summary[^>]*>Pause<\/summary><form method="post" action="\/admin\/connectors\/crm\/pause">/,
  );
  expect(text).toContain('action="/admin/connectors/crm/check"');
});

describe('a resource', () => {
  const ask = async (path: string, accept: string) =>
    fetch(`${http.url}${path}`, { headers: { ...bearer, accept } });

  it('is the same table as a page, JSON, CSV and a workbook', async () => {
    const path = '/clinics/main/treatments';
    const html = (await load(path, 'de')).text;
    const json = (await (await ask(path, 'application/json')).json()) as { records: object[] };
    const csv = await (await ask(path, 'text/csv')).text();
    const workbook = await ask(`${path}?format=xlsx`, '*/*');

    expect(html).toContain('<bdi class="amount">90,00 BDT</bdi>');
    expect(json.records).toMatchObject([
      { clinic: 'main', treatment_id: '7', treatment_name: 'Scaling', base_fee: '90.00', currency: 'BDT' },
    ]);
    expect(csv.split('\n')[0]).toBe(Object.keys(json.records[0] ?? {}).join(','));
    expect(csv).toMatch(/^main,7,Scaling,,90\.00,/m);
    expect(workbook.headers.get('content-disposition')).toBe('attachment; filename="treatments.xlsx"');
  });

  it.each([
    ['text/html', 'patients.read'],
    ['application/json', 'patients.read'],
    ['text/csv', 'patients.export'],
  ])('lists followed appointments as %s, with their patients only for the desk', async (accept, action) => {
    const asked = async (name: string) => {
      const authorization = `Bearer token-of-${name}-0123456789`;
      return (
        await fetch(`${http.url}/clinics/main/appointments`, { headers: { authorization, accept } })
      ).text();
    };
    kept.entries.length = 0;
    const viewed = await asked('Vik');
    const none = kept.entries.length;
    const worked = await asked('Rima');

    expect(viewed).toMatch(/5191[\s\S]*Pending[\s\S]*2026-03-05[\s\S]*10:30/);
    for (const word of plantedWords) expect(viewed).not.toContain(word);
    expect(none).toBe(0);
    expect(worked).toContain('Zerlina Plantagenet');
    expect(kept.entries).toMatchObject([{ actor: 'Rima', action, subject: 'appointments of main' }]);
  });

  it('has headings in the language of the reader, and the names of the API in files', async () => {
    for (const path of ['treatments', 'treatments/7', 'organization', 'website', 'appointments']) {
      const { text } = await load(`/clinics/main/${path}`, 'de');
      expect.soft(text.match(/<(th|dt)[^>]*>\w+_\w+</g), path).toBeNull();
    }
    const { text } = await load('/clinics/main/treatments', 'ar');

    expect(text).toMatch(/<th[^>]*>السعر<\/th><th[^>]*>الدقائق<\/th>/);
    expect(await (await ask('/clinics/main/website', 'text/csv')).text()).toMatch(
      /^clinic,care_id,clinic_name,theme_/,
    );
  });

  it('has a page for each record, with its fields and its changes', async () => {
    const html = (await load('/clinics/main/treatments/7', 'de')).text;
    const json = await (await ask('/clinics/main/treatments/7', 'application/json')).json();

    expect(html).toContain('Preis</bdi> <bdi dir="ltr"><bdi>80,00</bdi> → <bdi>90,00</bdi>');
    expect(json).toMatchObject({
      record: { treatment_id: '7', base_fee: '90.00' },
      changes: [{ field: 'base_fee', before: '80.00', after: '90.00' }],
    });
    for (const id of ['8', '7.5', 'x', '07'])
      expect((await load(`/clinics/main/treatments/${id}`)).status).toBe(404);
  });
});

it('shows what became of the leads of a form, with links for those who may open them', async () => {
  const people = samplePeopleStore();
  const own = await startSampleHttp({
    ...{ sessions: people.sessions, audit: people.audit },
    people: [person('Vik', 'viewer'), person('Dee', 'desk')],
  });
  onTestFinished(() => own.stop());
  const of = async (name: string) => {
    const headers = { authorization: `Bearer token-of-${name}-0123456789`, accept: 'text/html' };
    return (await fetch(`${own.url}/connectors/website`, { headers })).text();
  };
  const [viewer, desk] = await Promise.all([of('Vik'), of('Dee')]);

  for (const word of plantedWords) expect(viewer + desk).not.toContain(word);
  for (const text of [viewer, desk]) {
    expect(text).toContain('No lead from website');
    expect(text).toContain('<dt>28 days</dt><dd>160');
    expect(text).toMatch(/Last test lead<\/dt>\s*<dd>.*Failing/s);
    expect(text).toContain('Patient, Phone, Address, Date, Time, Dentist, Treatment and Note');
    expect(text).not.toMatch(/Deliveries|Behind/);
  }
  expect(viewer).toContain('CS-7K3Q9F');
  expect(viewer).not.toContain('href="/bookings');
  expect(desk).toContain('<a href="/bookings/CS-7K3Q9F">');
});
