import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { damageNote } from '../../src/store/sqlite/damage.ts';
import { type Story, startStory } from '../support/daemon/clinic-story.ts';
import { clean, judge } from '../support/daemon/story-judge.ts';
import { until } from '../support/until.ts';

/** What each waits for has a minute. */
const PATIENCE = { timeout: 240_000 };

/** From now on no booking is answered; and, once one is on the wire, nothing else either. */
async function hang(story: Story, kind: 'silence_before_commit' | 'silence_after_commit'): Promise<void> {
  const { control } = story.sandbox;
  control.script({ match: { endpoint: 'book' }, times: 'always', fault: { kind } });
  await story.submit(story.lead());
  await until('the clinic has a booking and says nothing', () => control.faults()[0]?.struck === 1);
  control.script({ times: 'always', fault: { kind } });
}

/** A submission whose second half is not sent yet. */
async function halfASubmission(
  story: Story,
): Promise<{ socket: Socket; rest: string; answer: () => string }> {
  const body = JSON.stringify(story.lead());
  const socket = connect(Number(new URL(story.daemon.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => {});
  const head = [
    'POST /in/website HTTP/1.1',
    'host: clinic',
    `authorization: Bearer ${story.formToken}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  const half = Math.floor(body.length / 2);
  await new Promise<void>((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, half)}`, () => resolve());
  });
  return { socket, rest: body.slice(half), answer: () => answer };
}

/** Reading every page of this database takes minutes, whatever the machine. */
function slowToRead(path: string): void {
  const file = new Database(path);
  file.pragma('ignore_check_constraints = on');
  file.exec(`create table slow (text text check (instr(hex(zeroblob(1000000)), text) = 0));
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 30000)
    insert into slow select 'z' || hex(zeroblob(60)) from n`);
  file.close();
}

/** A process of its own is reading the pages. */
const isBeingRead = (database: string): boolean =>
  existsSync('/proc') &&
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words.includes(database) && words.some((word) => word.includes('integrity'));
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });

describe.concurrent('told to stop, the daemon', () => {
  it('ends with 0 while clinic and receiver hang, and the booking on the wire is recorded as unknown', {
    ...PATIENCE,
    tags: ['thorough'],
  }, async () => {
    await using story = await startStory({ name: 'stop-hanging' });
    await story.start();
    await hang(story, 'silence_after_commit');
    story.hook.misbehave = () => true;
    const [ref = ''] = story.acknowledged.values();
    const { daemon } = story;
    const half = await halfASubmission(story);

    daemon.signal('SIGTERM');
    const refused = await until('a new submission is asked to come back', async () => {
      const answer = await story.submit(story.lead());
      return answer?.status === 503 && answer;
    });
    half.socket.write(half.rest);
    const exit = await daemon.exited;

    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.output).toContain('"state":"clean","msg":"stopped"');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await story.booking(ref)).toMatchObject({ state: 'unknown', reason: 'interrupted', attempt: 1 });
    expect(half.answer()).toMatch(/^(HTTP\/1\.1 (200|503)|$)/);
    expect(await judge(story)).toEqual(clean);
  });

  it('takes the answer of a booking on the wire when it comes in time', PATIENCE, async () => {
    await using story = await startStory({ name: 'stop-late-answer' });
    await story.start();
    story.sandbox.control.script({ match: { endpoint: 'book' }, fault: { kind: 'late_answer', ms: 2_000 } });
    const ref = (await story.submit(story.lead()))?.body.ref ?? '';
    await until('the clinic has it and takes its time', () => story.sandbox.control.ledger().length === 1);

    const exit = await story.daemon.terminate();

    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(await story.booking(ref)).toMatchObject({ state: 'booked' });
  });

  it('sends nothing more', { ...PATIENCE, tags: ['thorough'] }, async () => {
    await using story = await startStory({ name: 'stop-queue' });
    await story.start();
    await hang(story, 'silence_before_commit');
    for (let waiting = 0; waiting < 3; waiting += 1) await story.submit(story.lead());

    const exit = await story.daemon.terminate();
    const states = await story.read(async (store) =>
      (await store.bookings.list({})).map(({ state }) => state),
    );

    expect(exit.code).toBe(0);
    expect(states.sort()).toEqual(['queued', 'queued', 'queued', 'unknown']);
  });

  it('ends with 0 also while it still starts', { ...PATIENCE, tags: ['thorough'] }, async () => {
    await using story = await startStory({ name: 'stop-starting' });
    const daemon = story.launch();
    await until('the database is open', () => daemon.output().includes('database opened'));

    const exit = await daemon.terminate();

    expect(exit).toMatchObject({ code: 0, signal: null });
  });

  it('ends with 0 and in order while every page of a large database is being read', {
    ...PATIENCE,
    tags: ['thorough'],
  }, async () => {
    await using story = await startStory({ name: 'stop-reading' });
    await (await story.start()).terminate();
    slowToRead(story.database);
    const daemon = await story.start();

    const exit = await daemon.terminate();

    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.output).toContain('"state":"clean","msg":"stopped"');
    expect(exit.output).not.toContain('every page of the database is sound');
    expect(isBeingRead(story.database)).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'ends with 0 while it reads, before it starts, a database that was found damaged',
    { ...PATIENCE, tags: ['thorough'] },
    async () => {
      await using story = await startStory({ name: 'stop-damaged' });
      await (await story.start()).terminate();
      slowToRead(story.database);
      writeFileSync(damageNote(story.database), 'a page\n');
      const daemon = story.launch();
      await until('its pages are being read', () => isBeingRead(story.database), { found: daemon.output });

      const exit = await daemon.terminate();

      expect(exit).toMatchObject({ code: 0, signal: null });
      expect(exit.output).not.toContain('database opened');
      expect(existsSync(damageNote(story.database))).toBe(true);
      expect(isBeingRead(story.database)).toBe(false);
    },
  );
});
