import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../../platform/duration.ts';
import { toText } from '../../../../platform/text/html.ts';
import { localeOf } from '../../../../platform/text/locale.ts';
import { strip } from './last-day-strip.ts';

const now = Date.parse('2026-03-02T12:00:00Z');
const hoursAgo = (...ago: number[]) => ago.map((hours) => now - hours * HOUR).toSorted();
const all = hoursAgo(...Array.from({ length: 24 }, (_, n) => n + 1));
const drawn = (hours: readonly number[], intervalMs: number) => {
  const svg = toText(strip({ subject: 'Treatments', incidents: [], hours, intervalMs, now }, localeOf('en')));
  const bars = [...svg.matchAll(/class="slot-(\w+)" d="M\S+ \S+h(\d+)/g)];
  const words = /aria-label="([^"]*)"/.exec(svg)?.[1];
  return { bars: bars.map(([, kind, wide]) => `${kind} ${Number(wide) / 3}`), words };
};

it('shows the hours without reads, as a stopped daemon leaves them, and says how many', () => {
  const stopped = all.filter((at) => at < now - 8 * HOUR || at >= now - 5 * HOUR);

  expect(drawn(stopped, 15 * MINUTE)).toEqual({
    bars: ['ok 33', 'nothing 5', 'ok 10'],
    words: 'Treatments, last 24 hours: no trouble; not read for 3 hr',
  });
  expect(drawn(all, 15 * MINUTE).bars).toEqual(['ok 48']);
});

it('shows no gap where it is read seldom, and nothing before the first hour that is known', () => {
  expect(drawn(hoursAgo(24, 12), 12 * HOUR).bars).toEqual(['ok 48']);
  expect(drawn(hoursAgo(6, 5, 4, 3, 2, 1), 15 * MINUTE)).toEqual({
    bars: ['nothing 36', 'ok 12'],
    words: 'Treatments, last 24 hours: no trouble',
  });
  expect(drawn([], 15 * MINUTE).bars).toEqual(['nothing 48']);
});
