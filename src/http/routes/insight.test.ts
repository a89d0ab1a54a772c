import { get as request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  admin,
  bearer,
  person,
  plantedWords,
  sampleIntake,
  startSampleHttp,
} from '../../../test/support/http/http-kit.ts';
import { emptyView } from '../../app/empty-view.ts';
import { languages } from '../../platform/languages.ts';
import { silentLog } from '../../platform/log.ts';
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
  it.each(languages)('is whole in %s, and says nothing of a patient', async (lang) => {
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

it('tells a fee and its history as a person would', async () => {
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

  expect(text).toContain('<dt>Calls in 22 mins</dt><dd>412');
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

const tokenOf = (name: string) => `token-of-${name}-0123456789`;

describe('an open page', () => {
  /** Enough people for all places: one alone may have twenty of the hundred. */
  const several = ['Rima', 'Tara', 'Anik', 'Mitu', 'Joya'];
  const people = [admin, ...several.map((name) => person(name, 'viewer', tokenOf(name)))];
  const as = (n: number) => ({ authorization: `Bearer ${tokenOf(several[n % several.length] ?? '')}` });

  /** The stream’s chunks, and its end. */
  const open = (url: string, onChunk: (text: string) => void, who = bearer) =>
    new Promise<{ status: number; ended: Promise<void>; close(): void }>((resolve, reject) => {
      const headers = { ...who, accept: 'text/event-stream' };
      const sent = request(`${url}/live`, { headers }, (answer) => {
        answer.setEncoding('utf8').on('data', onChunk);
        const ended = new Promise<void>((over) => answer.once('close', over));
        resolve({ status: answer.statusCode ?? 0, ended, close: () => sent.destroy() });
      }).on('error', reject);
    });

  it('is told within seconds that something changed, and is let go when the daemon stops', async () => {
    const clock = fakeClock();
    let rows = 1;
    const { sampleReport } = await import('../../../test/support/http/sample-report.ts');
    const report = async () => {
      const sample = sampleReport(0);
      for (const { resources } of sample.clinics) for (const one of resources) one.rows = rows;
      return sample;
    };
    const own = await startSampleHttp({ report }, clock);
    const told: string[] = [];
    const arrived = Promise.withResolvers<void>();
    const stream = await open(own.url, (text) => {
      told.push(text);
      if (text.includes('data:')) arrived.resolve();
    });
    await clock.advance(4_000);
    const before = told.join('');

    rows = 2;
    await clock.advance(4_000);
    await arrived.promise;
    const stopped = own.stop();
    await stream.ended;
    await clock.advance(10_000);
    await stopped;

    expect(stream.status).toBe(200);
    expect(before).toBe('retry: 5000\n\n');
    expect(told.join('')).toContain('data: changed\n\n');
  });

  it('that does not read what it is told gives its place to another, and delays nobody', async () => {
    const clock = fakeClock();
    const page = async () => ({ status: 200, html: 'x'.repeat(16 * 2 ** 20) });
    const intakes = new Map([['website', { intake: { ...sampleIntake('website'), page }, view: emptyView }]]);
    const own = await startSampleHttp({ intakes, people }, clock);
    // The stream waits behind an answer that is not read either, so nothing of it leaves.
    const slow = connect(own.port, '127.0.0.1').on('error', () => {});
    const asking = ['/in/website/form', '/live'].map(
      (path) =>
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${bearer.authorization}\r\naccept: text/event-stream\r\n\r\n`,
    );
    slow.write(asking.join(''));
    await expect.poll(() => clock.sleeping).toBe(2);
    const told = new Set<number>();
    const others = await Promise.all(
      Array.from({ length: 99 }, (_, n) =>
        open(
          own.url,
          (text) => {
            if (text.includes('data:')) told.add(n);
          },
          as(n),
        ),
      ),
    );

    const before = await open(own.url, () => {});
    await clock.advance(32_000);
    await expect.poll(() => told.size).toBe(99);
    const after = await open(own.url, () => {});

    expect([before.status, after.status]).toEqual([503, 200]);
    slow.destroy();
    for (const one of [before, after, ...others]) one.close();
    await own.stop();
  });

  it('stays connected while nothing happens', async () => {
    const own = await startSampleHttp({ limits: { requestMs: 40, headersMs: 20 } });
    const asked = performance.now();
    const stream = await open(own.url, () => {});

    const first = await Promise.race([
      stream.ended.then(() => 'ended'),
      new Promise((resolve) => setTimeout(resolve, 200, 'open')),
    ]);

    expect([first, performance.now() - asked >= 200]).toEqual(['open', true]);
    stream.close();
    await own.stop();
  });

  it('is one of a hundred at most', async () => {
    const own = await startSampleHttp({ people });
    const streams = await Promise.all(Array.from({ length: 100 }, (_, n) => open(own.url, () => {}, as(n))));
    const further = await open(own.url, () => {});

    expect(streams.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(further.status).toBe(503);
    for (const one of [...streams, further]) one.close();
    await own.stop();
  });

  it('is one of twenty at most of one person, and leaves the others their places', async () => {
    const own = await startSampleHttp({ people });
    const mine = await Promise.all(Array.from({ length: 30 }, () => open(own.url, () => {}, as(0))));
    const other = await open(own.url, () => {}, as(1));
    const closing = mine.find(({ status }) => status === 200);
    closing?.close();
    await closing?.ended;
    await expect
      .poll(async () => {
        const again = await open(own.url, () => {}, as(0));
        again.close();
        return again.status;
      })
      .toBe(200);

    expect(mine.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(other.status).toBe(200);
    for (const one of [...mine, other]) one.close();
    await own.stop();
  });

  it('is told of what comes after a report that failed, and the log hears of that once', async () => {
    const clock = fakeClock();
    const { sampleReport } = await import('../../../test/support/http/sample-report.ts');
    let rows = 1;
    let isWhole = true;
    let looks = 0;
    const report = async () => {
      looks += 1;
      const sample = sampleReport(0);
      for (const { resources } of sample.clinics) for (const one of resources) one.rows = rows;
      return isWhole
        ? sample
        : { ...sample, clinics: [{ ...sample.clinics[0], resources: undefined } as never] };
    };
    const said: (string | undefined)[] = [];
    const error = (text: string, fields?: { problem?: unknown }) => {
      if (text === 'live pages are not told') said.push(String(fields?.problem));
    };
    const own = await startSampleHttp({ report, log: { ...silentLog, error } }, clock);
    const arrived = Promise.withResolvers<void>();
    const stream = await open(own.url, (text) => text.includes('data:') && arrived.resolve());
    await clock.advance(4_000);
    isWhole = false;
    await clock.advance(8_000);
    const failing = looks;
    isWhole = true;
    rows = 2;
    await clock.advance(4_000);
    await arrived.promise;

    expect(failing).toBeGreaterThan(3);
    expect(said).toEqual(['Looking at the report failed: TypeError']);
    stream.close();
    await own.stop();
  });
});
