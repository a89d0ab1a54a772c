import { expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../platform/duration.ts';
import { alarmsOf, type Standing } from './alarms.ts';

const well: Standing = {
  title: 'treatments of main',
  intervalMs: MINUTE,
  deadlineMs: 2 * MINUTE,
  overdueMs: 0,
  isRunning: false,
  wasStopped: false,
  abandoned: 0,
  writingForMs: 0,
  writeProblem: undefined,
};

it('is silent about a job that runs as it should', () => {
  expect(alarmsOf({ ...well, overdueMs: 89 * SECOND })).toEqual([]);
});

it.each([
  [
    { overdueMs: 90 * SECOND },
    'Polling treatments of main is 90 s overdue (it should end every 60 s).',
    true,
  ],
  [
    { overdueMs: 5 * MINUTE, isRunning: true },
    'Polling treatments of main is 5 min overdue (it should end every 60 s).',
    false,
  ],
  [
    { wasStopped: true },
    'The last run of treatments of main did not end within 2 min and was aborted.',
    false,
  ],
  [{ abandoned: 1 }, 'One run of treatments of main did not stop when asked.', true],
  [{ abandoned: 2 }, '2 runs of treatments of main did not stop when asked.', true],
  [{ writingForMs: 61 * SECOND }, 'The database has not answered for 61 s.', true],
  [
    { writeProblem: 'disk I/O error' },
    'The next due time of treatments of main could not be stored: disk I/O error',
    true,
  ],
])('says of %o: %s', (standing, sentence, asksPerson) => {
  expect(alarmsOf({ ...well, ...standing })).toMatchObject([{ sentence, asksPerson }]);
});

it('allows a run five minutes, so that a slow clinic causes no restart', () => {
  expect(alarmsOf({ ...well, overdueMs: 4 * MINUTE, isRunning: true })).toEqual([]);
});
