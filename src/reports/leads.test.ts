import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { booking, judge } from '../../test/conformance/store/samples.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { wallClockAt } from '../domain/date-time.ts';
import { instant } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../platform/duration.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import { leadsReport } from './leads.ts';

/** Changes of the clocks at midnight, by half an hour, and west of Greenwich. */
const changes = [
  { zone: 'America/Santiago', spring: '2026-09-06T04:00:00Z', autumn: '2026-04-05T03:00:00Z' },
  { zone: 'Australia/Lord_Howe', spring: '2026-10-03T15:30:00Z', autumn: '2026-04-04T15:00:00Z' },
  { zone: 'America/New_York', spring: '2026-03-08T07:00:00Z', autumn: '2026-11-01T06:00:00Z' },
];

it.each(changes)(
  'counts months as the clocks in $zone had them, in one question, whatever the period',
  async ({ zone, ...moments }) => {
    const folder = await temporaryFolder();
    const store = await openFileStore({
      ...{ file: join(folder, 'db'), clock: fakeClock(), log: silentLog, mode: 'daemon' },
    });
    onTestFinished(() => store.close());
    const around = Object.values(moments).flatMap((at) =>
      Array.from({ length: 4 * 24 }, (_, i) => Date.parse(at) - 2 * DAY + i * HOUR - MINUTE),
    );
    const leads = around.map((ms) =>
      booking({ received_at: instant(ms), state: 'held', reason: 'approval' }),
    );
    await Promise.all(leads.map((lead) => store.bookings.accept(lead, judge)));
    let asked = 0;
    const reports: typeof store.reports = {
      ...store.reports,
      leads: (...about) => {
        asked += 1;
        return store.reports.leads(...about);
      },
    };
    const period = { from: '0001-01-01', to: '9999-12-31' };

    const months = await leadsReport(
      { ...store, reports },
      { clinic: 'main', zone, by: 'month', period, touch: 'last' },
    );

    const inMonths = Map.groupBy(around, (ms) => wallClockAt(ms, zone).date.slice(0, 7));
    const came = months.filter(({ leads }) => leads > 0);
    expect(came.map(({ group, leads }) => [group, leads])).toEqual(
      [...inMonths].map(([month, all]) => [month, all.length]).sort(),
    );
    // With those in which nothing came.
    const span = months.map(({ group }) => Number(group?.slice(5)));
    expect(span).toEqual(Array.from(span, (_, at) => (span[0] ?? 0) + at));
    // None of the time before, where there were no leads.
    expect(asked).toBe(1);
  },
);
