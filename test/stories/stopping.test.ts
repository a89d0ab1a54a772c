import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
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

describe.concurrent('told to stop, the daemon', () => {
  it(
    'ends with 0 while clinic and receiver hang, and the booking on the wire is recorded as unknown',
    PATIENCE,
    async () => {
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
    },
  );

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

  it('sends nothing more', PATIENCE, async () => {
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

  it('ends with 0 also while it still starts', PATIENCE, async () => {
    await using story = await startStory({ name: 'stop-starting' });
    const daemon = story.launch();
    await until('the database is open', () => daemon.output().includes('database opened'));

    const exit = await daemon.terminate();

    expect(exit).toMatchObject({ code: 0, signal: null });
  });
});
