import { describe, expect, it } from 'vitest';
import { readDate, readTime } from './date-time.ts';

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
    ['12:05 am', '00:05'],
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
    '9:30 a',
    '10:30 m',
    '',
  ])('reads %j as no time of day rather than book another one', (text) => {
    expect(readTime(text)).toBeUndefined();
  });
});
