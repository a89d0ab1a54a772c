import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { keepCompiled } from '../../test/support/compiled.ts';
import { change, rig, treatment } from '../../test/support/csv/kit.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

const child = new URL('../../test/support/csv/child.ts', import.meta.url).pathname;
const ROWS = 150;
const leads = [
  'name,phone,date,time',
  ...Array.from(
    { length: ROWS },
    (_, n) => `Lead ${n},0170000${String(n).padStart(4, '0')},2026-04-01,10:00`,
  ),
  '',
].join('\n');

async function dropped(content: string): Promise<string> {
  const root = await temporaryFolder();
  await mkdir(join(root, 'inbox'));
  await writeFile(join(root, 'inbox/leads.csv'), content);
  return root;
}

/** Runs the child until it kills itself at the crash point; resolves to the signal it died of. */
const killedAt = (root: string, failpoint: string) =>
  new Promise<string | null | undefined>((resolve) => {
    const env = { ...process.env, ...keepCompiled, CLINIC_SYNC_CRASHPOINT: failpoint };
    execFile(process.execPath, [child, root], { env }, (error) => resolve(error?.signal));
  });

async function restart(root: string) {
  const clock = fakeClock();
  const settings = { inbox: join(root, 'inbox'), archive: 'monthly' };
  const again = await rig({ clock, root, deskFile: join(root, 'desk.json'), settings });
  again.mirror.rows.treatments = [treatment(1)];
  again.mirror.changes = [change(1)];
  await again.converge();
  await clock.advance(3_000);
  await again.converge();
  return again;
}

describe('a kill', () => {
  it.each([
    'csv.inbox.claimed',
    'csv.inbox.named',
    'csv.inbox.accepted',
    'csv.inbox.accepted:2',
    'csv.inbox.recorded',
    'csv.inbox.results',
    'csv.inbox.done',
  ])('at %s still books every row exactly once', { tags: ['thorough'] }, async (failpoint) => {
    const root = await dropped(leads);

    const signal = await killedAt(root, failpoint);
    const { desk } = await restart(root);

    const results = parse(await readFile(join(root, 'inbox/results/leads.results.csv'), 'utf8'), {
      columns: true,
    });
    expect(signal).toBe('SIGKILL');
    expect(desk.bookings).toHaveLength(ROWS);
    expect(desk.bookings.every(({ merged }) => merged === 0)).toBe(true);
    expect(results.map((row) => (row as { ref: string }).ref)).toEqual(desk.bookings.map(({ ref }) => ref));
    expect(await readFile(join(root, 'inbox/done/leads.csv'), 'utf8')).toBe(leads);
    expect(await readdir(join(root, 'inbox/processing'))).toEqual([]);
  });

  it('at csv.inbox.refused still gives the file its reason', { tags: ['thorough'] }, async () => {
    const root = await dropped('hello\nworld\n');

    const signal = await killedAt(root, 'csv.inbox.refused');
    await restart(root);

    expect(signal).toBe('SIGKILL');
    expect((await readdir(join(root, 'inbox/failed'))).sort()).toEqual(['leads.csv', 'leads.error.txt']);
  });

  it.each(['csv.export.changes', 'csv.export.table:4', 'csv.export.manifest', 'csv.archive.built'])(
    'at %s leaves files that the next run completes',
    { tags: ['thorough'] },
    async (failpoint) => {
      const root = await dropped(leads);

      const signal = await killedAt(root, failpoint);
      const { directory } = await restart(root);

      const { files } = JSON.parse(await readFile(join(directory, 'main/manifest.json'), 'utf8'));
      expect(signal).toBe('SIGKILL');
      expect(files['treatments.csv'].rows).toBe(1);
      expect(files['changes.csv'].rows).toBe(1);
      expect((await readdir(join(directory, 'main'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
      expect(await readdir(join(directory, 'main/archive'))).toEqual(['2026-02']);
    },
  );
});
