import { expect, it } from 'vitest';
import { startStory } from '../support/clinic-story.ts';
import { judge, clean, untold } from '../support/story-judge.ts';
import { until } from '../support/until.ts';

it('tries', async () => {
  await using story = await startStory({ name: 'try' });
  const t = performance.now();
  const say = (x: string) => console.log(Math.round(performance.now() - t), x);
  await story.start();
  say('started');
  const answer = await story.submit(story.lead());
  say(JSON.stringify(answer?.body));
  await story.untilBooking(answer?.body.ref ?? '', 'booked');
  say('booked');
  await until('hook', () => story.hook.events.some((e) => e.type === 'booking.booked'));
  say('hook');
  await until('csv', async () => (await story.csv('bookings.csv')).includes('booked'));
  say('csv');
  await until('mirror', async () => (await story.status()).clinics[0]?.resources.every((r) => r.last_success_at !== null));
  say('mirror');
  expect(await judge(story)).toEqual(clean);
  await until('all told', async () => (await untold(story)).length === 0, { found: () => untold(story) });
  say('told');
  const exit = await story.daemon.terminate();
  say(JSON.stringify({ ...exit, output: exit.output.length }));
  console.log(exit.output.split('\n').slice(0, 30).join('\n'));
}, 60_000);
