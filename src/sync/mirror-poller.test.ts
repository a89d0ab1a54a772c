import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../sandbox/clinic/clinic.ts';
import { clinicOfLists, organization, treatment } from '../../test/support/clinic/clinic-of-lists.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createClinic } from '../clinic/client.ts';
import { ClinicConfig } from '../config/config.ts';
import { polls } from '../domain/clinics/resource.ts';
import { instant, systemClock } from '../platform/clock.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import { Failure } from '../platform/failure.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import { createMirror } from './mirror-poller.ts';

const signal = new AbortController().signal;

const settingsOf = (base_url = 'https://clinic.example/api/v1') => ({
  ...ClinicConfig.parse({ base_url, timezone: 'Asia/Dhaka' }),
  key: 'main',
  app_key: 'app',
  secret_key: 'secret',
});

async function setUp(more: { otherKeys?: (careId: string) => Promise<string[]> } = {}) {
  const clock = fakeClock();
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const clinic = clinicOfLists();
  const mirror = createMirror({ clinic, store, clock, log: silentLog, settings: settingsOf(), ...more });
  const poll = async (resource: (typeof polls)[number] = 'treatments') => {
    await clock.advance(15 * MINUTE);
    return mirror.poll(resource, signal);
  };
  const types = async (resource?: (typeof polls)[number]) =>
    (await poll(resource)).changes.map(({ type, id }) => `${type} ${id}`);
  const present = async () => [...(await store.mirror.hashes('main', 'treatments')).keys()];
  return { clock, store, clinic, mirror, poll, types, present };
}

const many = (count: number) => Array.from({ length: count }, (_, i) => treatment(i + 1));

describe('polling a list', () => {
  it('records everything as created at first, and nothing when nothing changed', async () => {
    const { clinic, poll, types } = await setUp();
    clinic.answers.treatments = many(2);

    expect(await types()).toEqual(['treatment.created 1', 'treatment.created 2']);
    expect(await poll()).toEqual({
      poll: 'treatments',
      rows: 2,
      changes: [],
      nothing_due: false,
      unreadable: [],
    });
  });

  it('does not read the same bytes twice, except once an hour and when someone else has recorded', async () => {
    const { clock, store, clinic, poll, present } = await setUp();
    clinic.answers.treatments = many(2);
    const compared = async () => {
      await poll();
      return clinic.compared;
    };

    const again = [await compared(), await compared(), await compared(), await compared()];
    const hourLater = await compared();
    const other = { upserts: [], removals: ['2'], changes: [] };
    await store.mirror.record({ clinic: 'main', poll: 'treatments', at: instant(clock.now() + 1), ...other });
    const repaired = await compared();

    expect([again, hourLater, repaired]).toEqual([[1, 1, 1, 1], 2, 3]);
    expect(await present()).toEqual(['1', '2']);
  });

  it('parses the same bytes again while part of them is held or cannot be read', async () => {
    const { clinic, poll } = await setUp();
    clinic.answers.treatments = [treatment(1), treatment(2, { base_fee: 'free' })];
    await poll();
    await poll();
    const unreadable = clinic.compared;
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = [];
    await poll();

    const held = await poll();

    expect(held.guarded).toMatchObject({ seen: 2 });
    expect([unreadable, clinic.compared]).toEqual([2, 5]);
  });

  it('names the fields that changed, with their former values', async () => {
    const { clinic, poll } = await setUp();
    clinic.answers.treatments = many(2);
    await poll();
    clinic.answers.treatments = [treatment(1, { base_fee: '1300.00' }), treatment(2)];

    const { changes } = await poll();

    expect(changes).toMatchObject([
      { type: 'treatment.updated', id: '1', sequence: 3, previous: { base_fee: '1200.00' } },
    ]);
    expect(changes[0]?.data).toEqual(treatment(1, { base_fee: '1300.00' }));
  });

  it('removes what is missing from a complete answer, and creates it again when it comes back', async () => {
    const { store, clinic, types } = await setUp();
    clinic.answers.treatments = many(2);
    await types();
    clinic.answers.treatments = [treatment(1)];
    expect(await types()).toEqual(['treatment.removed 2']);
    clinic.answers.treatments = many(2);

    expect(await types()).toEqual(['treatment.created 2']);

    const rows = await store.mirror.rows('treatments', 'main');
    expect(rows[1]).toMatchObject({
      treatment_id: 2,
      removed_at: null,
      first_seen_at: rows[0]?.first_seen_at,
    });
  });

  it('keeps unknown fields in raw without calling them a change', async () => {
    const { store, clinic, poll } = await setUp();
    clinic.answers.treatments = [treatment(1)];
    await poll();
    clinic.answers.treatments = [treatment(1, { popularity: 5 } as object)];

    expect((await poll()).changes).toEqual([]);

    const things = await store.mirror.records('main', 'treatments', ['1']);
    expect(things.get('1')?.raw).toMatchObject({ popularity: 5 });
    expect(things.get('1')?.fields).not.toHaveProperty('popularity');
  });

  it('sees no change in the order of rows or keys, nor in another Unicode form of the same text', async () => {
    const { clinic, poll } = await setUp();
    clinic.answers.treatments = [treatment(1, { treatment_name: 'Café' }), treatment(2)];
    await poll();
    const turned = Object.fromEntries(
      Object.entries(treatment(1, { treatment_name: 'Cafe\u0301' })).reverse(),
    ) as ReturnType<typeof treatment>;
    clinic.answers.treatments = [treatment(2), turned];

    expect((await poll()).changes).toEqual([]);
  });

  it('leaves the mirror alone when the clinic fails, and says why', async () => {
    const { store, clinic, poll, present } = await setUp();
    clinic.answers.treatments = many(2);
    await poll();
    clinic.answers.treatments = new Failure({
      kind: 'refused',
      status: 401,
      message: 'The clinic answers 401.',
    });

    const result = await poll();

    expect(result).toMatchObject({ changes: [], failed: { status: 401 } });
    expect(await present()).toEqual(['1', '2']);
    expect((await store.polls.list()).find(({ poll }) => poll === 'treatments')).toMatchObject({
      failures: 1,
      last_error: 'The clinic answers 401.',
      last_success_at: '2026-03-02T09:15:00.000Z',
    });
  });

  it('throws only when it is aborted, and records nothing then', async () => {
    const { clinic, mirror, present } = await setUp();
    clinic.answers.treatments = many(2);
    const controller = new AbortController();
    clinic.before = () => controller.abort(new Error('stopping'));

    await expect(mirror.poll('treatments', controller.signal)).rejects.toThrow('stopping');

    expect(await present()).toEqual([]);
  });

  it('drops the answer of a poll that a newer one overtook', async () => {
    const { clinic, mirror, present } = await setUp();
    clinic.answers.treatments = many(1);
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    clinic.before = () => {
      asked.resolve();
      return released.promise;
    };
    const old = mirror.poll('treatments', signal);
    await asked.promise;
    clinic.before = () => {};
    clinic.answers.treatments = many(3);
    await mirror.poll('treatments', signal);

    released.resolve();

    expect((await old).failed?.message).toContain('newer poll');
    expect(await present()).toEqual(['1', '2', '3']);
  });
});

describe('records that cannot be read', () => {
  const broken = (id: number, fields: object = { base_fee: null }) =>
    treatment(id, fields as Partial<ReturnType<typeof treatment>>);

  it('keep their former row, are listed until they are read, and delay nothing else', async () => {
    const { clinic, poll, types, store } = await setUp();
    clinic.answers.treatments = many(3);
    await poll();
    clinic.answers.treatments = [treatment(1, { base_fee: '1300.00' }), broken(2), treatment(4)];

    const { changes, unreadable, failed } = await poll();
    const [listed] = await store.polls.unreadable('main');
    const rows = await store.mirror.rows('treatments', 'main');
    clinic.answers.treatments = [treatment(1, { base_fee: '1300.00' }), treatment(2), treatment(4)];
    const later = await types();

    expect(failed).toBeUndefined();
    expect(changes.map(({ type, id }) => `${type} ${id}`)).toEqual([
      'treatment.created 4',
      'treatment.updated 1',
      'treatment.removed 3',
    ]);
    expect(unreadable).toEqual([{ id: '2', position: 1, field: 'base_fee', problem: 'is missing' }]);
    expect(listed).toMatchObject({ poll: 'treatments', id: '2', field: 'base_fee', tries: 1 });
    expect(rows[1]).toMatchObject({
      treatment_id: 2,
      base_fee: '1200.00',
      removed_at: null,
      seen_at: '2026-03-02T09:15:00.000Z',
    });
    expect(later).toEqual([]);
    expect(await store.polls.unreadable('main')).toEqual([]);
  });

  it('remove nothing while one of them has no readable id', async () => {
    const { clinic, poll, present, types } = await setUp();
    clinic.answers.treatments = many(3);
    await poll();
    clinic.answers.treatments = [treatment(1), broken(2, { treatment_id: null })];

    expect(await types()).toEqual([]);
    expect(await present()).toEqual(['1', '2', '3']);
    clinic.answers.treatments = [treatment(1), treatment(2)];
    expect(await types()).toEqual(['treatment.removed 3']);
  });

  it('refuse the whole answer when there are more than may be removed at once', async () => {
    const { clinic, poll, present, store } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = [...many(6), ...[7, 8, 9, 10].map((id) => broken(id)), treatment(11)];

    const { failed } = await poll();

    expect(failed?.message).toBe(
      '4 of 11 treatments cannot be read: 7 base_fee is missing, 8 base_fee is missing, 9 base_fee is missing …',
    );
    expect(await present()).toHaveLength(10);
    expect(await store.polls.list()).toMatchObject([{ failures: 1, last_error: failed?.message }]);
  });

  it.each([
    ['of the first answer', 0, 13],
    ['of what was there, however much is new', 10, 14],
  ])('are too many by their share %s', async (_what, known, answered) => {
    const { clinic, poll, present } = await setUp();
    clinic.answers.treatments = many(known);
    await poll();
    clinic.answers.treatments = many(answered).map((one, i) => (i < 4 ? broken(i + 1) : one));

    expect((await poll()).failed?.message).toContain(`4 of ${answered} treatments cannot be read`);
    expect(await present()).toHaveLength(known);
  });

  it('are tolerated in a first answer with many records', async () => {
    const { clinic, poll, present } = await setUp();
    clinic.answers.treatments = many(20).map((one, i) => (i < 4 ? broken(i + 1) : one));

    expect(await poll()).toMatchObject({ rows: 16, unreadable: { length: 4 } });
    expect(await present()).toHaveLength(16);
  });

  it('count with the removed ones for the guard', async () => {
    const { clinic, poll, present } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = [...many(6), ...[7, 8].map((id) => broken(id))];

    const { guarded } = await poll();

    expect(guarded).toMatchObject({
      kind: 'removed',
      count: 2,
      sentence:
        "The clinic's answer would remove 2 of 10 treatments: 9 “Treatment 9”, 10 “Treatment 10”, and 2 more could not be read.",
    });
    expect(await present()).toHaveLength(10);
  });

  it('are not a change if the server only formats the same value differently', async () => {
    const { clinic, poll, store } = await setUp();
    clinic.answers.treatments = [treatment(1, { base_fee: '850.00', image_url: undefined as never })];
    await poll();
    const spellings = [
      { base_fee: 850, image_url: null },
      { treatment_id: '1', base_fee: '850.00', duration_minutes: '30' },
      { base_fee: 850.0, duration_minutes: 30 },
    ];

    for (const spelling of spellings) {
      const { image_url: _none, ...rest } = treatment(1);
      clinic.answers.treatments = [{ ...rest, ...spelling } as never];
      expect((await poll()).changes).toEqual([]);
    }

    expect(await store.mirror.rows('treatments', 'main')).toMatchObject([
      { treatment_id: 1, base_fee: '850.00', duration_minutes: 30, image_url: null },
    ]);
  });
});

describe('polling a single record', () => {
  it('records the first reading as an update without previous, and the figures as a series', async () => {
    const { store, clinic, poll } = await setUp();
    expect((await poll('organization')).changes).toMatchObject([
      { type: 'organization.updated', id: '7', previous: null, data: { name: 'Shapla Dental' } },
    ]);
    const figures = { total_users: 4, total_patients: 101, total_appointments: 1002, total_doctors: 3 };
    clinic.answers.organization = organization({ statistics: figures });

    expect((await poll('organization')).changes).toEqual([]);
    await poll('organization');

    const series = await store.mirror.rows('organization_statistics', 'main');
    expect(series.map(({ total_patients }) => total_patients)).toEqual([100, 101]);
  });

  it('stores a missing figure as unknown, and records nothing when all are missing', async () => {
    const { store, clinic, poll } = await setUp();
    clinic.answers.organization = organization({
      statistics: { total_users: 4, total_patients: null, total_appointments: '1002' } as never,
    });
    await poll('organization');
    clinic.answers.organization = organization({ statistics: null as never, state: null as never });

    const { failed, unreadable } = await poll('organization');

    expect([failed, unreadable]).toEqual([undefined, []]);
    expect(await store.mirror.rows('organization_statistics', 'main')).toMatchObject([
      { total_users: 4, total_patients: null, total_appointments: 1002, total_doctors: null },
    ]);
    expect(await store.mirror.rows('organization', 'main')).toMatchObject([{ care_id: 7, state: null }]);
  });

  it('holds an answer that is suddenly another clinic’s', async () => {
    const { store, clinic, poll } = await setUp();
    await poll('organization');
    clinic.answers.organization = organization({ care_id: 8, name: 'Another Clinic' });

    const { changes, guarded } = await poll('organization');

    expect(changes).toEqual([]);
    expect(guarded?.sentence).toContain('different care_id');
    expect((await store.mirror.rows('organization', 'main')).map(({ name }) => name)).toEqual([
      'Shapla Dental',
    ]);
    await store.guards.approve(guarded?.id ?? '', '2026-03-02T10:00:00Z', 'person');
    expect((await poll('organization')).changes).toMatchObject([
      { type: 'organization.updated', id: '8', previous: { care_id: 7, name: 'Shapla Dental' } },
    ]);
  });
});

describe('an organization with bookings under a key that is no longer configured', () => {
  it('is recorded once a user has approved it, however many answers agree', async () => {
    const otherKeys = async (careId: string) => (careId === '7' ? ['former'] : []);
    const { clock, store, poll } = await setUp({ otherKeys });

    for (const _ of Array(3)) await poll('organization');
    await clock.advance(2 * HOUR);
    const { changes, guarded } = await poll('organization');
    const rows = await store.mirror.rows('organization', 'main');
    await store.guards.approve(guarded?.id ?? '', instant(clock.now()), 'Mina');

    expect([changes, rows]).toEqual([[], []]);
    expect(guarded).toMatchObject({ things: [{ id: '7' }], count: 1, of: 1, approval_only: true });
    expect(guarded?.sentence).toContain(
      'under the key former, which this daemon’s configuration does not have',
    );
    expect((await poll('organization')).changes).toMatchObject([{ type: 'organization.updated', id: '7' }]);
  });
});

describe('another clinic that answers', () => {
  it('adds, changes and removes nothing in the lists, and does not count for a guard', async () => {
    const { store, clinic, poll, present } = await setUp();
    clinic.answers.treatments = many(12);
    await poll();
    clinic.isAnother = true;
    clinic.answers.treatments = Array.from({ length: 12 }, (_, i) => treatment(i + 101));

    const results = [];
    for (let i = 0; i < 6; i += 1) results.push(await poll());

    expect(results.map(({ failed }) => failed?.message)).toEqual(Array(6).fill('Another clinic answers.'));
    expect(await present()).toHaveLength(12);
    expect(await present()).not.toContain('101');
    expect(await store.guards.list()).toEqual([]);
  });

  it('proves nothing about tracked appointments', async () => {
    const { store, clinic, poll } = await setUp();
    const status = { status: 'Scheduled', name: 'Ann', date: '2026-03-02', time: '17:00' };
    for (const id of [5, 6]) clinic.statuses.set(id, status as never);
    await store.appointments.track('main', [5, 6], '2026-03-02T09:00:00Z');
    await poll('appointments');
    clinic.isAnother = true;
    clinic.statuses.set(5, { ...status, status: 'Completed', name: 'Zoe' } as never);
    clinic.statuses.delete(6);

    const { failed } = await poll('appointments');

    expect(failed?.message).toBe('Another clinic answers.');
    expect(await store.appointments.pending('main', 10)).toMatchObject([
      { status: 'Scheduled', name: 'Ann' },
      { status: 'Scheduled', name: 'Ann' },
    ]);
    expect(await store.polls.unreadable()).toEqual([]);
  });
});

describe('guards', () => {
  it('holds a mass removal, lets additions through, and passes it when an hour of answers agrees', async () => {
    const { clinic, types, poll, present, store } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = [...many(6), treatment(11)];

    expect(await types()).toEqual(['treatment.created 11']);
    expect(await present()).toHaveLength(11);
    expect((await poll()).guarded).toMatchObject({
      kind: 'removed',
      count: 4,
      of: 11,
      seen: 2,
      state: 'open',
      approval_only: false,
      things: [7, 8, 9, 10].map((id) => ({ id: String(id), name: `Treatment ${id}` })),
      sentence:
        "The clinic's answer would remove 4 of 11 treatments: 7 “Treatment 7”, 8 “Treatment 8”, 9 “Treatment 9” and 1 more.",
    });
    expect([await types(), await types()]).toEqual([[], []]);

    expect(new Set(await types())).toEqual(new Set([7, 8, 9, 10].map((id) => `treatment.removed ${id}`)));
    expect((await store.guards.list()).map(({ state }) => state)).toEqual(['passed']);
  });

  it.each([
    ['forward', 3],
    ['back', -26],
  ])('counts the hour for which answers agree, not hours that the clock is set %s', async (_, hours) => {
    const { clock, clinic, poll, present } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = many(6);
    await poll();
    await poll();

    clock.jump(hours * HOUR);
    const held = [(await poll()).guarded, (await poll()).guarded];
    const before = await present();
    await poll();

    expect(held).toMatchObject([
      { seen: 3, state: 'open' },
      { seen: 4, state: 'open', first_at: instant(clock.now() - HOUR) },
    ]);
    expect(before).toHaveLength(10);
    expect(await present()).toHaveLength(6);
  });

  it('leaves what it holds as last seen in the previous answer', async () => {
    const { clinic, poll, store } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = many(6);
    await poll();
    await poll();

    const rows = await store.mirror.rows('treatments', 'main');

    expect(rows.map(({ seen_at }) => seen_at)).toEqual([
      ...Array(6).fill('2026-03-02T09:45:00.000Z'),
      ...Array(4).fill('2026-03-02T09:15:00.000Z'),
    ]);
  });

  it('lets few removals through, and many if there are many records', async () => {
    const { clinic, poll } = await setUp();
    clinic.answers.treatments = many(4);
    await poll();
    clinic.answers.treatments = many(1);

    expect((await poll()).changes).toHaveLength(3);
  });

  it('holds a mass change', async () => {
    const { clinic, poll } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = many(10).map((one, i) => (i < 7 ? { ...one, base_fee: '0.00' } : one));

    expect(await poll()).toMatchObject({ changes: [], guarded: { kind: 'changed', count: 7, of: 10 } });
  });

  it('always holds an empty list that replaces a filled one', async () => {
    const { clinic, poll, present } = await setUp();
    clinic.answers.treatments = many(1);
    await poll();
    clinic.answers.treatments = [];

    expect((await poll()).guarded?.sentence).toContain('empty list of treatments; before, there were 1');
    expect(await present()).toEqual(['1']);
  });

  it('applies neither an empty list nor another clinic’s data, however many answers agree', async () => {
    const { clinic, poll, present, store } = await setUp();
    clinic.answers.treatments = many(2);
    await poll();
    await poll('organization');
    clinic.answers.treatments = [];
    clinic.answers.organization = organization({ care_id: 8, name: 'Another Clinic' });

    for (let i = 0; i < 12; i += 1)
      for (const one of ['treatments', 'organization'] as const) await poll(one);

    expect(await present()).toEqual(['1', '2']);
    expect((await store.mirror.rows('organization', 'main')).map(({ care_id }) => care_id)).toEqual([7]);
    expect(await store.guards.list()).toMatchObject([
      { poll: 'organization', state: 'open', seen: 12, approval_only: true },
      { poll: 'treatments', state: 'open', seen: 12, approval_only: true },
    ]);
  });

  it('asks again when yet another clinic answers than the one approved', async () => {
    const { clinic, poll, store } = await setUp();
    await poll('organization');
    clinic.answers.organization = organization({ care_id: 8 });
    const { guarded } = await poll('organization');
    await store.guards.approve(guarded?.id ?? '', '2026-03-02T10:00:00Z', 'person');
    clinic.answers.organization = organization({ care_id: 9 });

    expect(await poll('organization')).toMatchObject({ changes: [], guarded: { state: 'open', seen: 1 } });
  });

  it('keeps counting for a guard that an earlier version raised', async () => {
    const { clinic, poll, store, present } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = many(6);
    const { guarded } = await poll();
    const { fingerprint = '', sentence = '' } = guarded ?? {};
    const former = { clinic: 'main', poll: 'treatments', kind: 'removed', fingerprint, sentence } as const;
    await store.guards.raise(
      { ...former, count: 4, of: 10, things: [], approval_only: false },
      '2026-03-02T09:45:00.000Z',
    );

    for (let i = 0; i < 4; i += 1) await poll();

    expect(await present()).toHaveLength(6);
  });

  it('lets an approved answer through at the next poll, but not another one', async () => {
    const { clinic, poll, store } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = many(5);
    const { guarded } = await poll();
    await store.guards.approve(guarded?.id ?? '', '2026-03-02T10:00:00Z', 'person');
    clinic.answers.treatments = many(2);
    expect((await poll()).guarded).toMatchObject({ count: 8, seen: 1 });
    const second = (await store.guards.current('main', 'treatments'))?.id ?? '';
    await store.guards.approve(second, '2026-03-02T11:00:00Z', 'person');

    expect((await poll()).changes).toHaveLength(8);
  });

  it('withdraws when the answer is fine again, and then starts counting again', async () => {
    const { clinic, poll, store } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    const aDayOrSo = Array.from({ length: 13 }, () => 10);
    for (const count of [5, 5, ...aDayOrSo, 5]) {
      clinic.answers.treatments = many(count);
      await poll();
    }

    expect(await store.guards.current('main', 'treatments')).toMatchObject({ seen: 1, state: 'open' });
    expect((await store.guards.list()).map(({ state }) => state)).toEqual(['open', 'withdrawn']);
  });
});

describe('preview', () => {
  it('shows what a poll would record and stores nothing', async () => {
    const { clinic, mirror, poll, store } = await setUp();
    clinic.answers.treatments = many(10);
    await poll();
    clinic.answers.treatments = [...many(5), treatment(11)];

    const changes = await mirror.preview('treatments', signal);

    expect(changes.map(({ type, id }) => `${type} ${id}`)).toEqual(['treatment.created 11']);
    expect(await store.changes.latest('main')).toBe(10);
    expect(await store.guards.list()).toEqual([]);
  });
});

describe('against the sandbox', () => {
  it('mirrors a whole practice, and tracks an appointment to its end', async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const store = await openFileStore({
      file: ':memory:',
      clock: systemClock,
      log: silentLog,
      mode: 'daemon',
    });
    onTestFinished(() => store.close());
    const clinic = await createClinic({
      key: 'main',
      base_url: sandbox.url,
      ...sandbox.credentials,
      clock: systemClock,
      log: silentLog,
      memory: { load: async () => undefined, save: async () => {} },
      version: '0',
    });
    onTestFinished(() => clinic.close());
    const settings = settingsOf(sandbox.url);
    const mirror = createMirror({ clinic, store, clock: systemClock, log: silentLog, settings });
    const [booked] = sandbox.control.appointments();
    const id = booked?.id ?? 0;
    sandbox.control.setStatus(id, 'Scheduled');
    await store.appointments.track('main', [id], '2026-01-01T00:00:00.000Z');

    const results = [];
    for (const poll of polls) results.push(await mirror.poll(poll, signal));
    sandbox.control.setStatus(id, ' completed');
    const last = await mirror.poll('appointments', signal, { all: true });

    expect(results.map(({ failed }) => failed)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(await store.mirror.hashes('main', 'treatments')).toHaveProperty(
      'size',
      sandbox.control.treatments().length,
    );
    expect(results[4]?.changes).toMatchObject([
      { type: 'appointment.status_changed', previous: { status: null } },
    ]);
    expect(last.changes).toMatchObject([
      { type: 'appointment.status_changed', previous: { status: 'Scheduled' } },
    ]);
    expect(await store.appointments.pending('main', 100)).toEqual([]);
  });
});
