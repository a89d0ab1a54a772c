import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { minute } from '../../test/conformance/store/samples.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { accept, newStoreFile, openTestStore } from '../../test/support/store/store-file.ts';
import { until } from '../../test/support/until.ts';
import { createClockTrust } from '../platform/clock-trust.ts';
import { DAY, HOUR, MINUTE } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import type { FileStore } from '../store/sqlite.ts';
import { backupNeeds, backupReport, startBackups } from './backups.ts';

async function running({ keep = 3, directory = (file: string) => join(dirname(file), 'backups') } = {}) {
  const clock = fakeClock(minute(0));
  const file = newStoreFile();
  const store = await openTestStore(file, 'daemon', clock);
  const path = directory(file);
  const config = { backup: { directory: path, every: DAY, keep } };
  const start = () => {
    const loop = startBackups({
      config,
      store,
      trust: createClockTrust({ clock, log: silentLog }),
      clock,
      log: silentLog,
    });
    onTestFinished(() => loop.stop());
    return loop;
  };
  const counted = counting(store);
  const rests = () => until('the loop rests', () => counted.writing() === 0 && clock.sleeping === 1);
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await rests();
  };
  const report = () => backupReport(config, store);
  const needs = () => backupNeeds(config, store);
  return { clock, file, store, path, start, rests, pass, report, needs };
}

/** A limit on a copy sleeps like the loop between two. */
function counting(store: FileStore) {
  const { backUpInto } = store;
  let count = 0;
  store.backUpInto = (...given) => {
    count += 1;
    return backUpInto(...given).finally(() => {
      count -= 1;
    });
  };
  return { writing: () => count };
}

it('copies the database at the start and every day, and keeps the newest copies', async () => {
  const { store, path, start, rests, pass, report } = await running({ keep: 2 });
  const { booking } = await accept(store);

  start();
  await rests();
  const first = readdirSync(path);
  for (let hour = 0; hour < 50; hour += 1) await pass(HOUR);

  expect(first).toEqual(['clinic-sync-20260302T090000Z.db']);
  const names = readdirSync(path);
  expect(names).toHaveLength(2);
  expect(names).not.toContain(first[0]);
  expect(await report()).toMatchObject({ count: 2, failures: 0, last_error: null });
  const copy = await openTestStore(join(path, names[1] ?? ''), 'tool');
  expect(await copy.bookings.get(booking.ref)).toMatchObject({ state: 'queued' });
});

it('starts no second copy within the day of a restart', async () => {
  const { path, start, rests, pass } = await running();
  const loop = start();
  await rests();
  await loop.stop();

  start();
  await rests();
  await pass(HOUR);

  expect(readdirSync(path)).toHaveLength(1);
});

it('asks a person after two misses, says what is wrong, and is quiet again after the next copy', async () => {
  const { path, start, rests, pass, needs, report } = await running();
  start();
  await rests();
  renameSync(path, `${path}.unmounted`);

  for (let hour = 0; hour < 24; hour += 1) await pass(HOUR);
  const once = await needs();
  await pass(HOUR + MINUTE);
  const twice = await needs();
  const failing = await report();
  renameSync(`${path}.unmounted`, path);
  await pass(HOUR + MINUTE);

  expect(once).toEqual([]);
  expect(twice).toMatchObject([
    {
      kind: 'database',
      subject: 'backup',
      sentence: expect.stringMatching(
        /backups does not exist\. .*The newest is from 2026-03-02 09:00 UTC\.$/,
      ),
    },
  ]);
  expect(failing).toMatchObject({
    last_success_at: minute(0),
    last_error: expect.stringContaining('mounted'),
  });
  expect(existsSync(`${path}.unmounted`)).toBe(false);
  expect(await needs()).toEqual([]);
});

it('gives up a copy that hangs, starts no other beside it, and ends at once when it is stopped', async () => {
  const { clock, store, start, report, pass } = await running();
  let begun = 0;
  store.backUpInto = () => {
    begun += 1;
    return new Promise(() => {});
  };
  const loop = start();
  await until('it hangs', () => begun === 1);

  for (let hour = 0; hour < 3; hour += 1) await pass(HOUR);

  expect(begun).toBe(1);
  expect(await report()).toMatchObject({ last_error: expect.stringContaining('half an hour') });
  await loop.stop();
  expect(clock.sleeping).toBe(0);
});

it('writes nothing where the parent of the directory is missing', async () => {
  const { path, start, rests, report } = await running({
    directory: (file) => join(dirname(file), 'nas', 'backups'),
  });

  start();
  await rests();

  expect(existsSync(dirname(path))).toBe(false);
  expect(await report()).toMatchObject({
    failures: 1,
    last_error: expect.stringContaining('does not exist'),
  });
});

it('says that a file is in place of the directory, and leaves it', async () => {
  const { path, start, rests, report } = await running();
  writeFileSync(path, 'a file');

  start();
  await rests();

  expect(await report()).toMatchObject({ last_error: expect.stringContaining('is not a directory') });
});
