import { Agent, get as request } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  bearer,
  person,
  plantedWords,
  sampleChange,
  samplePeopleStore,
  startSampleHttp,
} from '../../../test/support/http/http-kit.ts';
import type { Change } from '../../domain/clinics/change.ts';
import type { ChangeLog } from '../change-pages.ts';
import type { HttpOptions } from '../http.ts';

const clock = fakeClock();

/** A log with this many changes, and what was asked of it. */
function logOf(length: number) {
  const asked: Parameters<ChangeLog['read']>[0][] = [];
  const changes: Change[] = [];
  const add = () => changes.push({ ...sampleChange(clock.now(), false), sequence: changes.length + 1 });
  for (let n = 0; n < length; n += 1) add();
  const log: ChangeLog = {
    clinicOf: (key) => (key === 'main' || key === 'second' ? key : undefined),
    async read(given) {
      asked.push(given);
      return { changes: changes.slice(given.after, given.after + given.limit), latest: changes.length };
    },
  };
  return { log, asked, add };
}

async function started(more: Partial<HttpOptions> = {}) {
  const http = await startSampleHttp(more, clock);
  onTestFinished(() => http.stop());
  const get = async (query: string, headers: Record<string, string> = bearer) => {
    const answer = await fetch(`${http.url}/changes${query}`, { headers });
    return { status: answer.status, body: (await answer.json()) as { changes: Change[]; next: number } };
  };
  return { http, get };
}

it('gives what follows a sequence, page by page, until nothing is left', async () => {
  const { log } = logOf(5);
  const { get } = await started({ changeLog: log });

  const pages = [];
  for (let next = 0; next < 5; ) {
    const { body } = await get(`?clinic=second&after=${next}&limit=2`);
    pages.push(body.changes.map(({ sequence }: Change) => sequence));
    next = body.next;
  }
  const { body } = await get('?clinic=second&after=5');

  expect(pages).toEqual([[1, 2], [3, 4], [5]]);
  expect(body).toEqual({ ok: true, clinic: 'second', changes: [], next: 5, latest: 5 });
});

it.each([
  ['?clinic=other', 404],
  ['', 400],
  ['?clinic=main&after=-1', 400],
  ['?clinic=main&after=x', 400],
  ['?clinic=main&limit=0', 400],
  ['?clinic=main&limit=1001', 400],
  ['?clinic=main&wait=31', 400],
  ['?clinic=main&clinic=second', 400],
])('refuses what it cannot answer: /changes%s', async (query, status) => {
  const { log, asked } = logOf(1);
  const { get } = await started({ changeLog: log });

  expect(await get(query)).toMatchObject({ status, body: { ok: false } });
  expect(asked).toEqual([]);
});

it('shows patients only to those who may see bookings, audited once an hour', async () => {
  const { audit, entries } = samplePeopleStore();
  const people = [person('Rima', 'desk'), person('metrics', 'viewer')];
  const { get } = await started({ people, audit });
  const tokenOf = (name: string) => ({ authorization: `Bearer token-of-${name}-0123456789` });

  const viewer = JSON.stringify(await get('', tokenOf('metrics')));
  const desk = JSON.stringify([await get('', tokenOf('Rima')), await get('', tokenOf('Rima'))]);

  for (const word of plantedWords) expect(viewer).not.toContain(word);
  for (const word of plantedWords) expect(desk).toContain(word);
  expect(entries).toMatchObject([{ actor: 'Rima', action: 'patients.read', subject: 'changes' }]);
});

it('waits for the next change, and answers within a second of it', async () => {
  const { log, asked, add } = logOf(1);
  const { get } = await started({ changeLog: log });

  const waiting = get('?clinic=main&after=1&wait=30');
  await expect.poll(() => asked.length).toBe(1);
  await clock.advance(5_000);
  add();
  await clock.advance(1_000);

  expect((await waiting).body).toMatchObject({ changes: [{ sequence: 2 }], next: 2, latest: 2 });
});

it('answers with nothing when the wait is over', async () => {
  const { log, asked } = logOf(1);
  const { get } = await started({ changeLog: log });

  const waiting = get('?clinic=main&after=1&wait=3');
  await expect.poll(() => asked.length).toBe(1);
  await clock.advance(3_000);

  expect((await waiting).body).toMatchObject({ changes: [], next: 1 });
  expect(asked.length).toBeLessThanOrEqual(5);
});

it('does not let a waiting request hold up a stop', async () => {
  const { log, asked } = logOf(1);
  const { http, get } = await started({ changeLog: log });

  const waiting = get('?clinic=main&after=1&wait=30');
  await expect.poll(() => asked.length).toBe(1);
  http.drain();
  await clock.advance(1_000);

  expect((await waiting).status).toBe(200);
});

it('stops looking when the receiver has gone', async () => {
  const { log, asked } = logOf(1);
  const { http } = await started({ changeLog: log });
  const asleep = clock.sleeping;
  const gone = new AbortController();

  const waiting = fetch(`${http.url}/changes?clinic=main&after=1&wait=30`, {
    headers: bearer,
    signal: gone.signal,
  });
  await expect.poll(() => asked.length).toBe(1);
  gone.abort();
  await expect(waiting).rejects.toThrow('abort');
  await expect.poll(() => asked.length).toBe(2);
  await expect.poll(() => clock.sleeping).toBe(asleep);
  await clock.advance(10_000);

  expect(asked.length).toBe(2);
});

it('leaves nothing behind on a connection that asks again and again', async () => {
  const { log, asked } = logOf(1);
  const { http } = await started({ changeLog: log });
  const asleep = clock.sleeping;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const ports = new Set<number>();
  const wait = () =>
    new Promise<unknown>((resolve, reject) => {
      const url = `${http.url}/changes?clinic=main&after=1&wait=1`;
      request(url, { agent, headers: bearer }, (answer) => {
        ports.add(answer.socket.localPort ?? 0);
        json(answer).then(resolve, reject);
      }).on('error', reject);
    });

  for (let n = 1; n <= 12; n += 1) {
    const answer = wait();
    await expect.poll(() => asked.length).toBe(2 * n - 1);
    await clock.advance(1_000);
    expect(await answer).toMatchObject({ changes: [], next: 1 });
  }

  expect(ports.size).toBe(1);
  expect(warnings).toEqual([]);
  expect(clock.sleeping).toBe(asleep);
});
