import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { startSampleHttp } from '../../../test/support/http/http-kit.ts';
import type { Log } from '../../platform/log.ts';
import { createAnswerLog } from './refusal-log.ts';

function countingLog() {
  const lines: string[] = [];
  const write = (message: string, fields?: object) =>
    lines.push(JSON.stringify({ time: '2026-11-22T07:00:00.000Z', level: 'info', message, ...fields }));
  return { lines, log: { debug: write, info: write, warn: write, error: write } satisfies Log };
}

it('writes at most 11 lines a minute and 100 kB an hour about a flood, and counts what it leaves out', async () => {
  const { lines, log } = countingLog();
  const clock = fakeClock();
  const logAnswer = createAnswerLog(log, clock);
  const perMinute: number[] = [];

  for (let minute = 0; minute < 60; minute += 1) {
    const before = lines.length;
    for (let i = 0; i < 5_000; i += 1)
      logAnswer('website', { status: 401, ms: 1_000, reason: 'address_limit' });
    perMinute.push(lines.length - before);
    await clock.advance(60_000);
  }

  expect(Math.max(...perMinute)).toBe(11);
  expect(lines.join('\n').length).toBeLessThan(100_000);
  expect(lines.at(10)).toContain('"status":401');
  expect(lines.filter((line) => line.includes('more than is logged')).at(-1)).toContain('"count":4990');
});

it('keeps a line of every booking stored meanwhile', async () => {
  const { lines, log } = countingLog();
  const logAnswer = createAnswerLog(log, fakeClock());
  for (let i = 0; i < 1_000; i += 1) logAnswer('website', { status: 401, reason: 'refused' });

  for (let i = 0; i < 100; i += 1) logAnswer('website', { status: 200, ref: `CS-${i}` });

  expect(lines.filter((line) => line.includes('"ref"'))).toHaveLength(100);
});

it('also limits answers of a full disk, so that the log does not fill it', async () => {
  const { lines, log } = countingLog();
  const http = await startSampleHttp({ log, room: () => false }, fakeClock());
  onTestFinished(() => http.stop());

  for (let i = 0; i < 100; i += 1) {
    const { status } = await fetch(`${http.url}/in/website`, { method: 'POST', body: '{}' });
    expect(status).toBe(503);
  }

  expect(lines.filter((line) => line.includes('"status":503'))).toHaveLength(10);
});
