import { expect, it } from 'vitest';
import { guardJson, guardText, guardTyped, unguardText } from './formula-guard.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['x;=1+1', "x;'=1+1"],
  ['x, =1+1', "x, '=1+1"],
  ['x|@sum', "x|'@sum"],
  ['x;"=1+1"', 'x;"\'=1+1"'],
  ['x\n=1+1;-2', "x\n'=1+1;'-2"],
  ['x\t＝1+1', "x\t'＝1+1"],
  ['=a;=b', "'=a;'=b"],
])('guards %j for every separator, and takes the guards off again', (typed, guarded) => {
  expect(guardText(typed)).toBe(guarded);
  expect(unguardText(guarded)).toBe(typed);
});

it.each(['Ann O’Neil-Lee', 'Flat 3; 12-14 High Street, 2nd floor', 'a@b.example', 'rock ’n’ roll'])(
  'leaves %j as it is',
  (typed) => {
    expect([guardText(typed), guardTyped(typed), unguardText(typed)]).toEqual([typed, typed, typed]);
  },
);

it.each(["x;'=1", "'x", ",''+"])('takes off no more than it put on: %j', (typed) => {
  expect(unguardText(guardText(typed))).toBe(typed);
});

it('keeps JSON the same, without a formula behind a separator', () => {
  const typed = { note: 'x;=1+1;y', 'a;@b': 'x;"-2+3', list: [1, -2, 'a|+1', '; =1'], name: 'Ann-Marie; 5' };

  const guarded = guardJson(JSON.stringify(typed));

  expect(JSON.parse(guarded)).toEqual(typed);
  expect(guarded).not.toMatch(/[;|][\s"'\\]*[=+@-]/);
  expect(guardJson('{"a":"x;\\\\=1","b":-1}')).toBe('{"a":"x;\\\\\\u003d1","b":-1}');
});
