import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewChange } from '../src/domain/clinics/change.ts';
import { instant } from '../src/platform/clock.ts';
import { silentLog } from '../src/platform/log.ts';
import { openFileStore } from '../src/store/sqlite.ts';
import { recordTreatments } from './support/clinic/recorded-treatments.ts';
import { fakeClock } from './support/fake-clock.ts';
import { openPgliteStore, pglite } from './support/store/pglite.ts';

const page = readFileSync('docs/data-dictionary.md', 'utf8');
const queries = [...page.matchAll(/^\*\*([^*]+?)\.?\*\*(?:(?!\*\*)[\s\S])*?```sql\n([\s\S]*?)```/gm)].map(
  ([, title = '', query = '']) => [title, query] as const,
);
const names = (text: string) => [...text.matchAll(/`([a-z0-9_]+)`/g)].map(([, name = '']) => name);

const listedIn = (text: string) =>
  [...text.matchAll(/^- ([^:]+):/gm)].flatMap(([, list = '']) => names(list));

/** Table or view → the columns that the page lists for it, and for all tables of its section. */
const documented = new Map(
  page.split(/^## /m).flatMap((section) => {
    const [before = '', ...tables] = section.split(/^### /m);
    const shared = listedIn(before);
    return tables.map((text) => [names(text)[0] ?? '', [...shared, ...listedIn(text)]] as const);
  }),
);
const withoutPromise = names(/## Tables without a promise\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '');

const FORMER = 'test/fixtures/databases/v0.1.0.db';
const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-dictionary-'));
let database: Database.Database;

/** What a former version wrote, brought up to date, with a fee, figures and a visit that move on. */
async function filledDatabase(): Promise<string> {
  const file = join(folder, 'clinic-sync.db');
  writeFileSync(file, gunzipSync(readFileSync(`${FORMER}.gz`)));
  copyFileSync(`${FORMER}.marker`, `${file}.marker`);
  const clock = fakeClock();
  const store = await openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
  const at = () => instant(clock.now());
  await recordTreatments({ store, clock }, { 71: '10.00' });
  await clock.advance(1_000);
  await recordTreatments({ store, clock }, { 71: '12.50' });

  const organization = { care_id: 1, name: 'Our clinic', currency: 'BDT' };
  await store.mirror.record({
    clinic: 'main',
    poll: 'organization',
    at: at(),
    upserts: [{ id: '1', fields: organization, raw: organization, hash: 'one' }],
    removals: [],
    changes: [],
    statistics: { total_users: 3, total_patients: 40, total_appointments: 900, total_doctors: 2 },
  });

  await store.appointments.track('main', [9001], at());
  const status: NewChange = {
    type: 'appointment.status_changed',
    resource: 'appointment',
    id: '9001',
    data: { status: 'Confirmed' },
    previous: { status: null },
  };
  await store.appointments.observe({
    clinic: 'main',
    appointment_id: 9001,
    at: at(),
    seen: { status: 'Confirmed', name: null, date: '2099-01-05', time: '10:00', raw: {} },
    next_due_at: at(),
    done: false,
    changes: [status],
  });
  await store.close();
  return file;
}

beforeAll(async () => {
  database = new Database(await filledDatabase(), { readonly: true });
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the data dictionary', () => {
  it('names every table and view of the database', () => {
    const there = database
      .prepare(
        `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      )
      .pluck()
      .all();

    expect([...documented.keys(), ...withoutPromise].sort()).toEqual(there);
  });

  it('lists each column of each table', () => {
    for (const [table, columns] of documented) {
      const there = database.prepare('SELECT name FROM pragma_table_xinfo(?)').pluck().all(table);

      expect.soft([...columns].sort(), table).toEqual([...there].sort());
    }
  });

  it('has queries to start from', () => {
    expect(queries.length).toBeGreaterThan(2);
  });

  it.each(queries)('answers with rows: %s', (_title, query) => {
    const rows = database.prepare(query).all();

    expect(rows.length).toBeGreaterThan(0);
  });

  it('has queries that PostgreSQL answers, too', { tags: ['thorough'] }, async () => {
    await openPgliteStore();

    for (const [, query] of queries) await pglite().query(query);
  });
});
