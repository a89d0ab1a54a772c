import { describe, expect, it } from 'vitest';
import type { HealthReason } from '../../../src/domain/status/report.ts';
import { minute, type OpenStore } from './samples.ts';

const DAY = 24 * 60;

const reason = (subject: string, fields: Partial<HealthReason> = {}): HealthReason => ({
  health: 'trouble',
  kind: 'failing',
  clinic: 'main',
  subject,
  sentence: `${subject} failed 2 times in a row`,
  since: null,
  ...fields,
});

export function describeIncidents(open: OpenStore): void {
  describe('incidents', () => {
    it('begin when a cause is first seen, last while it is, and end when it is gone', async () => {
      const { incidents } = await open();

      const first = await incidents.settle([reason('dentists'), reason('website')], minute(0));
      const same = await incidents.settle([reason('website'), reason('dentists')], minute(10));
      const over = await incidents.settle([reason('website')], minute(20));

      expect(first.begun).toMatchObject([
        { ...reason('dentists'), since: minute(0), ended_at: null },
        { ...reason('website'), since: minute(0), ended_at: null },
      ]);
      expect(first.ended).toEqual([]);
      expect(same).toEqual({ begun: [], ended: [] });
      expect(over).toMatchObject({ begun: [], ended: [{ subject: 'dentists', ended_at: minute(20) }] });
      expect(await incidents.open()).toMatchObject([{ subject: 'website', since: minute(0) }]);
    });

    it('keep since when a cause knows it itself, and follow its words while it lasts', async () => {
      const { incidents } = await open();
      await incidents.settle([reason('dentists', { since: minute(-30) })], minute(0));

      const sentence = 'dentists failed 9 times in a row';
      const again = await incidents.settle([reason('dentists', { since: minute(-5), sentence })], minute(10));

      expect(again).toEqual({ begun: [], ended: [] });
      expect(await incidents.open()).toMatchObject([{ sentence, since: minute(-30) }]);
    });

    it('are distinguished by clinic, kind, subject and health', async () => {
      const { incidents } = await open();
      const one = reason('dentists');
      await incidents.settle([one], minute(0));

      for (const other of [
        { clinic: 'north' },
        { kind: 'late' },
        { subject: 'website' },
        { health: 'stale' },
      ] as const) {
        const { begun } = await incidents.settle([one, { ...one, ...other }], minute(1));
        expect(begun).toMatchObject([other]);
      }
    });

    it('name the one that ended last', async () => {
      const { incidents } = await open();
      expect(await incidents.lastEnded()).toBeUndefined();

      await incidents.settle([reason('dentists'), reason('website')], minute(0));
      await incidents.settle([reason('dentists')], minute(5));
      await incidents.settle([], minute(9));

      expect(await incidents.lastEnded()).toMatchObject({
        subject: 'dentists',
        since: minute(0),
        ended_at: minute(9),
      });
      expect(await incidents.open()).toEqual([]);
    });

    it('begin again as new ones after they ended', async () => {
      const { incidents } = await open();
      await incidents.settle([reason('dentists')], minute(0));
      await incidents.settle([], minute(5));

      const { begun } = await incidents.settle([reason('dentists')], minute(60));

      expect(begun).toMatchObject([{ subject: 'dentists', since: minute(60) }]);
    });

    it('last however long, while old ones that ended are cleared away', async () => {
      const { incidents } = await open();
      await incidents.settle([reason('dentists'), reason('website')], minute(0));
      await incidents.settle([reason('website')], minute(1));

      await incidents.settle([reason('website'), reason('treatments')], minute(200 * DAY));
      await incidents.settle([reason('website')], minute(200 * DAY + 5));

      expect(await incidents.open()).toMatchObject([{ subject: 'website', since: minute(0) }]);
      expect(await incidents.lastEnded()).toMatchObject({ subject: 'treatments' });
    });

    it('are listed the newest first, page by page, of all clinics or one', async () => {
      const { incidents } = await open();
      await incidents.settle([reason('dentists')], minute(0));
      await incidents.settle([reason('website', { clinic: 'south' })], minute(10));
      await incidents.settle(
        [reason('treatments'), reason('crm', { kind: 'connector', clinic: null })],
        minute(20),
      );

      const [first, ...rest] = await incidents.list({ limit: 10 });
      const page = await incidents.list({ before: first?.n ?? 0, limit: 2 });

      expect([first, ...rest].map((one) => one?.subject)).toEqual([
        'crm',
        'treatments',
        'website',
        'dentists',
      ]);
      expect(page.map(({ subject }) => subject)).toEqual(['treatments', 'website']);
      expect(await incidents.list({ clinic: 'main', limit: 10 })).toMatchObject([
        { subject: 'treatments', ended_at: null },
        { subject: 'dentists', ended_at: minute(10) },
      ]);
    });

    it('are found for a time when they lasted in a part of it', async () => {
      const { incidents } = await open();
      await incidents.settle([reason('dentists')], minute(0));
      await incidents.settle([reason('website')], minute(10));
      await incidents.settle([reason('organization')], minute(20));

      const found = (at: number) => incidents.during(minute(at), ['main', 'south'], 100);

      expect((await found(5)).map(({ subject }) => subject)).toEqual(['dentists', 'website', 'organization']);
      expect((await found(15)).map(({ subject }) => subject)).toEqual(['website', 'organization']);
      expect((await found(30)).map(({ subject }) => subject)).toEqual(['organization']);
      expect(await incidents.during(minute(0), ['south'], 100)).toEqual([]);
      expect(await incidents.during(minute(0), [], 100)).toEqual([]);
    });
  });
}
