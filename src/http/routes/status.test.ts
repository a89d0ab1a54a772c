import { expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { bearer, plantedWords, startSampleHttp } from '../../../test/support/http/http-kit.ts';
import { sampleInsight } from '../../../test/support/http/sample-insight.ts';
import { sampleReport } from '../../../test/support/http/sample-report.ts';
import type { StatusReport } from '../../domain/status/report.ts';
import { MINUTE } from '../../platform/duration.ts';
import { type LogFields, silentLog } from '../../platform/log.ts';
import type { AdminData } from '../admin.ts';
import type { InsightStore } from './insight.ts';

const clock = fakeClock();

/** Clinic 637 is in trouble. */
async function withClinics(count: number, isPublic = false) {
  const report = sampleReport(clock.now());
  const [sample] = report.clinics;
  const clinics = Array.from({ length: count }, (_, n) => ({
    ...(sample as StatusReport['clinics'][number]),
    clinic: `clinic-${n}`,
    name: `Clinic number ${n}`,
  }));
  const reason = { health: 'stale', kind: 'stale', clinic: 'clinic-637', subject: 'dentists' } as const;
  const reasons = [{ ...reason, sentence: 'clinic-637: dentists never read', since: null }];
  const full = { ...report, clinics, clinics_total: count, needs: [], reasons };
  const http = await startSampleHttp({ report: async () => full, ...(isPublic && { isPublic }) }, clock);
  onTestFinished(() => http.stop());
  return async (path: string, headers: Record<string, string> = bearer) =>
    (await fetch(http.url + path, { headers })).text();
}

it('starts a page of twenty with the clinic in trouble, and links to the others', async () => {
  const get = await withClinics(1_000);

  const first = await get('/');
  const [, next = ''] = /href="(\/\?clinics=[^"]+)"/.exec(first) ?? [];
  const second = await get(next);

  expect(first.indexOf('Clinic number 637')).toBeLessThan(first.indexOf('Clinic number 0<'));
  expect(first).toContain('20 of 1,000 clinics');
  expect(first).not.toContain('Clinic number 19<');
  expect(first.length).toBeLessThan(500_000);
  expect(second).toContain('Clinic number 19<');
  expect(second).not.toContain('Clinic number 637');
});

function noted() {
  const lines: [string, LogFields | undefined][] = [];
  const log = { ...silentLog, warn: (text: string, fields?: LogFields) => lines.push([text, fields]) };
  return { lines, log };
}
const unread = (kind: string) => [
  'a part of a page not read',
  { kind, problem: `Reading the ${kind} failed: Error` },
];

it('says on the page, and once a minute in the log, that the overview could not be read', async () => {
  const { lines, log } = noted();
  const activity = { list: () => Promise.reject(new Error('the table is locked')) };
  const store = { ...sampleInsight(clock.now()), activity } as unknown as InsightStore;
  const http = await startSampleHttp({ store, log }, clock);
  onTestFinished(() => http.stop());
  const page = async () => (await fetch(http.url, { headers: bearer })).text();

  expect(await page()).toContain('newest changes could not be read just now');
  await page();
  await clock.advance(2 * MINUTE);
  await page();

  expect(lines).toEqual([unread('overview'), unread('overview')]);
});

it('says on the page and in the log that it could not read whose bookings wait, and no word of them', async () => {
  const { lines, log } = noted();
  const bookingsOf = () => Promise.reject(new Error(`duplicate key (${plantedWords.join()})`));
  const adminData = { bookingsOf } as unknown as AdminData;
  const http = await startSampleHttp({ adminData, log }, clock);
  onTestFinished(() => http.stop());

  const page = await (await fetch(http.url, { headers: bearer })).text();

  expect(page).toContain('names and phone numbers are missing here');
  expect(page).toContain('CS-7K3Q9F');
  expect(lines).toEqual([unread('bookings')]);
  for (const word of plantedWords) expect(page + JSON.stringify(lines)).not.toContain(word);
});

it('serves the data of a thousand clinics page by page', async () => {
  const get = await withClinics(1_000);
  const seen: string[] = [];

  for (let next: string | undefined = ''; next !== undefined; ) {
    const page = JSON.parse(await get(`/status.json${next && `?after=${next}`}`)) as StatusReport;
    seen.push(...page.clinics.map(({ clinic }) => clinic));
    expect(page.clinics_total).toBe(1_000);
    next = page.clinics_next;
  }

  expect(seen[0]).toBe('clinic-637');
  expect(new Set(seen).size).toBe(1_000);
  expect(seen).toHaveLength(1_000);
});

it('shows all of a few clinics at once, in the order of the configuration', async () => {
  const get = await withClinics(3);

  const text = await get('/status.json');
  const data = JSON.parse(text) as StatusReport;

  expect(data.clinics.map(({ clinic }) => clinic)).toEqual(['clinic-0', 'clinic-1', 'clinic-2']);
  expect(text).not.toContain('"said"');
  expect(data).not.toHaveProperty('clinics_next');
  expect(await get('/')).not.toContain('From the top');
});

it('pages what strangers see, too', async () => {
  const get = await withClinics(1_000, true);

  const data = JSON.parse(await get('/status.json', {})) as StatusReport;

  expect(data.clinics).toHaveLength(100);
  expect(data.clinics[0]?.clinic).toBe('clinic-637');
  expect(data.clinics_next).toBe('clinic-98');
});
