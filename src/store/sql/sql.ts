import { CompiledQuery, type Dialect, Kysely, type KyselyPlugin } from 'kysely';
import { type Clock, type Instant, instant } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { DatabaseVerbs } from '../ports/database.ts';
import type { Fence, Grown } from '../ports/fleet.ts';
import type { PersonFilter } from '../ports/removal.ts';
import type { Store } from '../store.ts';
import { bookingVerbs } from './bookings/bookings.ts';
import { moveBooking } from './bookings/move-booking.ts';
import { changeVerbs } from './changes/changes.ts';
import { type LogChanges, logChanges } from './changes/log-changes.ts';
import type { Write } from './database.ts';
import { deliveryVerbs } from './deliveries/deliveries.ts';
import { erasePerson } from './erasure/erase.ts';
import { erasuresVerb } from './erasure/erasures.ts';
import { BUSY_WAITS_MS } from './group-commit.ts';
import { activityVerbs } from './installation/activity.ts';
import {
  beginEpoch,
  isOlderCopy,
  type Remembered,
  readIdentity,
  readProgress,
} from './installation/identity.ts';
import { incidentVerbs } from './installation/incidents.ts';
import { deleteMemory, keyValueVerbs, writeMemory } from './installation/key-value.ts';
import { migrateSchema, migrations, type SchemaState, schemaState } from './migrate.ts';
import { appointmentVerbs } from './mirror/appointments.ts';
import { mirrorVerbs } from './mirror/mirror.ts';
import { auditVerbs } from './people/audit-log.ts';
import { findPerson } from './people/person.ts';
import { sessionVerbs } from './people/session-verbs.ts';
import { guardVerbs } from './polls/guards.ts';
import { pollVerbs } from './polls/polls.ts';
import { reportVerbs } from './reports/reports.ts';
import { prune } from './retention/prune.ts';
import type { Schema } from './schema.ts';
import { writePipeline } from './write-pipeline.ts';

export type SqlStore = ReturnType<typeof sqlStore>;

interface SqlOptions {
  dialect: Dialect;
  plugins?: KyselyPlugin[];
  /** The database's name in messages: its path. */
  place: string;
  clock: Clock;
  isBusy: (error: unknown) => boolean;
  isStorage: (error: unknown) => boolean;
  /** Called after each commit, with the change logs that grew; `isWhole`: as far as it says, nothing was undone. */
  onCommit?: (grown: Grown, isWhole: boolean) => void;
}

/** Logs changes, and knows which logs have grown since `begin`. Transactions of a process do not overlap. */
function growingLogs(): { log: LogChanges; begin(): void; grown(): Grown } {
  const logged = logChanges();
  let grown: Grown = new Map();
  return {
    async log(...given) {
      const changes = await logged(...given);
      for (const { clinic, sequence } of changes)
        grown.set(clinic, { from: grown.get(clinic)?.from ?? sequence, to: sequence });
      return changes;
    },
    begin() {
      grown = new Map();
    },
    grown: () => grown,
  };
}

type Verbs = Omit<Store, 'identity' | 'erase' | 'under' | 'fleet' | keyof DatabaseVerbs>;

/** The verbs for any SQL database, and what opening, checking and copying a database file requires. */
export function sqlStore({ dialect, plugins = [], place, clock, isBusy, isStorage, onCommit }: SqlOptions) {
  const db = new Kysely<Schema>({ dialect, plugins });
  const { log, ...growth } = growingLogs();
  const { write, writeEach, auditing, ...pipeline } = writePipeline({
    ...{ db, clock, isBusy, isStorage },
    onBegin: growth.begin,
    onCommit: (isWhole) => onCommit?.(growth.grown(), isWhole),
  });
  const { step, holdWaiting } = moveBooking(log);
  let closing: Promise<void> | undefined;
  const verbsOver = (write: Write): Verbs => {
    const parts = { db, write, logChanges: log };
    return {
      mirror: mirrorVerbs(parts),
      changes: changeVerbs(parts),
      appointments: appointmentVerbs(parts),
      // Leads belong to no unit: any process accepts them, and groups of them are written together.
      bookings: bookingVerbs({ ...parts, writeEach }),
      deliveries: deliveryVerbs(parts),
      polls: pollVerbs(parts),
      guards: guardVerbs(parts),
      incidents: incidentVerbs(parts),
      activity: activityVerbs(parts),
      keyValue: keyValueVerbs(parts),
      sessions: sessionVerbs(parts),
      audit: auditVerbs(parts, auditing),
      reports: reportVerbs(db),
      findPerson: (person) => findPerson(db, person),
      erasures: erasuresVerb(db),
      prune: (keep, signal) => prune(parts, keep, signal),
    };
  };

  return {
    verbs: verbsOver(write),
    /** The verbs for the owner of a unit. */
    verbsUnder: (fence: Fence) => verbsOver(pipeline.ownedBy(fence)),
    /** The verbs for a command that does the work of daemons, while it lives as this member. */
    verbsAs: (member: string, over: () => Error) => verbsOver(pipeline.livingAs(member, over)),

    /** Number of the newest migration in this program. */
    newest: Math.max(...migrations.map(({ number }) => number)),
    schema: () => schemaState(db, place),
    /** Waits for other processes that start at the same moment. */
    migrate: (state: SchemaState) => pipeline.patiently(BUSY_WAITS_MS, () => migrateSchema(db, state, clock)),

    begin: (
      remembered: Remembered | 'itself' | undefined,
      newInstance: string,
      more: { copied?: boolean; attended?: boolean } = {},
    ) =>
      write('start', (trx) =>
        beginEpoch(trx, holdWaiting, { at: instant(clock.now()), remembered, newInstance, ...more }),
      ),
    identity: () => readIdentity(db),
    async settleRestored(): Promise<void> {
      await write('start', (trx) => trx.updateTable('identity').set({ restored_at: null }).execute());
    },
    progress: () => readProgress(db),
    /** For a database with an identity; see `beginEpoch`. */
    async isOlderCopy(remembered: Remembered | undefined): Promise<boolean> {
      const row = await readIdentity(db);
      return row === undefined || isOlderCopy(db, row, remembered);
    },

    /**
     * Writes a row, durably, and reads it back. After a failed write it writes as much as a booking needs, because a
     * single row may still fit when nothing else does. Only a daemon's counts as a heartbeat: see `noteUnattended`.
     */
    async beat(who: 'daemon' | 'tool'): Promise<void> {
      if (who === 'tool') return probe(write);
      if (pipeline.health.failure() !== undefined) {
        await probe(write);
        pipeline.health.recovered();
      }
      await writeAndRead(db, write, instant(clock.now()));
    },

    /** See `Store.erase`; the file's own code clears the log and finds copies. */
    erase: (person: PersonFilter, at: Instant, by: string) =>
      erasePerson({ db, write, step }, { person, at, by }),

    /** Runs one dialect-specific statement in turn with the writes. Resolves to its rows. */
    inTurn: (statement: string, ...parameters: string[]) =>
      write('start', async (trx) => {
        const { rows } = await trx.executeQuery<Record<string, unknown>>(
          CompiledQuery.raw(statement, parameters),
        );
        return rows;
      }),

    /** Runs one dialect-specific statement outside any transaction. */
    async run(statement: string, ...parameters: (string | number)[]): Promise<Record<string, unknown>[]> {
      return (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(statement, parameters))).rows;
    },

    /**
     * Waits for writes in progress, then closes the database, unless `last` resolves to 'leave open': the end of the
     * process closes it then. Idempotent.
     */
    close(last?: () => Promise<unknown>): Promise<void> {
      closing ??= (async () => {
        await pipeline.idle();
        let how: unknown;
        try {
          how = await last?.();
        } finally {
          if (how !== 'leave open') await db.destroy();
        }
      })();
      return closing;
    },
  };
}

async function writeAndRead(db: Kysely<Schema>, write: Write, at: Instant): Promise<void> {
  const checkedAt = (from: Kysely<Schema>) =>
    from.selectFrom('identity').select('checked_at').executeTakeFirst();
  const before = await write('health', async (trx) => {
    const row = await checkedAt(trx);
    await trx.updateTable('identity').set({ checked_at: at }).execute();
    return row?.checked_at;
  });
  const after = (await checkedAt(db))?.checked_at;
  // Another daemon, whose clock may be behind, may have written in between.
  if (after == null || (after === before && before !== at))
    throw new Failure({
      kind: 'transient',
      message: 'The database does not return what was written to it.',
    });
}

/** About what a booking with its steps, changes and indexes takes up in the log. */
const PROBE_CHARACTERS = 128 * 1024;

/** Two commits, because within one SQLite would not write what is deleted again. */
async function probe(write: Write): Promise<void> {
  const row = ['health', 'probe'] as const;
  await write('health', (trx) => writeMemory(trx, ...row, ' '.repeat(PROBE_CHARACTERS)));
  await write('health', (trx) => deleteMemory(trx, ...row));
}
