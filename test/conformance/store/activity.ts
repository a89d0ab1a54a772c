import { describe, expect, it } from 'vitest';
import type { Activity } from '../../../src/store/ports/activity.ts';
import { minute, type OpenStore } from './samples.ts';

const hour = (number: number) => minute(number * 60);
const row = (at: number, fields: Partial<Activity> = {}): Activity => ({
  series: 'clinic/main',
  at: hour(at),
  answered: 3,
  refused: 1,
  failed: 0,
  total_ms: 300,
  most: 120,
  ...fields,
});

export function describeActivity(open: OpenStore): void {
  describe('the activity of a series', () => {
    it('adds up within an hour, from several processes too, and keeps the most', async () => {
      const { activity } = await open();

      await activity.add([row(0), row(0, { series: 'clinic/south' })], hour(-1));
      await activity.add([row(0, { most: 90, failed: 2 }), row(1, { most: 500 })], hour(-1));

      expect(await activity.list('clinic/main', hour(0))).toEqual([
        row(0, { answered: 6, refused: 2, failed: 2, total_ms: 600 }),
        row(1, { most: 500 }),
      ]);
      expect(await activity.list('clinic/main', hour(1))).toHaveLength(1);
    });

    it('is forgotten when it is older than asked for', async () => {
      const { activity } = await open();
      await activity.add([row(0), row(1), row(2)], hour(0));

      await activity.add([row(3)], hour(2));

      const kept = await activity.list('clinic/main', hour(0));
      expect(kept.map(({ at }) => at)).toEqual([hour(2), hour(3)]);
    });

    it('takes thousands at once', async () => {
      const { activity } = await open();
      const many = Array.from({ length: 3_000 }, (_, n) => row(0, { series: `clinic/${n}` }));

      await activity.add(many, hour(0));

      expect(await activity.list('clinic/2999', hour(0))).toHaveLength(1);
    });
  });
}
