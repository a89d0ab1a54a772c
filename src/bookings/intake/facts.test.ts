import { expect, it } from 'vitest';
import { minute } from '../../../test/conformance/store/samples.ts';
import { clinicSettings } from '../../../test/support/bookings/world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import { heldNames } from '../../domain/clinics/latest-rows.ts';
import { createFacts } from './facts.ts';
import { mapChoice } from './mapping.ts';

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

it('maps names to the numbers of the latest answer while a guard keeps the former ones', async () => {
  const clock = fakeClock();
  const store = await openTestStore(':memory:', 'daemon', clock);
  const numbered = (id: number, name: string) => ({
    id: String(id),
    hash: `${id} ${name}`,
    raw: {},
    fields: { treatment_id: id, treatment_name: name, base_fee: '10.00' },
  });
  const poll = { clinic: 'main', poll: 'treatments' as const, changes: [], removals: [] };
  const former = [numbered(3, 'Scaling'), numbered(4, 'Crown'), numbered(5, 'Veneer')];
  await store.mirror.record({ ...poll, at: minute(0), upserts: former });
  const latest = [numbered(1003, 'scaling'), numbered(1004, 'Crown')];
  await store.mirror.record({ ...poll, at: minute(1), upserts: latest, unseen: ['3', '4', '5'] });

  const { treatments } = await createFacts({ store, clock }).of(clinicSettings('main'));
  const asked = (name: string | null, id: number | null = null) =>
    mapChoice('treatment', { id, name }, treatments);

  expect(asked('Scaling')).toEqual({ kind: 'id', id: 1003 });
  expect(asked('Crówn')).toEqual({ kind: 'id', id: 1004 });
  expect(asked('Veneer')).toEqual({ kind: 'id', id: 5 });
  expect(asked(null, 1004)).toEqual({ kind: 'id', id: 1004 });
  expect(asked(null, 4)).toMatchObject({
    fault: { message: 'The treatment with the number 4 is no longer at the clinic.' },
  });
});

it('maps names to the numbers that a held answer gives them', async () => {
  const clock = fakeClock();
  const store = await openTestStore(':memory:', 'daemon', clock);
  const record = (id: number, treatment_name: string) => ({
    ...{ id: String(id), hash: treatment_name, raw: {} },
    fields: { treatment_id: id, treatment_name, base_fee: '10.00' },
  });
  await store.mirror.record({
    ...{ clinic: 'main', poll: 'treatments', changes: [], removals: [] },
    at: minute(0),
    upserts: [record(3, 'Scaling'), record(4, 'Crown'), record(5, 'Veneer')],
  });
  const swapped = JSON.stringify([
    ['3', 'Crown'],
    ['4', 'Scaling'],
  ]);
  await store.keyValue.set(heldNames.scope, { [heldNames.key('main', 'treatments')]: swapped });

  const { treatments } = await createFacts({ store, clock }).of(clinicSettings('main'));
  const asked = (name: string | null, id: number | null = null) =>
    mapChoice('treatment', { id, name }, treatments);

  expect(asked('Scaling')).toEqual({ kind: 'id', id: 4 });
  expect(asked('Scaling', 3)).toMatchObject({ fault: { field: 'treatment' } });
  expect(asked(null, 3)).toMatchObject({ fault: { field: 'treatment_id' } });
  expect(asked(null, 5)).toEqual({ kind: 'id', id: 5 });
});
