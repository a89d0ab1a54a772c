import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Story, type StoryOptions, startStory } from '../daemon/clinic-story.ts';
import type { Ending } from '../daemon/daemon-process.ts';
import { clean, judge, untold } from '../daemon/story-judge.ts';
import { until } from '../until.ts';
import { runScenario, stopInScenario } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

/** Installations live side by side, because most of a life is waiting; but each dies one death after the other. */
const oneByOne = { concurrent: false, timeout: 240_000 };

/** One installation that ends again and again; each ending a test, and at the end the balance of all of them. */
export function describeEndings(
  ending: Ending,
  title: string,
  scenarios: readonly Scenario[],
  options: StoryOptions,
): void {
  const run = ending === 'SIGKILL' ? runScenario : stopInScenario;
  const promise = ending === 'SIGKILL' ? 'and recovers automatically' : 'and ends in good order';
  describe.concurrent(title, () => {
    let story: Story;
    beforeAll(async () => {
      story = await startStory(options);
    });
    afterAll(() => story[Symbol.asyncDispose]());

    for (const scenario of scenarios) {
      const points = scenario.deaths.map(({ point }) => point).join(', then ');
      it(`${points}, ${promise}`, oneByOne, () => run(story, scenario));
    }

    it('has lost and doubled nothing in the end, and has delivered everything', oneByOne, async () => {
      await until('nothing is on its way', async () => {
        const moving = await story.read((store) =>
          store.bookings.list({ states: ['received', 'queued', 'sending'] }),
        );
        return moving.length === 0;
      });
      await until('the receiver has everything', async () => (await untold(story)).length === 0, {
        found: () => untold(story),
      });
      await until('the files are whole', async () => {
        const names = readdirSync(join(story.folder, 'csv', 'main'));
        return !names.some((name) => name.endsWith('.tmp')) && names.includes('manifest.json');
      });
      const verdict = await judge(story);
      const { forged } = story.hook;
      const exit = await story.daemon.terminate();

      expect(verdict).toEqual(clean);
      expect(forged).toBe(0);
      expect(exit).toMatchObject({ code: 0, signal: null });
    });
  });
}
