import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type LogFields, silentLog } from '../../src/platform/log.ts';
import { createPermissionWatch } from './permissions.ts';

describe('permissions that could not be set', () => {
  let folder: string;
  let warnings: LogFields[];
  let look: ReturnType<typeof createPermissionWatch>;
  const fileWith = async (name: string, mode: number) => {
    const path = join(folder, name);
    await writeFile(path, 'x');
    await chmod(path, mode);
    return path;
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'permissions-'));
    warnings = [];
    look = createPermissionWatch(0o600, {
      ...silentLog,
      warn: (_text, fields = {}) => warnings.push(fields),
    });
  });

  it('are warned of once, with the file and both modes', async () => {
    const open = await fileWith('bookings.csv', 0o755);
    const other = await fileWith('changes.csv', 0o755);

    await look([open, other]);
    await look([open, other]);

    expect(warnings).toEqual([
      {
        path: open,
        problem: 'It has 0755 instead of 0600, the file_mode',
        hint: expect.stringContaining('mount options'),
      },
    ]);
  });

  it('are not mentioned while files have what file_mode says, or do not exist', async () => {
    const closed = await fileWith('bookings.csv', 0o600);

    await look([closed, join(folder, 'missing.csv')]);

    expect(warnings).toEqual([]);
  });
});
