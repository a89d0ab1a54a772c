import { sql } from 'kysely';
import type { TrackedVisit } from '../../../domain/bookings/visit-now.ts';
import { PHONE_TAIL } from '../../../domain/phone.ts';
import type { Db, Trx } from '../database.ts';
import { ending, tableIn } from '../dialects.ts';
import { lookUp } from '../look-up.ts';
import { atOnce } from '../transaction.ts';

interface Named {
  ref: string;
}

interface Changes {
  /** What the clinic shows. */
  visits: TrackedVisit[];
  /** Bookings whose cancellation or move a form tool reported. */
  reported: Named[];
}

export async function visitChanges(trx: Trx, rows: readonly Named[]): Promise<Changes> {
  const wanted = rows.map(({ ref }) => ({ ref }));
  const [visits, reported] = await atOnce(visitsOf(trx, wanted), withTask(trx, wanted));
  return { visits, reported };
}

const visitsOf = lookUp<Named, TrackedVisit>(
  ['ref'],
  (db) => sql`select bookings.ref, visits.status, visits.date, visits.time, visits.done,
    visits.removed_at, outcomes.outcome
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
