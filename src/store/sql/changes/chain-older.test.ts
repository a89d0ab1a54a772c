import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { fakeClock } from '../../../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { NewChange } from '../../../domain/clinics/change.ts';
import { instant } from '../../../platform/clock.ts';
import { silentLog } from '../../../platform/log.ts';
import { openFileStore } from '../../sqlite.ts';

const LOGGED = 600;

/** A log as a version without a chain left it. */
async function unchained() {
  const folder = await temporaryFolder();
  const file = join(folder, 'clinic.db');
  const clock = fakeClock();
  const open = () => openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
  const store = await open();
  const changes = Array.from({ length: LOGGED }, (_, n): NewChange => {
    const data = { treatment_id: n, treatment_name: `Treatment ${n}`, base_fee: '10.00' };
    return { type: 'treatment.created', resource: 'treatment', id: String(n), data, previous: null };
  });
  const at = instant(clock.now());
  await store.mirror.record({ clinic: 'main', poll: 'treatments', at, upserts: [], removals: [], changes });
  await store.close();
  const alter = (statements: string) => {
    const database = new Database(file);
    database.exec(statements);
    database.close();
  };
  const mark = () =>
    alter(`DELETE FROM change_hashes; UPDATE chain_heads SET sequence = 0, hash = '', pending = 1;
      UPDATE migrations SET at = '2020-01-01T00:00:00.000Z' WHERE number < 104`);
  mark();
  const add = (to: Awaited<ReturnType<typeof open>>) =>
    to.mirror.record({
      ...{ clinic: 'main', poll: 'dentists', at, upserts: [], removals: [] },
      changes: [
        { type: 'dentist.created', resource: 'dentist', id: '1', data: { doctor_id: 1 }, previous: null },
      ],
    });
  return { open, add, mark, alter };
}

it('continues the chain after a stop, and reports what is not in it yet', async () => {
  const { open, add } = await unchained();
  const first = await open();
  let looks = 0;
  const ending = {
    throwIfAborted() {
      looks += 1;
      if (looks > 1) throw new Error('ended');
    },
  } as AbortSignal;

  await expect(first.changes.chainOlder(ending)).rejects.toThrow('ended');
  await add(first);
  const halfway = await first.changes.verify('main', {});
  await first.close();
  const second = await open();
  const chained = await second.changes.chainOlder();
  await add(second);
  const whole = await second.changes.verify('main', {});
  await second.close();

  expect(halfway.checked).toBeGreaterThan(0);
  expect(halfway).toMatchObject({ broken: null, pending: LOGGED + 1 - halfway.checked });
  expect(chained).toBe(LOGGED + 1 - halfway.checked);
  expect(whole).toMatchObject({ broken: null, pending: 0, checked: LOGGED + 2 });
});

it('gives no new hash to changes that were altered and marked as older ones, which verify names', async () => {
  const { open, mark } = await unchained();
  const first = await open();
  await first.changes.chainOlder();
  await first.close();
  mark();

  const second = await open();
  const chained = await second.changes.chainOlder();
  const report = await second.changes.verify('main', {});
  await second.close();

  expect(chained).toBe(0);
  expect(report.broken).toEqual({ sequence: 1, kind: 'unchained' });
});

it('gives none in a database that was created with the chain, whatever its marks say', async () => {
  const { open, mark, alter } = await unchained();
  mark();
  alter(
    `UPDATE migrations SET at = (SELECT at FROM migrations WHERE number = 104); DELETE FROM memory WHERE scope = 'chain'`,
  );

  const store = await open();
  const chained = await store.changes.chainOlder();
  const report = await store.changes.verify('main', {});
  await store.close();

  expect(chained).toBe(0);
  expect(report.broken).toEqual({ sequence: 1, kind: 'unchained' });
});

it('names a head that says falsely that changes wait for a hash', async () => {
  const { open, alter } = await unchained();
  const first = await open();
  await first.changes.chainOlder();
  await first.close();
  alter('UPDATE chain_heads SET pending = 1');

  const second = await open();
  const report = await second.changes.verify('main', {});
  await second.close();

  expect(report.broken).toEqual({ sequence: LOGGED, kind: 'head' });
});
