import { expect, it } from 'vitest';
import { placeOf } from './snapshot.ts';

it.each([
  [{ startRowIndex: 1, endRowIndex: 9, startColumnIndex: 2, endColumnIndex: 4 }, 'C2:D9'],
  [{ startColumnIndex: 27, endColumnIndex: 28 }, 'AB:AB'],
  [{ startRowIndex: 4, endRowIndex: 5 }, '5:5'],
  [{}, undefined],
])('names a range as people write it: %j', (area, name) => {
  expect(placeOf(area)).toBe(name);
});
