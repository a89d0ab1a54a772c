import { expect, it } from 'vitest';
import { sampleReport } from '../../test/support/http/sample-report.ts';
import { type HealthFacts, healthOf, reasonsOf, sinceOf } from './reasons.ts';

const now = Date.parse('2026-03-02T09:00:00Z');

/** Everything well; `resource` and `calls` are of the one clinic. */
function facts(
  resource: Partial<HealthFacts['clinics'][number]['resources'][number]> = {},
  {
    calls,
    late = new Map(),
    blockedUntil = null,
    ...more
  }: Partial<HealthFacts & Pick<HealthFacts['clinics'][number], 'calls' | 'late' | 'blockedUntil'>> = {},
): HealthFacts {
  const [clinic] = sampleReport(now).clinics;
  const [first] = clinic?.resources ?? [];
  expect.assert(clinic && first, 'the sample has a clinic with resources');
  const well = { stale: false, failures: 0, last_error: null, failing_since: null, unreadable: [] };
  return {
    now,
    clinics: [
      {
        ...clinic,
        lane: { state: 'open', reason: null, since: null },
        resources: [{ ...first, ...well, poll: 'treatments', ...resource }],
        late,
        blockedUntil,
        calls,
      },
    ],
    connectors: [],
    alarms: [],
    database: { ok: true, problem: null },
    space: { free: 1e9, floor: 2e8, below: false },
    open: [],
    ...more,
  };
}
const failing = (forMs: number, { everywhere = true, again = false } = {}) => ({
  failing: { since: '2026-03-02T08:59:00.000Z', forMs, refused: false, again, everywhere },
  workedAgoMs: forMs,
});
const kinds = (given: HealthFacts) => reasonsOf(given).map(({ kind }) => kind);

it('is ok with one failure, and trouble with two in a row', () => {
  expect(kinds(facts({ failures: 1, last_error: 'timeout' }))).toEqual([]);
  expect(kinds(facts({ failures: 2, last_error: 'timeout' }))).toEqual(['failing']);
});

it('says that the clinic does not answer after two failures of a poll, two of any calls or a minute, not before', () => {
  expect(kinds(facts({ failures: 1 }, { calls: failing(59_000) }))).toEqual([]);
  expect(kinds(facts({ failures: 1 }, { calls: failing(60_000) }))).toEqual(['unreachable']);
  expect(kinds(facts({ failures: 2 }, { calls: failing(1_000) }))).toEqual(['unreachable']);
  expect(kinds(facts({}, { calls: failing(20_000, { again: true }) }))).toEqual(['unreachable']);
});

it('blames one resource, not the clinic, while only that one fails', () => {
  expect(
    kinds(facts({ failures: 1 }, { calls: failing(600_000, { everywhere: false, again: true }) })),
  ).toEqual([]);
  expect(
    kinds(facts({ failures: 2 }, { calls: failing(600_000, { everywhere: false, again: true }) })),
  ).toEqual(['failing']);
});

it('says that the clinic told us to wait while no call fails because none is made', () => {
  const blockedUntil = '2026-03-03T09:05:30.000Z';
  const late = new Map([['treatments', now - 70_000]]);

  const reasons = [
    ...reasonsOf(facts({}, { blockedUntil, late })),
    ...reasonsOf(facts({ stale: true, last_success_at: null }, { blockedUntil })),
  ];

  expect(reasons.map(({ sentence }) => sentence)).toEqual([
    'reading treatments is overdue (the clinic allows no call before 2026-03-03 09:05 UTC)',
    'treatments never read (the clinic allows no call before 2026-03-03 09:05 UTC)',
  ]);
});

it('quotes what went wrong without its remedy, in words that stay true while time passes', () => {
  const given = facts(
    { failures: 2, last_error: 'GET /treatments: no connection. Check the address.' },
    { calls: failing(61_000) },
  );

  expect(reasonsOf(given).map(({ sentence }) => sentence)).toEqual([
    'the clinic does not answer (GET /treatments: no connection)',
  ]);
});

it('names each stale resource beside a clinic that does not answer, the stale first', () => {
  const given = facts({ failures: 9, stale: true }, { calls: failing(600_000) });

  expect(kinds(given)).toEqual(['stale', 'unreachable']);
  expect(healthOf(reasonsOf(given))).toBe('stale');
});

it('is trouble while the database refuses writes or the disk is below its floor', () => {
  const given = facts(
    {},
    {
      database: { ok: false, problem: 'The disk is full.' },
      space: { free: 1e8, floor: 2e8, below: true },
    },
  );

  expect(reasonsOf(given).map(({ subject, sentence }) => [subject, sentence])).toEqual([
    ['database', 'a write was refused: The disk is full'],
    ['disk', 'new leads are refused: 100 MB free on the disk, 200 MB are the least'],
  ]);
  expect(healthOf(reasonsOf(given))).toBe('trouble');
});

it('takes the start from the incident when the cause itself has none', () => {
  const given = facts({}, { alarms: ['Polling stands still.'] });
  const [alarm] = reasonsOf(given);
  expect.assert(alarm, 'there is a cause');
  expect(alarm.since).toBeNull();

  const since = '2026-03-02T08:00:00.000Z';
  const noted = reasonsOf({ ...given, open: [{ ...alarm, n: 1, since, ended_at: null }] });

  expect(sinceOf(noted)).toBe(since);
});
