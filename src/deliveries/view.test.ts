import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordTreatments } from '../../test/support/clinic/recorded-treatments.ts';
import { patientTraces, plantPatients } from '../../test/support/daemon/planted-patients.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { accept } from '../../test/support/store/store-file.ts';
import { type MirrorView, mirrorTables } from '../connector.ts';
import { instant } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { mirrorView } from './view.ts';

const NEVER = '9999-01-01T00:00:00.000Z';
const clock = fakeClock();
let store: Store;

beforeEach(async () => {
  store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  await recordTreatments({ store, clock }, { 1: '10.00' });
  await plantPatients({ store, clock, clinic: 'main', source: 'website' });
});

afterEach(() => store.close());

const view = (includePatient: boolean, connector = 'crm') =>
  mirrorView({ store, connector, includePatient, clinics: [{ clinic: 'main', timezone: 'Asia/Dhaka' }] });

async function everything(mirror: MirrorView): Promise<string> {
  const rows = await Promise.all(mirrorTables.map((table) => mirror.rows(table, 'main')));
  return JSON.stringify([rows, await mirror.changes('main', 0, 1_000), await mirror.freshness('main')]);
}

it('shows no patient to a connector without access to them', async () => {
  const shown = await everything(await view(false));

  expect(shown).not.toMatch(patientTraces);
  expect(shown).toContain('Treatment 1');
});

it('says of appointments when the next is read, and of none that nothing is due', async () => {
  const mirror = await view(false);
  const named = { clinic: 'main', appointment_id: 901, at: instant(clock.now()) };
  await store.polls.finished('main', 'appointments', named.at, { error: null });
  const nextOf = async () =>
    (await mirror.freshness('main')).find(({ poll }) => poll === 'appointments')?.next_due_at;
  await store.appointments.track('main', [901], named.at);
  const tracked = await nextOf();
  const seen = { status: 'Completed', name: null, date: null, time: null, raw: {} };
  await store.appointments.observe({ ...named, next_due_at: null, done: true, seen, changes: [] });

  expect([tracked, await nextOf()]).toEqual([named.at, null]);
});

it('shows no connector a hash of patient data', async () => {
  const [row] = await (await view(true)).rows('bookings', 'main');

  expect(row).toHaveProperty('ref');
  expect(row).not.toHaveProperty('content_hash');
  expect(row).not.toHaveProperty('evidence');
});

it('shows hashes of phone numbers to a connector that asked for them, and numbers to none', async () => {
  const at = instant(clock.now());
  await store.appointments.observe({
    ...{ clinic: 'main', appointment_id: 901, at, next_due_at: at, done: true, changes: [] },
    seen: { status: 'Completed', name: null, date: null, time: null, raw: {}, outcome: 'completed' },
  });
  const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
  const seen = async (includePatient: boolean, includeHashed: boolean) => {
    const mirror = await mirrorView({ store, connector: 'ads', includePatient, includeHashed, clinics });
    return Object.keys((await mirror.rows('conversions', 'main'))[0] ?? {}).filter((name) =>
      /phone/.test(name),
    );
  };

  expect(await seen(false, true)).toEqual(['phone_sha256', 'phone_digits_sha256']);
  expect(await seen(true, false)).toEqual([]);
});

it('shows patients to a connector with access to them', async () => {
  expect(await everything(await view(true))).toMatch(patientTraces);
});

it('finds a source’s bookings by the ids of its submissions, and no others', async () => {
  const { booking: asked } = await accept(store, { source: 'website', submission_id: 'form 7' });
  await accept(store, { source: 'crm', submission_id: 'form 8' });
  const ids = ['form 7', 'form 8', 'form 9'];

  const own = await (await view(false, 'website')).ownBookingsBySubmission('main', ids);

  expect(own.map(({ ref }) => ref)).toEqual([asked.ref]);
});

it('counts leads by source, and how many there are in each state, without anything about a single lead', async () => {
  const { booking } = await accept(store, { source: 'website', state: 'held', reason: 'approval' });

  const mirror = await view(false);
  const { sources, states } = await mirror.leadCounts('main', booking.received_at, NEVER);
  const { sources: none } = await mirror.leadCounts('main', '2020-01-01T00:00:00.000Z', booking.received_at);

  expect(sources).toMatchObject([{ source: 'website', leads: 3, booked: 1, completed: 0 }]);
  expect(none).toEqual([]);
  expect(states.held).toBe(1);
  expect(JSON.stringify([sources, states])).not.toMatch(patientTraces);
});

it('reads rows by their ids, also without patients', async () => {
  const mirror = await view(false);
  const [booking] = await mirror.rows('bookings', 'main');
  const [appointment] = await mirror.rows('appointments', 'main');

  const found = [
    await mirror.rowsById('bookings', 'main', [String(booking?.ref), 'CS-NOSUCH']),
    await mirror.rowsById('appointments', 'main', [String(appointment?.appointment_id), '424242']),
  ];

  expect(found).toEqual([[booking], [appointment]]);
});

it('shows a source the booking into which its submission was merged', async () => {
  const lead = { patient_name: 'Rahim Uddin', phone_e164: '+8801711111111' };
  const { booking: first } = await accept(store, { ...lead, source: 'website' });
  const { booking, result } = await accept(store, { ...lead, source: 'desk', submission_id: 'row 2' });
  const desk = await view(false, 'desk');

  const own = await desk.ownBookings('main', [first.ref]);

  expect([result, booking.ref]).toEqual(['merged', first.ref]);
  expect(own.map(({ ref }) => ref)).toEqual([first.ref]);
});

it('knows the clinic before its first poll', async () => {
  const mirror = await view(false);

  expect(mirror.clinics).toEqual([
    { clinic: 'main', timezone: 'Asia/Dhaka', name: null, currency: null, currency_symbol: null },
  ]);
});

it('refuses a clinic that the connector does not serve', async () => {
  const mirror = await view(true);

  await expect(mirror.rows('treatments', 'other')).rejects.toThrow(RangeError);
});

it('takes a clinic’s name from the present organization, not from a removed one', async () => {
  const organization = (care_id: number, name: string) => ({
    id: String(care_id),
    hash: name,
    fields: { care_id, name, currency: 'BDT' },
    raw: {},
  });
  const poll = { clinic: 'main', poll: 'organization' as const, changes: [] };
  await store.mirror.record({
    ...poll,
    at: '2026-03-02T09:00:00.000Z',
    upserts: [organization(1, 'Old Smile')],
    removals: [],
  });
  await store.mirror.record({
    ...poll,
    at: '2026-03-02T10:00:00.000Z',
    upserts: [organization(2, 'New Smile')],
    removals: ['1'],
  });

  const { clinics } = await view(false);

  expect(clinics[0]?.name).toBe('New Smile');
});

it('reads a table in pages, or its changes, also without patients', async () => {
  const mirror = await view(false);
  const all = await mirror.rows('bookings', 'main');

  const [first] = await mirror.page('bookings', 'main', 1);
  const rest = await mirror.page('bookings', 'main', 500, first);
  const { rows: changed } = await mirror.rowsChangedSince('bookings', 'main', 0, 500);

  expect(rest.length).toBeGreaterThan(0);
  expect([first, ...rest]).toEqual(all);
  expect(changed.length).toBe(all.length);
  expect(JSON.stringify([first, rest, changed])).not.toMatch(patientTraces);
});

it('shows a source its own bookings in full, by ref, and no others', async () => {
  const [theirs] = await store.bookings.list({ source: 'website' });
  const refs = [String(theirs?.ref), 'CS-NOSUCH'];

  const own = await (await view(false, 'website')).ownBookings('main', refs);
  const others = await (await view(false, 'crm')).ownBookings('main', refs);

  expect(own.map(({ ref }) => ref)).toEqual([theirs?.ref]);
  expect(JSON.stringify(own)).toMatch(patientTraces);
  expect(others).toEqual([]);
});
