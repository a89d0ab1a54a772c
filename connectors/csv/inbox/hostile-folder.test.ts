import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/platform/clock.ts';
import { DAY } from '../../../src/platform/duration.ts';
import { ann, bob, file, header, openInbox } from '../../../test/support/csv/inbox.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readPlainFile } from './folders.ts';

const MAKE_PIPE = 'mkfifo';
const fifo = (path: string) => execFileSync(MAKE_PIPE, [path]);

describe('a person who may write into the inbox', () => {
  it.runIf(process.platform === 'linux')(
    'cannot lead patients’ data elsewhere by swapping folders for links while a file is being booked',
    async () => {
      const { take, inbox, desk } = await openInbox();
      const elsewhere = await temporaryFolder();
      const { accept } = desk.port;
      desk.port.accept = async (submission) => {
        for (const folder of ['done', 'results', 'processing']) {
          await rename(join(inbox, folder), join(inbox, `${folder}-moved`));
          await symlink(elsewhere, join(inbox, folder));
        }
        return accept(submission);
      };

      await take('leads.csv', file(header, ann));

      expect(await readdir(elsewhere)).toEqual([]);
      expect(await readdir(join(inbox, 'done-moved'))).toEqual(['leads.csv']);
      expect(await readdir(join(inbox, 'results-moved'))).toEqual(['leads.results.csv']);
    },
  );

  it('cannot make the daemon wait for a pipe', async () => {
    const path = join(await temporaryFolder(), 'leads.csv');
    fifo(path);

    const read = await readPlainFile(path);

    expect(read).toBeUndefined();
  });

  it('books the other files beside pipes, folders and odd names', async () => {
    const { inbox, drop, settle, desk, names } = await openInbox();
    fifo(join(inbox, 'pipe.csv'));
    await mkdir(join(inbox, 'folder.csv'));
    const odd = [
      'new\nline.csv',
      'esc\u001b[2J.csv',
      'rtl\u202evsc.csv',
      '..csv',
      '-rf.csv',
      '__proto__.csv',
    ];
    for (const [index, name] of odd.entries())
      await drop(name, file(header, `Lead ${index},0171100010${index},2026-04-01,1${index}:00,Scaling`));

    await settle();

    expect(desk.bookings).toHaveLength(5);
    expect(await names('done')).toEqual(odd.filter((name) => name !== '..csv').sort());
  });

  it('reports a file whose name cannot be opened', async () => {
    const { inbox, converge } = await openInbox();
    await writeFile(
      Buffer.concat([Buffer.from(`${inbox}/M`), Buffer.from([0xfc]), Buffer.from('.csv')]),
      ann,
    );

    const { problems } = await converge();

    expect(problems).toMatchObject([
      {
        sentence: expect.stringMatching(/^1 file in .*inbox cannot be opened, .*: rename it/),
        weight: 'need',
      },
    ]);
  });
});

it('keeps the results of a results file that was dropped again while its booking may change', async () => {
  const { take, inbox, connector, names, clock } = await openInbox();
  await take('leads.csv', file(header, bob));
  const results = await readFile(join(inbox, 'results/leads.results.csv'), 'utf8');
  await take('again.results.csv', results);
  await clock.advance(40 * DAY);

  await connector.tidy?.(instant(clock.now() - 30 * DAY), new AbortController().signal);

  expect(await names('done')).toContain('again.results.csv');
  expect(await names('results')).toContain('again.results.results.csv');
});

it.each(['changes.csv', 'manifest.json'])(
  'replaces a pipe in the place of %s instead of waiting for it',
  async (name) => {
    const { directory, converge } = await openInbox();
    const path = join(directory, 'main', name);
    await rm(path);
    fifo(path);

    await converge();

    expect(await readFile(path, 'utf8')).not.toBe('');
  },
);
