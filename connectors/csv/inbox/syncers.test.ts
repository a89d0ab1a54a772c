/** @module-tag thorough */
import { existsSync } from 'node:fs';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ann, bob, file, header, openInbox } from '../../../test/support/csv/inbox.ts';
import { rclone, servedFolder, sharedFolder, syncthing } from '../../../test/support/csv/syncers.ts';
import { needing } from '../../../test/support/program.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';

describe.skipIf(syncthing === undefined)('Syncthing', () => {
  it(`brings a file and its results, and a correction that was made offline is asked about${needing('syncthing', syncthing)}`, {
    timeout: 300_000,
  }, async () => {
    const { inbox, settle, desk } = await openInbox();
    const root = await temporaryFolder();
    const theirs = join(root, 'theirs');
    const [us, them] = await sharedFolder(root, [inbox, theirs]);
    us?.start();
    const first = them?.start();
    await writeFile(join(theirs, 'leads.csv'), file(header, ann, bob));
    await until('the file arrives', () => existsSync(join(inbox, 'leads.csv')));

    await first?.stop();
    await settle();
    await writeFile(join(theirs, 'leads.csv'), file(header, ann.replace('10:30', '12:30'), bob));
    them?.start();
    await until('the correction arrives', () => existsSync(join(inbox, 'leads.csv')));
    await settle();
    const results = join(theirs, 'results/leads.results.csv');
    await until('the results arrive', async () => (await readFile(results, 'utf8')).includes('12:30'));

    const ids = desk.submissions.map(({ submission_id }) => submission_id);
    expect(ids.slice(2)).toEqual([ids[0]]);
    expect(desk.bookings).toHaveLength(2);
  });
});

describe.skipIf(rclone === undefined)('rclone', () => {
  it(`books a folder once, however often it is copied and synchronized onto the inbox${needing('rclone', rclone)}`, {
    timeout: 300_000,
  }, async () => {
    const { inbox, settle, desk, results } = await openInbox();
    const root = await temporaryFolder();
    const from = join(root, 'from');
    await mkdir(from);
    await writeFile(join(from, 'leads.csv'), file(header, ann, bob));
    await utimes(join(from, 'leads.csv'), 1_600_000_000, 1_600_000_000);
    const { run } = await servedFolder(root, inbox);

    await until('the server answers', () => run('copy', from).then(() => true));
    await settle();
    for (const command of ['copy', 'sync', 'sync', 'copy'] as const) {
      await run(command, from);
      await settle();
    }

    expect(desk.submissions).toHaveLength(2);
    expect((await results('leads')).map(({ ref }) => ref)).toEqual(['CS-000001', 'CS-000002']);
  });
});
