import { expect, it } from 'vitest';
import { minute } from '../../../test/conformance/store/samples.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import { shownDelivery } from './shown-delivery.ts';

const settings = { url: 'https://crm.example/hook?key=planted', headers: { 'X-Api-Key': 'planted' } };
const unit = (use: string, isolate = false) => ({
  settings: {
    ...{ name: 'crm', use, clinics: ['main'], includePatient: false, approval: 'none' as const },
    ...{ isolate, settings },
  },
});

it('shows how a delivery goes out without its secrets, and loads no code of others', async () => {
  const store = await openTestStore();
  const event = { id: 'evt_1', sequence: 1, type: 'treatment.updated', thing: 'treatment:1', body: '{}' };
  await store.deliveries.enqueue('crm', 'main', 1, [event], minute(0));
  const shown = (use: string, isolate?: boolean) =>
    shownDelivery({ store, connectors: [unit(use, isolate)] }, { id: 'evt_1' });

  const own = await shown('webhook');

  expect(own).toMatchObject({
    delivery: { id: 'evt_1', body: '{}', state: 'pending' },
    request: { to: 'crm.example', headers: { 'x-api-key': '…', 'webhook-id': 'evt_1' } },
  });
  expect(JSON.stringify(own)).not.toContain('planted');
  expect(await shown('webhook', true)).toMatchObject({ request: null });
  expect(await shown('./missing.js')).toMatchObject({ request: null });
  expect(await shownDelivery({ store, connectors: [] }, { id: 'evt_1' })).toMatchObject({ request: null });
  expect(await shownDelivery({ store, connectors: [] }, { n: 99 })).toBeUndefined();
});
