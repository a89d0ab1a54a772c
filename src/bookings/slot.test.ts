import { describe, expect, it } from 'vitest';
import { readDate, readTime, slotAt } from './slot.ts';

describe('dates and times of day', () => {
  it.each([
    ['2026-03-05', '2026-03-05'],
    [' 2026-3-5 ', '2026-03-05'],
    ['2026/03/05', '2026-03-05'],
    ['２０２６-０３-０５', '2026-03-05'],
    ['2028-02-29', '2028-02-29'],
  ])('reads %j as one day', (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  it.each([
    '05/03/2026',
    '03-05-2026',
    '5.3.2026',
    '2026-02-29',
    '2026-13-01',
    '26-03-05',
    '2026-03/05',
    'tomorrow',
    '',
  ])('reads %j as no day rather than guess', (text) => {
    expect(readDate(text)).toBeUndefined();
  });

  it.each([
    ['9:30', '09:30'],
    ['09:30', '09:30'],
    ['14:30:00', '14:30'],
    ['14:30:00.000', '14:30'],
    ['2:30 PM', '14:30'],
    ['2:30p.m.', '14:30'],
    ['12:00 am', '00:00'],
    ['12:05 PM', '12:05'],
  ])('reads %j without losing anything', (text, time) => {
    expect(readTime(text)).toBe(time);
  });

  it.each([
    '14:30:15',
    '24:00',
    '9:60',
    '13:30 PM',
    '0:30 am',
    '14:30Z',
    '14:30+06:00',
    '9',
    '9.30',
    'noon',
    '',
  ])('reads %j as no time of day rather than book another one', (text) => {
    expect(readTime(text)).toBeUndefined();
  });

  it('says that a time skipped in spring does not exist', () => {
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

  it('has no slot for what is not a date and a time', () => {
    expect(slotAt('05/03/2026', '10:00', 'Asia/Dhaka')).toBeUndefined();
    expect(slotAt('2026-03-05', null, 'Asia/Dhaka')).toBeUndefined();
  });
});
