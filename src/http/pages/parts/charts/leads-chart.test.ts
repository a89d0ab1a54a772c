import { expect, it } from 'vitest';
import { fakeClock } from '../../../../../test/support/fake-clock.ts';
import { bearer, startSampleHttp } from '../../../../../test/support/http/http-kit.ts';
import { tables } from '../../../../../test/support/http/report-tables.ts';
import { sampleInsight } from '../../../../../test/support/http/sample-insight.ts';
import { sampleReport } from '../../../../../test/support/http/sample-report.ts';
import { type Instant, instant } from '../../../../platform/clock.ts';
import type { InsightStore } from '../../../routes/insight.ts';

interface Page {
  path?: string;
  now: string;
  /** Zone by clinic. */
  zones: Record<string, string>;
  /** When each clinic got its only lead. */
  at: Instant;
}

/** The days of the chart that have leads, and the days at the ends of its axis. */
async function chartOf({ path = '/', now, zones, at }: Page) {
  const clock = fakeClock(now);
  const report = sampleReport(clock.now());
  const [one] = report.clinics;
  const clinics = Object.entries(zones).flatMap(([clinic, timezone]) => one && { ...one, clinic, timezone });
  const insight = sampleInsight(clock.now());
  const leadsPerQuarter = async () => [{ source: 'website', at, count: 1 }];
  const http = await startSampleHttp(
    {
      report: async () => ({ ...report, clinics: clinics.filter((clinic) => clinic !== undefined) }),
      store: { ...insight, bookings: { ...insight.bookings, leadsPerQuarter } } as InsightStore,
    },
    clock,
  );
  const answer = await fetch(`${http.url}${path}`, { headers: { ...bearer, accept: 'text/html' } });
  const page = await answer.text();
  await http.stop();
  const [chart = ''] = /id="plot-leads-t"[\s\S]*?<\/svg>/.exec(page) ?? [];
  return {
    days: tables(page, 'Leads by day')
      .flat()
      .filter(([, count]) => count !== '0'),
    ends: [...chart.matchAll(/<text class="tick (?:start|end)"[^>]*>(\d+ \w+)</g)].map(([, day]) => day),
  };
}

it('counts each lead on the calendar of its own clinic, and names that day', async () => {
  // In Dhaka it is three in the morning of the next day.
  const at = instant(Date.parse('2026-03-02T21:00:00Z'));
  const zones = { dhaka: 'Asia/Dhaka', york: 'America/New_York' };

  const { days, ends } = await chartOf({ now: '2026-03-02T22:00:00Z', zones, at });

  expect(days).toEqual([
    ['Tue 3 Mar', '1'],
    ['Mon 2 Mar', '1'],
  ]);
  expect(ends).toEqual(['18 Feb', '3 Mar']);
});

it.each([
  ['Europe/London', '2026-11-02', 'Mon 2 Nov', '20 Oct', '2 Nov'],
  ['Australia/Lord_Howe', '2026-04-07', 'Tue 7 Apr', '25 Mar', '7 Apr'],
  ['Africa/Cairo', '2026-04-28', 'Tue 28 Apr', '15 Apr', '28 Apr'],
])('names the right days after the clocks changed in %s', async (zone, date, day, first, last) => {
  const at = instant(Date.parse(`${date}T10:00:00Z`));

  const chart = await chartOf({
    path: '/clinics/main',
    now: `${date}T11:00:00Z`,
    zones: { main: zone },
    at,
  });

  expect(chart).toEqual({ days: [[day, '1']], ends: [first, last] });
});
