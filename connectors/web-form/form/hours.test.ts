import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatsOf } from './formats.ts';
import { type Calendar, hoursLines, isClosedAt, openDays, selectableTimes, weekHours } from './hours.ts';

const open = { open: '09:00', close: '17:00', is_closed: false };
const closed = { open: '', close: '', is_closed: true };
const openingHours = {
  monday: open,
  tuesday: { ...open, close: '13:00' },
  wednesday: closed,
  sunday: closed,
};
/** Monday, 2 March 2026, 15:00 in Dhaka. */
const nowMs = Date.UTC(2026, 2, 2, 9);
const clinic: Calendar = { openingHours, nowMs, zone: 'Asia/Dhaka' };

it('names runs of days in the form’s language, with a few formatters however often the page is loaded', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  onTestFinished(() => made.mockRestore());
  const hours = { monday: open, tuesday: open, wednesday: closed };

  const pages = Array.from({ length: 100 }, () => hoursLines(hours, formatsOf('fr')));

  expect(pages[99]).toEqual([
    { days: 'lundi–mardi', hours: '09:00–17:00' },
    { days: 'mercredi', hours: null },
  ]);
  expect(made.mock.calls.length).toBeLessThanOrEqual(4);
});

it('writes hours in the digits of the language', () => {
  expect(hoursLines({ monday: open }, formatsOf('bn'))).toEqual([{ days: 'সোমবার', hours: '০৯:০০–১৭:০০' }]);
});

describe('the days to choose from', () => {
  const dates = (more: Partial<Calendar>, ahead = 9) =>
    openDays({ ...clinic, ...more }, ahead)?.map(({ date }) => date.slice(8));

  it('leave out closed days, and keep days whose hours are not known', () => {
    expect(dates({})).toEqual(['02', '03', '05', '06', '07', '09', '10']);
  });

  it('leave out today once the clinic takes no more times', () => {
    expect(dates({ nowMs: Date.UTC(2026, 2, 2, 10, 54) })?.[0]).toBe('02');
    expect(dates({ nowMs: Date.UTC(2026, 2, 2, 10, 55) })?.[0]).toBe('03');
  });

  it('begin on the clinic’s own day', () => {
    expect(dates({ nowMs: Date.UTC(2026, 2, 2, 10, 30), zone: 'Pacific/Kiritimati' }, 0)).toEqual(['03']);
  });

  it('are none where the clinic is closed on all of them', () => {
    expect(dates({ nowMs: Date.UTC(2026, 2, 4), openingHours: { wednesday: closed } }, 0)).toEqual([]);
  });

  it('cross a change of clocks without losing or doubling a day', () => {
    const autumn = { nowMs: Date.UTC(2026, 9, 24, 22, 30), zone: 'Europe/Berlin' };

    expect(dates({ ...autumn, openingHours: { monday: open } }, 3)).toEqual(['25', '26', '27', '28']);
  });

  it.each([undefined, null, 'Mon-Fri', {}, { monday: 'nine to five' }])('are not known from %j', (hours) => {
    expect(dates({ openingHours: hours })).toBeUndefined();
  });
});

it('counts only a closed day, a time outside the hours, and the past as closed', () => {
  const at = (date: string, time?: string) => isClosedAt(clinic, date, time);

  expect([at('2026-03-04'), at('2026-03-10', '13:00'), at('2026-03-01'), at('2026-03-02', '14:59')]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([at('2026-03-10'), at('2026-03-10', '12:55'), at('2026-03-05', '03:00'), at('2026-03-02')]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

it('offers the times of all days from each opening on, unless a day ends after midnight', () => {
  const late = { monday: { open: '18:00', close: '02:00', is_closed: false } };
  const hours = weekHours(openingHours) ?? {};

  expect(hours).toEqual({ 1: ['09:00', '17:00'], 2: ['09:00', '13:00'] });
  expect(selectableTimes(hours, 120)).toEqual(['09:00', '11:00', '13:00', '15:00']);
  expect(selectableTimes({ 1: ['09:10', '10:00'], 2: ['09:00', '09:30'] }, 15)).toEqual([
    ...['09:00', '09:10', '09:15', '09:25', '09:40', '09:55'],
  ]);
  expect(weekHours(late)).toBeUndefined();
});
