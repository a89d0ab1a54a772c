import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { slotAt } from './slot.ts';

describe('the slot of a date and a time', () => {
  it('knows that a time skipped in spring does not exist', () => {
    expect(slotAt('2026-03-29', '01:30', 'Europe/London')?.exists).toBe(false);
    expect(slotAt('2026-03-29', '02:00', 'Europe/London')?.exists).toBe(true);
  });

  it('knows both readings of a time repeated in autumn', () => {
    const slot = slotAt('2026-10-25', '01:30', 'Europe/London');

    expect(slot).toEqual({
      exists: true,
      firstMs: Date.parse('2026-10-25T00:30:00Z'),
      lastMs: Date.parse('2026-10-25T01:30:00Z'),
    });
  });

  it.each(['Europe/London', 'America/Sao_Paulo', 'Africa/Cairo', 'Australia/Lord_Howe', 'Asia/Dhaka'])(
    'is what the rules of %s say at every hour of two years',
    (zone) => {
      const first = Temporal.PlainDateTime.from('2018-01-01T00:30');
      for (let hours = 0; hours < 2 * 366 * 24; hours += 5) {
        const local = first.add({ hours });
        const [date, time] = local.toString({ smallestUnit: 'minute' }).split('T');

        const slot = slotAt(date ?? '', time ?? '', zone);

        const read = (disambiguation: 'earlier' | 'later') => local.toZonedDateTime(zone, { disambiguation });
        expect(slot).toEqual({
          exists: read('later').toPlainDateTime().equals(local),
          firstMs: read('earlier').epochMilliseconds,
          lastMs: read('later').epochMilliseconds,
        });
      }
    },
  );

  it('is undefined for an invalid date or time', () => {
    expect(slotAt('05/03/2026', '10:00', 'Asia/Dhaka')).toBeUndefined();
    expect(slotAt('2026-03-05', null, 'Asia/Dhaka')).toBeUndefined();
  });
});
