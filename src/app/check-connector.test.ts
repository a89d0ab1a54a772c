import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { type CheckLine, type Connector, fail, need, ok, said, stated, trouble } from '../connector.ts';
import { runReport } from '../domain/texts/problem.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import { checkConnector } from './check-connector.ts';

const RAN = '2026-03-02T09:00:00.000Z';

it('separates what fails now from what the last run left undone, and repeats nothing', async () => {
  const clock = fakeClock(RAN);
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const { signal } = new AbortController();
  const found: CheckLine[] = [ok('token: accepted'), fail(stated('sheet_in_bin', {}))];
  const connector = { check: async () => found } as unknown as Connector;
  const settings = { name: 'accounts', use: 'google-sheets', clinics: ['main'] } as never;
  const left = [
    trouble(said('sheet_in_bin', {})),
    need(said('cells_hidden', { place: 'Fees', count: 2 })),
    'A copy is kept.',
  ];
  await store.deliveries.report('accounts', {
    ...runReport(left, RAN),
    last_success_at: RAN,
    last_failure_at: RAN,
    last_error: 'No quota.',
    failures: 1,
  });

  const lines = await checkConnector(
    { settings, connector, quarantined: undefined },
    { store, clock, signal },
  );

  expect(lines.map(({ level, what, ran }) => [level, what.slice(0, 20), ran])).toEqual([
    ['ok', 'token: accepted', undefined],
    ['fail', 'The spreadsheet is i', undefined],
    ['warn', 'No quota.', RAN],
    ['warn', 'Fees: 2 cells of our', RAN],
    ['warn', 'A copy is kept.', RAN],
  ]);
  expect(lines[3]?.said).toEqual({ code: 'cells_hidden', values: { place: 'Fees', count: 2 } });
});
