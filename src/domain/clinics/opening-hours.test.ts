import { describe, expect, it } from 'vitest';
import { isOpen } from './opening-hours.ts';

const hours = (open: string, close: string, is_closed = false) => ({ open, close, is_closed });
/** A Monday. */
const monday = '2026-03-02';

describe('opening hours of the website', () => {
  it.each([
    ['monday', '09:00', '17:00'],
    ['Mon', '9:00 AM', '5:00 PM'],
    ['MONDAY', '9 am', '5 pm'],
  ])('reads %s %s to %s', (day, open, close) => {
    const week = { [day]: hours(open, close) };

    expect(isOpen(week, monday, '08:59')).toBe(false);
    expect(isOpen(week, monday, '09:00')).toBe(true);
    expect(isOpen(week, monday, '16:59')).toBe(true);
    expect(isOpen(week, monday, '17:00')).toBe(false);
  });

  it('are closed on a day marked as closed, whatever its times', () => {
    expect(isOpen({ monday: hours('09:00', '17:00', true) }, monday, '10:00')).toBe(false);
  });

  it('may extend past midnight', () => {
    const week = { sunday: hours('18:00', '02:00'), monday: hours('18:00', '00:00') };

    expect(isOpen(week, monday, '01:30')).toBe(true);
    expect(isOpen(week, monday, '02:30')).toBe(false);
    expect(isOpen(week, monday, '23:30')).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['a list', []],
    ['a day that is not there', { tuesday: hours('09:00', '17:00') }],
    ['a span of days', { 'Mon-Fri': hours('09:00', '17:00') }],
    ['times in words', { monday: hours('morning', 'evening') }],
    ['the same time twice', { monday: hours('00:00', '00:00') }],
    ['two entries for a day', { mon: hours('09:00', '12:00'), monday: hours('14:00', '18:00') }],
    ['no object for a day', { monday: 'closed' }],
    ['no is_closed', { monday: { open: '09:00', close: '17:00' } }],
  ])('says nothing when the hours are %s', (_what, week) => {
    expect(isOpen(week, monday, '10:00')).toBeUndefined();
  });
});
