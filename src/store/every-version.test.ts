import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { formerDatabase, formerVersions } from '../../test/support/store/former-database.ts';
import { accept, openTestStore } from '../../test/support/store/store-file.ts';
import { termsOf } from '../domain/bookings/search-terms.ts';

type Row = Record<string, unknown>;

/** What each start writes of its own. */
const ofTheStart = `key not like 'unattended:%' and scope not in ('erasing', 'health', 'search')`;

/** What a later version moves into columns, or each start counts up. */
const rewritten: Record<string, string> = {
  migrations: 'select number from migrations where 0',
  identity: 'select instance from identity',
  memory: `select * from memory where key not like 'mismatch:%' and key not like 'taken:%' and key not like 'resume:%'
    and ${ofTheStart}`,
  // The newest successes and failures are; how often it was opened is not.
  polls: 'select clinic, poll, last_success_at, failures from polls',
};
/** Everything else by what people and other programs know a row by, and by what must never change on the way. */
const compared: Record<string, string> = {
  bookings: `ref, clinic, source, submission_id, state, attempt, appointment_id, patient_name, patient_phone,
    appointment_date, appointment_time, received_at, content_hash, duplicate_of, merged`,
  deliveries: 'n, id, connector, clinic, sequence, type, thing, body, state, attempts',
  connectors: 'connector, paused, last_success_at, last_failure_at, failures, problems',
  cursors: 'connector, clinic, sequence',
  guards: 'n, clinic, poll, kind, fingerprint, seen, count, state',
  booking_events: 'n, ref, at, from_state, to_state, actor, "by", reason',
};
/** Tables whose content is stored in another one. */
const gone = ['removed_bookings'];

function contents(file: string): Record<string, Row[]> {
  const database = new Database(file, { readonly: true });
  const names = database
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
    .pluck()
    .all() as string[];
  const rowsOf = (name: string) =>
    database.prepare(rewritten[name] ?? `select ${compared[name] ?? '*'} from ${name}`).all() as Row[];
  const all = names.filter((name) => !gone.includes(name)).map((name) => [name, rowsOf(name)]);
  database.close();
  return Object.fromEntries(all);
}

/** The columns that there were, in an order of the rows' own. */
function asBefore(rows: readonly Row[], [first]: readonly Row[]): string[] {
  const columns = Object.keys(first ?? {});
  return rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort();
}

describe.each(formerVersions)('the database of %s', (version) => {
  it('opens, is migrated, and still has every row', async () => {
    const file = formerDatabase(version);
    const before = contents(file);

    const store = await openTestStore(file);

    const after = contents(file);
    for (const [table, rows] of Object.entries(before)) {
      const kept = after[table] ?? [];
      expect(kept, table).toHaveLength(rows.length);
      expect(asBefore(kept, rows), table).toEqual(asBefore(rows, rows));
    }
    expect(before.bookings?.length).toBeGreaterThan(50);
    expect(store.identity.restored).toBe(false);
    expect(await store.checkIntegrity(new AbortController().signal)).toBeUndefined();
    const totals = await store.bookings.totals('2026-03-02T00:00:00.000Z', '2026-03-02T00:00:00.000Z');
    expect(totals.reduce((sum, { all }) => sum + all, 0)).toBe(before.bookings?.length);
  });

  it('finds every booking by search', async () => {
    const store = await openTestStore(formerDatabase(version));
    const all = await store.bookings.list({});

    expect(await store.bookings.fillTerms()).toBe(all.length);
    expect(await store.bookings.fillTerms()).toBe(0);

    for (const { ref, ...booking } of all) {
      const terms = termsOf(booking);
      const found =
        terms.length === 0 ? [ref] : (await store.bookings.withTerms(terms, 99)).map((one) => one.ref);
      expect(found).toContain(ref);
    }
    expect(all.filter((booking) => termsOf(booking).length > 0).length).toBeGreaterThan(50);
  });

  it('has a hash chain over its changes, or gets one, and adds new ones to it', async () => {
    const file = formerDatabase(version);
    const { changes = [], change_hashes } = contents(file);
    const store = await openTestStore(file, 'daemon', fakeClock('2026-03-03T09:00:00Z'));
    await accept(store);

    const { pending: unhashed } = await store.changes.verify('main', {});
    expect(unhashed).toBe(change_hashes ? 0 : await store.changes.latest('main'));
    expect(await store.changes.chainOlder()).toBe(change_hashes ? 0 : changes.length + 2);
    await accept(store);

    const report = await store.changes.verify('main', {});
    expect(report).toMatchObject({ pending: 0, broken: null, differs: null });
    expect(report.checked).toBe(await store.changes.latest('main'));
  });

  it('gets fee periods that end with the present mirror', async () => {
    const file = formerDatabase(version);
    const store = await openTestStore(file);
    await store.close();

    const database = new Database(file, { readonly: true });
    const now = database
      .prepare('select clinic, treatment_id, fee_as_sent from fees where valid_to is null order by 1, 2')
      .raw()
      .all();
    const mirrored = database
      .prepare('select clinic, treatment_id, base_fee from treatments where removed_at is null order by 1, 2')
      .raw()
      .all();
    database.close();
    expect(now.length).toBeGreaterThan(0);
    expect(now).toEqual(mirrored);
  });
});
