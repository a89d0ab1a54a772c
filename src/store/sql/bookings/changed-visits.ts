import { sql } from 'kysely';
import { readDate, readTime } from '../../../domain/date-time.ts';
import type { Trx } from '../database.ts';
import { tableIn } from '../dialects.ts';
import { lookUp } from '../look-up.ts';
import { atOnce } from '../transaction.ts';

interface Named {
  ref: string;
}

interface Visit extends Named {
  asked_date: string | null;
  asked_time: string | null;
  status: string | null;
  date: string | null;
  time: string | null;
  done: number;
  removed_at: string | null;
  outcome: string | null;
}

/**
 * Refs of those bookings whose visit the clinic cancelled, ended, removed or moved, or whose cancellation or move a form
 * tool reported. Whoever asks for it again means a new visit: merged, the lead would be neither booked nor seen.
 */
export async function changedVisits(trx: Trx, rows: readonly Named[]): Promise<Set<string>> {
  const { shown, reported } = await visitChanges(trx, rows);
  return shown.union(reported);
}

/** `shown`: by the clinic's status. `reported`: by a form tool. */
export async function visitChanges(
  trx: Trx,
  rows: readonly Named[],
): Promise<{ shown: Set<string>; reported: Set<string> }> {
  const wanted = rows.map(({ ref }) => ({ ref }));
  const [visits, tasks] = await atOnce(visitsOf(trx, wanted), withTask(trx, wanted));
  const refsOf = (some: readonly Named[]) => new Set(some.map(({ ref }) => ref));
  return { shown: refsOf(visits.filter(isChanged)), reported: refsOf(tasks) };
}

function isChanged({
  asked_date,
  asked_time,
  status,
  date,
  time,
  done,
  removed_at,
  outcome,
}: Visit): boolean {
  // A new appointment may be unknown to the clinic's server for some minutes.
  if (status === null) return false;
  const isOver = done !== 0 || removed_at !== null || outcome === 'cancelled' || outcome === 'no_show';
  return isOver || differs(readDate(date ?? ''), asked_date) || differs(readTime(time ?? ''), asked_time);
}

const differs = (shown: string | undefined, asked: string | null) => shown !== undefined && shown !== asked;

const visitsOf = lookUp<Named, Visit>(
  ['ref'],
  (
    db,
  ) => sql`select bookings.ref, bookings.appointment_date as asked_date, bookings.appointment_time as asked_time,
      visits.status, visits.date, visits.time, visits.done, visits.removed_at, outcomes.outcome
    from wanted cross join ${tableIn(db, 'bookings')} as bookings
    join ${tableIn(db, 'appointments')} as visits
      on visits.clinic = bookings.clinic and visits.appointment_id = bookings.appointment_id
    left join ${tableIn(db, 'status_outcomes')} as outcomes
      on outcomes.clinic = visits.clinic and outcomes.status = visits.status
    where bookings.ref = wanted.ref`,
);

const withTask = lookUp<Named, Named>(
  ['ref'],
  (db) => sql`select bookings.ref from wanted cross join ${tableIn(db, 'bookings')} as bookings
    where bookings.ref = wanted.ref and exists (
      select 1 from ${tableIn(db, 'bookings')} as tasks
      where tasks.clinic = bookings.clinic and tasks.phone_e164 = bookings.phone_e164
        and tasks.received_at >= bookings.received_at and tasks.kind <> 'booking'
    )`,
);
