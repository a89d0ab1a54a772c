import type { StatusOutcome } from '../../../domain/bookings/status-outcome.ts';
import { toMs } from '../../../platform/clock.ts';
import { DAY } from '../../../platform/duration.ts';
import type { AppointmentVerbs } from '../../ports/appointments.ts';
import { noteAskedAgain } from '../bookings/asked-again.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import { type StoreParts, slices, type Trx } from '../database.ts';
import { convert } from './conversions.ts';

type Asked = Parameters<AppointmentVerbs['applyOutcomes']>[0];

/** Visits per transaction. */
const PORTION = 100;

/** Stores the meaning of a status, for the views. */
export async function noteOutcome(
  trx: Trx,
  clinic: string,
  status: string,
  outcome: StatusOutcome,
): Promise<void> {
  const known = await trx
    .selectFrom('status_outcomes')
    .select('outcome')
    .where((row) => row.and({ clinic, status }))
    .executeTakeFirst();
  if (known?.outcome === outcome) return;
  await trx
    .insertInto('status_outcomes')
    .values({ clinic, status, outcome })
    .onConflict((conflict) => conflict.columns(['clinic', 'status']).doUpdateSet({ outcome }))
    .execute();
}

/** See `AppointmentVerbs.applyOutcomes`. */
export function applyOutcomes(
  parts: StoreParts & { logChanges: LogChanges },
): AppointmentVerbs['applyOutcomes'] {
  const { db, write } = parts;
  return async (asked) => {
    const { clinic, outcomeOf } = asked;
    const known = await db.selectFrom('status_outcomes').selectAll().where('clinic', '=', clinic).execute();
    for (const { status, outcome: before } of known) {
      const outcome = outcomeOf(status);
      if (outcome === before) continue;
      const isNews = before !== null;
      if (outcome !== 'unknown' && outcome !== 'booked')
        await convertAll(parts, asked, { status, outcome, isNews });
      // Last, so that it is repeated after a crash; each lead converts only once.
      await write('observe', async (trx) => {
        await noteOutcome(trx, clinic, status, outcome);
        // In the same transaction, so that a lead is merged before it and asked about, or comes after it and is held.
        if (isNews && isOff(outcome)) await askAbout(trx, asked, status);
      });
    }
  };
}

/** `isNews` false: visits of an older version, whose conversions are not logged as changes. */
async function convertAll(
  { db, write, logChanges }: StoreParts & { logChanges: LogChanges },
  { clinic, at, visitAt }: Asked,
  { status, outcome, isNews }: { status: string; outcome: StatusOutcome; isNews: boolean },
): Promise<void> {
  const visits = await db
    .selectFrom('appointments')
    .select(['ref', 'date', 'time', 'status_changed_at'])
    .where('clinic', '=', clinic)
    .where('status', '=', status)
    .where('ref', 'is not', null)
    .execute();
  for (const some of slices(visits, PORTION))
    await write('observe', async (trx) => {
      for (const { ref, date, time, status_changed_at } of some) {
        const seenAt = isNews ? at : (status_changed_at ?? at);
        const changes = await convert(trx, {
          clinic,
          ref,
          outcome,
          at: seenAt,
          visit_at: visitAt(date, time),
        });
        if (isNews) await logChanges(trx, { clinic, at, changes });
      }
    });
}

const isOff = (outcome: StatusOutcome) => outcome === 'cancelled' || outcome === 'no_show';

/** Asks about the leads that were merged into visits with a status. Nobody wants a visit that is over for a day. */
async function askAbout(trx: Trx, { clinic, at, visitAt, outcomeOf }: Asked, status: string): Promise<void> {
  const visits = await trx
    .selectFrom('appointments as visits')
    .innerJoin('bookings', 'bookings.ref', 'visits.ref')
    .select(['bookings.ref', 'visits.appointment_id', 'visits.date', 'visits.time'])
    .where('visits.clinic', '=', clinic)
    .where('visits.status', '=', status)
    .where('bookings.merged', '>', 0)
    .execute();
  for (const { ref, appointment_id, date, time } of visits) {
    if (toMs(visitAt(date, time) ?? at) < toMs(at) - DAY) continue;
    const changes = await trx
      .selectFrom('observations')
      .select(['status', 'from_at'])
      .where((row) => row.and({ clinic, appointment_id, changed: 1 }))
      .orderBy('n', 'desc')
      .execute();
    // If no read is known that showed it standing, the lead may have come after the cancellation.
    const stood = changes.find((change) => !isOff(outcomeOf(change.status)));
    await noteAskedAgain(trx, { ref, at, before: { date, time, seen_at: stood?.from_at ?? null } });
  }
}
