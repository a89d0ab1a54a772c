import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { heldBytes } from '../../../test/support/held-bytes.ts';
import {
  bearer as admin,
  sampleIntake,
  samplePort,
  startSampleHttp,
} from '../../../test/support/http/http-kit.ts';
import { until } from '../../../test/support/until.ts';
import { emptyView } from '../../app/empty-view.ts';
import type { HttpIntake } from '../../connector.ts';
import type { Submission } from '../../domain/bookings/booking.ts';
import { PROBE_HEADER } from '../../domain/bookings/probe.ts';
import type { HttpOptions } from '../http.ts';
import { defaultLimits } from '../server.ts';
import { createIntakeLimits } from './intake-limits.ts';

const bearer = { authorization: 'Bearer intake-token' };
const body = JSON.stringify({ patient_name: 'Ann Lee' });

/** A form tool `website` with a token, and a public form `form`. Addresses come from the one proxy in front. */
async function start({
  visitors = {},
  fields = {},
  ...more
}: Partial<HttpOptions> & { visitors?: object; fields?: Submission['fields'] } = {}) {
  const clock = fakeClock();
  const bookings = samplePort();
  const form: HttpIntake = {
    ...sampleIntake('form'),
    visitors: { tenMinutes: 10, day: 30, everybodyHour: 300, ...visitors },
    receive: async () => ({ kind: 'submission', submission: { source: 'form', fields: { ...fields } } }),
    page: async () => ({ status: 200, html: '<title>Form</title>' }),
  };
  const intakes = new Map([
    ['website', { intake: sampleIntake('website'), view: emptyView }],
    ['other', { intake: sampleIntake('other'), view: emptyView }],
    ['form', { intake: form, view: emptyView }],
  ]);
  const http = await startSampleHttp({ bookings, intakes, trustProxy: 1, ...more }, clock);
  onTestFinished(() => http.stop());
  const send = async (
    path: string,
    address: string,
    headers: Record<string, string> = {},
    method = 'POST',
  ) => {
    const answer = await fetch(`${http.url}${path}`, {
      method,
      headers: { 'x-forwarded-for': address, ...headers },
      ...(method === 'POST' && { body }),
    });
    return new Response(await answer.text(), answer);
  };
  const statuses = async (times: number, one: (index: number) => Promise<Response>) => {
    const all: number[] = [];
    for (let i = 0; i < times; i += 1) all.push((await one(i)).status);
    return all;
  };
  return { http, clock, send, statuses, fields, taken: bookings.taken };
}

const counted = (statuses: readonly number[]): Record<number, number> =>
  Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((it) => it === one).length]));

describe('strangers', () => {
  it('do not use up the limit of a form tool at the same address', async () => {
    const { send, statuses } = await start({ limits: { provenPerMinute: 50 } });

    const wrong = await statuses(100, () => send('/in/website', '203.0.113.7'));
    const genuine = await statuses(50, () => send('/in/website', '203.0.113.7', bearer));
    const elsewhere = await statuses(5, () => send('/in/other', '203.0.113.7'));

    expect(counted(wrong)).toEqual({ 401: 60, 429: 40 });
    expect(counted(genuine)).toEqual({ 200: 50 });
    expect(counted(elsewhere)).toEqual({ 401: 5 });
  });

  it('may guess a booking’s address 60 times a minute, and the token still reads it', async () => {
    const { send, statuses } = await start();
    const read = (headers = {}) => send('/in/website/CS-7K3Q9F', '203.0.113.7', headers, 'GET');

    const wrong = await statuses(100, () => read());
    const right = await read(bearer);

    expect(counted(wrong)).toEqual({ 401: 60, 429: 40 });
    expect(right.status).toBe(200);
  });

  it('may try again in a minute', async () => {
    const { send, statuses, clock } = await start();
    await statuses(61, () => send('/in/website', '203.0.113.7'));

    await clock.advance(60_000);

    expect((await send('/in/website', '203.0.113.7')).status).toBe(401);
  });
});

it('counts, logs and limits bodies that it does not read', async () => {
  const lines: object[] = [];
  const note = (_message: string, fields: object = {}) => void lines.push(fields);
  const log = { debug: note, info: note, warn: note, error: note };
  const { http, send, statuses } = await start({ log });
  const tooLarge = () =>
    fetch(`${http.url}/in/website`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.7' },
      body: 'x'.repeat(65_537),
    });

  const refused = await statuses(70, tooLarge);
  const lead = await send('/in/website', '203.0.113.7', bearer);

  expect(counted(refused)).toEqual({ 413: 60, 429: 10 });
  expect(lead.status).toBe(200);
  expect(lines).toContainEqual(
    expect.objectContaining({ connector: 'website', status: 413, reason: 'body' }),
  );
  const metrics = await (await fetch(`${http.url}/metrics`, { headers: admin })).text();
  expect(metrics).toContain('clinic_sync_intake_answers_total{connector="website",status="413"} 60');
  expect(metrics).toContain('clinic_sync_intake_answers_total{connector="website",status="429"} 10');
});

describe('a form tool', () => {
  it('may send many a minute, is told when to retry, and then continues', async () => {
    const { send, statuses, clock } = await start({ limits: { provenPerMinute: 3 } });
    await statuses(3, () => send('/in/website', '203.0.113.7', bearer));

    const fourth = await send('/in/website', '203.0.113.7', bearer);
    await clock.advance(60_000);
    const later = await send('/in/website', '203.0.113.7', bearer);

    expect([fourth.status, fourth.headers.get('retry-after'), later.status]).toEqual([429, '60', 200]);
  });
});

describe('a visitor of a public form', () => {
  it('may send ten times in ten minutes and thirty times a day, whatever others do', async () => {
    const { send, statuses, clock } = await start();
    const visit = () => send('/in/form', '203.0.113.7');

    const first = await statuses(11, visit);
    const other = await send('/in/form', '198.51.100.1');
    const rest: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      await clock.advance(600_000);
      rest.push(...(await statuses(10, visit)));
    }
    await clock.advance(86_400_000);
    const tomorrow = await visit();

    expect(first).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect(counted(rest)).toEqual({ 200: 20, 429: 10 });
    expect([other.status, tomorrow.status]).toEqual([200, 200]);
  });

  it('is one visitor with all addresses of an IPv6 /64', async () => {
    const { send, statuses } = await start();

    const same = await statuses(12, (i) => send('/in/form', `2001:db8:0:1::${i + 1}`));
    const next = await send('/in/form', '2001:db8:0:2::1');

    expect(counted(same)).toEqual({ 200: 10, 429: 2 });
    expect(next.status).toBe(200);
  });

  it('who exceeds a form’s hourly limit is stored: shortened, held, and with a reference', async () => {
    const { send, statuses, taken } = await start({
      visitors: { everybodyHour: 5 },
      fields: { patient_name: 'Ann Lee', patient_phone: '01712345678', note: 'x'.repeat(4_000) },
    });

    const flood = await statuses(50, (i) => send('/in/form', `2001:db8:0:${i % 20}::1`));
    const genuine = await send('/in/form', '198.51.100.1');

    expect(counted(flood)).toEqual({ 200: 15, 429: 35 });
    expect(genuine.status).toBe(200);
    expect(taken.slice(0, 5).every(({ over_limit }) => over_limit === undefined)).toBe(true);
    expect(taken.at(-1)).toMatchObject({
      over_limit: 'More than 5 came through this form within an hour. Its long texts end in “…”.',
      fields: { patient_name: 'Ann Lee', patient_phone: '01712345678', note: `${'x'.repeat(200)}…` },
    });
  });

  it('is told that the form is full, not that it sent too much, once many networks have filled it', async () => {
    const { send, statuses, taken } = await start({ visitors: { everybodyHour: 5 } });

    const flood = await statuses(400, (i) => send('/in/form', `20.${i % 200}.1.${i >> 1}`));
    const answer = await send('/in/form', '198.51.100.1');
    const next = await send('/in/form', '198.51.100.1', { accept: 'text/html' });

    expect(counted(flood)).toEqual({ 200: 305, 429: 95 });
    expect(taken).toHaveLength(305);
    expect(answer.headers.get('retry-after')).toBe('3600');
    expect(await next.text()).toContain('This form is getting more submissions than it can take');
  });

  it('with a short request is not affected by the long texts of others', async () => {
    const { http, send, statuses, taken, fields } = await start();
    fields.note = '字'.repeat(4_000);

    await statuses(30, (i) => send('/in/form', `20.0.${i}.1`));
    fields.note = 'Please call after noon.';
    await send('/in/form', '198.51.100.1');

    const kept = taken.map((one) => Buffer.byteLength(String(one.fields.note)));
    expect(kept.filter((bytes) => bytes > 400)).toHaveLength(5);
    expect(taken[20]).toMatchObject({ over_limit: expect.stringContaining('Many long texts') });
    expect(taken.at(-1)).toMatchObject({ fields: { note: 'Please call after noon.' } });
    expect(taken.at(-1)?.over_limit).toBeUndefined();
    expect(http.needs()).toEqual([]);
  });

  it('gets a limited number of form pages', async () => {
    const { send, statuses } = await start({ limits: { formPages: 5 } });

    const pages = await statuses(7, () => send('/in/form/form', '203.0.113.7', {}, 'GET'));

    expect(counted(pages)).toEqual({ 200: 5, 429: 2 });
  });

  it('loses none of them to our own probe of a form for many clinics', async () => {
    const probes = { word: 'known-to-the-daemon', rehearse: () => Promise.reject(new Error('not asked')) };
    const { send, statuses } = await start({ limits: { formPages: 5 }, probes });
    const page = (headers = {}) => send('/in/form/form', '203.0.113.7', headers, 'GET');

    const probed = await statuses(7, () => page({ [PROBE_HEADER]: probes.word }));
    const guessed = await statuses(7, () => page({ [PROBE_HEADER]: 'guessed' }));

    expect(counted(probed)).toEqual({ 200: 7 });
    expect(counted(guessed)).toEqual({ 200: 5, 429: 2 });
  });
});

it('hold little in memory and keep form tools sending, whoever posts from 50,000 addresses', {
  tags: ['thorough'],
}, () => {
  const limitsOf = createIntakeLimits(defaultLimits, fakeClock());
  const form = limitsOf('form', { tenMinutes: 10, day: 30, everybodyHour: 300 });
  const tool = limitsOf('website', undefined);
  let stored = 0;
  let refusedTool = 0;
  const before = heldBytes();

  for (let i = 0; i < 100_000; i += 1) {
    const address = `${10 + ((i % 50_000) >> 14)}.${(i >> 8) & 63}.${i & 255}.7`;
    if (form.visitor?.waitMs(address) === undefined && form.form?.waitMs(address) === undefined) {
      form.visitor?.count(address);
      form.form?.take(address, { source: 'form', fields: {} });
      stored += 1;
    }
    tool.unproven.count(address);
    if (i % 200 === 0) {
      if (tool.proven.waitMs('198.51.100.1') !== undefined) refusedTool += 1;
      tool.proven.count('198.51.100.1');
    }
  }

  expect(stored).toBe(600);
  expect(refusedTool).toBe(0);
  expect(heldBytes() - before).toBeLessThan(30 * 2 ** 20);
  expect(form.form?.waitMs('203.0.113.9')).toBeGreaterThan(0);
  expect(tool.unproven.waitMs('203.0.113.9')).toBeUndefined();
});

it('no page is refused to an office whose visitors share an address', async () => {
  const { send, statuses } = await start({ visitors: { shared: ['203.0.113.7'] }, limits: { formPages: 5 } });

  const shared = await statuses(20, () => send('/in/form/form', '203.0.113.7', {}, 'GET'));
  const own = await statuses(20, () => send('/in/form/form', '203.0.113.8', {}, 'GET'));

  expect(counted(shared)).toEqual({ 200: 20 });
  expect(counted(own)).toEqual({ 200: 5, 429: 15 });
});

describe('behind a proxy', () => {
  it('what the visitor wrote into X-Forwarded-For changes nothing', async () => {
    const { clock, send, statuses } = await start();

    const spoofed = await statuses(20, (i) => send('/in/form', `198.51.100.${i}, 203.0.113.7`));
    const guess = (i: number) => {
      const headers = { authorization: `Bearer wrong-${i}` };
      return send('/admin/clinics/main/sync', `198.51.100.${i}, 203.0.113.7`, headers);
    };
    const admin = await statuses(10, guess);
    const slowly = await statuses(10, async (i) => {
      const asleep = clock.sleeping;
      const answer = guess(10 + i);
      await until('it waits', async () => clock.sleeping > asleep);
      await clock.advance(1_000);
      return answer;
    });

    expect(counted(spoofed)).toEqual({ 200: 10, 429: 10 });
    expect(counted([...admin, ...slowly])).toEqual({ 401: 10, 429: 10 });
  });

  it.each([
    ['203.0.113.7:1000', '203.0.113.7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['unknown', '127.0.0.1'],
    ['<script>', '127.0.0.1'],
    ['x'.repeat(300), '127.0.0.1'],
    ['198.51.100.9, unknown, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.9, unknown', '127.0.0.1'],
  ])('the address in %j is %s', async (header, address) => {
    const seen: string[] = [];
    const receive: HttpIntake['receive'] = async ({ remoteAddress }) => {
      seen.push(remoteAddress);
      return { kind: 'ignored', message: 'seen' };
    };
    const intakes = new Map([
      ['website', { intake: { ...sampleIntake('website'), receive }, view: emptyView }],
    ]);
    const { send } = await start({ intakes });

    await send('/in/website', header);

    expect(seen).toEqual([address]);
  });

  it('a port behind the address is no new visitor', async () => {
    const { send, statuses } = await start();

    const posts = await statuses(14, (i) => send('/in/form', `203.0.113.7:${2_000 + i}`));

    expect(counted(posts)).toEqual({ 200: 10, 429: 4 });
  });

  it.each([
    [2, '198.51.100.9, 203.0.113.7, 10.0.0.1'],
    [['127.0.0.0/8', '10.0.0.0/8'], '198.51.100.9, 203.0.113.7, 10.0.0.1'],
  ])('with several of them, %j, the outermost says who it was', async (trustProxy, header) => {
    const seen: string[] = [];
    const receive: HttpIntake['receive'] = async ({ remoteAddress }) => {
      seen.push(remoteAddress);
      return { kind: 'ignored', message: 'seen' };
    };
    const intakes = new Map([
      ['website', { intake: { ...sampleIntake('website'), receive }, view: emptyView }],
    ]);
    const { send } = await start({ trustProxy, intakes });

    await send('/in/website', header);

    expect(seen).toEqual(['203.0.113.7']);
  });

  it('that is not configured, its headers reach no connector, and the operator is warned once', async () => {
    const seen: Record<string, string | undefined>[] = [];
    const receive: HttpIntake['receive'] = async ({ headers, remoteAddress }) => {
      seen.push({ ...headers, remoteAddress });
      return { kind: 'ignored', message: 'seen' };
    };
    const intakes = new Map([
      ['website', { intake: { ...sampleIntake('website'), receive }, view: emptyView }],
    ]);
    const warnings: string[] = [];
    const log = { debug() {}, info() {}, error() {}, warn: (text: string) => warnings.push(text) };
    const { http, send, clock } = await start({ trustProxy: ['192.0.2.1'], intakes, log });
    const before = http.needs();

    for (let i = 0; i < 3; i += 1)
      await send('/in/website', '203.0.113.7', {
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=1.2.3.4',
      });
    const needs = http.needs();
    await clock.advance(3_600_001);

    expect(seen[0]).not.toHaveProperty('x-forwarded-host');
    expect(seen[0]).not.toHaveProperty('forwarded');
    expect(seen[0]?.remoteAddress).toBe('127.0.0.1');
    expect(before).toEqual([]);
    expect(needs).toMatchObject([{ subject: 'http', sentence: expect.stringContaining('http.trust_proxy') }]);
    expect(warnings).toHaveLength(1);
    expect(http.needs()).toEqual([]);
  });
});

it('accepts nothing with too little free disk, says when to retry, and is not ready', async () => {
  const { send, taken } = await start({ room: () => false });

  const answers = [await send('/in/website', '203.0.113.7', bearer), await send('/in/form', '203.0.113.7')];

  const readiness = await send('/readyz', '203.0.113.7', {}, 'GET');

  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(answers[0]?.headers.get('retry-after')).toBe('60');
  expect(taken).toEqual([]);
  expect(readiness.status).toBe(503);
  expect(await readiness.json()).toMatchObject({ message: expect.stringContaining('no room on the disk') });
});

it('logs ten refused requests a minute, and how many it left out', async () => {
  const lines: string[] = [];
  const write = (text: string, fields?: object) => lines.push(`${text} ${JSON.stringify(fields)}`);
  const log = { debug: write, info: write, warn: write, error: write };
  const { send, statuses, clock } = await start({ log });
  lines.length = 0;

  await statuses(300, () => send('/in/website', '203.0.113.7'));
  const during = lines.length;
  await clock.advance(60_000);
  await send('/in/website', '203.0.113.7');

  expect(during).toBe(10);
  expect(lines.at(-1)).toBe('intake refused more than is logged {"connector":"website","count":290}');
});
