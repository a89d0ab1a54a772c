import { describe, expect, it } from 'vitest';
import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import type { Row } from '../../../src/domain/clinics/tables.ts';
import type { RecordedPoll } from '../../../src/store/ports/mirror.ts';
import type { Store } from '../../../src/store/store.ts';
import { booking, created, minute, type OpenStore, treatment } from './samples.ts';

const nothing = { clinic: 'main', poll: 'treatments', upserts: [], removals: [], changes: [] } as const;

/** A poll of treatments in which nothing differs, but for what is given. */
const record = (store: Store, poll: Partial<RecordedPoll> & { at: string }) =>
  store.mirror.record({ ...nothing, ...poll } as RecordedPoll);

export function describeMirror(open: OpenStore): void {
  describe('mirror', () => {
    it('keeps things by the API’s field names, decimals as the exact text', async () => {
      const store = await open();
      const thing = treatment(4, { base_fee: '0.10' });

      await record(store, { at: minute(0), upserts: [thing] });

      expect(await store.mirror.rows('treatments', 'main')).toEqual([
        {
          clinic: 'main',
          treatment_id: 4,
          treatment_name: 'Treatment 4',
          description: 'Scale and polish',
          base_fee: '0.10',
          duration_minutes: 30,
          image_url: 'https://clinic.example/1.png',
          first_seen_at: minute(0),
          changed_at: minute(0),
          seen_at: minute(0),
          removed_at: null,
          raw: JSON.stringify(thing.raw),
        },
      ]);
      expect(await store.mirror.records('main', 'treatments', ['4', '5'])).toEqual(new Map([['4', thing]]));
    });

    it('gives unchanged things the time of the newest answer, and changed ones a new changed_at too', async () => {
      const store = await open();
      await record(store, { at: minute(0), upserts: [treatment(1), treatment(2)] });

      await record(store, { at: minute(15), upserts: [treatment(2, { base_fee: '99' })] });

      expect(await store.mirror.rows('treatments', 'main')).toMatchObject([
        { treatment_id: 1, first_seen_at: minute(0), changed_at: minute(0), seen_at: minute(15) },
        { treatment_id: 2, first_seen_at: minute(0), changed_at: minute(15), seen_at: minute(15) },
      ]);
    });

    it('keeps the row of a removed thing with when it was last seen, and takes it back as the same thing', async () => {
      const store = await open();
      await record(store, { at: minute(0), upserts: [treatment(1), treatment(2)] });
      await record(store, { at: minute(15) });

      await record(store, { at: minute(30), removals: ['2'] });
      const removed = await store.mirror.rows('treatments', 'main');
      const present = await store.mirror.hashes('main', 'treatments');
      await record(store, { at: minute(45), upserts: [treatment(2)] });

      expect(removed[1]).toMatchObject({
        seen_at: minute(15),
        removed_at: minute(30),
        changed_at: minute(30),
      });
      expect([...present.keys()]).toEqual(['1']);
      expect((await store.mirror.rows('treatments', 'main'))[1]).toMatchObject({
        first_seen_at: minute(0),
        changed_at: minute(45),
        seen_at: minute(45),
        removed_at: null,
      });
    });

    it('leaves the seen_at of things that a guard keeps although the answer lacks them', async () => {
      const store = await open();
      await record(store, { at: minute(0), upserts: [treatment(1), treatment(2)] });

      await record(store, { at: minute(15), unseen: ['2'] });
      await record(store, { at: minute(30), unseen: ['2'] });
      const held = await store.mirror.rows('treatments', 'main');
      await record(store, { at: minute(45) });

      expect(held).toMatchObject([{ seen_at: minute(30) }, { seen_at: minute(0), removed_at: null }]);
      expect(await store.mirror.rows('treatments', 'main')).toMatchObject([
        { seen_at: minute(45) },
        { seen_at: minute(45) },
      ]);
    });

    it('lists what could not be read, until an answer in which it could be', async () => {
      const store = await open();
      const fault = { id: '2', position: 1, field: 'base_fee', problem: 'is missing' };
      const nameless = { id: null, position: 3, field: 'treatment_id', problem: 'is missing' };
      await record(store, { at: minute(0), upserts: [treatment(1), treatment(2)] });

      await record(store, { at: minute(15), unreadable: [fault] });
      await record(store, { at: minute(30), unreadable: [fault, nameless] });
      const listed = await store.polls.unreadable('main');
      await record(store, { at: minute(45), unreadable: [nameless] });
      const later = await store.polls.unreadable();
      await record(store, { at: minute(60) });

      const main = { clinic: 'main', poll: 'treatments' };
      expect(listed).toEqual([
        { ...main, ...fault, tries: 2, first_at: minute(15), last_at: minute(30) },
        { ...main, ...nameless, tries: 1, first_at: minute(30), last_at: minute(30) },
      ]);
      expect(later).toMatchObject([{ position: 3, tries: 2 }]);
      expect(await store.polls.unreadable()).toEqual([]);
    });

    it('numbers changes without gaps, separately for each clinic', async () => {
      const store = await open();
      const things = [treatment(1), treatment(2)];

      const first = await record(store, { at: minute(0), upserts: things, changes: things.map(created) });
      const other = await record(store, { clinic: 'north', at: minute(0), changes: things.map(created) });
      const second = await record(store, { at: minute(1), changes: [created(treatment(3))] });

      expect([first, other, second].map((changes) => changes.map(({ sequence }) => sequence))).toEqual([
        [1, 2],
        [1, 2],
        [3],
      ]);
      expect(await store.changes.after('main', 1, 10)).toEqual([...first.slice(1), ...second]);
      expect(await store.changes.latest('main')).toBe(3);
      expect(await store.changes.latest('nowhere')).toBe(0);
    });

    it('finds changes newest first, and all there ever were of one thing', async () => {
      const store = await open();
      const things = [treatment(1), treatment(2)];
      await record(store, { at: minute(0), changes: things.map(created) });
      await record(store, { clinic: 'north', at: minute(1), changes: [created(treatment(1))] });
      const update = {
        type: 'treatment.updated',
        resource: 'treatment',
        id: '1',
        data: { base_fee: '2' },
        previous: { base_fee: '1' },
      } as const;
      await record(store, { at: minute(2), changes: [update] });

      const recent = await store.changes.page({ limit: 3 });
      const history = await store.changes.history('main', 'treatment', '1');

      expect(recent.map(({ clinic, sequence }) => [clinic, sequence])).toEqual([
        ['main', 3],
        ['north', 1],
        ['main', 2],
      ]);
      expect((await store.changes.page({ clinic: 'north', limit: 1 })).map(({ clinic }) => clinic)).toEqual([
        'north',
      ]);
      expect(history.map(({ sequence }) => sequence)).toEqual([1, 3]);
      expect(history[1]).toMatchObject(update);
      const [newest, ...older] = await store.changes.page({ limit: 10 });
      expect(newest).toEqual(recent[0]);
      expect.assert(newest);
      expect(await store.changes.page({ before: newest, limit: 10 })).toEqual(older);
      const ofMain = (await store.changes.page({ clinic: 'main', limit: 10 })).map((one) => one.sequence);
      expect(ofMain).toEqual(ofMain.toSorted((a, b) => b - a));
      const treatments = await store.changes.page({ clinic: 'main', resource: 'treatment', limit: 10 });
      expect(treatments.length).toBeGreaterThan(0);
      expect(new Set(treatments.map(({ resource }) => resource))).toEqual(new Set(['treatment']));
      const [last] = treatments;
      expect.assert(last);
      const ofOne = { clinic: 'main', resource: 'treatment', id: last.id };
      expect(await store.changes.page({ ...ofOne, limit: 1 })).toEqual([last]);
      expect(await store.changes.page({ ...ofOne, before: last, limit: 9 })).toEqual(
        treatments.filter(({ id, sequence }) => id === last.id && sequence < last.sequence),
      );

      const [first, ...rest] = await store.changes.historyPage('main', 'treatment', 10);
      expect(rest).toHaveLength(2);
      expect(await store.changes.historyPage('main', 'treatment', 1)).toEqual([first]);
      expect(await store.changes.historyPage('main', 'treatment', 9, first)).toEqual(rest);
    });

    it('gives out what grows page by page, in the order of the whole', async () => {
      const store = await open();
      for (const at of [3, 1, 2, 1, 5])
        await store.bookings.accept(booking({ received_at: minute(at) }), judgeWithin(0));
      await store.bookings.accept(booking({ clinic: 'other' }), judgeWithin(0));
      const pages: Row[][] = [];

      for (let last: Row | undefined; pages.length < 5; last = pages.at(-1)?.at(-1)) {
        const rows = await store.mirror.page('bookings', 'main', 2, last);
        pages.push(rows);
        if (rows.length < 2) break;
      }

      expect(pages.map((rows) => rows.length)).toEqual([2, 2, 1]);
      expect(pages.flat()).toEqual(await store.mirror.rows('bookings', 'main'));
    });

    it('names the rows that changed since a place in the log, each once, and how far it read', async () => {
      const store = await open();
      await store.bookings.accept(booking(), judgeWithin(0));
      const { booking: second } = await store.bookings.accept(booking(), judgeWithin(0));
      const before = await store.changes.latest('main');
      await store.appointments.track('main', [5], minute(1));
      for (const to of ['held', 'queued', 'dropped'] as const)
        await store.bookings.move({
          ...{ ref: second.ref, attempt: 0, from: ['queued', 'held'], to, actor: 'person', by: 'Sam' },
          at: minute(2),
        });

      const bookings = await store.mirror.rowsChangedSince('bookings', 'main', before, 100);
      const appointments = await store.mirror.rowsChangedSince('appointments', 'main', before, 1);

      expect(bookings.rows).toMatchObject([{ ref: second.ref, state: 'dropped' }]);
      expect(bookings.through).toBe(await store.changes.latest('main'));
      expect(appointments).toMatchObject({ rows: [{ appointment_id: 5 }], through: before + 1 });
      expect(await store.mirror.rowsChangedSince('bookings', 'main', bookings.through, 100)).toEqual({
        rows: [],
        through: bookings.through,
      });
    });

    it('finds the keys under which an organization is known', async () => {
      const store = await open();
      const organization = async (clinic: string, id: string) => {
        const fields = { care_id: Number(id), name: 'Smile' };
        const upserts = [{ id, fields, raw: fields, hash: 'h' }];
        await record(store, { clinic, poll: 'organization', at: minute(0), upserts });
      };
      await organization('main', '7');
      await organization('west', '7');
      await organization('north', '8');
      await organization('bare', '7');
      for (const clinic of ['main', 'west', 'north'])
        for (const id of ['1', '2'])
          await store.bookings.accept(booking({ clinic, source: clinic, submission_id: id }), judgeWithin(0));

      expect(await store.mirror.keysOf('7')).toEqual([
        { key: 'bare', hasBookings: false },
        { key: 'main', hasBookings: true },
        { key: 'west', hasBookings: true },
      ]);
      expect(await store.mirror.keysOf('9')).toEqual([]);
    });

    it('keeps a row per change of the figures, and when the newest were last seen', async () => {
      const store = await open();
      const figures = { total_users: 3, total_patients: 900, total_appointments: 4000, total_doctors: 5 };
      const organization = { poll: 'organization' } as const;
      await record(store, { ...organization, at: minute(0), statistics: figures });
      await record(store, { ...organization, at: minute(60), statistics: figures });

      await record(store, {
        ...organization,
        at: minute(120),
        statistics: { ...figures, total_patients: 901 },
      });

      expect(await store.mirror.rows('organization_statistics', 'main')).toMatchObject([
        {
          at: minute(0),
          total_patients: 900,
          first_seen_at: minute(0),
          seen_at: minute(60),
          removed_at: null,
        },
        { at: minute(120), total_patients: 901, first_seen_at: minute(120), seen_at: minute(120) },
      ]);
    });

    it('keeps lists and objects of the website as JSON text, and gives them back as they were', async () => {
      const store = await open();
      const hours = { Monday: { open: '09:00', close: '17:00', is_closed: false } };
      const fields = {
        care_id: 1,
        clinic_name: 'Smile',
        opening_hours: hours,
        faqs: [],
        social_twitter: null,
      };
      const thing = { id: 'website', fields, raw: fields, hash: 'h' };

      await record(store, { poll: 'website', at: minute(0), upserts: [thing] });

      const [row] = await store.mirror.rows('website', 'main');
      expect(row).toMatchObject({ opening_hours: JSON.stringify(hours), faqs: '[]', social_twitter: null });
      const found = await store.mirror.records('main', 'website', ['website']);
      expect(found.get('website')?.fields).toMatchObject(fields);
    });

    it('records nothing of a poll that contains something it cannot store', async () => {
      const store = await open();
      const broken = treatment(2, { duration_minutes: Number.NaN });

      const recording = record(store, {
        at: minute(0),
        upserts: [treatment(1), broken],
        changes: [created(treatment(1))],
      });

      await expect(recording).rejects.toMatchObject({ name: 'Failure', kind: 'refused' });
      expect(await store.mirror.rows('treatments', 'main')).toEqual([]);
      expect(await store.changes.latest('main')).toBe(0);
      expect(await store.polls.list()).toEqual([]);
    });

    it('takes more things in one poll than a statement has variables', async () => {
      const store = await open();
      const things = Array.from({ length: 5_003 }, (_, i) => treatment(i));

      await record(store, { at: minute(0), upserts: things, changes: things.map(created) });
      await record(store, { at: minute(1), removals: things.slice(1).map(({ id }) => id) });

      expect([...(await store.mirror.hashes('main', 'treatments'))]).toEqual([['0', things[0]?.hash]]);
      expect(await store.changes.latest('main')).toBe(5_003);
      const found = await store.mirror.records(
        'main',
        'treatments',
        things.map(({ id }) => id),
      );
      expect(found.size).toBe(5_003);
    });

    it('keeps nothing of a poll that fails half-way, and all of the one stored with it', async () => {
      const store = await open();
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const broken = { ...created(treatment(1)), data: circular as never };

      const [failed, stored] = await Promise.allSettled([
        record(store, { at: minute(1), upserts: [treatment(1)], changes: [broken] }),
        record(store, { at: minute(1), upserts: [treatment(2)] }),
      ]);

      expect([failed.status, stored.status]).toEqual(['rejected', 'fulfilled']);
      expect([...(await store.mirror.hashes('main', 'treatments')).keys()]).toEqual(['2']);
    });

    it('plans a poll, but keeps an earlier time that was requested in the meantime', async () => {
      const store = await open();
      const planned = [
        await store.polls.plan('main', 'treatments', minute(15), null),
        await store.polls.plan('main', 'treatments', minute(30), minute(15)),
      ];
      await store.polls.due('main', 'treatments', minute(16));
      planned.push(
        await store.polls.plan('main', 'treatments', minute(45), minute(30)),
        await store.polls.plan('main', 'treatments', minute(15), minute(30)),
        await store.polls.plan('main', 'treatments', minute(45), minute(15)),
      );
      await store.polls.plan('main', 'website', minute(60), null);
      await store.polls.due('main', 'website', minute(20));
      planned.push(await store.polls.plan('main', 'website', minute(30), null));

      expect(planned).toEqual([true, true, false, true, true, false]);
      expect((await store.polls.list('main')).map(({ poll, next_due_at }) => [poll, next_due_at])).toEqual([
        ['treatments', minute(45)],
        ['website', minute(20)],
      ]);
    });

    it('notes the success of the poll with its number of present things', async () => {
      const store = await open();
      await store.polls.finished('main', 'treatments', minute(0), { error: 'no answer' });
      await store.polls.due('main', 'treatments', minute(15));

      await record(store, { at: minute(1), upserts: [treatment(1), treatment(2)] });
      await record(store, { at: minute(2), removals: ['1'] });

      expect(await store.polls.list('main')).toEqual([
        {
          clinic: 'main',
          poll: 'treatments',
          next_due_at: minute(15),
          last_success_at: minute(2),
          last_idle_at: null,
          last_error: null,
          last_change_at: null,
          failing_since: null,
          failures: 0,
          rows: 1,
        },
      ]);
    });
  });
}
