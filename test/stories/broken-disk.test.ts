import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Story, startStory } from '../support/daemon/clinic-story.ts';
import { launchDaemon } from '../support/daemon/daemon-process.ts';
import { limitFileSize, mountSmallDisk } from '../support/daemon/small-disk.ts';
import { clean, judge } from '../support/daemon/story-judge.ts';
import { until } from '../support/until.ts';

const PATIENCE = { timeout: 120_000 };

async function bookedLead(story: Story): Promise<string> {
  const answer = await story.submit(story.lead());
  expect(answer?.status).toBe(200);
  const ref = answer?.body.ref ?? '';
  await story.untilBooking(ref, 'booked');
  return ref;
}

/** Submits until one cannot be stored: what fits into pages the database already has is stored rightly. */
const untilRefused = (story: Story) =>
  until('a lead cannot be stored', async () => {
    const answer = await story.submit(story.lead());
    return answer !== undefined && answer.status !== 200 && answer;
  });

/** Whoever was not acknowledged asks again, and everybody ends with one appointment. */
async function allIsWell(story: Story): Promise<void> {
  await until('it is ready', async () => (await story.ask('/readyz')).status === 200, {
    found: () => story.status(),
  });
  for (const lead of [...story.unanswered.values()]) expect((await story.submit(lead))?.status).toBe(200);
  await story.act('/admin/clinics/main/resume-lane');
  await until(
    'everybody is booked',
    async () => {
      const all = await story.read((store) => store.bookings.list({}));
      return all.length > 0 && all.every(({ state }) => state === 'booked');
    },
    { found: () => story.status() },
  );
  expect(story.sandbox.control.ledger()).toHaveLength(story.acknowledged.size);
  expect(await judge(story)).toEqual(clean);
}

describe('a disk that accepts no more writes', () => {
  it(
    'costs no lead: it is refused, nothing is sent, and work goes on when there is room again',
    PATIENCE,
    async () => {
      await using disk = await mountSmallDisk(12);
      if (disk === undefined) return console.log('Not proven here: this user may not mount a volume.');
      await using story = await startStory({ name: 'full', database: join(disk.folder, 'clinic-sync.db') });
      await story.start();
      await bookedLead(story);

      await disk.fill();
      const refused = await untilRefused(story);
      const ready = await until('it says that it is not ready', async () => {
        const answer = await story.ask('/readyz');
        return answer.status === 503 && answer;
      });
      const { health, database } = await story.status();
      const sent = story.sandbox.control.ledger().length;

      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(ready.text).toContain('disk is full');
      expect(health).toBe('trouble');
      expect(database).toMatchObject({ ok: false });
      // Only what was acknowledged may have gone out; nothing of what was refused.
      expect(sent).toBeLessThanOrEqual(story.acknowledged.size);

      await disk.free();
      await allIsWell(story);
    },
  );

  it('does not start while it is full or read-only, says why, and loses nothing', {
    ...PATIENCE,
    tags: ['thorough'],
  }, async () => {
    await using disk = await mountSmallDisk(12);
    if (disk === undefined) return console.log('Not proven here: this user may not mount a volume.');
    await using story = await startStory({
      name: 'read-only',
      database: join(disk.folder, 'clinic-sync.db'),
    });
    await story.start();
    await bookedLead(story);
    story.sandbox.control.script({
      match: { endpoint: 'book' },
      times: 'always',
      fault: { kind: 'late_answer', ms: 3_000 },
    });
    await story.submit(story.lead());
    await story.submit(story.lead());
    await until('one is on the wire', () => story.sandbox.control.ledger().length === 2);
    await story.daemon.kill();
    const start = async () => {
      const daemon = launchDaemon({ config: story.config, cwd: story.folder });
      const giveUp = setTimeout(() => void daemon.kill(), 60_000);
      const exit = await daemon.exited;
      clearTimeout(giveUp);
      return exit;
    };

    await disk.readOnly(true);
    const onReadOnly = await start();
    await disk.readOnly(false);
    await disk.fill();
    const onFull = await start();
    const sent = story.sandbox.control.ledger().length;

    expect([onReadOnly.code, onFull.code]).toEqual([1, 1]);
    expect(onReadOnly.output).toContain('cannot be opened for writing');
    expect(onFull.output).toMatch(/full|free/i);
    expect(sent).toBe(2);

    await disk.free();
    await story.sandbox.control.clearFaults();
    await story.start();
    const unknown = await story.read((store) => store.bookings.list({ states: ['unknown'] }));
    expect(unknown).toHaveLength(1);
    for (const { ref } of unknown)
      await story.act(`/admin/bookings/${ref}/resolve`, {
        as: 'booked',
        appointment_id: String(story.sandbox.control.ledger()[1]?.appointment_id),
      });
    await allIsWell(story);
  });

  it('that fails in the middle of a write is not guessed about: a new process reads what is there', {
    ...PATIENCE,
    tags: ['thorough'],
  }, async () => {
    await using story = await startStory({ name: 'io' });
    await story.start();
    await bookedLead(story);
    const { daemon } = story;

    // Not one byte more than the write-ahead log has now.
    if (!(await limitFileSize(daemon.pid, statSync(`${story.database}-wal`).size)))
      return console.log('Not proven here: there is no prlimit.');
    const refused = await untilRefused(story);
    const exit = await daemon.exited;

    expect(refused.status).toBe(503);
    expect(exit.code).toBe(1);
    expect(exit.output).toContain('It is not known whether the last write reached the disk');

    await story.start();
    await allIsWell(story);
  });
});
