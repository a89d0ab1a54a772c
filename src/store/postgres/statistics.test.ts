import { expect, it } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { startStatistics } from './statistics.ts';

it('reports once that tables cannot be analyzed, until they can be again, and never fails', async () => {
  const warnings: unknown[] = [];
  let fails = true;
  const run = async () => {
    if (fails) throw new Error('permission denied');
    return [];
  };
  const log = { ...silentLog, warn: (...said: unknown[]) => void warnings.push(said) };
  const analyze = startStatistics(run, 'public', log);

  await analyze();
  await analyze();
  fails = false;
  await analyze();
  fails = true;
  await analyze();

  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toEqual([
    expect.stringContaining('could not analyze its tables'),
    { problem: expect.stringContaining('ANALYZE') },
  ]);
});
