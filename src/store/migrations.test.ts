import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { booking } from '../../test/conformance/store/samples.ts';
import { alterFile, newStoreFile, openTestStore } from '../../test/support/store/store-file.ts';
import { judgeWithin } from '../bookings/duplicates/judge-lead.ts';
import { migrations } from './sql/migrate.ts';
import type { Migration } from './sql/migrations/migration.ts';

/** A file of today's schema with one booking in it, and then a version of the program that has one step more. */
async function olderDatabase(statements: string[]) {
  const file = newStoreFile();
  const store = await openTestStore(file);
  const { booking: stored } = await store.bookings.accept(booking(), judgeWithin(0));
  await store.close();

  const known = migrations as Migration[];
  const step = { number: 9_000, name: 'test-step', statements };
  known.push(step);
  onTestFinished(() => void known.splice(known.indexOf(step), 1));
  const copies = () => readdirSync(dirname(file)).filter((name) => name.includes('.before-'));
  return { file, stored, step, copies };
}

describe('migrating a database', () => {
  it('keeps its content, after backing it up as it was', async () => {
    const { file, stored, copies } = await olderDatabase(['ALTER TABLE memory ADD COLUMN extra TEXT']);

    const store = await openTestStore(file);

    expect(await store.bookings.get(stored.ref)).toEqual(stored);
    expect(store.identity.restored).toBe(false);
    expect(copies()).toHaveLength(1);
    const copy = new Database(join(dirname(file), copies()[0] ?? ''), { readonly: true });
    onTestFinished(() => void copy.close());
    expect(copy.prepare('select ref from bookings').pluck().all()).toEqual([stored.ref]);
    expect(copy.prepare('select max(number) from migrations').pluck().get()).toBe(
      Math.max(...migrations.filter(({ number }) => number < 9_000).map(({ number }) => number)),
    );
  });

  it('also applies a step with a lower number than one it has', async () => {
    const { file, stored, step } = await olderDatabase(['ALTER TABLE memory ADD COLUMN extra TEXT']);
    await (await openTestStore(file)).close();
    const known = migrations as Migration[];
    const late = { number: step.number - 1, name: 'late', statements: ['CREATE TABLE late (a TEXT) STRICT'] };
    known.push(late);
    onTestFinished(() => void known.splice(known.indexOf(late), 1));

    const store = await openTestStore(file);

    expect(await store.bookings.get(stored.ref)).toEqual(stored);
    alterFile(file, `insert into late values ('there')`);
  });

  it('runs only once', async () => {
    const { file, copies } = await olderDatabase(['ALTER TABLE memory ADD COLUMN extra TEXT']);

    for (let i = 0; i < 3; i += 1) await (await openTestStore(file)).close();

    expect(copies()).toHaveLength(1);
  });

  it('leaves the database as it was when a step fails, and succeeds with one that works', async () => {
    const { file, stored, step, copies } = await olderDatabase([
      'ALTER TABLE memory ADD COLUMN extra TEXT',
      'ALTER TABLE nowhere ADD COLUMN extra TEXT',
    ]);

    await expect(openTestStore(file)).rejects.toMatchObject({
      name: 'Failure',
      message: expect.stringContaining('test-step'),
    });
    step.statements.pop();
    const store = await openTestStore(file);

    expect(await store.bookings.get(stored.ref)).toEqual(stored);
    expect(copies()).toHaveLength(1);
  });
});
