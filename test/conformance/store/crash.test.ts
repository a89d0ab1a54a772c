/** @module-tag thorough */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { keepCompiled } from '../../support/compiled.ts';
import { newStoreFile, openTestStore } from '../../support/store/store-file.ts';
import { minute } from './samples.ts';

const script = join(import.meta.dirname, '../../support/store/store-process.ts');

interface Worker {
  process: ChildProcessByStdio<null, Readable, null>;
  /** What it was promised, until it ended. */
  lines: string[];
  ended: Promise<unknown>;
}

function work(file: string, task: string, failpoint?: string): Worker {
  const env = { ...process.env, ...keepCompiled, ...(failpoint && { CLINIC_SYNC_CRASHPOINT: failpoint }) };
  const child = spawn(process.execPath, [script, file, task], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  return { process: child, lines, ended: once(child, 'close') };
}

/** Sequences without a gap, events that end where the booking is, nothing half linked. */
async function expectWhole(store: Store, file: string): Promise<void> {
  const changes = await store.changes.after('main', 0, 1_000_000);
  expect(changes.map(({ sequence }) => sequence)).toEqual(changes.map((_, i) => i + 1));
  for (const { ref, state, appointment_id } of await store.bookings.list({})) {
    expect((await store.bookings.events(ref)).at(-1)?.to).toBe(state);
    if (appointment_id !== null)
      expect(await store.appointments.page('main', 100)).toMatchObject([{ appointment_id, ref }]);
  }
  const database = new Database(file, { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
}

/** How many acknowledgements the process is left to make before it is killed. */
const counts = Array.from(
  { length: 3 * Number(process.env.VERIFY_RUNS ?? 1) },
  (_, i) => 37 + ((i * 131) % 400),
);

describe('a process that is killed', () => {
  it.each(counts)('keeps every booking it acknowledged (after %i of them)', async (count) => {
    const file = newStoreFile();
    const worker = work(file, 'accept');
    await expect.poll(() => worker.lines.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(count);
    worker.process.kill('SIGKILL');
    await worker.ended;

    const store = await openTestStore(file);

    const stored = new Set((await store.bookings.list({})).map(({ ref }) => ref));
    const acknowledged = worker.lines
      .filter((line) => line.startsWith('accepted'))
      .map((line) => line.slice(9));
    expect(acknowledged.filter((ref) => !stored.has(ref))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(count);
    await expectWhole(store, file);
  });

  it('lets go of its lock', async () => {
    const file = newStoreFile();
    const worker = work(file, 'hold');
    await expect.poll(() => worker.lines.length, { timeout: 60_000, interval: 5 }).toBe(1);

    await expect(openTestStore(file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('A clinic-sync daemon already has'),
    });
    worker.process.kill('SIGKILL');
    await worker.ended;

    expect((await openTestStore(file)).identity).toMatchObject({ epoch: 2, restored: false });
  });

  const done = {
    record: async (store: Store) => (await store.mirror.rows('treatments', 'main')).length === 2,
    accept: async (store: Store) => (await store.bookings.list({})).length === 1,
    claim: async (store: Store) => (await store.bookings.interruptSending(minute(9))).length === 1,
    move: async (store: Store) => (await store.bookings.list({ states: ['booked'] })).length === 1,
    enqueue: async (store: Store) => (await store.deliveries.cursor('crm', 'main')) === 2,
    settle: async (store: Store) => (await store.deliveries.list({ state: 'delivered' })).length === 1,
  };
  const points = Object.entries(done).flatMap(([verb, look]) => [
    { point: `store.${verb}.before-commit`, look, expected: false },
    { point: `store.${verb}.after-commit`, look, expected: true },
  ]);

  it.each(points)('at $point has done it: $expected', async ({ point, look, expected }) => {
    const file = newStoreFile();
    const worker = work(file, 'everything', point);
    await worker.ended;

    const store = await openTestStore(file);

    expect(worker.process.signalCode).toBe('SIGKILL');
    expect(await look(store)).toBe(expected);
    expect(store.identity.restored).toBe(false);
    await expectWhole(store, file);
  });

  it.each([
    // The first marker is written before the database, the second after it began its epoch.
    ['store.marker.before-rename:1', 1],
    ['store.start.before-commit', 1],
    ['store.start.after-commit', 2],
    ['store.marker.before-rename:2', 2],
  ])('at %s starts as itself', async (point, epoch) => {
    const file = newStoreFile();
    const worker = work(file, 'everything', point);
    await worker.ended;

    const store = await openTestStore(file);

    expect(worker.process.signalCode).toBe('SIGKILL');
    expect(store.identity).toMatchObject({ epoch, restored: false });
  });
});
