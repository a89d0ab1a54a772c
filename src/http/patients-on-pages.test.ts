import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import {
  noChoices,
  noVisits,
  person,
  sampleBooking,
  sampleListed,
  samplePeopleStore,
  startSampleHttp,
} from '../../test/support/http/http-kit.ts';
import { sampleReport } from '../../test/support/http/sample-report.ts';
import type { Booking } from '../domain/bookings/booking.ts';
import type { Need } from '../domain/status/report.ts';
import type { AdminData } from './admin.ts';

const PAGE = 50;
const alone = { ...noChoices, resembles: null, versions: [] };

/** A real server with this many held bookings, `CS-0`, `CS-1` …, each of which needs a person. */
async function start(count: number, more: Partial<Booking>[] = []) {
  const clock = fakeClock();
  const kept = samplePeopleStore();
  const all = Array.from({ length: count }, (_, n) =>
    sampleBooking(clock.now(), {
      ref: `CS-${n}`,
      patient_name: `Zerlina ${n}`,
      patient_phone: '+8801700000010',
      ...more[n],
    }),
  );
  const needs = all.map(
    ({ ref }): Need => ({
      kind: 'booking',
      clinic: 'main',
      subject: ref,
      sentence: `Booking ${ref} waits.`,
      action: 'Approve it.',
      since: '2026-03-02T08:00:00.000Z',
      urgent: false,
    }),
  );
  const adminData: AdminData = {
    async booking(ref) {
      const booking = [...all, sampleBooking(clock.now(), { ref: 'CS-DONE' })].find((one) => one.ref === ref);
      if (booking === undefined) return undefined;
      const chosen = { doctor: null, treatment: null };
      return { ...{ booking, chosen, sentence: '', events: [], actions: [] }, ...alone };
    },
    bookings: async ({ behind, limit }) => {
      const from = behind === undefined ? 0 : all.findIndex(({ ref }) => ref === behind) + 1;
      return all.slice(from, from + limit);
    },
    ...noVisits,
    figures: async () => [],
    listed: sampleListed,
    search: async () => [],
    bookingsOf: async (refs) => all.filter(({ ref }) => refs.includes(ref)),
  };
  const http = await startSampleHttp(
    {
      ...kept,
      adminData,
      people: [person('Rima', 'desk'), person('Vik', 'viewer')],
      report: async () => ({
        ...sampleReport(clock.now()),
        needs,
        needs_total: count,
        needs_by_kind: { booking: count },
      }),
    },
    clock,
  );
  onTestFinished(() => http.stop());
  const ask = async (path: string, name: string | undefined, accept: string) => {
    const authorization = `Bearer token-of-${name}-0123456789`;
    return fetch(`${http.url}${path}`, { headers: { accept, ...(name && { authorization }) } });
  };
  return {
    clock,
    page: async (path: string, name?: string) => (await ask(path, name, 'text/html')).text(),
    refs: async (path: string) => {
      const answer = await ask(path, 'Rima', 'application/json');
      const { bookings, next } = (await answer.json()) as {
        bookings: { ref: string }[];
        next: string | null;
      };
      return { refs: bookings.map(({ ref }) => ref), next };
    },
    reads: async () =>
      (await kept.audit.list({ limit: 100 })).filter(({ action }) => action === 'patients.read'),
  };
}

describe('the status page', () => {
  it('names the patient only to people who may see patients', async () => {
    const { page } = await start(3);

    expect(await page('/', 'Rima')).toContain('Zerlina 2');
    expect(await page('/', 'Rima')).toContain('href="tel:+8801700000010"');
    expect(await page('/', 'Vik')).not.toContain('Zerlina');
    expect(await page('/')).not.toContain('Zerlina');
  });

  it('shows dentist and treatment, and approves where that settles it; elsewhere it leads to the booking', async () => {
    const { page } = await start(2, [
      { state: 'held', reason: 'source_limit', doctor: 'Dr. Plantigrade', treatment: 'Filling' },
      { state: 'held', reason: 'outside_hours' },
    ]);

    const [, plain, other] = (await page('/', 'Rima')).split('<li class="is-attention">');

    expect(plain).toContain('<bdi>Dr. Plantigrade</bdi> · <bdi>Filling</bdi> · ');
    expect(plain).toMatch(/action="\/admin\/bookings\/CS-0\/approve">.*<button>Approve and send/s);
    expect(other).toContain('<a class="button" href="/bookings/CS-1">');
    expect(other).not.toContain('<form');
  });

  it('audits reading them once an hour, however often the page reloads', async () => {
    const { clock, page, reads } = await start(3);

    for (let i = 0; i < 5; i += 1) await page('/?auto', 'Rima');
    expect(await reads()).toMatchObject([{ actor: 'Rima', subject: 'status page' }]);
    await clock.advance(61 * 60_000);
    await page('/?auto', 'Rima');

    expect(await reads()).toHaveLength(2);
  });

  it('shows ten at a time, and leads to all of them', async () => {
    const { page } = await start(25);

    const text = await page('/', 'Rima');

    expect(text).toContain('Zerlina 9<');
    expect(text).not.toContain('Zerlina 10<');
    expect(text).toContain('<a href="/bookings?state=needs_you">All 25 bookings that need you</a>');
    expect(await page('/?after=CS-9', 'Rima')).toContain('Zerlina 10<');
  });
});

describe('the page of a booking', () => {
  it.each([
    ['CS-DONE', '<a href="/bookings/CS-0" class="button">', '3'],
    ['CS-0', '<a href="/bookings/CS-1">', '2'],
    ['CS-2', '<a href="/bookings/CS-0">', '2'],
  ])('leads to the next one that waits, and says how many do: %s', async (ref, link, left) => {
    const { page } = await start(3);

    const text = await page(`/bookings/${ref}`, 'Rima');

    expect(text).toContain(`${link}Next (${left} left)</a>`);
  });

  it('leads nowhere once nothing else waits', async () => {
    expect(await (await start(1)).page('/bookings/CS-0', 'Rima')).not.toContain('Next (');
  });
});

describe('the list of bookings', () => {
  it.each(['/bookings?', '/bookings?state=needs_you&', '/bookings?state=held&'])(
    'shows every one exactly once, page by page: %s',
    async (path) => {
      const { refs } = await start(2 * PAGE + 1);

      const first = await refs(path);
      const second = await refs(`${path}after=${first.next}`);
      const third = await refs(`${path}after=${second.next}`);

      expect([first, second, third].map((one) => one.refs.length)).toEqual([PAGE, PAGE, 1]);
      expect(new Set([first, second, third].flatMap((one) => one.refs)).size).toBe(2 * PAGE + 1);
      expect(third.next).toBeNull();
    },
  );

  it('accepts days up to the last one that can be written', async () => {
    const { refs } = await start(2);

    expect((await refs('/bookings?to=9999-12-31')).refs).toHaveLength(2);
  });

  it('has no second page when the first is exactly full', async () => {
    const { refs, page } = await start(PAGE);

    expect((await refs('/bookings')).next).toBeNull();
    expect(await page('/bookings', 'Rima')).not.toContain('Next page');
  });
});
