import { sql } from 'kysely';
import { readDate, readTime } from '../../../domain/date-time.ts';
import { PHONE_TAIL } from '../../../domain/phone.ts';
import type { Db, Trx } from '../database.ts';
import { ending, tableIn } from '../dialects.ts';
import { lookUp } from '../look-up.ts';
import { atOnce } from '../transaction.ts';

interface Named {
  ref: string;
}

export interface Place {
  date: string | null;
  time: string | null;
}

export interface Visit extends Named, Place {
  status: string | null;
  done: number;
  removed_at: string | null;
  outcome: string | null;
}

interface Changes {
  /** What the clinic shows. */
  visits: Visit[];
  /** Bookings whose cancellation or move a form tool reported. */
  reported: Named[];
}

export async function visitChanges(trx: Trx, rows: readonly Named[]): Promise<Changes> {
  const wanted = rows.map(({ ref }) => ({ ref }));
  const [visits, reported] = await atOnce(visitsOf(trx, wanted), withTask(trx, wanted));
  return { visits, reported };
}

/** Whether the clinic cancelled, ended, removed or moved it: it is at none of these times. */
export function isChanged(visit: Visit, times: readonly Place[]): boolean {
  const { status, done, removed_at, outcome } = visit;
  // A new appointment may be unknown to the clinic's server for some minutes.
  if (status === null) return false;
  const isOver = done !== 0 || removed_at !== null || outcome === 'cancelled' || outcome === 'no_show';
  return isOver || !times.some((time) => isAt(visit, time));
}

const isAt = (visit: Place, { date, time }: Place) =>
  isSame(readDate, visit.date, date) && isSame(readTime, visit.time, time);

/** What cannot be read tells nothing. */
function isSame(read: typeof readDate, shown: string | null, other: string | null): boolean {
  const known = read(shown ?? '');
  return known === undefined || known === read(other ?? '');
}

const visitsOf = lookUp<Named, Visit>(
  ['ref'],
  (
    db,
  ) => sql`select bookings.ref, visits.status, visits.date, visits.time, visits.done, visits.removed_at, outcomes.outcome
    from wanted cross join ${tableIn(db, 'bookings')} as bookings
    join ${tableIn(db, 'appointments')} as visits
      on visits.clinic = bookings.clinic and visits.appointment_id = bookings.appointment_id
    left join ${tableIn(db, 'status_outcomes')} as outcomes
      on outcomes.clinic = visits.clinic and outcomes.status = visits.status
    where bookings.ref = wanted.ref`,
);

const ofPhone = (db: Db, table: string) => ending(db, `${table}.phone_e164`, PHONE_TAIL);
const isWhole = (table: string) => sql`substr(${sql.ref(`${table}.phone_e164`)}, 1, 1) = '+'`;

/** As `isSamePhone`: the ending decides if one number has no country code. */
const withTask = lookUp<Named, Named>(
  ['ref'],
  (db) => sql`select bookings.ref from wanted cross join ${tableIn(db, 'bookings')} as bookings
    where bookings.ref = wanted.ref and exists (
      select 1 from ${tableIn(db, 'bookings')} as tasks
      where tasks.clinic = bookings.clinic and ${ofPhone(db, 'tasks')} = ${ofPhone(db, 'bookings')}
        and tasks.received_at >= bookings.received_at and tasks.kind <> 'booking'
        and (tasks.phone_e164 = bookings.phone_e164 or not (${isWhole('tasks')} and ${isWhole('bookings')}))
    )`,
);
