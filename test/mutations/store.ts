import type { MutationSet } from './mutation.ts';

const identity = 'src/store/sql/installation/identity.ts';
const sqlite = 'src/store/sqlite.ts';
const marker = 'src/store/sqlite/marker.ts';
const restore = 'src/store/sqlite/restore.ts';
const backup = 'src/store/sqlite/backup.ts';
const header = 'src/store/sqlite/file-header.ts';
const dialect = 'src/store/sqlite/dialect.ts';
const writeAheadLog = 'src/store/sqlite/write-ahead-log.ts';
const health = 'src/store/sqlite/health.ts';
const openDatabase = 'src/store/sqlite/open-database.ts';
const erase = 'src/store/sql/erasure/erase.ts';
const erased = 'src/store/sql/erasure/erased-fields.ts';
const forgotten = 'src/store/sql/erasure/forgotten-submissions.ts';
const audit = 'src/store/sql/people/audit.ts';
const pruneBookings = 'src/store/sql/retention/prune-bookings.ts';
const pruneChanges = 'src/store/sql/retention/prune-changes.ts';
const counts = 'src/store/sql/bookings/booking-counts.ts';
const people = 'src/store/sql/migrations/0008-people.ts';
const commit = 'src/store/sql/group-commit.ts';
const deliveries = 'src/store/sql/deliveries/deliveries.ts';
const appointments = 'src/store/sql/mirror/appointments.ts';

export const store: MutationSet[] = [
  {
    module: 'store/file',
    tests: [
      'src/store/sqlite.test.ts',
      'src/store/copies.test.ts',
      'src/store/sqlite',
      'src/store/sql/schema.test.ts',
      'src/store/migrations.test.ts',
    ],
    mutations: [
      {
        file: identity,
        find: '(remembered.claims ?? 0) > progress.claims;',
        replace: '(remembered.claims ?? 0) < 0;',
        harm: 'a copy of last night sends again what was sent since',
      },
      {
        file: identity,
        find: '(remembered.changes ?? 0) > progress.changes ||',
        replace: '',
        harm: 'a copy from before a stop is taken for the newest',
      },
      {
        file: identity,
        find: 'remembered.epoch > row.epoch ||',
        replace: '',
        harm: 'a copy of an earlier start is taken for the newest',
      },
      {
        file: identity,
        find: 'row.copied_at !== null ||',
        replace: '',
        harm: 'a restored backup sends what waited when it was made',
      },
      {
        file: identity,
        find: 'remembered.instance !== row.instance ||',
        replace: '',
        harm: 'the database of another installation is sent from',
      },
      {
        file: identity,
        find: 'row.restored_at !== null ||',
        replace: '',
        harm: 'a crash right after a restore forgets that it was one',
      },
      {
        file: identity,
        find: 'const epoch = Math.max(row?.epoch ?? 0, remembered?.epoch ?? 0) + 1;',
        replace: 'const epoch = (row?.epoch ?? 0) + 1;',
        harm: 'the epoch of a restored copy is counted twice',
      },
      {
        file: people,
        find: 'BEFORE UPDATE ON audit',
        replace: 'BEFORE UPDATE OF n ON audit',
        harm: 'an entry of the audit can be rewritten',
      },
      {
        file: people,
        find: 'BEFORE DELETE ON audit WHEN OLD.at >',
        replace: 'BEFORE DELETE ON audit WHEN OLD.at <',
        harm: 'a fresh entry of the audit can be deleted',
      },
      {
        file: sqlite,
        find: 'if (claimed !== undefined) await marker.write(updateMarker);',
        replace: '',
        harm: 'the marker does not know what was sent since the start',
      },
      {
        file: sqlite,
        find: 'if (sizeOf(file) === 0 && (readMarker(file)?.epoch ?? 0) > 0) throw missing(file);',
        replace: '',
        harm: 'a volume that is not mounted looks like a fresh start',
      },
      {
        file: sqlite,
        find: 'if (state.current === 0 && (remembered?.epoch ?? 0) > 0) throw missing(file);',
        replace: '',
        harm: 'an emptied database looks like a fresh start',
      },
      {
        file: sqlite,
        find: "for (const suffix of ['', '-wal', '-shm', '.marker']) forThisUserAlone(file + suffix);",
        replace: '',
        harm: 'a database that was copied back stays readable for everyone',
      },
      {
        file: sqlite,
        find: 'if (sizeOf(file) > 0) assertWhole(file, remembered);',
        replace: '',
        harm: 'a cut file or a foreign log is opened and damaged further',
      },
      {
        file: sqlite,
        find: 'if (state.current > 0) {',
        replace: 'if (state.current > 1_000) {',
        harm: 'a new version changes the schema without a copy of the old one',
      },
      {
        file: marker,
        find: "if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;\n    throw unreadable(path, error);",
        replace: 'return undefined;',
        harm: 'a marker that cannot be read counts as none',
      },
      {
        file: restore,
        find: "if (integrity?.integrity_check !== 'ok' || orphans.length > 0)",
        replace: 'if (false)',
        harm: 'a damaged backup replaces the database',
      },
      {
        file: restore,
        find: 'const former = moveAside(file, instant(clock.now()));',
        replace: 'const former: string[] = [];',
        harm: 'a restore overwrites the database it replaces',
      },
      {
        file: restore,
        find: "await sql.run('update identity set copied_at = coalesce(copied_at, ?)', at);",
        replace: '',
        harm: 'a restored plain copy sends what waited in it',
      },
      {
        file: restore,
        find: 'const lock = lockStopped(file);',
        replace: 'const lock = { release() {} };',
        harm: 'a restore pulls the file from under a running daemon',
      },
      {
        file: backup,
        find: "copy.prepare('update identity set copied_at = ?').run(at);",
        replace: '',
        harm: 'a backup does not say that it is one',
      },
      {
        file: header,
        find: 'if (sizeOf(file) < bytes) throw cutShort(file, bytes);',
        replace: '',
        harm: 'a database that was cut short is opened',
      },
      {
        file: header,
        find: 'header.commits >= (marker?.stamp ?? 0)',
        replace: 'true',
        harm: 'the log of a later file is mixed into a copy that an older version wrote',
      },
      {
        file: header,
        find: 'installation === 0 || first.installation === installation',
        replace: 'true',
        harm: 'the log of another installation is mixed in',
      },
      {
        file: header,
        find: 'first.commits <= commits + 1',
        replace: 'true',
        harm: 'a log that begins after the file was copied is mixed in',
      },
      {
        file: header,
        find: 'last.commits >= commits',
        replace: 'true',
        harm: 'an older log takes back what the file has',
      },
      {
        file: header,
        find: 'return log.pages === pages;',
        replace: 'return true;',
        harm: 'the log of a database of another size is mixed in',
      },
      {
        file: writeAheadLog,
        find: 'if (!sum.is(frame, 16)) return;',
        replace: '',
        harm: 'a commit that the disk did not write whole keeps the daemon from starting',
      },
      {
        file: dialect,
        find: 'const broken = commitFailure ?? damage;',
        replace: 'const broken = damage;',
        harm: 'writes go on although the last one may be lost',
      },
      {
        file: dialect,
        find: 'const broken = commitFailure ?? damage;',
        replace: 'const broken = commitFailure;',
        harm: 'writes go on in a damaged database',
      },
      {
        file: dialect,
        find: 'if (isSurelyNotCommitted(error) || isDamage(error)) throw error;',
        replace: 'if (error !== undefined) throw error;',
        harm: 'a failed commit is repeated although it may have reached the disk',
      },
      {
        file: openDatabase,
        find: "database.pragma('synchronous = FULL');",
        replace: '',
        harm: 'a power cut loses what was acknowledged',
      },
      {
        file: openDatabase,
        find: "database.pragma('secure_delete = ON');",
        replace: '',
        harm: 'erased patients stay in the file',
      },
      {
        file: health,
        find: 'await beat();',
        replace: '',
        harm: 'a full disk looks healthy',
      },
      {
        file: health,
        find: 'if (now?.ino !== opened?.ino || now?.dev !== opened?.dev)',
        replace: 'if (now === undefined && !inMemory)',
        harm: 'a database that was replaced underneath looks healthy',
      },
      {
        file: health,
        find: 'if (bytes < TOO_LONG_LOG && clock.monotonic() - longSince < LONG_FOR_MS) return null;',
        replace: 'if (clock.monotonic() - longSince < LONG_FOR_MS * 1_000) return null;',
        harm: 'a log that grows without end is not reported',
      },
    ],
  },
  {
    module: 'store/sql',
    tests: ['test/conformance/store/sqlite.test.ts', 'src/store/sqlite.test.ts'],
    titles: 'in memory (?!bookings, whatever)',
    mutations: [
      {
        file: counts,
        find: '...(from === null ? [] : counted(from, -1))',
        replace: '',
        harm: 'totals count a booking once for each state it had',
      },
      {
        file: counts,
        find: 'if (state === from) return;',
        replace: 'if (from !== null) return;',
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
        file: 'src/store/sql/people/sessions.ts',
        find: ".where('ends_at', '<=', session.started_at)",
        replace: ".where('ends_at', '<=', '')",
        harm: 'sessions that ended are kept for ever',
      },
      {
        file: 'src/store/sql/people/sessions.ts',
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
        file: deliveries,
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
        file: appointments,
        find: 'if (before === undefined || before.done === 1) return [];',
        replace: 'if (before === undefined) return [];',
        harm: 'a late answer brings back what was erased',
      },
      {
        file: 'src/store/sql/mirror/guards.ts',
        find: 'const first_at = before.first_at > at ? at : before.first_at;',
        replace: 'const first_at = before.first_at;',
        harm: 'a clock that was set back stretches a guard’s hour',
      },
      {
        file: 'src/store/sql/mirror/guards.ts',
        find: 'before.fingerprint === guard.fingerprint && before.kind',
        replace: 'before.kind',
        harm: 'an approval carries over to another answer',
      },
    ],
  },
];
