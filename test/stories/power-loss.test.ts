/** @module-tag thorough */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../sandbox/clinic/random.ts';
import type { BookingState } from '../../src/domain/bookings/booking.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openFileStore } from '../../src/store/sqlite.ts';
import { createDisk } from '../support/power-loss/disk.ts';
import { readTrace, traced } from '../support/power-loss/trace.ts';

const runs = Number(process.env.VERIFY_RUNS ?? 1);
const CUTS = Math.min(1_000, 40 * runs);
const CYCLES = runs > 1 ? 150 : 40;
const seed = Number(process.env.VERIFY_SEED ?? 1);
const writer = join(import.meta.dirname, '..', 'support', 'power-loss', 'writer.ts');

/** In this order; what was promised may have gone further, never back. */
const order: BookingState[] = ['queued', 'sending', 'unknown', 'booked'];

/**
 * The store's own system calls are replayed onto a disk that keeps only what was synced and, of the rest, whatever
 * chance leaves. Proves: nothing is acknowledged before it is synced, and nothing that may be left over keeps the
 * database from opening. Does not prove: that the drive and the file system keep what they say they have synced.
 */
it(`keeps whatever it acknowledged through ${CUTS} power cuts at random instants (VERIFY_SEED=${seed})`, {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-power-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const trace = join(folder, 'trace');
  const database = join(folder, 'written.db');
  if (!(await traced([process.execPath, writer, database, String(CYCLES)], trace)))
    return console.log('Not proven here: there is no strace, or it is not allowed.');
  const acts = await readTrace(trace);
  const random = seededRandom(seed);
  const first = acts.findIndex(({ kind }) => kind === 'said');
  const cuts = new Set(
    Array.from({ length: CUTS }, () => first + Math.floor(random() * (acts.length - first))),
  );

  const disk = createDisk();
  const promised = new Map<string, BookingState>();
  const broken: string[] = [];
  for (const [index, act] of acts.entries()) {
    if (act.kind === 'said') {
      const [what = '', ref = ''] = act.line.split(' ');
      promised.set(ref, what === 'accepted' ? 'queued' : (what as BookingState));
    } else disk.act(act);
    if (cuts.has(index)) {
      const left = mkdtempSync(join(folder, 'left-'));
      disk.cutPower(left, random);
      broken.push(
        ...(await brokenPromises(join(left, 'written.db'), promised)).map((one) => `cut ${index}: ${one}`),
      );
      rmSync(left, { recursive: true });
    }
  }

  expect(acts.filter(({ kind }) => kind === 'sync').length).toBeGreaterThan(CYCLES);
  expect(promised.size).toBe(CYCLES * 3);
  expect(broken).toEqual([]);
});

async function brokenPromises(file: string, promised: ReadonlyMap<string, BookingState>): Promise<string[]> {
  const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });
  const found = new Map((await store.bookings.list({})).map(({ ref, state }) => [ref, state]));
  const { restored } = store.identity;
  await store.close();
  const check = new Database(file, { readonly: true });
  const integrity = check.pragma('integrity_check', { simple: true });
  check.close();

  const broken = [...promised].flatMap(([ref, state]) => {
    const now = found.get(ref);
    return now !== undefined && order.indexOf(now) >= order.indexOf(state)
      ? []
      : [`${ref} was ${state} and is ${now}`];
  });
  if (integrity !== 'ok') broken.push(`the database is damaged: ${String(integrity)}`);
  if (restored) broken.push('it takes itself for an older copy');
  return broken;
}
