/** @module-tag thorough */
import { expect, it } from 'vitest';
import { startStory } from '../support/daemon/clinic-story.ts';
import { clean, judge } from '../support/daemon/story-judge.ts';
import { until } from '../support/until.ts';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;
const AT_ONCE = 200;
/** Nothing here is promised within a time: 200 bookings, one after another, take minutes on a busy machine. */
const PATIENCE = { timeout: 300_000 };

it('acknowledges 200 leads at once while the clinic says nothing at all', PATIENCE, async () => {
  await using story = await startStory({ name: 'overload', here: !isLongRun });
  const { control } = story.sandbox;
  control.script({ times: 'always', fault: { kind: 'silence_before_commit' } });
  await story.start();

  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => story.submit(story.lead())));
  const answeredByTheClinic = control.requests().recent.filter(({ status }) => status !== 'none');

  expect(answers.map((answer) => answer?.status)).toEqual(Array.from({ length: AT_ONCE }, () => 200));
  expect(new Set(answers.map((answer) => answer?.body.ref)).size).toBe(AT_ONCE);
  expect(answeredByTheClinic).toEqual([]);

  // The clinic comes back: the calls that hang end, and everybody gets their appointment.
  await control.clearFaults();
  control.restart();
  await until('everybody is booked', () => control.ledger().length === AT_ONCE, {
    withinMs: 200_000,
    found: () => control.ledger().length,
  });
  await until('and we know it', async () => {
    const moving = await story.read((store) => store.bookings.list({ states: ['queued', 'sending'] }));
    return moving.length === 0;
  });
  expect(await judge(story)).toEqual(clean);
});
