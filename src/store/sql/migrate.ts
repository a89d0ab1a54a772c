import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Clock, type Instant, instant } from '../../platform/clock.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { createStatements } from './create-schema.ts';
import type { Db, Trx } from './database.ts';
import { isPostgres, schemaOf } from './dialects.ts';
import { writeMemory } from './installation/key-value.ts';
import { start } from './migrations/0.1.0.ts';
import {
  bookingCounts,
  connectorsAndErasures,
  erasing,
  followedIndex,
  growth,
  migrateHealth,
  migratePeople,
  narrowIndexes,
  peopleByIndex,
  progress,
  retention,
  unverifiedIndex,
  waitingIndex,
  whatOlderRowsSay,
} from './migrations/0.2.0-people-and-health.ts';
import { typedBookings, unreadable } from './migrations/0.2.0-typed-bookings.ts';
import {
  activity,
  archivedFigures,
  campaign,
  chain,
  deliveriesByClinic,
  fleetAlarms,
  intakeCounts,
  migrateFees,
  migrateFleet,
  migrateLeads,
  migrateSubmissionHash,
  numbersIndex,
  pollGaps,
  undos,
} from './migrations/0.3.0-fleet-and-leads.ts';
import {
  bookingTerms,
  clinicClocks,
  conversionsInOrder,
  feesListed,
  listsInTime,
  migrateTermsDue,
  monthsByIndex,
  removedFees,
  retractions,
  whatConnectorsAsk,
  whatConnectorsSay,
  whoTold,
} from './migrations/0.3.0-lists-and-fees.ts';
import {
  failingStarts,
  faultsOfPolls,
  tasksByPhone,
  unitsNotRun,
  visitsAfterBooked,
  visitsAtATime,
} from './migrations/0.4.0-fleet-and-visits.ts';
import { fewerNumbers, pollsCovered, sourcesInTime } from './migrations/0.5.0-cheaper-leads.ts';
import type { Migration } from './migrations/migration.ts';

export const migrations: readonly Migration[] = [
  start,
  unreadable,
  typedBookings,
  growth,
  connectorsAndErasures,
  migrateHealth,
  migratePeople,
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
  migrateFleet,
  deliveriesByClinic,
  numbersIndex,
  fleetAlarms,
  activity,
  campaign,
  migrateLeads,
  chain,
  migrateFees,
  undos,
  pollGaps,
  migrateSubmissionHash,
  bookingTerms,
  archivedFigures,
  conversionsInOrder,
  listsInTime,
  whatConnectorsAsk,
  migrateTermsDue,
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
  fewerNumbers,
  sourcesInTime,
  pollsCovered,
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
      message:
        `The database ${place} was written by a newer version (schema ` +
        `${foreign.number}, this one knows ${Math.max(...known)}).`,
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
export async function migrateSchema(db: Db, { current, pending }: SchemaState, clock: Clock): Promise<void> {
  if (current === 0) return db.transaction().execute((trx) => create(trx, pending, instant(clock.now())));
  for (const migration of pending)
    try {
      await db.transaction().execute((trx) => apply(trx, migration, clock));
    } catch (error) {
      const failure = asFailure(error, 'a statement');
      throw new Failure({
        kind: failure.kind,
        message:
          'The database was not brought up to date, step ' +
          `${migration.number} (${migration.name}): ${failure.message}`,
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
