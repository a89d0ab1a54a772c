import { describe, expect, it } from 'vitest';
import { outcomeReader } from '../../../src/domain/bookings/status-outcome.ts';
import { clockSteps } from '../../../src/domain/date-time.ts';
import { type Instant, toMs } from '../../../src/platform/clock.ts';
import { move, sending } from './booking-samples.ts';
import { claimNext, minute, type OpenStore } from './samples.ts';

const from = Date.UTC(2020, 0, 1);
const to = Date.UTC(2030, 0, 1);

/** A zone, when a lead came and on which day its visit is; and how many days that is on the clinic's calendar. */
const cases: [zone: string, received: Instant, visit: string, days: number, what: string][] = [
  ['Pacific/Auckland', '2026-03-02T10:59:00.000Z', '2026-03-05', 3, 'a minute before midnight there'],
  ['Pacific/Auckland', '2026-03-02T11:00:00.000Z', '2026-03-05', 2, 'midnight there, noon before in UTC'],
  ['Pacific/Auckland', '2026-04-05T11:30:00.000Z', '2026-04-06', 1, 'the evening after summer ended'],
  ['Pacific/Auckland', '2026-09-27T10:59:00.000Z', '2026-09-28', 1, 'the evening after summer began'],
  ['Pacific/Auckland', '2026-09-27T11:00:00.000Z', '2026-09-28', 0, 'the midnight after summer began'],
  ['America/Los_Angeles', '2026-03-02T07:59:00.000Z', '2026-03-02', 1, 'still the day before'],
  ['America/Los_Angeles', '2026-03-09T07:30:00.000Z', '2026-03-09', 0, 'the night after summer began'],
  ['America/Los_Angeles', '2026-11-02T07:30:00.000Z', '2026-11-02', 1, 'the night after summer ended'],
  ['Asia/Kathmandu', '2026-03-02T18:14:00.000Z', '2026-03-03', 1, 'a minute before its midnight'],
  ['Asia/Kathmandu', '2026-03-02T18:15:00.000Z', '2026-03-03', 0, 'its midnight, at a quarter past'],
  ['UTC', '2026-03-02T23:59:59.999Z', '2026-03-03', 1, 'the last moment of a day'],
];

/** Days are those of the clinic's own calendar, wherever it is. */
export function describeDays(open: OpenStore): void {
  describe('days', () => {
    it.each(cases)('in %s, from %s to %s, are %i: %s', async (zone, received_at, date, days) => {
      const store = await open();
      await store.appointments.applyClock('main', clockSteps(zone, from, to));
      // Of another clinic: it counts by its own.
      await store.appointments.applyClock('north', clockSteps('Pacific/Kiritimati', from, to));
      const at = toMs(received_at);
      const lead = { received_at, appointment_date: date, appointment_time: '23:00' };
      const { ref } = await sending(store, { ...lead, clinic: 'main' });
      const booked = { from: ['sending'], to: 'booked', at: minute(2) } as const;
      await move(store, { ...booked, ref, appointment_id: 1 });

      const [row] = await store.mirror.rows('leads', 'main');
      const span = { from: '2020-01-01T00:00:00.000Z', until: '2030-01-01T00:00:00.000Z' } as const;
      const [counts] = await store.reports.leads('main', { ...span, by: 'source' });
      expect(row).toMatchObject({ ref, days_to_visit: days });
      expect(counts).toMatchObject({ days, with_days: 1 });
      expect(at).toBeLessThan(Date.parse(`${date}T23:59:59Z`));

      // A wrong zone that is put right counts what is there, too; the same one again changes nothing.
      const said = clockSteps('Pacific/Kiritimati', from, to);
      for (let n = 0; n < 2; n += 1) await store.appointments.applyClock('main', said);
      const there = Math.floor((at + 14 * 3_600_000) / 86_400_000);
      expect(await store.mirror.rows('leads', 'main')).toMatchObject([
        { days_to_visit: Date.parse(date) / 86_400_000 - there },
      ]);
    });

    it('of an open visit are those of the calendar, not of 24 hours', async () => {
      const store = await open();
      await store.appointments.applyClock('main', clockSteps('Pacific/Auckland', from, to));
      const { ref } = await sending(store, {});
      // Half an hour before midnight in Auckland.
      const at = '2026-03-02T10:30:00.000Z';
      await move(store, { ref, from: ['sending'], to: 'booked', at, appointment_id: 1 });
      const ageAfter = async (minutes: number) =>
        (await store.reports.openVisits('main', 'source', toMs(at) + minutes * 60_000))[0];
      const day = 24 * 60;

      expect(await ageAfter(29)).toMatchObject({ oldest_days: 0, days_0_7: 1 });
      expect(await ageAfter(30)).toMatchObject({ oldest_days: 1, days_0_7: 1 });
      expect(await ageAfter(30 + 6 * day)).toMatchObject({ oldest_days: 7, days_0_7: 1 });
      expect(await ageAfter(30 + 7 * day)).toMatchObject({ oldest_days: 8, days_0_7: 0, days_8_30: 1 });
      // The clock is set back meanwhile: ninety times 24 hours are an hour short of as many days.
      expect(await ageAfter(30 + 90 * day)).toMatchObject({ days_31_90: 1, oldest_days: 90 });
      expect(await ageAfter(90 + 90 * day)).toMatchObject({ days_over_90: 1, oldest_days: 91 });
    });

    it('stay with a lead whose booking was removed', async () => {
      const store = await open();
      await store.appointments.applyClock('main', clockSteps('Asia/Kathmandu', from, to));
      const { ref } = await sending(store, { received_at: '2026-03-02T18:15:00.000Z' });
      await move(store, { ref, from: ['sending'], to: 'booked', at: minute(2), appointment_id: 1 });
      await store.appointments.observe({
        ...{ clinic: 'main', appointment_id: 1, at: minute(9), next_due_at: null, done: true, changes: [] },
        seen: {
          ...{ status: 'Completed', name: null, date: '2026-03-05', time: '10:30', raw: {} },
          ...{ outcome: outcomeReader({})('Completed'), visit_at: minute(8) },
        },
      });

      const now = '2031-01-01T00:00:00.000Z';
      const keep = { now, deliveries: now, observations: now, connectors: [], forgetting: [] };
      await store.prune({ ...keep, bookings: now });

      expect(await store.bookings.get(ref)).toBeUndefined();
      expect(await claimNext(store, 'main', minute(1))).toBeUndefined();
      expect(await store.mirror.rows('leads', 'main')).toMatchObject([{ ref: null, days_to_visit: 2 }]);
    });
  });
}
