/** @module-tag thorough */
import { Agent, request } from 'node:http';
import { expect, it } from 'vitest';
import { startStory } from '../support/daemon/clinic-story.ts';
import { hiddenFields } from '../support/forms/web-form.ts';
import { until } from '../support/until.ts';

const isLong = Number(process.env.VERIFY_RUNS ?? 1) > 1;
const POSTS = isLong ? 100_000 : 1_000;
const ADDRESSES = POSTS / 2;
const AT_ONCE = 32;
const GENUINE_EVERY = POSTS / 50;
/** `limits.form_hour`: what all visitors of the form together may store in full, and what is shortened beyond it. */
const FORM_HOUR = 60;
const SHORT = 300;
const MEGABYTE = 2 ** 20;

interface Sent {
  path: string;
  address: string;
  method?: string;
  body?: string;
}

/** Requests over few connections, as from the one proxy in front. */
function proxyTo(url: string) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const send = ({ path, address, method = 'POST', body = '' }: Sent) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = {
        'x-forwarded-for': address,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        origin: url,
      };
      request({ agent, hostname, port, path, method, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      })
        .on('error', reject)
        .end(body);
    });
  return { send, close: () => agent.destroy() };
}

const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1);
const figure = (metrics: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);

/** Four kinds of posts: two with a right form, whose text is new each time; one with a forged form; one of a naive bot. */
function postOf(index: number, hidden: string): string {
  const fields = new URLSearchParams({
    patient_name: `Flood ${index}`,
    patient_phone: `017${String(index).padStart(8, '0')}`,
    appointment_date: '2031-03-10',
    appointment_time: '10:30',
    note: 'x'.repeat(4_000),
  });
  const kind = index % 4;
  if (kind === 2) return `${fields}&form_token=1.main.forged&submission_id=${index}`;
  return `${fields}&${hidden}${kind === 3 ? '&_gotcha=filled' : ''}`;
}

it(`${POSTS} posts of a public form from ${ADDRESSES} addresses refuse no genuine lead and fill neither memory nor disk`, {
  timeout: isLong ? 1_800_000 : 120_000,
}, async () => {
  const connectors = {
    form: {
      use: 'web-form',
      preset: 'html-form',
      token: 'form-token-of-the-story',
      approval: 'required',
      limits: { form_hour: FORM_HOUR },
    },
  };
  await using story = await startStory({ name: 'flood', connectors });
  await story.start();
  const proxy = proxyTo(story.daemon.url);
  const page = await proxy.send({ path: '/in/form/form', address: '203.0.113.1', method: 'GET' });
  const hidden = new URLSearchParams(hiddenFields(page.text)).toString();
  await until('the form is old enough to be sent', async () => {
    const { status } = await proxy.send({
      path: '/in/form',
      address: '203.0.113.1',
      body: postOf(0, hidden),
    });
    return status === 200;
  });
  const metrics = async () =>
    (await story.ask('/metrics', { headers: { authorization: `Bearer ${story.adminToken}` } })).text;
  const before = await metrics();
  const logBefore = story.daemon.output().length;
  const started = performance.now();

  const answers: Record<string, number> = {};
  const genuine: (number | undefined)[] = [];
  let next = 1;
  const flood = async () => {
    for (let index = next++; index <= POSTS; index = next++) {
      const visitor = index % ADDRESSES;
      const address = `${20 + (visitor >> 16)}.${(visitor >> 8) & 255}.${visitor & 255}.7`;
      const { status } = await proxy.send({ path: '/in/form', address, body: postOf(index, hidden) });
      const kind = ['right', 'right', 'forged', 'bot'][index % 4];
      answers[`${kind} ${status}`] = (answers[`${kind} ${status}`] ?? 0) + 1;
      if (index % GENUINE_EVERY === 0) genuine.push((await story.submit(story.lead()))?.status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, flood));
  const seconds = (performance.now() - started) / 1_000;
  proxy.close();
  const after = await metrics();
  const held = await story.read((store) => store.bookings.list({ source: 'form' }));

  const [rssBefore = 0, rssAfter = 0] = [before, after].map((text) =>
    figure(text, 'process_resident_memory_bytes'),
  );
  const grown = figure(after, 'clinic_sync_database_bytes') - figure(before, 'clinic_sync_database_bytes');
  const logged = story.daemon.output().length - logBefore;
  console.info(
    `flood of ${POSTS}: ${JSON.stringify(answers)} in ${seconds.toFixed(1)} s; resident ${megabytes(rssAfter)} MB, before ${megabytes(rssBefore)}; database +${megabytes(grown)} MB; log ${megabytes(logged)} MB`,
  );
  // What a bot filled in is held, too, and never thanked for nothing.
  const stored = ['right 200', 'bot 200'].map((kind) => answers[kind] ?? 0);
  expect(stored.reduce((sum, count) => sum + count)).toBe(FORM_HOUR - 1 + SHORT);
  expect(Object.keys(answers).toSorted()).toEqual(
    ['bot 200', 'bot 429', 'forged 401', 'forged 429', 'right 200', 'right 429'].toSorted(),
  );
  expect(genuine).toEqual(Array.from({ length: 50 }, () => 200));
  expect(held.map(({ state }) => state)).toEqual(Array.from({ length: FORM_HOUR + SHORT }, () => 'held'));
  // The heap swings between 40 and 90 MB however long the flood lasts; resident memory follows its peaks and stays.
  expect(figure(after, 'nodejs_heap_size_used_bytes')).toBeLessThan(150 * MEGABYTE);
  expect(rssAfter - rssBefore).toBeLessThan(200 * MEGABYTE);
  // Of which 16 MB are the write-ahead log, which does not grow further.
  expect(grown).toBeLessThan(26 * MEGABYTE);
  expect(logged).toBeLessThan(MEGABYTE);
});
