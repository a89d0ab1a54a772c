import { expect, it } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { newStoreFile, openTestStore } from '../../test/support/store/store-file.ts';
import type { EventDelivery } from '../connector.ts';
import type { HealthReason, Need } from '../domain/status/report.ts';
import { instant } from '../platform/clock.ts';
import type { Store } from '../store/store.ts';
import { alertsOf } from './alerts.ts';
import { announcer } from './events.ts';

const clock = fakeClock();
const at = instant(clock.now());
const event: EventDelivery = {
  schedule: [],
  snapshot: false,
  wants: ({ type }) => type.startsWith('needs_you.') || type.startsWith('health.'),
  encode: (change) => JSON.stringify(change),
  deliver: async () => {},
};

const held = (ref: string): Need => ({
  kind: 'booking',
  clinic: 'main',
  subject: ref,
  sentence: `Booking ${ref} from website: it waits for approval.`,
  action: 'Approve it.',
  since: at,
  urgent: false,
});
const full: Need = { ...held('disk'), kind: 'database', sentence: 'The disk is full.', urgent: true };
delete full.clinic;
const gone: HealthReason = {
  health: 'trouble',
  kind: 'unreachable',
  clinic: 'main',
  subject: 'unreachable',
  sentence: 'the clinic has not answered',
  since: at,
};

const announcing = (store: Store, events = event) =>
  announcer({ store, receivers: () => [{ name: 'crm', clinics: ['main'], events }], wake: () => {}, clock });
const seen = (needs: Need[], reasons: HealthReason[] = []) =>
  alertsOf({ needs, reasons, at, publicUrl: undefined });
const logOf = async (store: Store) =>
  (await store.changes.after('main', 0, 100)).map(({ sequence, type, id }) => `${sequence} ${type} ${id}`);

it('records what needs a person and what is in trouble in the clinic’s log, once, over restarts', async () => {
  const file = newStoreFile();
  const store = await openTestStore(file);
  const announce = announcing(store);
  await announce(seen([held('CS-1')], [gone]));
  await announce(seen([held('CS-1')], [gone]));
  await store.close();

  const again = await openTestStore(file);
  const afterwards = announcing(again);
  await afterwards(seen([held('CS-1'), held('CS-2')], [gone]));
  await afterwards(seen([held('CS-2')]));

  expect(await logOf(again)).toEqual([
    '1 needs_you.opened booking CS-1',
    '2 health.trouble clinic main',
    '3 needs_you.opened booking CS-2',
    '4 needs_you.settled booking CS-1',
    '5 health.recovered clinic main',
  ]);
});

it('adds nothing when it did not learn that its step was stored', async () => {
  const store = await openTestStore();
  await announcing(store)(seen([held('CS-1')]));
  await store.keyValue.set('events', { 'needs_you booking CS-1': undefined });

  await announcing(store)(seen([held('CS-1')]));

  expect(await logOf(store)).toEqual(['1 needs_you.opened booking CS-1']);
});

it('sends what is of no clinic without a number, the same event however often', async () => {
  const store = await openTestStore();
  await announcing(store)(seen([full]));
  await store.keyValue.set('events', { 'needs_you disk': undefined });

  await announcing(store)(seen([full]));

  const [sent, ...more] = await store.deliveries.list({ connector: 'crm' });
  expect(more).toEqual([]);
  expect(sent).toMatchObject({ type: 'needs_you.opened', clinic: '', state: 'pending' });
  expect(await logOf(store)).toEqual([]);
});

it('records nothing while no connector wants it', async () => {
  const store = await openTestStore();

  await announcing(store, { ...event, wants: () => false })(seen([held('CS-1')], [gone]));

  expect(await logOf(store)).toEqual([]);
});
