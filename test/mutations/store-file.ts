import type { MutationSet } from './mutation.ts';

const identity = 'src/store/sql/installation/identity.ts';
const sqlite = 'src/store/sqlite.ts';
const marker = 'src/store/sqlite/marker.ts';
const restore = 'src/store/sqlite/backup/restore.ts';
const backup = 'src/store/sqlite/backup/backup.ts';
const header = 'src/store/sqlite/file-header.ts';
const dialect = 'src/store/sqlite/dialect.ts';
const writeAheadLog = 'src/store/sqlite/write-ahead-log.ts';
const replacedFile = 'src/store/sqlite/replaced-file.ts';
const health = 'src/store/sqlite/health.ts';
const openDatabase = 'src/store/sqlite/open-database.ts';
const people = 'src/store/sql/migrations/0.2.0-people-and-health.ts';

/** The SQLite file, its marker, copies and log. */
export const storeFile: MutationSet[] = [
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
        find: 'remembered.epoch > epoch ||',
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
        find: 'remembered.instance !== instance ||',
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
        find: "const lock = lockStopped(file, 'restore');",
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
        find: 'commitFailure ?? knownDamage() ?? replaced()',
        replace: 'knownDamage() ?? replaced()',
        harm: 'writes go on although the last one may be lost',
      },
      {
        file: dialect,
        find: 'commitFailure ?? knownDamage() ?? replaced()',
        replace: 'commitFailure ?? replaced()',
        harm: 'writes go on in a damaged database',
      },
      {
        file: dialect,
        find: 'damage ?? (note.exists() ? damaged(file) : undefined)',
        replace: 'damage',
        harm: 'a process writes into a database that another one found damaged',
      },
      {
        file: dialect,
        find: 'if (isSurelyNotCommitted(error) || isDamage(error)) throw error;',
        replace: 'if (error !== undefined) throw error;',
        harm: 'a failed commit is repeated although it may have reached the disk',
      },
      {
        file: dialect,
        find: 'unwritable() ?? (stop.fits(1) ? undefined : noTimeLeft())',
        replace: 'unwritable()',
        harm: 'a stop on a slow disk waits for every write until it is killed',
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
        file: dialect,
        find: 'commitFailure ?? knownDamage() ?? replaced()',
        replace: 'commitFailure ?? knownDamage()',
        harm: 'leads are acknowledged into a file that was deleted',
      },
      {
        file: replacedFile,
        find: 'return log !== now;',
        replace: 'return false;',
        harm: 'leads are acknowledged into a log that was deleted',
      },
      {
        file: replacedFile,
        find: 'const now = headerOf(descriptor);',
        replace: "const again = openSync(file, 'r'); const now = headerOf(again); closeSync(again);",
        harm: 'the next program to look into the database deletes the log under the daemon',
      },
      {
        file: health,
        find: 'if (bytes < TOO_LONG_LOG && Math.abs(clock.now() - (await longSince())) < LONG_FOR_MS) return null;',
        replace: 'if (Math.abs(clock.now() - (await longSince())) < LONG_FOR_MS * 1_000) return null;',
        harm: 'a log that grows without end is not reported',
      },
    ],
  },
];
