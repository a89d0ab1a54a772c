import { describe, expect, it } from 'vitest';
import { instant } from '../platform/clock.ts';
import { DAY, HOUR } from '../platform/duration.ts';
import { silenceAlert, silenceOf } from './silence.ts';

const zone = 'Asia/Dhaka';
/** A Monday, midnight in Dhaka. */
const MONDAY = Date.parse('2026-03-01T18:00:00Z');

/** Leads at these hours of each day for eight weeks before MONDAY; none on the weekdays (0 Sunday) that are closed. */
function leads(hours: readonly number[], closed: readonly number[] = []) {
  const days = Array.from({ length: 56 }, (_, index) => MONDAY - (56 - index) * DAY);
  return {
    quarters: days
      .filter((_, index) => !closed.includes((index + 1) % 7))
      .flatMap((day) => hours.map((hour) => ({ ms: day + hour * HOUR, count: 1 }))),
  };
}

describe('silence', () => {
  it('is said after a day without leads where four a day are usual', () => {
    const usual = leads([9, 12, 15, 18]);
    const last = MONDAY - 6 * HOUR;

    const early = silenceOf(usual, { now: last + 20 * HOUR, zone });
    const late = silenceOf(usual, { now: last + 26 * HOUR, zone });

    expect(early).toBeUndefined();
    expect.assert(late);
    expect(late.perDay).toBeCloseTo(4, 0);
    expect(silenceAlert({ clinic: 'main', source: 'website', ...usual }, late, null).sentence).toBe(
      'No lead from website for 26 hr, usually 4 a day.',
    );
  });

  it('is not said on the days on which no leads are usual', () => {
    const weekdays = leads([9, 12, 15, 18], [6, 0]);
    const sundayEvening = MONDAY - HOUR;

    expect(silenceOf(weekdays, { now: sundayEvening, zone })).toBeUndefined();
    expect(silenceOf(weekdays, { now: MONDAY + 30 * HOUR, zone })).toBeDefined();
  });

  it('is not said while the clinic is closed, and from its opening on as ever', () => {
    const { quarters } = leads([9, 12, 15, 18]);
    const closure = { from: instant(MONDAY), until: '2026-03-16' };
    const opening = Date.parse('2026-03-15T18:00:00Z');
    const after = Array.from({ length: 8 }, (_, day) => ({ ms: opening + day * DAY + 9 * HOUR, count: 4 }));
    const last = after.at(-1)?.ms ?? 0;

    expect(silenceOf({ quarters }, { now: opening - HOUR, zone, closure })).toBeUndefined();
    expect(silenceOf({ quarters }, { now: opening + 20 * HOUR, zone, closure })).toBeUndefined();
    expect(silenceOf({ quarters }, { now: opening + 26 * HOUR, zone, closure })).toMatchObject({
      forMs: 26 * HOUR,
    });
    // The holidays are no usual pause.
    const later = { quarters: [...quarters, ...after] };
    expect(silenceOf(later, { now: last + 30 * HOUR, zone, closure })).toBeDefined();
    expect(silenceOf(later, { now: last + 30 * HOUR, zone })).toBeUndefined();
  });

  it('waits longer where leads are rare', () => {
    const rare = leads([12], [0, 1, 2, 4, 5, 6]);

    expect(silenceOf(rare, { now: MONDAY + 7 * DAY, zone })).toBeUndefined();
  });

  it('says nothing of a source that is new, or never had leads', () => {
    const { quarters } = leads([9, 12, 15, 18]);

    expect(silenceOf({ quarters: quarters.slice(-30) }, { now: MONDAY + 3 * DAY, zone })).toBeUndefined();
    expect(silenceOf({ quarters: [] }, { now: MONDAY, zone })).toBeUndefined();
  });

  it('is rarely said by chance', () => {
    let state = 11;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
    const quarters = Array.from({ length: 120 * 96 }, (_, index) => ({
      ms: MONDAY - (120 * 96 - index) * (DAY / 96),
      count: random() < 4 / 96 ? 1 : 0,
    })).filter(({ count }) => count > 0);

    const alarms = Array.from({ length: 60 * 24 }, (_, hour) => MONDAY - 60 * DAY + hour * HOUR).filter(
      (now) => {
        const before = quarters.filter(({ ms }) => ms < now);
        return silenceOf({ quarters: before }, { now, zone }) !== undefined;
      },
    );

    expect(alarms.length).toBeLessThan(24);
  });
});
