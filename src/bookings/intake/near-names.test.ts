import { expect, it } from 'vitest';
import { nearNames } from './near-names.ts';

const dentists = ['Dr. Aoife O’Neil', 'Dr. Sara Khan', 'Dr. Rahim Uddin', 'Dr. Nadia Islam'].map(
  (name, index) => ({
    id: index + 1,
    name,
    removed: false,
  }),
);
const near = (name: string) => nearNames(name, dentists).map(({ id }) => id);

it.each([
  ['Dr Aoife ONeil', [1]],
  ['oneil', [1]],
  ['Aoife', [1]],
  ['Doctor Kahn', []],
  ['Dr. Sarah Khan', [2]],
  ['nadia', [4]],
  ['Uddin, Rahim', [3]],
  ['Dr. Somebody Else', []],
  ['', []],
])('whom %j may mean: %j', (name, ids) => {
  expect(near(name)).toEqual(ids);
});

it('suggests at most three, nearest first, and no one who has left', () => {
  const names = ['Zoom whitening', 'Home whitening', 'Laser whitening', 'Scaling'].map((name, index) => ({
    id: index + 1,
    name,
    removed: index === 1,
  }));

  expect(nearNames('whitening at home', names)).toEqual([]);
  expect(nearNames('Lazer whitening', names)[0]).toEqual({ id: 3, name: 'Laser whitening' });
});
