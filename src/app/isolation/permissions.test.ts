import { expect, it } from 'vitest';
import { environmentFiles } from './permissions.ts';

it.each([
  [['--env-file=.env'], ['.env']],
  [['--env-file', 'keys.env', '--inspect'], ['keys.env']],
  [
    ['--env-file-if-exists=a=b', '--env-file=c'],
    ['a=b', 'c'],
  ],
  [['--inspect', '--env-file'], []],
])('knows the files that Node reads keys from: %j', (args, files) => {
  expect(environmentFiles(args)).toEqual(files);
});
