import { describe, expect, it } from 'vitest';
import { instant } from '../platform/clock.ts';
import { parseCron } from '../platform/cron.ts';
import type { PollState } from '../store/ports/polls.ts';
import { clinicStanding } from './gather.ts';
import { isStale, lateSince } from './staleness.ts';

const at = (time: string): number => Date.parse(`2026-03-02T${time}Z`);
const cron = parseCron('*/15 * * * *');
const startedAt = instant(at('06:00:00'));

const run = (fields: Partial<PollState> = {}): PollState => ({
  clinic: 'main',
  poll: 'treatments',
  next_due_at: null,
  last_success_at: null,
  last_idle_at: null,
  last_error: null,
  failures: 0,
  rows: 0,
  failing_since: null,
  last_change_at: null,
  ...fields,
});

describe('what is due', () => {
  it('is late when its planned time is more than a minute ago, since that time', () => {
    const planned = run({ next_due_at: instant(at('09:00:00')) });

    const since = [at('09:01:00'), at('09:01:01')].map((now) => lateSince(cron, planned, startedAt, now));

    expect(since).toEqual([undefined, at('09:00:00')]);
  });

  it('is late since its slot after the last success while it fails, whatever its retry is planned for', () => {
    const failing = run({
      next_due_at: instant(at('09:30:00')),
      last_success_at: instant(at('08:50:00')),
      failures: 1,
    });

    expect(lateSince(cron, failing, startedAt, at('09:01:01'))).toBe(at('09:00:00'));
    expect(lateSince(cron, { ...failing, failures: 0 }, startedAt, at('09:01:01'))).toBeUndefined();
  });

  it('is never late since before the daemon began: no one could have asked', () => {
    const overdue = run({ next_due_at: instant(at('05:00:00')) });

    expect(lateSince(cron, overdue, startedAt, at('06:00:59'))).toBeUndefined();
    expect(lateSince(cron, overdue, startedAt, at('06:02:00'))).toBe(at('06:00:00'));
  });

  it('is late a minute after the start when it has never been read', () => {
    expect(lateSince(cron, undefined, startedAt, at('06:01:00'))).toBeUndefined();
    expect(lateSince(cron, undefined, startedAt, at('06:01:01'))).toBe(at('06:00:00'));
    expect(lateSince(cron, run({ failures: 3 }), startedAt, at('06:01:01'))).toBe(at('06:00:00'));
  });
});

describe('data', () => {
  it('is stale when three intervals and three slots have gone by since it was read', () => {
    const read = at('09:00:00');

    const stale = ['09:45:00', '09:45:01'].map((now) => isStale(cron, read, at(now)));

    expect(stale).toEqual([false, true]);
  });

  it('is not stale for a pause that its schedule makes', () => {
    const daytime = parseCron('*/15 8-17 * * *');
    const read = at('17:45:00');
    const nextDay = (time: string) => at(time) + 86_400_000;

    expect(isStale(daytime, read, nextDay('08:29:59'))).toBe(false);
    expect(isStale(daytime, read, nextDay('08:30:00'))).toBe(true);
  });
});

describe('what failed last before a start', () => {
  const schedule = {
    organization: cron,
    website: cron,
    treatments: cron,
    dentists: cron,
    appointments: cron,
  };
  const failed = run({
    last_success_at: instant(at('01:00:00')),
    failing_since: instant(at('01:15:00')),
    failures: 1,
  });
  const isStaleAt = (now: number, run = failed, saidStale = new Set<string>()) =>
    clinicStanding(
      { key: 'main', timezone: 'UTC', schedule },
      { now, startedAt, running: true, live: undefined, runs: [run], saidStale },
    ).resources.find(({ poll }) => poll === 'treatments')?.stale;

  it('is no older than the start for a minute, in which it is polled', () => {
    expect([at('06:00:59'), at('06:01:00')].map((now) => isStaleAt(now))).toEqual([false, true]);
  });

  it('is as old as it is if it was said to be stale before, or fails since the start', () => {
    const since = { ...failed, failing_since: startedAt };

    expect(isStaleAt(at('06:00:10'), failed, new Set(['treatments']))).toBe(true);
    expect(isStaleAt(at('06:00:10'), since)).toBe(true);
  });
});
