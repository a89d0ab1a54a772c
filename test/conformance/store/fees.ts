import { describe, expect, it } from 'vitest';
import type { NewChange } from '../../../src/domain/clinics/change.ts';
import type { ClinicRecord } from '../../../src/domain/clinics/resource.ts';
import { feeChanges } from '../../../src/reports/fee-report.ts';
import { removedFees } from '../../../src/store/sql/migrations/0.3.0-lists-and-fees.ts';
import type { Store } from '../../../src/store/store.ts';
import { created, minute, treatment } from './samples.ts';
import type { Alterable } from './tampering.ts';

const of = (
  thing: ClinicRecord,
  verb: 'updated' | 'removed',
  previous: NewChange['previous'],
): NewChange => ({
  ...created(thing),
  type: `treatment.${verb}`,
  previous,
});

const recordTreatments = (store: Store, at: number, changes: NewChange[], upserts: ClinicRecord[] = []) =>
  store.mirror.record({
    ...{ clinic: 'main', poll: 'treatments', at: minute(at), upserts, removals: [], changes },
  });

/** As the poll of the organization does. */
async function recordCurrency(store: Store, at: number, currency: string | null, before?: string) {
  const fields = { care_id: 1, name: 'Our clinic', currency };
  const change: NewChange = {
    ...{ type: 'organization.updated', resource: 'organization', id: '1', data: fields },
    previous: before === undefined ? null : { currency: before },
  };
  await store.mirror.record({
    ...{ clinic: 'main', poll: 'organization', at: minute(at), removals: [], changes: [change] },
    upserts: [{ id: '1', fields, raw: fields, hash: String(currency) }],
  });
}

type Read = (statement: string) => Promise<Record<string, unknown>[]>;

const FEES = `select treatment_id as id, treatment_name as name, fee, currency, valid_from as since, valid_to as until
  from fees where clinic = 'main' order by treatment_id, valid_from, currency`;

/** Periods of fees as people read them. */
export function describeFees(name: string, open: () => Promise<Alterable & { read: Read }>): void {
  describe(`the views of fees on ${name}`, () => {
    it('are listed page by page in the order of their numbers, as they were right before a moment', async () => {
      const { store } = await open();
      const ids = [1, 2, 9, 10, 11, 100];
      await recordTreatments(
        store,
        1,
        ids.map((id) => created(treatment(id))),
      );
      const dearer = treatment(10, { base_fee: '1200.10' });
      await recordTreatments(store, 5, [of(dearer, 'updated', { base_fee: '120.50' })]);
      await recordTreatments(store, 9, [of(treatment(2), 'removed', null)]);
      const pages = async (end: number, limit: number) => {
        const found: (string | null)[][] = [];
        for (let after: string | undefined; ; ) {
          const page = await store.reports.feesAt('main', 'treatment', { end: minute(end), limit, after });
          found.push(...page.map(({ id, fee }) => [id, fee]));
          if (page.length < limit) return found;
          after = page.at(-1)?.id;
        }
      };

      expect((await pages(9, 2)).map(([id]) => id)).toEqual(['1', '2', '9', '10', '11', '100']);
      expect((await pages(10, 2)).map(([id]) => id)).toEqual(['1', '9', '10', '11', '100']);
      expect((await pages(5, 4)).find(([id]) => id === '10')).toEqual(['10', '120.50']);
      expect((await pages(6, 4)).find(([id]) => id === '10')).toEqual(['10', '1200.10']);
      expect(await store.reports.feesAt('main', 'dentist', { end: minute(9), limit: 2 })).toEqual([]);
    });

    it('stand beside lists of the clinic that are read page by page in the order of their numbers', async () => {
      const { store } = await open();
      const ids = [1, 2, 9, 10, 11];
      const upserts = ids.map((id) => treatment(id));
      await recordTreatments(store, 1, upserts.map(created), upserts);
      const first = await store.mirror.page('treatments', 'main', 3);
      const rest = await store.mirror.page('treatments', 'main', 3, { treatment_id: 9 });

      expect([first, rest].map((rows) => rows.map(({ treatment_id }) => treatment_id))).toEqual([
        [1, 2, 9],
        [10, 11],
      ]);
    });

    it('have a period per fee, from when it was first seen to when another was noticed', async () => {
      const { store, read } = await open();
      await recordCurrency(store, 0, 'BDT');
      await recordTreatments(store, 1, [created(treatment(1)), created(treatment(2))]);
      const dearer = treatment(1, { base_fee: '1200.10' });
      await recordTreatments(store, 5, [of(dearer, 'updated', { base_fee: '120.50' })]);
      await recordTreatments(store, 9, [of(treatment(2), 'removed', null)]);

      const rows = await read(FEES);

      const [first, second] = ['Treatment 1', 'Treatment 2'];
      expect(rows).toEqual([
        { id: 1, name: first, fee: 120.5, currency: 'BDT', since: minute(1), until: minute(5) },
        { id: 1, name: first, fee: 1200.1, currency: 'BDT', since: minute(5), until: null },
        { id: 2, name: second, fee: 120.5, currency: 'BDT', since: minute(1), until: minute(9) },
      ]);
    });

    it('have numbers to calculate with, and the text as it was sent', async () => {
      const { store, read } = await open();
      const fees = ['0.10', '0.20', '99.00', '1000000.00'].map((base_fee, i) =>
        treatment(i + 1, { base_fee }),
      );
      await recordTreatments(store, 1, fees.map(created));

      expect(await read(`select round(sum(fee), 2) as sum, max(fee) as max from fees`)).toEqual([
        { sum: 1000099.3, max: 1000000 },
      ]);
      expect(
        await read(`select fee / 4 as part, fee_as_sent as text from fees where treatment_id = 3`),
      ).toEqual([{ part: 24.75, text: '99.00' }]);
    });

    it('begin new periods with the clinic’s new currency, and know the first one for what came before it', async () => {
      const { store, read } = await open();
      await recordTreatments(store, 1, [created(treatment(1)), created(treatment(2))]);
      await recordTreatments(store, 2, [of(treatment(2), 'removed', null)]);
      expect((await read(FEES)).map(({ currency }) => currency)).toEqual([null, null]);

      await recordCurrency(store, 3, 'bdt ');
      await recordCurrency(store, 4, 'USD', 'bdt ');
      await recordCurrency(store, 5, null, 'USD');
      await recordTreatments(store, 6, [created(treatment(3))]);

      expect(
        (await read(FEES)).map(({ id, currency, since, until }) => [id, currency, since, until]),
      ).toEqual([
        [1, 'BDT', minute(1), minute(4)],
        [1, 'USD', minute(4), null],
        [2, 'BDT', minute(1), minute(2)],
        [3, 'USD', minute(6), null],
      ]);
    });

    it('begin no period for a new name, and a new one for a treatment that came back', async () => {
      const { store, read } = await open();
      await recordTreatments(store, 1, [created(treatment(1))]);
      const renamed = treatment(1, { treatment_name: 'Scaling' });
      await recordTreatments(store, 2, [of(renamed, 'updated', { treatment_name: 'Treatment 1' })]);
      await recordTreatments(store, 3, [of(renamed, 'removed', null)]);
      await recordTreatments(store, 4, [created(renamed)]);

      expect((await read(FEES)).map(({ name, since, until }) => [name, since, until])).toEqual([
        ['Scaling', minute(1), minute(3)],
        ['Scaling', minute(4), null],
      ]);
    });

    it('have an empty fee for a dentist once the clinic gives no number', async () => {
      const { store, read } = await open();
      const dentist = (consultation_fee: string | null): NewChange => ({
        ...{ type: 'dentist.updated', resource: 'dentist', id: '7', previous: { consultation_fee: 'x' } },
        data: { doctor_id: 7, doctor_name: 'Dr. O’Neil', consultation_fee },
      });
      const record = (at: number, change: NewChange) =>
        store.mirror.record({
          ...{
            clinic: 'main',
            poll: 'dentists',
            at: minute(at),
            upserts: [],
            removals: [],
            changes: [change],
          },
        });
      await record(1, { ...dentist('700.00'), type: 'dentist.created', previous: null });
      await record(2, dentist(null));
      await record(3, dentist('750.00'));

      const rows = await read(
        'select doctor_id as id, fee, valid_from as since, valid_to as until from consultation_fees order by valid_from',
      );

      expect(rows).toEqual([
        { id: 7, fee: 700, since: minute(1), until: minute(2) },
        { id: 7, fee: null, since: minute(2), until: minute(3) },
        { id: 7, fee: 750, since: minute(3), until: null },
      ]);
    });

    it('stay when retention removes the changes they came from', async () => {
      const { store, read } = await open();
      await recordTreatments(store, 1, [created(treatment(1))]);
      await recordTreatments(store, 2, [
        of(treatment(1, { base_fee: '130.00' }), 'updated', { base_fee: '1' }),
      ]);
      const before = await read(FEES);

      const now = minute(999_999);
      const limits = { now, deliveries: now, observations: now, changes: now };
      await store.prune({ ...limits, connectors: [], forgetting: [] });

      expect(await store.changes.after('main', 0, 9)).toHaveLength(1);
      expect(await read(FEES)).toEqual(before);
    });

    it('know the change that noticed a removal, also one of before and one that the log has lost', async () => {
      const { store, alter } = await open();
      await recordTreatments(store, 1, [created(treatment(1)), created(treatment(2))]);
      await recordTreatments(store, 2, [of(treatment(2), 'removed', null)]);
      await recordTreatments(store, 3, [created(treatment(2)), created(treatment(3))]);
      await recordTreatments(store, 4, [
        of(treatment(1), 'removed', null),
        of(treatment(2), 'removed', null),
      ]);
      const removals = async () =>
        feeChanges(await store.reports.feePeriods('main', '', minute(9)), '', minute(9)).flatMap(
          ({ what, id, sequence }) => (what === 'removed' ? [[id, sequence]] : []),
        );
      const noticed = [
        ['2', 3],
        ['1', 6],
        ['2', 7],
      ];
      expect(await removals()).toEqual(noticed);

      await alter('update fee_periods set removed_by = null');
      await alter(removedFees.statements.at(-1) ?? '');
      expect(await removals()).toEqual(noticed);

      const now = minute(999_999);
      const limits = { now, deliveries: now, observations: now, changes: now };
      await store.prune({ ...limits, connectors: [], forgetting: [] });
      expect(await store.changes.after('main', 0, 9)).toHaveLength(1);
      expect(await removals()).toEqual(noticed);
    });

    it('take ten thousand changed fees in one poll', async () => {
      const { store, read } = await open();
      const all = Array.from({ length: 10_000 }, (_, i) => treatment(i + 1));
      await recordTreatments(store, 1, all.map(created));
      await recordTreatments(
        store,
        2,
        all.map(({ id }) =>
          of(treatment(Number(id), { base_fee: '1.00' }), 'updated', { base_fee: '120.50' }),
        ),
      );

      const rows = await read(
        'select valid_to is null as holds, count(*) as count from fees group by 1 order by 1',
      );

      expect(rows.map(({ count }) => Number(count))).toEqual([10_000, 10_000]);
    });
  });
}
