import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import type { Thing } from '../model/resource.ts';
import { changesOf, diff, previousFields } from './diff.ts';
import { contentHash } from './things.ts';

const thing = (id: string, fields: JsonObject): Thing => ({
  id,
  fields,
  raw: fields,
  hash: contentHash(fields),
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

      const byId = (a: Thing, b: Thing) => Number(a.id) - Number(b.id);
      expect([...applied.values()].sort(byId)).toEqual(after.toSorted(byId));
      expect(found.added.length + found.changed.length + found.unchanged).toBe(after.length);
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

  it('finds nothing when answered twice the same', () => {
    const answer = [thing('1', { fee: 1 }), thing('2', { fee: 2 })];

    expect(diff(new Map(answer.map(({ id, hash }) => [id, hash])), answer)).toEqual({
      added: [],
      changed: [],
      removed: [],
      unchanged: 2,
    });
  });
});

describe('previousFields', () => {
  it('compares nested values by content', () => {
    const hours = { monday: { open: '09:00', close: '17:00' } };

    expect(previousFields({ hours, logo: null }, { hours: structuredClone(hours), logo: null })).toBeNull();
    expect(previousFields({ hours, a: 1 }, { hours: {}, a: 1 })).toEqual({ hours });
  });
});
