import { judgeWithin } from '../../../src/bookings/duplicates/judge-lead.ts';
import type { BookingFilter } from '../../../src/store/ports/bookings.ts';
import type { Store } from '../../../src/store/store.ts';
import { booking, claimNext, created, delivery, minute, treatment } from '../../conformance/store/samples.ts';

/** What a store does for the daemon and its pages. */
type HotStore = Pick<
  Store,
  | 'mirror'
  | 'changes'
  | 'reports'
  | 'bookings'
  | 'incidents'
  | 'activity'
  | 'appointments'
  | 'deliveries'
  | 'polls'
  | 'keyValue'
  | 'erasures'
  | 'prune'
> & { erase: (...given: Parameters<Store['erase']>) => Promise<unknown> };

/** Everything that runs with every poll, booking, delivery or hour. */
export async function useAll(store: HotStore, oldest: string): Promise<void> {
  const main = ['main', 'treatments'] as const;

  await store.mirror.record({
    clinic: 'main',
    poll: 'treatments',
    at: minute(0),
    upserts: [treatment(1)],
    removals: ['2'],
    unseen: ['3'],
    changes: [created(treatment(1))],
    statistics: { total_users: 1, total_patients: 1, total_appointments: 1, total_doctors: 1 },
  });
  await store.mirror.hashes(...main);
  await store.mirror.records(...main, ['1']);
  for (const table of [
    'bookings',
    'appointments',
    'organization_statistics',
    'conversions',
    'retractions',
  ] as const) {
    const last = {
      ...{ received_at: minute(0), converted_at: minute(0), retracted_at: minute(0), n: 1 },
      ref: 'CS-1',
      appointment_id: 1,
      at: minute(0),
    };
    await store.mirror.page(table, 'main', 10);
    await store.mirror.page(table, 'main', 10, last);
  }
  await store.changes.after('main', 0, 10);
  await store.changes.latest('main');
  const place = { at: minute(0), clinic: 'main', sequence: 1 };
  for (const before of [{}, { before: place }]) {
    await store.changes.page({ ...before, limit: 10 });
    await store.changes.page({ ...before, clinic: 'main', limit: 10 });
    await store.changes.page({ ...before, clinic: 'main', resource: 'website', limit: 10 });
    await store.changes.page({ ...before, clinic: 'main', resource: 'treatment', id: '1', limit: 10 });
  }
  for (const by of ['status', 'dentist', 'source'] as const) await store.reports.openVisits('main', by, 0);
  await store.reports.visits('main', '2026-03-01', '2026-04-01');
  await store.reports.visitChanges('main', minute(0), minute(9));
  await store.reports.bookedThen('main', minute(0), minute(9));
  await store.reports.leadSpan('main');
  await store.reports.earlierLeads('main', minute(0), ['CS-1', 'CS-2']);
  await store.bookings.withTerms(['nann'], 10);
  await store.bookings.withTerms(['nann', 'nlee'], 10);
  await store.incidents.list({ limit: 10 });
  await store.incidents.list({ clinic: 'main', before: 5, limit: 10 });
  await store.incidents.during(minute(0), ['main'], 10);
  const hour = { series: 'clinics', at: minute(0), answered: 1, refused: 0, failed: 0, total_ms: 9, most: 9 };
  await store.activity.add([hour], minute(0));
  await store.activity.list('clinics', minute(0));
  await store.changes.history('main', 'treatment', '1');
  await store.changes.historyPage('main', 'treatment', 10);
  await store.changes.historyPage('main', 'treatment', 10, { id: '1', sequence: 1 });
  await store.appointments.page('main', 10);
  await store.appointments.page('main', 10, 7);
  await store.appointments.track('main', [7], minute(0));
  await store.appointments.pending('main', 10);
  await store.appointments.pending('main', 10, 7);
  await store.appointments.due('main', minute(1), 10);
  const seen = { status: 'Scheduled', name: 'A', date: '2026-04-01', time: '10:30', raw: {} };
  const look = { clinic: 'main', appointment_id: 7, seen, next_due_at: null, done: false, changes: [] };
  for (const at of [1, 2, 3]) await store.appointments.observe({ ...look, at: minute(at) });
  await store.appointments.observations('main', { to: minute(0), n: 0 }, 200);
  const limit = { within_ms: 3_600_000, at_most: 60, message: 'Too many.' };
  const over = {
    limits: [
      { by: 'source' as const, ...limit },
      { by: 'phone' as const, ...limit },
    ],
    over: () => ({ state: 'held' as const, reason: 'source_limit' as const, message: limit.message }),
  };
  const complete = booking({ content_hash: 'h', phone_e164: '+8801711111111', submission_id: 's1' });
  const another = { ...complete, submission_id: 's2', received_at: minute(1) };
  const [{ booking: stored }] = await Promise.all([
    store.bookings.accept(complete, judgeWithin(900_000), over),
    store.bookings.accept(another, judgeWithin(900_000), over),
  ]);
  const { ref } = stored;
  await store.bookings.claim('main', minute(1), { ref, evidence: {} });
  await store.bookings.move({
    ref,
    attempt: 1,
    from: ['sending'],
    to: 'booked',
    actor: 'daemon',
    by: 'daemon',
    at: minute(2),
    appointment_id: 5,
  });
  await claimNext(store, 'main', minute(1));
  await store.mirror.rowsChangedSince('bookings', 'main', 0, 10);
  await store.mirror.rowsChangedSince('appointments', 'main', 0, 10);
  await store.mirror.rowsChangedSince('conversions', 'main', 0, 10);
  await store.mirror.rowsChangedSince('retractions', 'main', 0, 10);
  await store.mirror.rowsChangedSince('leads', 'main', 0, 10);
  await store.mirror.page('leads', 'main', 10);
  await store.bookings.linked('main', 5);
  await store.bookings.nextDue('main', minute(1));
  await store.bookings.unverified('main');
  await store.bookings.differing();
  await store.bookings.changedSince(['rejected', 'expired', 'held', 'queued'], minute(1));
  await store.bookings.waitingUntil('main', '2026-04-02');
  await store.bookings.atTime('main', '2026-04-01', '10:30');
  await store.bookings.cameFrom(ref, 'website');
  await store.bookings.ofSource('main', 'website', { refs: [ref, 'CS-2'] });
  await store.bookings.ofSource('main', 'website', { submission_ids: ['s1', 's2'] });
  await store.mirror.rowsById('bookings', 'main', [ref, 'CS-2']);
  await store.mirror.rowsById('appointments', 'main', ['5', '6']);
  await store.bookings.highestOwnId('main');
  await store.bookings.firstOwnIdAfter('main', 1, minute(1));
  await store.bookings.ownIdsBetween('main', 1, null, 10);
  await store.bookings.confirmedBetween('main', minute(1), minute(2));
  await store.bookings.events(ref);
  await store.bookings.get(ref);
  await store.bookings.resembling(stored);
  await store.bookings.note({ ref, attempt: 1, evidence: {} });
  await store.bookings.interruptSending(minute(2));
  await store.bookings.list({ clinic: 'main', states: ['queued', 'unknown'] });
  await store.bookings.list({ limit: 10 });
  await store.bookings.totals(minute(0), minute(0));
  await store.bookings.totals(minute(0), minute(0), ['main']);
  await store.deliveries.enqueue('crm', 'main', 1, [delivery(1)], minute(0));
  await store.deliveries.due('crm', minute(1), 10);
  await store.deliveries.nextDue('crm');
  await store.deliveries.counts('crm');
  await store.deliveries.settle([{ id: 'd1', at: minute(1), state: 'delivered' }]);
  await store.deliveries.settle([{ id: 'd1', at: minute(1), state: 'pending', next_attempt_at: minute(2) }]);
  await store.deliveries.cursor('crm', 'main');
  await store.deliveries.of('main', 'booking:CS-1');
  await store.deliveries.list({ state: 'dead', connector: 'crm', limit: 10 });
  await store.deliveries.list({ state: 'dead', limit: 10 });
  await store.deliveries.list({ connector: 'crm', limit: 10 });
  await store.deliveries.replays('crm', 'main');
  await store.deliveries.positions('crm');
  await store.deliveries.hasten('crm', minute(1));
  await store.deliveries.leftBehind([]);
  await store.erasures(0);
  await store.appointments.untrack('main', [7], minute(4));
  await store.appointments.pendingCounts();
  await store.polls.unreadable('main');
  await store.mirror.statistics('main', 10);
  await store.polls.list();
  await store.polls.finished('main', 'treatments', minute(1), { error: null });
  await store.incidents.settle([], minute(1));
  await store.keyValue.list('connector:sheet', 'claim:');
  await store.keyValue.set('connector:sheet', { 'claim:1': '{}' });
  // A little of what is there is old enough.
  const keep = {
    ...{ now: oldest, deliveries: oldest, observations: oldest },
    ...{ bookings: oldest, dropped: oldest, changes: oldest },
  };
  await store.prune({ ...keep, connectors: ['crm'], forgetting: ['crm'] });
  await store.erase({ refs: [ref] }, minute(3), 'Sam');
}

/** The lists of bookings that the pages show, as first opened and further down. */
export async function usePages(store: HotStore, behind: { received_at: string; ref: string }): Promise<void> {
  for (const filter of [
    {},
    { states: ['booked'] },
    { source: 'website' },
    { clinic: 'main' },
  ] as BookingFilter[]) {
    await store.bookings.list({ ...filter, limit: 50 });
    await store.bookings.list({ ...filter, behind, limit: 50 });
  }
}
