import { describe, expect, it } from 'vitest';
import { noCampaign } from '../../../src/domain/campaign.ts';
import type { NewBooking } from '../../../src/store/ports/bookings.ts';
import type { ChainReport } from '../../../src/store/ports/changes.ts';
import type { Store } from '../../../src/store/store.ts';
import { FALSE_ROWS } from './false-rows.ts';
import { booking, created, judge, minute, treatment } from './samples.ts';

/** A store, and statements that an outsider runs on its database. */
export interface Alterable {
  store: Store;
  alter(statement: string): Promise<void>;
}

const DAY = 24 * 60;
const later = minute(365 * DAY);

const accept = async (store: Store, fields: Partial<NewBooking> = {}) =>
  (await store.bookings.accept(booking(fields), judge)).booking.ref;

const dropped = (store: Store, ref: string) =>
  store.bookings.move({
    ...{ ref, attempt: 0, from: ['queued'], to: 'dropped', actor: 'person', by: 'Sam', at: minute(5) },
  });

/** Ten changes: 1 to 4 of treatments, then two bookings, each received, queued and dropped. */
async function filled(store: Store): Promise<string[]> {
  const things = [1, 2, 3, 4].map((id) => treatment(id));
  await store.mirror.record({
    ...{ clinic: 'main', poll: 'treatments', at: minute(0), upserts: things, removals: [] },
    changes: things.map(created),
  });
  const refs: string[] = [];
  for (const name of ['Zebedee Planted', 'Yara Planted']) {
    const ref = await accept(store, { patient_name: name });
    await dropped(store, ref);
    refs.push(ref);
  }
  await accept(store, { clinic: 'other' });
  return refs;
}

const verify = (store: Store, noted?: { sequence: number; hash: string }, clinic = 'main') =>
  store.changes.verify(clinic, { noted });

const prune = (store: Store, changes: string) =>
  store.prune({
    ...{ now: later, deliveries: later, observations: later, connectors: [], forgetting: [], changes },
  });

const of = (sequence: number) => `where clinic = 'main' and sequence = ${sequence}`;
const hashes = (statement: string) => statement.replaceAll('changes', 'change_hashes');
/** Far away first, because no two may have the same number for a moment. */
const renumber = (from: number, by: 1 | -1) => [
  `update changes set sequence = sequence + 1000 where clinic = 'main' and sequence >= ${from}`,
  `update changes set sequence = sequence - 1000 + (${by}) where clinic = 'main' and sequence > 1000`,
];

type Tampering = [what: string, statements: string[], broken: NonNullable<ChainReport['broken']>];

const TAMPERINGS: Tampering[] = [
  [
    'an altered fee',
    [`update changes set data = replace(data, '120.50', '99.00') ${of(3)}`],
    { sequence: 3, kind: 'altered' },
  ],
  [
    'a moved time',
    [`update changes set at = '2026-01-01T00:00:00.000Z' ${of(2)}`],
    { sequence: 2, kind: 'altered' },
  ],
  [
    'an altered former value',
    [`update changes set previous = '{"base_fee":"1.00"}' ${of(4)}`],
    { sequence: 4, kind: 'altered' },
  ],
  [
    'another kind of change',
    [`update changes set type = 'treatment.removed' ${of(1)}`],
    { sequence: 1, kind: 'altered' },
  ],
  [
    'a change attributed to another treatment',
    [`update changes set id = '9' ${of(2)}`],
    { sequence: 2, kind: 'altered' },
  ],
  [
    'an altered state of a booking',
    [`update changes set data = replace(data, 'dropped', 'queued') ${of(7)}`],
    { sequence: 7, kind: 'altered' },
  ],
  [
    'an altered name of a patient',
    [`update changes set data = replace(data, 'Zebedee', 'Somebody') ${of(5)}`],
    { sequence: 5, kind: 'altered' },
  ],
  [
    'personal data whose salt was taken away',
    [hashes(`update changes set salt = null ${of(5)}`)],
    { sequence: 5, kind: 'altered' },
  ],
  ['an altered hash', [hashes(`update changes set hash = 'x' ${of(3)}`)], { sequence: 3, kind: 'altered' }],
  ['a removed hash', [hashes(`delete from changes ${of(3)}`)], { sequence: 3, kind: 'unchained' }],
  ['data that is no JSON', [`update changes set data = '{' ${of(7)}`], { sequence: 7, kind: 'altered' }],
  ['a removed change', [`delete from changes ${of(4)}`], { sequence: 4, kind: 'removed' }],
  [
    'a removed change with its hash',
    [`delete from changes ${of(4)}`, hashes(`delete from changes ${of(4)}`)],
    { sequence: 4, kind: 'removed' },
  ],
  [
    'a removed change, and the rest renumbered',
    [
      `delete from changes ${of(3)}`,
      hashes(`delete from changes ${of(3)}`),
      ...renumber(4, -1),
      ...renumber(4, -1).map(hashes),
      `update chain_heads set sequence = sequence - 1 where clinic = 'main'`,
    ],
    { sequence: 3, kind: 'removed' },
  ],
  [
    'the first change removed',
    [`delete from changes ${of(1)}`, hashes(`delete from changes ${of(1)}`)],
    { sequence: 1, kind: 'removed' },
  ],
  [
    'the newest changes removed',
    [
      `delete from changes where clinic = 'main' and sequence > 7`,
      hashes(`delete from changes where clinic = 'main' and sequence > 7`),
    ],
    { sequence: 8, kind: 'removed' },
  ],
  [
    'all changes removed',
    [`delete from changes where clinic = 'main'`, hashes(`delete from changes where clinic = 'main'`)],
    { sequence: 1, kind: 'removed' },
  ],
  [
    'a change added at the end',
    [
      `insert into changes (clinic, sequence, at, type, resource, id, data)
        select clinic, 11, at, type, resource, id, data from changes ${of(1)}`,
    ],
    { sequence: 11, kind: 'inserted' },
  ],
  [
    'a change added at the end with a hash',
    [
      `insert into changes (clinic, sequence, at, type, resource, id, data)
        select clinic, 11, at, type, resource, id, data from changes ${of(1)}`,
      `insert into change_hashes (clinic, sequence, hash) values ('main', 11, 'x')`,
    ],
    { sequence: 11, kind: 'inserted' },
  ],
  [
    'a change put between others, and the rest renumbered',
    [
      ...renumber(3, 1),
      ...renumber(3, 1).map(hashes),
      `insert into changes (clinic, sequence, at, type, resource, id, data)
        select clinic, 3, at, type, resource, id, data from changes ${of(1)}`,
      `insert into change_hashes (clinic, sequence, hash) values ('main', 3, 'x')`,
      `update chain_heads set sequence = sequence + 1 where clinic = 'main'`,
    ],
    { sequence: 3, kind: 'inserted' },
  ],
  [
    'two changes that changed places',
    [
      `update changes set sequence = 1002 ${of(2)}`,
      `update changes set sequence = 2 ${of(3)}`,
      `update changes set sequence = 3 ${of(1002)}`,
    ],
    { sequence: 2, kind: 'altered' },
  ],
  [
    'an altered head',
    [`update chain_heads set hash = 'x' where clinic = 'main'`],
    { sequence: 10, kind: 'head' },
  ],
  [
    'a head put back, to hide the newest changes',
    [
      `update chain_heads set sequence = 9, hash = (select hash from change_hashes ${of(9)}) where clinic = 'main'`,
    ],
    { sequence: 10, kind: 'inserted' },
  ],
  ['a removed head', [`delete from chain_heads where clinic = 'main'`], { sequence: 1, kind: 'head' }],
  [
    'an end point that never was',
    [
      `insert into removed_changes (clinic, through, at, hash) values ('main', 2, '${minute(9)}', 'x')`,
      `delete from changes where clinic = 'main' and sequence <= 2`,
    ],
    { sequence: 3, kind: 'beginning' },
  ],
];

/** What `verify` says of a change log, whatever database it is in. */
export function describeTampering(name: string, open: () => Promise<Alterable>): void {
  describe(`the chain over the change log on ${name}`, () => {
    it('holds over what the store wrote, for each clinic alone', async () => {
      const { store } = await open();
      await filled(store);

      const main = await verify(store);
      const other = await verify(store, undefined, 'other');

      expect(main).toMatchObject({ checked: 10, erased: 0, pending: 0, removed: null, broken: null });
      expect(main.head).toEqual(await store.changes.head('main'));
      expect(main.head?.hash).toMatch(/^[\w-]{43}$/);
      expect(other).toMatchObject({ checked: 2, broken: null });
      expect(await store.changes.clinics()).toEqual(['main', 'other']);
    });

    it('holds after people were erased, and says how many changes that took out', async () => {
      const { store } = await open();
      const refs = await filled(store);
      const { hash } = (await store.changes.head('main')) ?? {};

      await store.erase({ refs: refs.slice(0, 1) }, minute(20), 'Sam');

      expect(await verify(store)).toMatchObject({ checked: 10, erased: 3, broken: null, head: { hash } });
      expect(JSON.stringify(await store.changes.after('main', 0, 99))).not.toContain('Zebedee');
    });

    it('holds after the beginning was removed, from its end point on', async () => {
      const { store } = await open();
      await filled(store);
      const before = await store.changes.head('main');

      await prune(store, later);
      await accept(store);

      expect(await verify(store, before)).toMatchObject({
        ...{ checked: 3, removed: { through: 9 }, noted: 'same', broken: null },
      });
      // Whoever deletes changes can also write that retention did.
      expect((await verify(store, { sequence: 5, hash: 'x' })).broken).toEqual({ sequence: 5, kind: 'gone' });
    });

    it('recognizes a noted head, and misses it in a rewritten log', async () => {
      const { store } = await open();
      await filled(store);
      const noted = (await store.changes.head('main')) ?? { sequence: 0, hash: '' };
      await accept(store);

      expect((await verify(store, noted)).noted).toBe('same');
      expect((await verify(store, { ...noted, hash: 'x' })).broken).toEqual({ sequence: 10, kind: 'noted' });
      expect((await verify(store, { sequence: 99, hash: 'x' })).broken).toEqual({
        ...{ sequence: 99, kind: 'shorter' },
      });
    });

    it.each(TAMPERINGS)('names %s', async (_, statements, broken) => {
      const { store, alter } = await open();
      await filled(store);
      expect((await verify(store)).broken).toBeNull();

      for (const statement of statements) await alter(statement);

      expect((await verify(store)).broken).toEqual(broken);
    });

    it.each(FALSE_ROWS)('names %s although the log is intact', async (_, statement, differs) => {
      const { store, alter } = await open();
      await filled(store);
      await dropped(store, await accept(store));
      expect((await verify(store)).differs).toBeNull();

      await alter(statement);

      expect(await verify(store)).toMatchObject({ broken: null, differs });
    });

    it.each([
      ['the description of a record', 'https://clinic.example/1.png', 'description'],
      [
        'no text of a record with a signed address, which is stored anew',
        'https://clinic.example/1.png?token=1',
        undefined,
      ],
    ])('names %s', async (_, image_url, field) => {
      const { store, alter } = await open();
      const { raw, fields, ...thing } = treatment(1);
      const without = { ...thing, raw: { ...raw, image_url }, fields: { ...fields, image_url } };
      await store.mirror.record({
        ...{ clinic: 'main', poll: 'treatments', at: minute(0), upserts: [without], removals: [] },
        changes: [created(without)],
      });
      const intact = await verify(store);

      await alter(`update treatments_things set image_url = 'https://clinic.example/2.png'`);
      const renewed = await verify(store);
      await alter(`update treatments_things set description = 'altered'`);

      expect(intact).toMatchObject({ broken: null, differs: null });
      expect(renewed.differs).toBeNull();
      expect((await verify(store)).differs?.field).toBe(field);
    });

    it('names the name of a visit, without printing it', async () => {
      const { store, alter } = await open();
      await store.appointments.track('main', [5], minute(1));
      const seen = { status: 'Scheduled', name: 'Zebedee Planted', date: '2026-03-05', time: '10:30' };
      const change = {
        ...({ type: 'appointment.status_changed', resource: 'appointment', id: '5' } as const),
        ...{ data: { appointment_id: 5, ref: null, ...seen }, previous: { status: null } },
      };
      await store.appointments.observe({
        ...{ clinic: 'main', appointment_id: 5, at: minute(2), next_due_at: minute(9), done: false },
        ...{ seen: { ...seen, raw: {} }, changes: [change] },
      });
      const intact = await verify(store);

      await alter(`update appointments set name = 'Mine' where appointment_id = 5`);

      expect(intact.differs).toBeNull();
      expect((await verify(store)).differs).toMatchObject({ field: 'name', stored: '…', logged: '…' });
    });

    it('calls a lead intact that came again from another campaign, and visits that were removed and followed again', async () => {
      const { store } = await open();
      const lead = booking({ touch: { ...noCampaign, campaign: 'spring', channel: 'ads' } });
      await store.bookings.accept(lead, judge);
      const again = {
        ...lead,
        submission_id: 'again',
        touch: { ...noCampaign, campaign: 'autumn', channel: 'mail' },
      };
      const { result, booking: merged } = await store.bookings.accept(again, judge);
      for (const at of [minute(1), minute(2)]) {
        await store.appointments.track('main', [5], at);
        await store.appointments.untrack('main', [5], at);
        await store.prune({
          ...{ now: later, deliveries: later, observations: later, connectors: [], forgetting: [] },
          bookings: later,
        });
      }

      expect({ result, campaign: merged.campaign }).toEqual({ result: 'merged', campaign: 'autumn' });
      expect(await verify(store)).toMatchObject({ broken: null, differs: null });
    });

    it('derives the same rows from what retention left of the log', async () => {
      const { store, alter } = await open();
      await filled(store);
      await prune(store, later);
      const fee = { ...treatment(1), fields: { ...treatment(1).fields, base_fee: '130.00' } };
      const updated = {
        ...created(fee),
        type: 'treatment.updated',
        previous: { base_fee: '120.50' },
      } as const;
      await store.mirror.record({
        ...{ clinic: 'main', poll: 'treatments', at: minute(30), upserts: [fee], removals: [] },
        changes: [updated],
      });

      const intact = await verify(store);
      await alter(`update fee_periods set fee = '99.00' where id = '1' and valid_to is null`);

      expect(intact).toMatchObject({ broken: null, differs: null });
      expect((await verify(store)).differs).toMatchObject({
        field: 'fee',
        stored: '99.00',
        logged: '130.00',
      });
    });

    it('still accepts leads whatever was done to it, and still names it', async () => {
      const { store, alter } = await open();
      await filled(store);
      await alter(`delete from chain_heads where clinic = 'main'`);

      await accept(store);
      await alter(`update changes set data = '{}' ${of(4)}`);
      await accept(store);

      expect((await verify(store)).broken).toEqual({ sequence: 4, kind: 'altered' });
    });

    it('gives no number again of changes that were taken out by hand', async () => {
      const { store, alter } = await open();
      await filled(store);
      await alter(`delete from changes where clinic = 'main' and sequence > 7`);

      await accept(store);

      expect(await store.changes.latest('main')).toBe(12);
      expect((await verify(store)).broken).toEqual({ sequence: 8, kind: 'removed' });
    });
  });
}
