import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { linesWith } from './erased-lines.ts';

const KEY = ',booking,CS-1,';

it('finds a line wherever the stretches in which a file is read end', async () => {
  const path = join(await temporaryFolder(), 'changes.csv');
  const stretch = 2 ** 18;
  const found: unknown[] = [];
  for (let before = 0; before <= KEY.length; before += 1) {
    const first = `${'x'.repeat(stretch - before - 6)}\n`;
    const line = `main,7${KEY}${'y'.repeat(40_000)}\n`;
    const text = `${first}${line}main,8,booking,CS-11,\n`;
    await writeFile(path, text);

    const lines = await linesWith(path, text.length, [Buffer.from(KEY)]);
    found.push(lines.map(({ offset, length }) => offset === first.length && length === line.length));
  }

  expect(found).toEqual(found.map(() => [true]));
});
