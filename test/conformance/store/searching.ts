import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { accept } from './booking-samples.ts';
import { minute, type OpenStore } from './samples.ts';

export function describeSearching(open: OpenStore): void {
  describe.each([
    ['of the last second', async () => {}],
    ['with its terms', async (store: Store) => void (await store.bookings.fillTerms())],
  ])('a booking %s that is searched for', (_when, settle) => {
    const named = async (store: Store, patient_name: string, at = 0) => {
      const accepted = await accept(store, {
        patient_name,
        received_at: minute(at),
        note: 'ada@example.org',
      });
      await settle(store);
      return accepted;
    };
    const found = async (store: Store, ...asked: [beginnings: string[], limit?: number]) =>
      (await store.bookings.withTerms(asked[0], asked[1] ?? 9)).map(({ patient_name }) => patient_name);

    it('is found by the beginnings of its name, its number from both ends and its e-mail', async () => {
      const store = await open();
      const { booking: stored } = await named(store, 'Zoë 李小明');
      await named(store, 'Zora Lee', 1);
      const digits = stored.phone_e164?.slice(1) ?? '';

      expect(await found(store, ['nzo'])).toEqual(['Zora Lee', 'Zoë 李小明']);
      expect(await found(store, ['nzo', 'n小'])).toEqual(['Zoë 李小明']);
      expect(await found(store, ['nzo', 'nnobody'])).toEqual([]);
      expect(await found(store, ['eada@'], 1)).toEqual(['Zora Lee']);
      expect(await found(store, [`d${digits.slice(0, -1)}`])).toContain('Zoë 李小明');
      expect(await found(store, [`r${[...digits].reverse().join('').slice(0, 8)}`])).toEqual(['Zoë 李小明']);
      expect(await found(store, [])).toEqual([]);
    });

    it('prefers the whole word, then the newest', async () => {
      const store = await open();
      for (const [index, name] of ['Ann', 'Anna', 'Ann', 'Annabel'].entries())
        await named(store, `${name} ${index}`, index);

      expect(await found(store, ['nann'], 2)).toEqual(['Ann 2', 'Ann 0']);
      expect(await found(store, ['nann'])).toEqual(['Annabel 3', 'Ann 2', 'Anna 1', 'Ann 0']);
    });

    it('is found as a person corrected it, and by nothing once that person is erased', async () => {
      const store = await open();
      const { booking: stored } = await named(store, 'Ada Wrong');
      const corrected = { patient_name: 'Ada Right' };
      const to = { from: ['queued'], to: 'held', actor: 'person', by: 'Mina', at: minute(1) } as const;
      await store.bookings.move({ ref: stored.ref, attempt: 0, ...to, edit: corrected });

      expect(await found(store, ['nwrong'])).toEqual([]);
      expect(await found(store, ['nright'])).toEqual(['Ada Right']);
      await store.erase({ refs: [stored.ref] }, minute(2), 'Mina');
      for (const beginning of ['n', 'd', 'r', 'e']) expect(await found(store, [beginning])).toEqual([]);
      await store.bookings.fillTerms();
      for (const beginning of ['n', 'd', 'r', 'e']) expect(await found(store, [beginning])).toEqual([]);
    });
  });

  describe('the terms of bookings', () => {
    const found = async (store: Store, beginning: string, limit = 999) =>
      (await store.bookings.withTerms([beginning], limit)).map(({ patient_name }) => patient_name);
    const ready = async (store: Store, patient_name: string, at: number) => {
      await accept(store, { patient_name, received_at: minute(at) });
      await store.bookings.fillTerms();
    };

    it('are written once, however many wait, and none is forgotten', async () => {
      const store = await open();
      const names = Array.from({ length: 600 }, (_, index) => `Ann ${index}`);
      await Promise.all(names.map((patient_name) => accept(store, { patient_name })));

      expect(await found(store, 'nann')).toHaveLength(600);
      expect(await store.bookings.termsDue()).toMatchObject({ count: 600 });
      expect(await store.bookings.fillTerms()).toBe(600);
      expect(await store.bookings.fillTerms()).toBe(0);
      expect(await store.bookings.termsDue()).toMatchObject({ count: 0 });
      expect(await found(store, 'nann')).toHaveLength(600);
      expect(await found(store, 'n599')).toEqual(['Ann 599']);
    });

    it('are the same to a search whether they are written yet or not', async () => {
      const store = await open();
      await ready(store, 'Ann Old', 0);
      await ready(store, 'Annabel Old', 1);
      await accept(store, { patient_name: 'Ann New', received_at: minute(2) });
      await accept(store, { patient_name: 'Anna New', received_at: minute(3) });
      await accept(store, { patient_name: 'Bea Lee', received_at: minute(4) });

      const whole = ['Anna New', 'Ann New', 'Annabel Old', 'Ann Old'];
      expect(await found(store, 'nann')).toEqual(whole);
      expect(await found(store, 'nann', 1)).toEqual(['Ann New']);
      expect(await found(store, 'nann', 3)).toEqual(['Anna New', 'Ann New', 'Ann Old']);
      await store.bookings.fillTerms();
      expect(await found(store, 'nann')).toEqual(whole);
      expect(await found(store, 'nann', 1)).toEqual(['Ann New']);
    });

    it('are those of the corrected booking when a person is faster', async () => {
      const store = await open();
      const { booking: stored } = await accept(store, { patient_name: 'Ada Wrong' });
      const to = { from: ['queued'], to: 'held', actor: 'person', by: 'Mina', at: minute(1) } as const;
      await store.bookings.move({ ref: stored.ref, attempt: 0, ...to, edit: { patient_name: 'Ada Right' } });
      await store.bookings.fillTerms();

      expect(await found(store, 'nwrong')).toEqual([]);
      expect(await found(store, 'nright')).toEqual(['Ada Right']);
    });

    it('are not written for a person who was erased before', async () => {
      const store = await open();
      const { booking: stored } = await accept(store, { patient_name: 'Ada Gone' });
      await store.erase({ refs: [stored.ref] }, minute(2), 'Mina');

      expect(await store.bookings.fillTerms()).toBe(1);
      for (const beginning of ['n', 'd', 'r', 'e']) expect(await found(store, beginning)).toEqual([]);
    });
  });
}
