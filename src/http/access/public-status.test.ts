import { expect, it } from 'vitest';
import type { ResourceReport, StatusReport } from '../../domain/status/report.ts';
import { publicStatus } from './public-status.ts';

const resource = (poll: ResourceReport['poll'], rows: number): ResourceReport => ({
  poll,
  rows,
  last_success_at: '2026-03-02T09:00:00.000Z',
  idle_at: null,
  last_change_at: '2026-03-02T08:00:00.000Z',
  next_due_at: null,
  interval_ms: 60_000,
  failures: 2,
  last_error: 'The clinic answers 500',
  failing_since: null,
  stale: false,
  unreadable: [],
});

it('shows a stranger the public lists of a clinic, and neither how many appointments are followed nor how many bookings came', () => {
  const resources = [resource('treatments', 12), resource('appointments', 4_711)];
  const report = {
    health: 'ok',
    at: '2026-03-02T09:00:00.000Z',
    reasons: [],
    clinics: [{ clinic: 'main', name: 'Bright Dental', resources }],
    connectors: [],
    bookings: [{ source: 'website', today: 3, last_7_days: 9, states: { held: 2 } }],
  } as unknown as StatusReport;

  const shown = publicStatus(report);

  expect(shown.clinics[0]?.resources).toEqual([
    { poll: 'treatments', rows: 12, last_success_at: '2026-03-02T09:00:00.000Z', stale: false },
  ]);
  expect(JSON.stringify(shown)).not.toMatch(/4711|appointments|500|held|website|today/);
});
