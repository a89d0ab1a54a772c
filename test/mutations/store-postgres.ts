import type { MutationSet } from './mutation.ts';

const dialect = 'src/store/postgres/dialect.ts';
const commitFate = 'src/store/postgres/commit-fate.ts';
const membership = 'src/store/postgres/membership.ts';
const fenced = 'src/store/sql/fenced.ts';
const fleet = 'src/store/postgres/fleet-verbs.ts';
const server = 'src/store/postgres/look-at-server.ts';
const postgres = 'src/store/postgres.ts';
const bookings = 'src/store/sql/bookings/bookings.ts';
const groups = 'src/store/sql/group-commit.ts';
const notices = 'src/store/postgres/notices.ts';

/** What only a server has: turns, a daemon's row, a COMMIT without an answer. */
export const storePostgres: MutationSet[] = [
  {
    module: 'store/postgres',
    tests: ['test/conformance/store/postgres.test.ts'],
    // What the other store promises, too, takes minutes.
    titles:
      '(a fleet|writes|a daemon|a command|refuses|a group of writes|older changes|interrupt|came from a dump)',
    mutations: [
      {
        file: dialect,
        find: "if ((await fate.fateOf(one.xid, error)) === 'aborted') throw error;",
        replace: 'await fate.fateOf(one.xid, error);',
        harm: 'a lead is acknowledged although its COMMIT never arrived',
      },
      {
        file: dialect,
        find: "if ((await fate.fateOf(one.xid, error)) === 'aborted') throw error;",
        replace: 'throw error;',
        harm: 'a lead whose COMMIT took effect is stored once more',
      },
      {
        file: dialect,
        find: '        releaseConnection(one);\n',
        replace: '',
        harm: 'a transaction whose COMMIT never arrived is waited for until the program gives up',
      },
      {
        file: dialect,
        find: 'pg_advisory_xact_lock(',
        replace: 'abs(',
        harm: 'two processes judge a lead at once',
      },
      {
        file: dialect,
        find: 'pg_advisory_xact_lock(',
        replace: 'pg_advisory_lock(',
        harm: 'the lock of a session outlives its transaction and stops everybody',
      },
      {
        file: bookings,
        find: "to: 'unknown' as BookingState, at, reason: 'interrupted'",
        replace: "to: 'queued' as BookingState, at, reason: null",
        harm: 'who takes over sends again what was being sent',
      },
      {
        file: fleet,
        find: ' - coalesce(cardinality(w.ids), 0)',
        replace: '',
        harm: 'nobody does what not all members can do',
      },
      {
        file: 'src/store/sql/changes/chain-older.ts',
        find: 'if (await isOlderBeside(db, CHAIN)) return 0;',
        replace: '',
        harm: 'changes of an older version beside a new one look added by hand',
      },
      {
        file: commitFate,
        find: "if (fate === 'committed' || fate === 'aborted') return fate;",
        replace: "if (fate !== undefined) return 'committed';",
        harm: 'a transaction that is still open counts as stored',
      },
      {
        file: groups,
        find: 'const all = [...group, ...waiting];',
        replace: 'const all = [...waiting];',
        harm: 'a lead whose connection was cut off waits for ever',
      },
      {
        file: fenced,
        find: 'if (rows.length === 0) throw notOurs(unit);',
        replace: '',
        harm: 'a daemon that stood still writes over the one that took its place',
      },
      {
        file: fenced,
        find: ' and m.expires_at > clock_timestamp()',
        replace: '',
        harm: 'a daemon whose time is over goes on writing until another takes its place',
      },
      {
        file: fleet,
        find: 'fence = unit.fence + 1',
        replace: 'fence = unit.fence',
        harm: 'a daemon that comes back writes under the fence of its successor',
      },
      {
        file: fleet,
        find: 'case when unit.owner is null then unit.sends_from',
        replace: 'case when true then unit.sends_from',
        harm: 'a daemon sends while the one before may still have a booking on the wire',
      },
      {
        file: membership,
        find: 'where not exists (select 1 from',
        replace: 'where true or not exists (select 1 from',
        harm: 'a command does the work of a daemon that lives',
      },
      {
        file: 'src/store/bind.ts',
        find: "text.replaceAll('\\0', '')",
        replace: 'text',
        harm: 'a lead with the character NUL is never stored',
      },
      {
        file: server,
        find: "if (found.recovering === 'true' || found.read_only === 'on')",
        replace: "if (found.recovering === 'true')",
        harm: 'a read-only database is noticed at the first lead',
      },
      {
        file: postgres,
        find: 'isOlder ? undefined :',
        replace: '',
        harm: 'a restored server sends again what was sent since',
      },
    ],
  },
  {
    module: 'store/groups',
    tests: [
      'src/store/sql/group-commit.test.ts',
      'src/store/sql/run-group.test.ts',
      'src/store/sql/transaction.test.ts',
      'src/store/postgres/notices.test.ts',
    ],
    mutations: [
      {
        file: groups,
        find: 'if (!hasBegun) choose();',
        replace: '',
        harm: 'a lead is tried for ever while no transaction begins',
      },
      {
        file: 'src/store/sql/transaction.ts',
        find: '  await Promise.allSettled(work);\n',
        replace: '',
        harm: 'a statement of a job that failed is written after its rollback',
      },
      {
        file: 'src/store/sql/run-group.ts',
        find: 'for (const batch of unit) await run(batch);',
        replace: 'await Promise.all(unit.map(run));',
        harm: 'two writes of one clinic are judged at once',
      },
      {
        file: 'src/store/sql/run-group.ts',
        find: '|| !isOfUnits || ',
        replace: '|| ',
        harm: 'what may touch any row runs beside the writes of a clinic',
      },
      {
        file: notices,
        find: 'isHeard = await proof(signal);',
        replace: 'isHeard = true;',
        harm: 'behind a pooler that swallows notices a daemon waits for them',
      },
    ],
  },
  {
    module: 'store/postgres',
    tests: ['test/conformance/store/postgres-copies.test.ts'],
    mutations: [
      {
        file: postgres,
        find: 'hasMoved || (await isFromDump(sql, schema))',
        replace: 'hasMoved',
        harm: 'what pg_restore brings back is sent once more',
      },
      {
        file: dialect,
        find: 'if (server !== null && begun?.server !== server) {',
        replace: 'if (false) {',
        harm: 'a replica that took over sends again what it had not heard of',
      },
    ],
  },
  {
    module: 'store/move',
    tests: ['test/conformance/store/move.test.ts'],
    mutations: [
      {
        file: 'src/store/move.ts',
        find: 'if (differing >= 0) throw',
        replace: 'if (differing > 1e9) throw',
        harm: 'an installation arrives with other rows than it had',
      },
      {
        file: 'src/store/move.ts',
        find: 'const takeBack = source.markMoved({ to: place, at });',
        replace: 'const takeBack = () => {};',
        harm: 'the former file can be started beside the server and books the same leads',
      },
      {
        file: 'src/store/move.ts',
        find: 'source.isOlder ? [',
        replace: 'false ? [',
        harm: 'an older copy that is moved sends again what was sent since',
      },
      {
        file: 'src/store/sqlite/departure.ts',
        find: ' union all select seq from sqlite_sequence where name = ?',
        replace: ' where ? is not null',
        harm: 'numbers of removed rows are given again',
      },
      {
        file: 'src/store/postgres/arrival.ts',
        find: 'if (found.length === 0) return;',
        replace: 'return;',
        harm: 'an installation is moved into the database of another one',
      },
    ],
  },
  {
    module: 'store/postgres/news',
    tests: ['test/conformance/store/postgres.test.ts', 'test/conformance/store/postgres-ways.test.ts'],
    mutations: [
      {
        file: 'src/store/postgres/fleet-verbs.ts',
        find: 'if ((seen.get(clinic) ?? 0) === from - 1) seen.set(clinic, to);',
        replace: 'seen.set(clinic, to);',
        harm: 'what another daemon wrote just before goes unnoticed',
      },
      {
        file: 'src/store/postgres/fleet-verbs.ts',
        find: 'if (isWhole) comparedAt = now;',
        replace: 'comparedAt = Infinity;',
        harm: 'a commit that took long goes unnoticed',
      },
      {
        file: 'src/store/postgres/fleet-verbs.ts',
        find: 'where a.beat_at > clock_timestamp() and',
        replace: 'where false and',
        harm: 'nobody takes over from a daemon that crashed while the server’s clock was ahead',
      },
      {
        file: 'src/store/postgres/connections.ts',
        find: 'if (!isNotKept(error)) throw error;',
        replace: 'throw error;',
        harm: 'during a rolling upgrade reads of the former version fail',
      },
    ],
  },
];
