import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { accept } from './booking-samples.ts';
import { minute, type OpenStore } from './samples.ts';

export function describeSearching(open: OpenStore): void {
  describe('a booking that is searched for', () => {
    const named = (store: Store, patient_name: string, at = 0) =>
      accept(store, { patient_name, received_at: minute(at), note: 'ada@example.org' });
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
    });
  });
}
