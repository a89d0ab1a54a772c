import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, plantedWords, startSampleHttp } from '../../../test/support/http/http-kit.ts';
import { languages } from '../../texts/texts.ts';
import type { Http } from '../http.ts';

const pages = [
  '/',
  '/clinics/main',
  '/clinics/main/treatments',
  '/clinics/main/appointments',
  '/connectors/crm',
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
beforeAll(async () => {
  http = await startSampleHttp();
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
    if (path !== '/') for (const word of plantedWords) expect(text).not.toContain(word);
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
  expect(log.text).toContain('<bdi dir="ltr">base_fee <bdi>80.00</bdi> → <bdi>90.00</bdi></bdi>');
});

it('says how long calls were counted when that is less than an hour', async () => {
  const { text } = await load('/clinics/main');

  expect(text).toContain('<dt>Calls in 22 min</dt><dd>412');
});

it('leads from a price and from a record to their history', async () => {
  expect((await load('/fees')).text).toContain('<a href="/fees/main/treatment/7">Scaling</a>');
  expect((await load('/fees')).text).toContain('<a href="/fees/main/dentist/4">');
  expect((await load('/clinics/main/treatments')).text).toContain(
    '<a href="/change-log?clinic=main&amp;resource=treatment&amp;id=7">Scaling</a>',
  );
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
