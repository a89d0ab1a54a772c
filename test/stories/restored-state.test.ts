import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Story, startStory } from '../support/daemon/clinic-story.ts';
import { launchDaemon } from '../support/daemon/daemon-process.ts';
import { clean, judge } from '../support/daemon/story-judge.ts';
import { until } from '../support/until.ts';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;
const PATIENCE = { timeout: 90_000 };

/** What is on a volume beside the database, but for its lock and its index of the log. */
const volume = ['', '-wal', '.marker'] as const;

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
  it('sends nothing of an older database until a person says so, and nothing in it twice', {
    ...PATIENCE,
    tags: ['thorough'],
  }, async () => {
    await using story = await startStory({ name: 'restored', here: !isLongRun });
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
    await writeFile(join(story.folder, 'inbox', 'leads.csv'), `${[columns.join(','), ...rows].join('\n')}\n`);
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
      const held = await story.read((store) => store.bookings.list({ states: ['held'], source: 'reports' }));
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
    for (const ref of gone) await story.act(`/admin/bookings/${ref}/drop`, { why: 'it is in the calendar' });
    expect(control.ledger()).toHaveLength(known + 1);
    const { doubles, lost } = await judge(story);
    expect(doubles).toEqual([]);
    // What was acknowledged after the backup is forgotten with it; it is in the calendar all the same.
    expect(lost.length).toBeLessThanOrEqual(1);
  });

  it('sends nothing again of a volume snapshot, marker included, and says that sending waits', {
    ...PATIENCE,
    tags: ['thorough'],
  }, async () => {
    await using story = await startStory({ name: 'snapshot' });
    const { control } = story.sandbox;
    await story.start();
    await bookedLead(story);
    control.script({ match: { endpoint: 'book' }, fault: { kind: 'late_answer', ms: 3_000 } });
    const waiting: string[] = [];
    for (let i = 0; i < 3; i += 1) waiting.push((await story.submit(story.lead()))?.body.ref ?? '');
    // A snapshot of a volume is of one moment.
    story.daemon.signal('SIGSTOP');
    const snapshot = join(story.folder, 'snapshot');
    await mkdir(snapshot);
    for (const suffix of volume) await copyFile(story.database + suffix, join(snapshot, `db${suffix}`));
    story.daemon.signal('SIGCONT');
    for (const ref of waiting) await story.untilBooking(ref, 'booked');
    await story.daemon.kill();
    const known = control.ledger().length;

    for (const suffix of [...volume, '-shm']) await rm(story.database + suffix, { force: true });
    for (const suffix of volume) await copyFile(join(snapshot, `db${suffix}`), story.database + suffix);
    // It was put back an hour later.
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    story.rewrite('update identity set checked_at = :hourAgo', { hourAgo });
    await story.start();
    const lead = await story.submit(story.lead());
    await until('what waited is held', async () => {
      const states = await Promise.all(waiting.map((ref) => story.booking(ref)));
      return states.every((booking) => booking?.state === 'held' || booking?.state === 'unknown');
    });

    expect(control.ledger()).toHaveLength(known);
    expect(lead?.status).toBe(200);
    const { health, clinics, needs } = await story.status();
    expect(health).not.toBe('ok');
    expect(clinics[0]?.lane).toMatchObject({ state: 'paused' });
    expect(needs.map(({ subject }) => subject)).toEqual(expect.arrayContaining(waiting));

    expect(await story.act('/admin/clinics/main/resume-lane')).toMatchObject({ status: 200 });
    await story.untilBooking(lead?.body.ref ?? '', 'booked');
    expect(control.ledger()).toHaveLength(known + 1);
    expect((await judge(story)).doubles).toEqual([]);
  });

  it.each([
    { what: 'the first booking of an installation', own: 0 },
    { what: 'a later one', own: 1 },
  ])(
    'sends what waited after a power failure with $what on the wire, and bookings of the front desk',
    {
      ...PATIENCE,
      tags: ['thorough'],
    },
    async ({ own }) => {
      await using story = await startStory({ name: `power-${own}` });
      const { control } = story.sandbox;
      for (const name of ['Nasrin Sultana', 'Elora Gomes', 'Sajid Karim']) control.addAppointment({ name });
      await story.start();
      for (let i = 0; i < own; i += 1) await bookedLead(story);
      control.script({ match: { endpoint: 'book' }, fault: { kind: 'late_answer', ms: 30_000 } });
      const onWire = (await story.submit(story.lead()))?.body.ref ?? '';
      await until('it is committed', () => control.ledger().length === own + 1);
      const waiting: string[] = [];
      for (let i = 0; i < 3; i += 1) waiting.push((await story.submit(story.lead()))?.body.ref ?? '');
      await story.daemon.kill();
      await control.clearFaults();
      control.addAppointment({ name: 'Ruma D’Silva' });
      const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
      story.rewrite('update identity set checked_at = :hourAgo', { hourAgo });

      await story.start();
      for (const ref of waiting) await story.untilBooking(ref, 'booked');

      expect(await story.booking(onWire)).toMatchObject({ state: 'unknown', reason: 'interrupted' });
      expect(await judge(story)).toEqual(clean);
    },
  );

  it('restores a backup after kill -9, and sends nothing again that was sent since', {
    ...PATIENCE,
    tags: ['thorough'],
  }, async () => {
    await using story = await startStory({ name: 'killed' });
    const { control } = story.sandbox;
    await story.start();
    control.script({ match: { endpoint: 'book' }, fault: { kind: 'late_answer', ms: 3_000 } });
    const waiting: string[] = [];
    for (let i = 0; i < 2; i += 1) waiting.push((await story.submit(story.lead()))?.body.ref ?? '');
    const backup = join(story.folder, 'backup.db');
    await story.read((store) => store.backup(backup));
    for (const ref of waiting) await story.untilBooking(ref, 'booked');
    const whileRunning = await story.run(['restore', backup]);
    await story.daemon.kill();

    const restored = await story.run(['restore', backup]);
    const audit = await story.run(['audit']);
    await story.start();
    const lead = await story.submit(story.lead());

    expect([whileRunning.code, restored.code]).toEqual([1, 0]);
    expect(whileRunning.output).toContain('A daemon has the database');
    expect(restored.stdout).toContain('What waited is held');
    expect(audit.stdout).toMatch(/restore +backup.db +ok/);
    await story.untilPaused();
    const [, last = ''] = waiting;
    expect(await story.booking(last)).toMatchObject({ state: 'held', reason: 'restored_state' });
    expect(control.ledger()).toHaveLength(2);
    expect(await story.booking(lead?.body.ref ?? '')).toMatchObject({ state: 'queued' });
  });

  it('does not start afresh where a database used to be', PATIENCE, async () => {
    await using story = await startStory({ name: 'missing', here: !isLongRun });
    await story.start();
    await story.daemon.terminate();
    for (const suffix of ['', '-wal', '-shm']) await rm(story.database + suffix, { force: true });

    const exit = await launchDaemon({ config: story.config, cwd: story.folder }).exited;

    expect(exit.code).toBe(1);
    expect(exit.output).toContain('is missing, although it was there before');
    expect(exit.output).toContain('Is the volume mounted?');
  });

  it('does not run beside another daemon on the same database', {
    ...PATIENCE,
    tags: ['thorough'],
  }, async () => {
    await using story = await startStory({ name: 'second', here: !isLongRun });
    await story.start();

    const second = await launchDaemon({ config: story.config, cwd: story.folder }).exited;
    await bookedLead(story);

    expect(second.code).toBe(1);
    expect(second.output).toContain('A clinic-sync daemon already has the database');
    expect(await judge(story)).toEqual(clean);
  });
});
