import type { MutationSet } from './mutation.ts';

const erase = 'src/store/sql/erasure/erase.ts';
const erased = 'src/store/sql/changes/erased-fields.ts';
const forgotten = 'src/store/sql/bookings/forgotten-submissions.ts';
const audit = 'src/store/sql/people/audit-log.ts';
const pruneBookings = 'src/store/sql/retention/prune-bookings.ts';
const pruneChanges = 'src/store/sql/retention/prune-changes.ts';
const counts = 'src/store/sql/bookings/booking-counts.ts';
const commit = 'src/store/sql/group-commit.ts';
const deliveries = 'src/store/sql/deliveries/deliveries.ts';

export const store: MutationSet[] = [
  {
    module: 'store/sql',
    tests: [
      'test/conformance/store/sqlite.test.ts',
      'src/store/sqlite.test.ts',
      'src/store/sql/group-commit.test.ts',
    ],
    titles: 'an SQLite file (?!bookings, whatever)',
    mutations: [
      {
        file: 'src/store/sql/mirror/mirror-reads.ts',
        find: '1 + (select count(*) from',
        replace: '1 + 0 * (select count(*) from',
        harm: 'a visit that is completed again comes under an order id that was retracted',
      },
      {
        file: counts,
        find: 'if (before !== null) count(before, -1);',
        replace: '',
        harm: 'totals count a booking once for each state it had',
      },
      {
        file: counts,
        find: 'if (after.state === before?.state && after.clinic === before.clinic) continue;',
        replace: 'if (before !== null) continue;',
        harm: 'totals show all bookings as received',
      },
      {
        file: erase,
        find: 'const n = await logErasure(trx, at, { refs: [ref], appointments });',
        replace: 'const n = 0;',
        harm: 'connectors never hear of an erased person',
      },
      {
        file: erase,
        find: "await step(trx, found, { to: 'dropped', actor: 'person', by, at, reason: 'erased' })",
        replace: 'found',
        harm: 'the booking of an erased person is still sent',
      },
      {
        file: erase,
        find: '.set({ name: null, raw: null, done: 1, next_due_at: null })',
        replace: '.set({ name: null, raw: null })',
        harm: 'the next look brings the erased name back',
      },
      {
        file: erase,
        find: ".set({ message: null, evidence: erasedEvidence(evidence) })\n      .where('n', '=', n)",
        replace: ".set({ evidence: erasedEvidence(evidence) })\n      .where('n', '=', n)",
        harm: 'the history keeps what was written about an erased person',
      },
      {
        file: erase,
        find: '.set({ body: erasedBody(resource, body), last_error: null })',
        replace: '.set({ last_error: null })',
        harm: 'an erased person is still delivered',
      },
      {
        file: erase,
        find: 'previous: previous === null ? null : without(previous)',
        replace: 'previous',
        harm: 'the change log keeps former values of an erased person',
      },
      {
        file: erase,
        find: "if (booking?.state !== 'sending') return;",
        replace: "if (booking?.state !== 'booked') return;",
        harm: 'a booking on the wire loses its data',
      },
      {
        file: erased,
        find: 'const { body_hash: _hash, answer: _answer, ...facts } = parseJson(stored);',
        replace: 'const { answer: _answer, ...facts } = parseJson(stored);',
        harm: 'a hash from which a phone number can be found stays',
      },
      {
        file: forgotten,
        find: 'return instant(Number.isFinite(day) ? day + 2 * DAY : toMs(receivedAt) + UNDATED_MS);',
        replace: 'return instant(toMs(receivedAt));',
        harm: 'a source that repeats an erased lead books it again',
      },
      {
        file: pruneBookings,
        find: "if (state === 'booked' && (evidence?.mismatch ?? []).length > 0) return true;",
        replace: '',
        harm: 'retention removes a difference that nobody has acknowledged',
      },
      {
        file: audit,
        find: 'if (written) await insert(trx, entry);',
        replace: 'await insert(trx, entry);',
        harm: 'a decision that came too late is in the audit as done',
      },
      {
        file: pruneBookings,
        find: 'booking === undefined || booking.changed_at !== changed_at',
        replace: 'booking === undefined',
        harm: 'a booking that a person takes up again while old ones are removed is lost',
      },
      {
        file: pruneBookings,
        find: 'if (followed?.done === 0) return true;',
        replace: '',
        harm: 'a booking whose status is still followed is removed',
      },
      {
        file: pruneBookings,
        find: 'if (waiting !== undefined) return true;',
        replace: '',
        harm: 'a booking that a connector has not got yet is removed',
      },
      {
        file: pruneBookings,
        find: ".where('connector', 'in', [...connectors, ''])",
        replace: '',
        harm: 'a connector taken out of the configuration keeps bookings for ever',
      },
      {
        file: 'src/store/sql/retention/forget-connectors.ts',
        find: '(since.get(name) ?? keep.now) < keep.deliveries',
        replace: 'since.has(name)',
        harm: 'a connector missing from the configuration for an hour loses what waits for it',
      },
      {
        file: pruneBookings,
        find: 'return (last?.sequence ?? 0) > (cursors.get(clinic) ?? Number.POSITIVE_INFINITY);',
        replace: 'return false;',
        harm: 'a change that a connector has not read yet is removed',
      },
      {
        file: pruneBookings,
        find: "const settled: readonly BookingState[] = ['booked', 'booked_no_id', 'rejected', 'expired', 'dropped'];",
        replace:
          "const settled: readonly BookingState[] = ['held', 'booked', 'booked_no_id', 'rejected', 'expired', 'dropped'];",
        harm: 'a booking that waits for a person is removed',
      },
      {
        file: pruneBookings,
        find: '!Number.isFinite(day) || day + 2 * DAY < toMs(now);',
        replace: 'true;',
        harm: 'a booking is removed before its appointment took place',
      },
      {
        file: pruneChanges,
        find: 'change.sequence > upTo ||',
        replace: '',
        harm: 'changes a connector has not read yet are removed',
      },
      {
        file: pruneChanges,
        find: '|| i === first.length - 1,',
        replace: ',',
        harm: 'the last change of a clinic is removed and numbers start again',
      },
      {
        file: 'src/store/sql/people/session-verbs.ts',
        find: ".where('ends_at', '<=', session.started_at)",
        replace: ".where('ends_at', '<=', '')",
        harm: 'sessions that ended are kept for ever',
      },
      {
        file: 'src/store/sql/people/session-verbs.ts',
        find: ".where('ends_at', '>', at)",
        replace: '',
        harm: 'sessions that ended are listed as open',
      },
      {
        file: commit,
        find: 'await sql`rollback to one`.execute(trx).catch(() => Promise.reject(error));',
        replace: '',
        harm: 'half of a failed write is committed with its neighbours',
      },
      {
        file: 'src/store/sql/deliveries/due.ts',
        find: "where front.state in ('pending', 'dead')",
        replace: "where front.state in ('pending')",
        harm: 'changes of a thing overtake one that was given up',
      },
      {
        file: deliveries,
        find: "{ state: 'pending', attempts: 0, next_attempt_at: at }",
        replace: "{ state: 'pending', next_attempt_at: at }",
        harm: 'a delivery that a person retries is given up at the first failure',
      },
      {
        file: 'src/store/sql/polls/guards.ts',
        find: 'const isSet = byWall < 0 ||',
        replace: 'const isSet =',
        harm: 'a clock that was set back stretches a guard’s hour',
      },
      {
        file: 'src/store/sql/polls/guards.ts',
        find: 'before.fingerprint === guard.fingerprint && before.kind',
        replace: 'before.kind',
        harm: 'an approval carries over to another answer',
      },
    ],
  },
];
