import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { ClinicRecord } from '../domain/clinics/resource.ts';
import type { JsonObject } from '../platform/json.ts';
import { changesOf, diff, previousFields } from './diff.ts';
import { recordHash } from './records.ts';

const thing = (id: string, fields: JsonObject): ClinicRecord => ({
  id,
  fields,
  raw: fields,
  hash: recordHash(fields),
});
const things = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 3 })), {
    selector: ([id]) => id,
  })
  .map((rows) => rows.map(([id, fee]) => thing(String(id), { id, fee })));
const numRuns = 200 * Number(process.env.VERIFY_RUNS ?? 1);

describe('diff', () => {
  test.prop([things, things], { numRuns })(
    'applied to what was there, gives what is there now',
    (before, after) => {
      const found = diff(new Map(before.map(({ id, hash }) => [id, hash])), after);

      const applied = new Map(before.map((one) => [one.id, one]));
      for (const id of found.removed) applied.delete(id);
      for (const one of [...found.added, ...found.changed]) applied.set(one.id, one);

      const byId = (a: ClinicRecord, b: ClinicRecord) => Number(a.id) - Number(b.id);
      expect([...applied.values()].sort(byId)).toEqual(after.toSorted(byId));
    },
  );

  test.prop([things, things], { numRuns })(
    'logs one change per thing that differs, none for the rest',
    (before, after) => {
      const found = diff(new Map(before.map(({ id, hash }) => [id, hash])), after);

      const changes = changesOf('treatments', found, new Map(before.map((one) => [one.id, one])));

      const differing = new Set([...before, ...after].map(({ id }) => id));
      for (const { id, hash } of before)
        if (after.some((one) => one.id === id && one.hash === hash)) differing.delete(id);
      expect(new Set(changes.map(({ id }) => id))).toEqual(differing);
      expect(changes).toHaveLength(differing.size);
    },
  );

  it('keeps records that may be among the unreadable ones', () => {
    const known = new Map(['1', '2', '3'].map((id) => [id, 'hash']));

    expect(diff(known, [], [{ id: '2' }])).toMatchObject({ removed: ['1', '3'], kept: ['2'] });
    expect(diff(known, [], [{ id: null }])).toMatchObject({ removed: [], kept: ['1', '2', '3'] });
  });

  it('finds nothing when the same answer comes twice', () => {
    const answer = [thing('1', { fee: 1 }), thing('2', { fee: 2 })];

    expect(diff(new Map(answer.map(({ id, hash }) => [id, hash])), answer)).toEqual({
      added: [],
      changed: [],
      resigned: [],
      removed: [],
      kept: [],
    });
  });
});

describe('previousFields', () => {
  it.each([
    ['base_fee', '850.00', '850', true],
    ['base_fee', '850.50', '850.5', true],
    ['base_fee', '800', '8', false],
    ['base_fee', '0.0', '0', true],
    ['consultation_fee', '0.01', '0.1', false],
    ['time', '10:30', '10:30:00', true],
    ['time', '10:30', '10:30:30', false],
    ['description', '1.0', '1', false],
  ])('of %s: %s and %s are the same value: %s', (field, before, after, same) => {
    expect(previousFields({ [field]: before }, { [field]: after }) === null).toBe(same);
  });

  it('compares nested values by content', () => {
    const hours = { monday: { open: '09:00', close: '17:00' } };

    expect(previousFields({ hours, logo: null }, { hours: structuredClone(hours), logo: null })).toBeNull();
    expect(previousFields({ hours, a: 1 }, { hours: {}, a: 1 })).toEqual({ hours });
  });
});
