import type { StatusOutcome } from '../../../domain/outcome.ts';
import type { Instant } from '../../../platform/clock.ts';
import type { AppointmentVerbs } from '../../ports/appointments.ts';
import { noteAskedAgain } from '../bookings/asked-again.ts';
import type { LogChanges } from '../changes/log-changes.ts';
import { type Parts, slices, type Trx } from '../database.ts';
import type { Stored } from '../schema.ts';
import { convert } from './conversions.ts';

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
export function applyOutcomes(parts: Parts & { logChanges: LogChanges }): AppointmentVerbs['applyOutcomes'] {
  const { db, write } = parts;
  return async (asked) => {
    const { clinic, outcomeOf } = asked;
    const known = await db.selectFrom('status_outcomes').selectAll().where('clinic', '=', clinic).execute();
    for (const { status, outcome: before } of known) {
      const outcome = outcomeOf(status);
      if (outcome === before) continue;
      if (outcome !== 'unknown' && outcome !== 'booked')
        await convertAll(parts, asked, { status, outcome, isNews: before !== null });
      // Last, so that it is repeated after a crash; each lead converts only once.
      await write('observe', (trx) => noteOutcome(trx, clinic, status, outcome));
    }
  };
}

/** `isNews` false: visits of an older version, whose conversions are not logged as changes. */
async function convertAll(
  { db, write, logChanges }: Parts & { logChanges: LogChanges },
  { clinic, at, visitAt }: Parameters<AppointmentVerbs['applyOutcomes']>[0],
  { status, outcome, isNews }: { status: string; outcome: StatusOutcome; isNews: boolean },
): Promise<void> {
  const visits = await db
    .selectFrom('appointments')
    .select(['appointment_id', 'ref', 'date', 'time', 'status_changed_at'])
    .where('clinic', '=', clinic)
    .where('status', '=', status)
    .where('ref', 'is not', null)
    .execute();
  for (const some of slices(visits, PORTION))
    await write('observe', async (trx) => {
      for (const visit of some) {
        const { ref, date, time, status_changed_at } = visit;
        const seenAt = isNews ? at : (status_changed_at ?? at);
        const changes = await convert(trx, {
          clinic,
          ref,
          outcome,
          at: seenAt,
          visit_at: visitAt(date, time),
        });
        if (!isNews) continue;
        await logChanges(trx, { clinic, at, changes });
        await askAbout(trx, { ...visit, clinic }, at, outcome);
      }
    });
}

type Visit = Pick<
  Stored<'appointments'>,
  'clinic' | 'appointment_id' | 'ref' | 'date' | 'time' | 'status_changed_at'
>;

async function askAbout(trx: Trx, visit: Visit, at: Instant, outcome: StatusOutcome): Promise<void> {
  const { ref, date, time } = visit;
  if (ref === null || outcome === 'completed') return;
  const before = { date, time, seen_at: await readBefore(trx, visit) };
  await noteAskedAgain(trx, { ref, at, before, outcome });
}

/** When it was read last before it had its present status; if that is no longer known, when it had it. */
async function readBefore(
  trx: Trx,
  { clinic, appointment_id, status_changed_at }: Visit,
): Promise<Instant | null> {
  if (status_changed_at === null) return null;
  const change = await trx
    .selectFrom('observations')
    .select('from_at')
    .where((row) => row.and({ clinic, appointment_id, to_at: status_changed_at }))
    .executeTakeFirst();
  return change?.from_at ?? status_changed_at;
}
