import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Clock, type Instant, instant } from '../../platform/clock.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { createStatements } from './create-schema.ts';
import type { Db, Trx } from './database.ts';
import { isPostgres, schemaOf } from './dialects.ts';
import { writeMemory } from './installation/key-value.ts';
import { start } from './migrations/0001-start.ts';
import { unreadable } from './migrations/0002-unreadable.ts';
import { typedBookings } from './migrations/0003-typed-bookings.ts';
import { growth } from './migrations/0004-growth.ts';
import { connectorsAndErasures } from './migrations/0005-connectors-and-erasures.ts';
import { health } from './migrations/0006-health.ts';
import { people } from './migrations/0008-people.ts';
import { erasing } from './migrations/0009-erasing.ts';
import { progress } from './migrations/0014-progress.ts';
import { retention } from './migrations/0019-retention.ts';
import { bookingCounts } from './migrations/0024-booking-counts.ts';
import { narrowIndexes } from './migrations/0034-narrow-indexes.ts';
import { unverifiedIndex } from './migrations/0044-unverified-index.ts';
import { waitingIndex } from './migrations/0054-waiting-index.ts';
import { whatOlderRowsSay } from './migrations/0055-what-older-rows-say.ts';
import { peopleByIndex } from './migrations/0061-people-by-index.ts';
import { followedIndex } from './migrations/0065-followed-index.ts';
import { intakeCounts } from './migrations/0069-intake-counts.ts';
import { fleet } from './migrations/0072-fleet.ts';
import { deliveriesByClinic } from './migrations/0075-deliveries-by-clinic.ts';
import { numbersIndex } from './migrations/0076-numbers-index.ts';
import { fleetAlarms } from './migrations/0082-fleet-alarms.ts';
import { undos } from './migrations/0093-undos.ts';
import { activity } from './migrations/0096-activity.ts';
import { campaign } from './migrations/0100-campaign.ts';
import { leads } from './migrations/0101-leads.ts';
import { chain } from './migrations/0104-chain.ts';
import { fees } from './migrations/0105-fees.ts';
import { pollGaps } from './migrations/0106-poll-gaps.ts';
import { submissionHash } from './migrations/0108-submission-hash.ts';
import { archivedFigures } from './migrations/0110-archived-figures.ts';
import { conversionsInOrder } from './migrations/0111-conversions-in-order.ts';
import { bookingTerms } from './migrations/0120-booking-terms.ts';
import { listsInTime } from './migrations/0121-lists-in-time.ts';
import { whatConnectorsAsk } from './migrations/0125-what-connectors-ask.ts';
import { termsDue } from './migrations/0130-terms-due.ts';
import { feesListed } from './migrations/0135-fees-listed.ts';
import { monthsByIndex } from './migrations/0140-months-by-index.ts';
import { whoTold } from './migrations/0150-who-told.ts';
import { retractions } from './migrations/0155-retractions.ts';
import { clinicClocks } from './migrations/0156-clinic-clocks.ts';
import { whatConnectorsSay } from './migrations/0170-what-connectors-say.ts';
import { removedFees } from './migrations/0180-removed-fees.ts';
import { unitsNotRun } from './migrations/0181-units-not-run.ts';
import { failingStarts } from './migrations/0182-failing-starts.ts';
import { visitsAtATime } from './migrations/0185-visits-at-a-time.ts';
import { tasksByPhone } from './migrations/0186-tasks-by-phone.ts';
import { visitsAfterBooked } from './migrations/0210-visits-after-booked.ts';
import { faultsOfPolls } from './migrations/0211-faults-of-polls.ts';
import type { Migration } from './migrations/migration.ts';

export const migrations: readonly Migration[] = [
  start,
  unreadable,
  typedBookings,
  growth,
  connectorsAndErasures,
  health,
  people,
  erasing,
  progress,
  retention,
  bookingCounts,
  narrowIndexes,
  unverifiedIndex,
  waitingIndex,
  whatOlderRowsSay,
  peopleByIndex,
  followedIndex,
  intakeCounts,
  fleet,
  deliveriesByClinic,
  numbersIndex,
  fleetAlarms,
  activity,
  campaign,
  leads,
  chain,
  fees,
  undos,
  pollGaps,
  submissionHash,
  bookingTerms,
  archivedFigures,
  conversionsInOrder,
  listsInTime,
  whatConnectorsAsk,
  termsDue,
  feesListed,
  monthsByIndex,
  whoTold,
  retractions,
  clinicClocks,
  whatConnectorsSay,
  removedFees,
  unitsNotRun,
  failingStarts,
  visitsAtATime,
  tasksByPhone,
  visitsAfterBooked,
  faultsOfPolls,
];

/** Other programs may have a table of migrations, too. */
const ours = ['migrations', 'identity', 'booking_events'];

export interface SchemaState {
  /** Number of the newest applied migration; 0 for an empty database. */
  current: number;
  pending: readonly Migration[];
}

/** Throws `Failure` refused for a database written by a newer version or by another program. */
export async function schemaState(db: Db, place: string): Promise<SchemaState> {
  const own = schemaOf(db);
  const all = await db.introspection.getTables();
  const tables = all.filter(({ schema }) => schema === own).map(({ name }) => name);
  if (tables.length === 0) return { current: 0, pending: migrations };
  if (!ours.every((name) => tables.includes(name)))
    throw new Failure({
      kind: 'refused',
      message: `${place} belongs to another program.`,
      hint:
        own === undefined
          ? 'Check the path under store.sqlite.'
          : 'Check the address under store.postgres, or create an empty database for clinic-sync.',
    });
  const applied = await db.selectFrom('migrations').select('number').orderBy('number').execute();
  const current = applied.at(-1)?.number ?? 0;
  const known = new Set(migrations.map(({ number }) => number));
  const foreign = applied.find(({ number }) => !known.has(number));
  if (foreign !== undefined)
    throw new Failure({
      kind: 'refused',
      message: `The database ${place} was written by a newer version (schema ${foreign.number}, this one knows ${Math.max(...known)}).`,
      hint: isPostgres(db)
        ? 'Run that version again, or restore a dump from before its first start.'
        : 'Run that version again, or restore the backup it made before it changed the schema.',
    });
  // Compares all numbers, because they have gaps that a later version may fill.
  const done = new Set(applied.map(({ number }) => number));
  return { current, pending: migrations.filter(({ number }) => !done.has(number)) };
}

/**
 * Creates a new database from its description, or applies the missing steps to an older one. Throws the database's
 * failure, naming the step; the database is then as the previous step left it.
 */
export async function migrate(db: Db, { current, pending }: SchemaState, clock: Clock): Promise<void> {
  if (current === 0) return db.transaction().execute((trx) => create(trx, pending, instant(clock.now())));
  for (const migration of pending)
    try {
      await db.transaction().execute((trx) => apply(trx, migration, clock));
    } catch (error) {
      const failure = asFailure(error, 'a statement');
      throw new Failure({
        kind: failure.kind,
        message: `The database was not brought up to date, step ${migration.number} (${migration.name}): ${failure.message}`,
        hint: failure.hint ?? 'Run the version before this one, and report this.',
        cause: error,
      });
    }
}

async function create(trx: Trx, steps: readonly Migration[], at: Instant): Promise<void> {
  await enterSchema(trx);
  // Another process may have been first.
  if (isPostgres(trx) && (await schemaState(trx, '')).current > 0) return;
  const dialect = isPostgres(trx) ? 'postgres' : 'sqlite';
  for (const statement of createStatements(dialect)) await sql.raw(statement).execute(trx);
  const value = randomBytes(32).toString('hex');
  await writeMemory(trx, 'erasing', 'key', value);
  await trx
    .insertInto('migrations')
    .values(steps.map(({ number, name }) => ({ number, name, at })))
    .execute();
}

/** For this transaction's statements, which do not name the schema. */
async function enterSchema(trx: Trx): Promise<void> {
  const schema = schemaOf(trx);
  if (schema !== undefined) await sql`set local search_path to ${sql.id(schema)}`.execute(trx);
}

async function apply(trx: Trx, { number, name, ...step }: Migration, clock: Clock): Promise<void> {
  await enterSchema(trx);
  const done = trx.selectFrom('migrations').select('number').where('number', '=', number);
  if ((await done.executeTakeFirst()) !== undefined) return;
  const statements = isPostgres(trx) ? step.postgres : step.statements;
  if (statements === undefined)
    throw new Failure({
      kind: 'refused',
      message: 'It has no form for PostgreSQL.',
      hint: 'Please report this.',
    });
  for (const statement of statements) await sql.raw(statement).execute(trx);
  await step.fill?.(trx);
  await trx
    .insertInto('migrations')
    .values({ number, name, at: instant(clock.now()) })
    .execute();
}
