import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import type { Need } from '../domain/status/report.ts';
import { instant } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import { createStatus } from './status.ts';

it('asks once, with a list, about many that came together and are held for one reason', async () => {
  const clock = fakeClock('2026-03-02T09:00:00Z');
  const store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
  onTestFinished(() => store.close());
  const now = instant(clock.now());
  const held = (ref: string, more: Partial<Need> = {}): Need => ({
    ...{
      kind: 'booking',
      clinic: 'main',
      subject: ref,
      source: 'desk',
      state: 'held',
      reason: 'source_limit',
    },
    sentence: `Booking ${ref} from desk: More came than usual.`,
    ...{
      action: `Approve it. \`clinic-sync bookings show ${ref}\` shows it.`,
      since: now,
      urgent: false,
    },
    ...more,
  });
  const paste = Array.from({ length: 170 }, (_, row) => held(`CS-${row}`));
  const apart = [
    held('CS-A', { reason: 'too_far' }),
    held('CS-B', { state: 'unknown', reason: 'timeout' }),
    held('CS-C', { since: instant(clock.now() - 3_600_000) }),
    held('CS-D', { source: 'website' }),
  ];

  const { sentence, needs, needs_total, needs_by_kind } = await createStatus({
    ...{ store, clock, clinics: [], connectors: [], version: '1.0.0', startedAt: now },
    bookingNeeds: async () => [...paste, ...apart],
  }).report();

  expect(needs_total).toBe(5);
  expect(needs_by_kind).toEqual({ booking: 174 });
  expect(sentence).toContain('174 bookings need you');
  expect(needs.slice(1)).toEqual(apart);
  expect(needs[0]).toMatchObject({
    ...{ subject: 'CS-0', count: 170, refs: paste.map(({ subject }) => subject) },
    sentence: 'Booking CS-0 and 169 more from desk: More came than usual.',
    action: 'Approve it. `clinic-sync bookings list --needs-me --source desk` lists them.',
  });
});
