import { constants } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { mountSmallDisk } from '../../../test/support/daemon/small-disk.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { storageFailure } from './storage-failure.ts';

const sqliteError = (code: string) => new Database.SqliteError('disk I/O error', code);

it.each(['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_CANTOPEN'])(
  'calls a full disk or quota full, though SQLite says %s',
  async (code) => {
    const elsewhere = join(await temporaryFolder(), 'clinic-sync.db');
    await using disk = await mountSmallDisk(1);
    if (disk === undefined) return console.log('Not proven here: this user may not mount a volume.');
    await disk.fill();

    const full = storageFailure(sqliteError(code), join(disk.folder, 'clinic-sync.db'));
    const other = storageFailure(sqliteError(code), elsewhere);

    expect(full).toMatchObject({ kind: 'transient', message: expect.stringContaining('disk is full') });
    expect(full).toMatchObject({ hint: expect.stringContaining('quota') });
    expect(other).toMatchObject({ message: expect.not.stringContaining('full') });
  },
);

it.each([
  ['ENOSPC', constants.errno.ENOSPC],
  // Node has no name for EDQUOT.
  ['UNKNOWN', constants.errno.EDQUOT],
])('calls a file full that cannot be written: %s', (code, errno) => {
  const error = Object.assign(new Error(code), { code, errno: -errno });

  expect(storageFailure(error, '/nowhere/clinic-sync.db')).toMatchObject({
    message: expect.stringContaining('disk is full'),
  });
});
