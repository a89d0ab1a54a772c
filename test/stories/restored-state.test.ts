import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Story, startStory } from '../support/daemon/clinic-story.ts';
import { launchDaemon } from '../support/daemon/daemon-process.ts';
import { clean, judge } from '../support/daemon/story-judge.ts';
import { until } from '../support/until.ts';

const PATIENCE = { timeout: 90_000 };

async function bookedLead(story: Story): Promise<string> {
  const ref = (await story.submit(story.lead()))?.body.ref ?? '';
  await story.untilBooking(ref, 'booked');
  return ref;
}

async function putBack(story: Story, backup: string): Promise<void> {
  await rm(`${story.database}-wal`, { force: true });
  await rm(`${story.database}-shm`, { force: true });
  await copyFile(backup, story.database);
}

describe.concurrent('a database that is not the newest, or not there, or not alone', () => {
  it(
    'sends nothing of an older database until a person says so, and nothing in it twice',
    PATIENCE,
    async () => {
      await using story = await startStory({ name: 'restored' });
      const { control } = story.sandbox;
      await story.start();
      await bookedLead(story);
      // Two that wait when the backup is made, and go out after it.
      const gone = new Set<string>();
      control.script({ match: { endpoint: 'book' }, fault: { kind: 'late_answer', ms: 3_000 } });
      await story.submit(story.lead());
      for (let i = 0; i < 2; i += 1) gone.add((await story.submit(story.lead()))?.body.ref ?? '');
      const backup = join(story.folder, 'backup.db');
      await story.read((store) => store.backup(backup));
      for (const ref of gone) await story.untilBooking(ref, 'booked');

      // Leads of a file, whose rows get their ref written beside them after the backup.
      const [first, second] = [story.lead(), story.lead()];
      const columns = ['patient_name', 'patient_phone', 'appointment_date', 'appointment_time'];
      const rows = [first, second].map((lead) => columns.map((column) => lead[column]).join(','));
      await mkdir(join(story.folder, 'inbox'), { recursive: true });
      await writeFile(
        join(story.folder, 'inbox', 'leads.csv'),
        `${[columns.join(','), ...rows].join('\n')}\n`,
      );
      const results = join(story.folder, 'inbox', 'results', 'leads.results.csv');
      await until('the rows are booked and carry their refs', async () => {
        const text = await readFile(results, 'utf8');
        return text.split('"booked"').length === 3;
      });
      const withRefs = await readFile(results, 'utf8');
      await story.daemon.terminate();
      const known = control.ledger().length;

      await putBack(story, backup);
      await story.start();
      await writeFile(join(story.folder, 'inbox', 'leads-again.csv'), withRefs);
      const lead = await story.submit(story.lead());
      await until('the rows that carry a ref are held', async () => {
        const held = await story.read((store) =>
          store.bookings.list({ states: ['held'], source: 'reports' }),
        );
        return held.length === 2 && held.every(({ reason }) => reason === 'restored_state');
      });
      for (const ref of gone)
        expect(await story.booking(ref)).toMatchObject({ state: 'held', reason: 'restored_state' });
      const { clinics, health } = await story.status();
      await story.daemon.kill();
      await story.start();

      expect(lead?.status).toBe(200);
      expect(health).not.toBe('ok');
      expect(clinics[0]?.lane).toMatchObject({ state: 'paused' });
      expect(await story.booking(lead?.body.ref ?? '')).toMatchObject({ state: 'queued' });
      expect(control.ledger()).toHaveLength(known);

      // A person has looked: the new lead goes out, what was held stays with the person.
      expect(await story.act('/admin/clinics/main/resume-lane')).toMatchObject({ status: 200 });
      await story.untilBooking(lead?.body.ref ?? '', 'booked');
      for (const ref of gone)
        await story.act(`/admin/bookings/${ref}/drop`, { why: 'it is in the calendar' });
      expect(control.ledger()).toHaveLength(known + 1);
      const { doubles, lost } = await judge(story);
      expect(doubles).toEqual([]);
      // What was acknowledged after the backup is forgotten with it; it is in the calendar all the same.
      expect(lost.length).toBeLessThanOrEqual(1);
    },
  );

  it('does not start afresh where a database used to be', PATIENCE, async () => {
    await using story = await startStory({ name: 'missing' });
    await story.start();
    await story.daemon.terminate();
    for (const suffix of ['', '-wal', '-shm']) await rm(story.database + suffix, { force: true });

    const exit = await launchDaemon({ config: story.config, cwd: story.folder }).exited;

    expect(exit.code).toBe(1);
    expect(exit.output).toContain('is missing, although it was there before');
    expect(exit.output).toContain('Is the volume mounted?');
  });

  it('does not run beside another daemon on the same database', PATIENCE, async () => {
    await using story = await startStory({ name: 'second' });
    await story.start();

    const second = await launchDaemon({ config: story.config, cwd: story.folder }).exited;
    await bookedLead(story);

    expect(second.code).toBe(1);
    expect(second.output).toContain('Another clinic-sync daemon has the database');
    expect(await judge(story)).toEqual(clean);
  });
});
