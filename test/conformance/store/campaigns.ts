import { describe, expect, it } from 'vitest';
import { noCampaign } from '../../../src/domain/campaign.ts';
import { accept } from './booking-samples.ts';
import { minute, type OpenStore } from './samples.ts';

export function describeCampaigns(open: OpenStore): void {
  describe('a booking with a campaign', () => {
    const touch = (campaign: string, source = 'google') => ({
      ...noCampaign,
      campaign,
      utm_source: source,
      channel: source,
      click_id: `id-of-${campaign}`,
      click_id_kind: 'gclid' as const,
    });

    it('stores it, whatever becomes of the lead, and logs it', async () => {
      const store = await open();

      const { booking: held } = await accept(store, {
        state: 'held',
        reason: 'approval',
        touch: touch('spring'),
      });
      const { booking: other } = await accept(store);

      expect(await store.bookings.get(held.ref)).toMatchObject({
        ...touch('spring'),
        first_campaign: 'spring',
        first_touch_at: held.received_at,
      });
      const [received, , , without] = await store.changes.after('main', 0, 9);
      expect(received?.data).toMatchObject({ campaign: 'spring', click_id: 'id-of-spring' });
      expect(without?.data).not.toHaveProperty('campaign');
      expect(other).toMatchObject({ campaign: null, first_touch_at: null });
    });

    it('takes over the newest of merged submissions, and remembers the first', async () => {
      const store = await open();
      const same = { content_hash: 'h', submission_id: null };
      const { booking: first } = await accept(store, same);

      await accept(store, { ...same, touch: touch('spring'), received_at: minute(1) });
      await accept(store, { ...same, touch: touch('autumn'), received_at: minute(2) });
      await accept(store, { ...same, received_at: minute(3) });

      expect(await store.bookings.list({})).toHaveLength(1);
      expect(await store.bookings.get(first.ref)).toMatchObject({
        ...touch('autumn'),
        first_campaign: 'spring',
        first_touch_at: minute(1),
        merged: 3,
      });
    });

    it('keeps it when the lead comes again of itself, and is first touched by what came with one', async () => {
      const store = await open();
      const same = { content_hash: 'h', submission_id: null };
      const page = { ...noCampaign, landing_page: 'https://clinic.example/book' };
      const { booking: first } = await accept(store, { ...same, touch: page });
      const { landing_page, first_touch_at } = first;

      await accept(store, { ...same, touch: touch('spring'), received_at: minute(1) });
      await accept(store, { ...same, touch: page, received_at: minute(2) });

      expect({ landing_page, first_touch_at }).toEqual({
        landing_page: page.landing_page,
        first_touch_at: null,
      });
      expect(await store.bookings.get(first.ref)).toMatchObject({
        ...touch('spring'),
        first_campaign: 'spring',
        first_touch_at: minute(1),
        merged: 2,
      });
    });

    it('knows with which campaign a phone number first came to the clinic, of leads that come together too', async () => {
      const store = await open();
      const phone_e164 = '+8801799999999';
      await accept(store, { phone_e164, touch: touch('spring') });

      const accepted = await Promise.all(
        [
          { phone_e164, touch: touch('autumn', 'bing'), appointment_time: '11:00' },
          { phone_e164, appointment_time: '12:00' },
          { phone_e164, appointment_time: '12:00', clinic: 'other' },
          { touch: touch('winter') },
        ].map((fields) => accept(store, { ...fields, received_at: minute(20) })),
      );

      expect(accepted.map(({ booking }) => [booking.campaign, booking.first_campaign])).toEqual([
        ['autumn', 'spring'],
        [null, 'spring'],
        [null, null],
        ['winter', 'winter'],
      ]);
    });
  });
}
