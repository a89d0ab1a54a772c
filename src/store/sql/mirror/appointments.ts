import { sql } from 'kysely';
import type { Change, NewChange } from '../../../domain/clinics/change.ts';
import type { Instant } from '../../../platform/clock.ts';
import type {
  AppointmentVerbs,
  Observation,
  ObservedInterval,
  TrackedAppointment,
} from '../../ports/appointments.ts';
import { noteAskedAgain } from '../bookings/asked-again.ts';
import { isSomeoneElse, noteMissing } from '../bookings/lost-visits.ts';
import { noteMovedBeside } from '../bookings/moved-beside.ts';
import { findAppointment, trackAppointment } from '../bookings/tracked-visit.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import { type Db, type StoreParts, slices, type Trx } from '../database.ts';
import { comparedValue } from '../dialects.ts';
import { convert } from '../leads/conversions.ts';
import { applyOutcomes, noteOutcome } from '../leads/status-outcomes.ts';
import { forgetUnreadable, noteUnreadable } from '../polls/unreadable.ts';
import { prepared } from '../prepared.ts';
import type { Stored } from '../schema.ts';

const IDS_PER_STATEMENT = 1_000;
/** Verbatim as in the index: SQLite uses a partial index only for the same expression. */
const isPending = sql<boolean>`done = 0`;

type Row = Stored<'appointments'>;

const toTracked = ({ raw, changed_at, followed_until, ...row }: Row): TrackedAppointment => ({
  ...row,
  done: row.done === 1,
});

type Changed = Parameters<typeof noteMovedBeside>[1] & Parameters<typeof noteAskedAgain>[1];

export function appointmentVerbs({
  db,
  write,
  logChanges,
}: StoreParts & { logChanges: LogChanges }): AppointmentVerbs {
  const inOrder = (clinic: string) =>
    db.selectFrom('appointments').selectAll().where('clinic', '=', clinic).orderBy('appointment_id');
  const page = async (all: ReturnType<typeof inOrder>, limit: number, after = -1) => {
    const rows = await all.where('appointment_id', '>', after).limit(limit).execute();
    return rows.map(toTracked);
  };

  return {
    track: (clinic, ids, at) =>
      write('track', async (trx) => {
        const tracked: NewChange[] = [];
        for (const id of new Set(ids)) {
          const change = await trackAppointment(trx, clinic, id, at, {});
          if (change !== undefined) tracked.push(change);
        }
        await logChanges(trx, { clinic, at, changes: tracked });
        return tracked.length;
      }),

    untrack: (clinic, ids, at) =>
      write('track', async (trx) => {
        let count = 0;
        for (const some of slices(ids, IDS_PER_STATEMENT)) {
          const { numUpdatedRows } = await trx
            .updateTable('appointments')
            .set({ done: 1, next_due_at: null, followed_until: null, changed_at: at })
            .where('clinic', '=', clinic)
            .where('appointment_id', 'in', some)
            .where((row) => row.or([row('done', '=', 0), row('next_due_at', 'is not', null)]))
            .executeTakeFirstOrThrow();
          await forgetUnreadable(trx, clinic, 'appointments', some.map(String));
          count += Number(numUpdatedRows);
        }
        return count;
      }),

    async pendingCounts() {
      const rows = await db
        .selectFrom('appointments')
        .select((row) => ['clinic', row.fn.countAll<number>().as('count')])
        .where('done', '=', 0)
        .groupBy('clinic')
        .execute();
      return new Map(rows.map(({ clinic, count }) => [clinic, Number(count)]));
    },

    pending: async (clinic, limit, after = -1) =>
      (await pendingRows(db, { clinic, after, limit })).map(toTracked),

    async due(clinic, until, limit) {
      const rows = await dueRows(db, { clinic, until, limit });
      const final = await finalRows(db, { clinic, until, limit });
      return [...rows, ...final].slice(0, limit).map(toTracked);
    },

    async resume(clinic, at) {
      const ahead = { clinic, at };
      if ((await aheadRows(db, ahead)).length === 0) return;
      await write('observe', (trx) =>
        trx
          .updateTable('appointments')
          .set({ done: 0, next_due_at: at, followed_until: null })
          .where('clinic', '=', clinic)
          .where('followed_until', '>', at)
          .execute(),
      );
    },

    async list(clinic, ids) {
      const found: TrackedAppointment[] = [];
      for (const some of slices(ids, IDS_PER_STATEMENT)) {
        const rows = await inOrder(clinic).where('appointment_id', 'in', some).execute();
        found.push(...rows.map(toTracked));
      }
      return found;
    },

    page: (clinic, limit, after) => page(inOrder(clinic), limit, after),

    observe: (observation) => write('observe', (trx) => observe(trx, observation, logChanges)),

    applyOutcomes: applyOutcomes({ db, write, logChanges }),
    applyClock: applyClock({ db, write }),

    unread: (unread) => write('observe', (trx) => recordUnread(trx, unread)),

    observations: (clinic, after, limit) => readObservations(db, clinic, after, limit),
  };
}

/** Both are asked for each clinic every minute. */
const pendingRows = prepared<{ clinic: string; after: number; limit: number }, Row>(
  ['clinic', 'after', 'limit'],
  (db, { clinic, after, limit }) =>
    db
      .selectFrom('appointments')
      .selectAll()
      .where('clinic', '=', comparedValue(clinic))
      .where(isPending)
      .where('appointment_id', '>', sql<number>`(select cast(${after} as bigint))`)
      .orderBy('appointment_id')
      .limit(sql<number>`(select cast(${limit} as integer))`),
);

/** Two statements, so that each is in the index's order. */
const dueWhere = (done: 0 | 1) =>
  prepared<{ clinic: string; until: string; limit: number }, Row>(
    ['clinic', 'until', 'limit'],
    (db, { clinic, until, limit }) =>
      db
        .selectFrom('appointments')
        .selectAll()
        .where('clinic', '=', comparedValue(clinic))
        .where('done', '=', sql.lit(done))
        .where('next_due_at', '<=', comparedValue(until))
        .orderBy('next_due_at')
        .limit(sql<number>`(select cast(${limit} as integer))`),
  );
const dueRows = dueWhere(0);
const finalRows = dueWhere(1);

const aheadRows = prepared<{ clinic: string; at: string }, { appointment_id: number }>(
  ['clinic', 'at'],
  (db, { clinic, at }) =>
    db
      .selectFrom('appointments')
      .select('appointment_id')
      .where('clinic', '=', comparedValue(clinic))
      .where('followed_until', 'is not', null)
      .where('followed_until', '>', comparedValue(at))
      .limit(sql.lit(1)),
);

async function observe(trx: Trx, observation: Observation, logChanges: LogChanges): Promise<Change[]> {
  const { clinic, appointment_id, at, changes } = observation;
  const before = await findAppointment(trx, clinic, appointment_id);
  // Untracked or erased during the request; the answer must not undo that.
  if (before === undefined || isEnded(before)) return [];
  if (await isSomeoneElse(trx, before, observation)) {
    const { next_due_at, followed_until = null } = observation;
    const isLongPast = followed_until !== null;
    await update(trx, before, { next_due_at, done: Number(isLongPast), followed_until });
    return [];
  }
  await noteMissing(trx, before, observation);
  if (observation.seen !== null) await recordObservation(trx, before, observation.seen.status, at);
  const after = afterObservation(before, observation);
  await update(trx, before, after);
  await forgetUnreadable(trx, clinic, 'appointments', [String(appointment_id)]);
  const converted = await conversionOf(trx, before, observation);
  if (before.ref !== null && after.changed_at === at && observation.seen?.outcome !== 'completed')
    await noteChanged(trx, { ref: before.ref, at, before, after: { ...before, ...after } });
  return logChanges(trx, { clinic, at, changes: [...changes, ...converted] });
}

/** Not read any more, not even again after a final status. */
const isEnded = ({ done, next_due_at }: Row) => done === 1 && next_due_at === null;

async function noteChanged(trx: Trx, change: Changed): Promise<void> {
  await noteMovedBeside(trx, change);
  await noteAskedAgain(trx, change);
}

async function conversionOf(trx: Trx, { clinic, ref }: Row, { seen, at }: Observation): Promise<NewChange[]> {
  if (seen?.outcome === undefined) return [];
  const { status, outcome, visit_at } = seen;
  await noteOutcome(trx, clinic, status, outcome);
  return convert(trx, { clinic, ref, outcome, at, visit_at });
}

type Unread = Parameters<AppointmentVerbs['unread']>[0];

async function recordUnread(
  trx: Trx,
  { clinic, appointment_id, at, field, problem, next_due_at, done, followed_until = null }: Unread,
): Promise<void> {
  const id = String(appointment_id);
  const before = await findAppointment(trx, clinic, appointment_id);
  if (before === undefined || isEnded(before)) return;
  await update(trx, before, { done: Number(done), next_due_at, followed_until });
  if (done) await forgetUnreadable(trx, clinic, 'appointments', [id]);
  else await noteUnreadable(trx, clinic, 'appointments', at, { id, position: null, field, problem });
}

/** The changes one status read makes to a row. Pure. */
function afterObservation(
  before: Row,
  { at, seen, next_due_at, done, missed, followed_until = null }: Observation,
): Partial<Row> {
  const next = { next_due_at, done: Number(done), followed_until };
  if (seen === null) {
    const { missing = true, misses = 0, missed_at = null } = missed ?? {};
    const isNew = missing && before.removed_at === null;
    return { ...next, missed_at, misses, ...(isNew && { removed_at: at, changed_at: at }) };
  }
  const { status, name, date, time } = seen;
  const isSame = [
    status === before.status,
    name === before.name,
    date === before.date,
    time === before.time,
    before.removed_at === null,
  ].every(Boolean);
  return {
    ...next,
    ...{ status, name, date, time, raw: JSON.stringify(seen.raw), seen_at: at, removed_at: null },
    ...{ missed_at: null, misses: 0 },
    status_changed_at: status === before.status ? before.status_changed_at : at,
    changed_at: isSame ? before.changed_at : at,
  };
}

const update = (
  trx: Trx,
  { clinic, appointment_id }: Pick<Row, 'clinic' | 'appointment_id'>,
  values: Partial<Row>,
) =>
  trx
    .updateTable('appointments')
    .set(values)
    .where((row) => row.and({ clinic, appointment_id }))
    .execute();

/**
 * Records what a read shows about the time since the previous one: no change, or one somewhere in between. Adjacent
 * intervals without a change are merged, so that the table grows with changes, not with reads.
 */
async function recordObservation(
  trx: Trx,
  before: Stored<'appointments'>,
  status: string,
  at: Instant,
): Promise<void> {
  const { clinic, appointment_id, seen_at, date, time } = before;
  if (seen_at === null || before.status === null || date === null || time === null) return;
  const changed = Number(status !== before.status);
  if (changed === 0) {
    const { numUpdatedRows } = await trx
      .updateTable('observations')
      .set({ to_at: at })
      .where((row) => row.and({ clinic, appointment_id, to_at: seen_at, changed: 0, status, date, time }))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
  }
  await trx
    .insertInto('observations')
    .values({
      clinic,
      appointment_id,
      status: before.status,
      date,
      time,
      from_at: seen_at,
      to_at: at,
      changed,
    })
    .execute();
}

async function readObservations(
  db: Db,
  clinic: string,
  { to, n }: Pick<ObservedInterval, 'to' | 'n'>,
  limit: number,
): Promise<ObservedInterval[]> {
  const rows = await db
    .selectFrom('observations')
    .select(['n', 'appointment_id', 'status', 'date', 'time', 'from_at as from', 'to_at as to', 'changed'])
    .where('clinic', '=', clinic)
    .where('to_at', '>=', to)
    .where(({ or, eb }) => or([eb('to_at', '>', to), eb('n', '>', n)]))
    .orderBy('to_at')
    .orderBy('n')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, changed: row.changed === 1 }));
}

/** See `AppointmentVerbs.applyClock`. Stored, because databases lack time zones or differ in them. */
function applyClock({ db, write }: Pick<StoreParts, 'db' | 'write'>): AppointmentVerbs['applyClock'] {
  return async (clinic, steps) => {
    const known = await db
      .selectFrom('clinic_clocks')
      .select(['since', 'ahead'])
      .where('clinic', '=', clinic)
      .orderBy('since')
      .execute();
    const isSame = ({ since, ahead }: (typeof steps)[number], at: number) =>
      known[at]?.since === since && Number(known[at].ahead) === ahead;
    if (known.length === steps.length && steps.every(isSame)) return;
    await write('observe', async (trx) => {
      await trx.deleteFrom('clinic_clocks').where('clinic', '=', clinic).execute();
      await trx
        .insertInto('clinic_clocks')
        .values(steps.map((step) => ({ clinic, ...step })))
        .execute();
    });
  };
}
