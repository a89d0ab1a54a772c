import { expect, it } from 'vitest';
import { minute } from '../../../test/conformance/store/samples.ts';
import { clinicSettings } from '../../../test/support/bookings/world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import { createFacts } from './facts.ts';

const site = (care_id: number, open: string) => ({
  id: String(care_id),
  hash: open,
  raw: {},
  fields: {
    care_id,
    opening_hours: { monday: { open, close: '23:00', is_closed: false } },
  },
});

it('judges leads by the clinic’s current website, not by a replaced one', async () => {
  const clock = fakeClock();
  const store = await openTestStore(':memory:', 'daemon', clock);
  const poll = { clinic: 'main', poll: 'website' as const, changes: [] };
  await store.mirror.record({ ...poll, at: minute(0), upserts: [site(1, '20:00')], removals: [] });
  await store.mirror.record({ ...poll, at: minute(1), upserts: [site(2, '08:00')], removals: ['1'] });

  const facts = await createFacts({ store, clock }).of(clinicSettings('main'));

  expect(facts.openingHours).toMatchObject({ monday: { open: '08:00' } });
});
