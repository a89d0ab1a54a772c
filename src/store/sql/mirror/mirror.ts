import { sql } from 'kysely';
import { LONGEST_WITHOUT_NOTE_MS } from '../../../domain/clinics/month.ts';
import {
  type ClinicRecord,
  statistics as figures,
  type ListPoll,
  type Statistics,
} from '../../../domain/clinics/resource.ts';
import { type Instant, toMs } from '../../../platform/clock.ts';
import type { Json, JsonObject } from '../../../platform/json.ts';
import type { MirrorVerbs, RecordedPoll } from '../../ports/mirror.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import { type Column, recordColumns } from '../column.ts';
import { parseJson, type StoreParts, slices, type Trx } from '../database.ts';
import { recordFees } from '../fees/record-fees.ts';
import { type BoundValue, insertMany } from '../insert-many.ts';
import { savePoll } from '../polls/polls.ts';
import { replaceUnreadable } from '../polls/unreadable.ts';
import { mirrorReads } from './mirror-reads.ts';

const IDS_PER_STATEMENT = 1_000;

export function mirrorVerbs({ db, write, logChanges }: StoreParts & { logChanges: LogChanges }): MirrorVerbs {
  const upsert = {
    organization: upsertRecords('organization'),
    website: upsertRecords('website'),
    treatments: upsertRecords('treatments'),
    dentists: upsertRecords('dentists'),
  };

  const refresh = {
    organization: upsertRecords('organization', 'refresh'),
    website: upsertRecords('website', 'refresh'),
    treatments: upsertRecords('treatments', 'refresh'),
    dentists: upsertRecords('dentists', 'refresh'),
  };

  /** Missing records get the previous answer's time as `last_seen_at`. */
  const recordPoll = async (trx: Trx, recorded: RecordedPoll) => {
    const { clinic, poll, at, upserts, removals, statistics, changes } = recorded;
    const table = recordTable[poll];
    const before = await trx
      .selectFrom('polls')
      .select('recorded_at')
      .where((row) => row.and({ clinic, poll }))
      .executeTakeFirst();
    const lastSeen = before?.recorded_at ?? at;
    await noteGap(trx, recorded, lastSeen);

    await markUnseen(trx, recorded, lastSeen);
    for (const ids of slices(removals, IDS_PER_STATEMENT))
      await trx
        .updateTable(table)
        .set((row) => ({
          removed_at: at,
          changed_at: at,
          last_seen_at: row.fn.coalesce('last_seen_at', row.val(lastSeen)),
        }))
        .where('clinic', '=', clinic)
        .where('id', 'in', ids)
        .where('removed_at', 'is', null)
        .execute();
    await upsert[poll](trx, clinic, at, upserts);
    await refresh[poll](trx, clinic, at, recorded.refreshed ?? []);
    if (statistics !== undefined) await recordStatistics(trx, clinic, at, statistics);
    await replaceUnreadable(trx, clinic, poll, at, recorded.unreadable ?? []);
    await noteSuccess(trx, recorded);
    const logged = await logChanges(trx, { clinic, at, changes });
    await recordFees(trx, clinic, logged);
    return logged;
  };

  return {
    async hashes(clinic, poll) {
      const rows = await db
        .selectFrom(recordTable[poll])
        .select(['id', 'hash'])
        .where('clinic', '=', clinic)
        .where('removed_at', 'is', null)
        .execute();
      return new Map(rows.map(({ id, hash }) => [id, hash]));
    },

    async records(clinic, poll, ids) {
      const found = new Map<string, ClinicRecord>();
      for (const some of slices(ids, IDS_PER_STATEMENT)) {
        const rows = await db
          .selectFrom(recordTable[poll])
          .selectAll()
          .where('clinic', '=', clinic)
          .where('id', 'in', some)
          .execute();
        for (const row of rows) found.set(row.id, toRecord(poll, row));
      }
      return found;
    },

    record: (recorded) => write('record', (trx) => recordPoll(trx, recorded), 'later'),

    ...mirrorReads(db),
  };
}

/** @param how `refresh` leaves the times of known records as they are. */
function upsertRecords(poll: ListPoll, how: 'upsert' | 'refresh' = 'upsert') {
  const table = recordTable[poll];
  const fields = Object.keys(fieldColumns[poll]);
  const all = [...fields, 'hash', 'raw', 'changed_at', 'removed_at', 'last_seen_at'];
  const updated = how === 'upsert' ? all : [...fields, 'raw'];
  const insert = insertMany<Record<string, BoundValue>>(
    ['clinic', 'id', 'first_seen_at', ...all],
    (trx, rows) =>
      trx
        .insertInto(table)
        .values(rows as never)
        .onConflict((conflict) =>
          conflict.columns(['clinic', 'id']).doUpdateSet(
            // first_seen_at stays: a record that comes back is the same record.
            Object.fromEntries(updated.map((column) => [column, sql.ref(`excluded.${column}`)])),
          ),
        ),
  );
  return async (trx: Trx, clinic: string, at: string, records: readonly ClinicRecord[]) => {
    // In portions, to limit memory for a huge answer.
    for (const some of slices(records, IDS_PER_STATEMENT)) {
      const stamps = { clinic, first_seen_at: at, changed_at: at, removed_at: null, last_seen_at: null };
      await insert(
        trx,
        some.map((record) => ({ ...toRow(poll, record), ...stamps })),
      );
    }
  };
}

async function noteGap(trx: Trx, { clinic, poll, at }: RecordedPoll, from_at: string): Promise<void> {
  const isOfFees = poll === 'treatments' || poll === 'dentists';
  if (!isOfFees || toMs(at) - toMs(from_at) <= LONGEST_WITHOUT_NOTE_MS) return;
  await trx
    .insertInto('poll_gaps')
    .values({ clinic, poll, from_at, to_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Marks records that a guard keeps although the answer lacks them, and unmarks those that are back. */
async function markUnseen(
  trx: Trx,
  { clinic, poll, unseen = [] }: RecordedPoll,
  lastSeen: string,
): Promise<void> {
  const table = recordTable[poll];
  const marked = await trx
    .selectFrom(table)
    .select('id')
    .where('clinic', '=', clinic)
    .where('last_seen_at', 'is not', null)
    .where('removed_at', 'is', null)
    .execute();
  const missing = new Set(unseen);
  const already = new Set(marked.map(({ id }) => id));
  const mark = async (ids: string[], last_seen_at: string | null) => {
    for (const some of slices(ids, IDS_PER_STATEMENT))
      await trx
        .updateTable(table)
        .set({ last_seen_at })
        .where('clinic', '=', clinic)
        .where('id', 'in', some)
        .where('removed_at', 'is', null)
        .execute();
  };
  await mark(
    [...already].filter((id) => !missing.has(id)),
    null,
  );
  await mark(
    [...missing].filter((id) => !already.has(id)),
    lastSeen,
  );
}

async function noteSuccess(trx: Trx, { clinic, poll, at }: RecordedPoll): Promise<void> {
  const { rows } = await trx
    .selectFrom(recordTable[poll])
    .select((row) => row.fn.countAll<number>().as('rows'))
    .where('clinic', '=', clinic)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  const success = { last_success_at: at, last_error: null, failures: 0, failing_since: null };
  await savePoll(trx, clinic, poll, { ...success, rows, recorded_at: at });
}

/** The table of a poll's records; the view for users has the poll's own name. */
const recordTable = {
  organization: 'organization_things',
  website: 'website_things',
  treatments: 'treatments_things',
  dentists: 'dentists_things',
} as const satisfies Record<ListPoll, string>;

const fieldColumns: Record<ListPoll, Record<string, Column>> = recordColumns;

const toCell = (value: Json | undefined, column: Column): BoundValue => {
  if (value === undefined || value === null) return null;
  if (column.json || typeof value === 'object' || typeof value === 'boolean') return JSON.stringify(value);
  return value;
};

/** The record's fields as columns. Fields without a column are only in `raw`. */
function toRow(poll: ListPoll, record: ClinicRecord): Record<string, BoundValue> {
  const row: Record<string, BoundValue> = {
    id: record.id,
    hash: record.hash,
    raw: JSON.stringify(record.raw),
  };
  for (const [name, column] of Object.entries(fieldColumns[poll]))
    row[name] = toCell(record.fields[name], column);
  return row;
}

function toRecord(poll: ListPoll, row: Record<string, BoundValue>): ClinicRecord {
  const fields: JsonObject = {};
  for (const [name, column] of Object.entries(fieldColumns[poll])) {
    const value = row[name] ?? null;
    fields[name] = column.json && typeof value === 'string' ? parseJson<Json>(value) : value;
  }
  return { id: String(row.id), hash: String(row.hash), fields, raw: parseJson(String(row.raw)) };
}

/** Adds a row when a figure changes; otherwise only updates `seen_at` of the newest row. */
async function recordStatistics(
  trx: Trx,
  clinic: string,
  at: Instant,
  statistics: Statistics,
): Promise<void> {
  const last = await trx
    .selectFrom('organization_statistics')
    .selectAll()
    .where('clinic', '=', clinic)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last !== undefined && figures.every((figure) => last[figure] === statistics[figure])) {
    await trx
      .updateTable('organization_statistics')
      .set({ seen_at: at })
      .where((row) => row.and({ clinic, at: last.at }))
      .execute();
    return;
  }
  const { total_users, total_patients, total_appointments, total_doctors } = statistics;
  const row = { total_users, total_patients, total_appointments, total_doctors };
  const seen = { ...row, seen_at: at, raw: JSON.stringify(statistics) };
  // Of two answers within the same millisecond, the later one wins.
  await trx
    .insertInto('organization_statistics')
    .values({ clinic, at, ...seen })
    .onConflict((conflict) => conflict.columns(['clinic', 'at']).doUpdateSet(seen))
    .execute();
}
