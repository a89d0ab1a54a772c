import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { readDate, readTime, wallClockInstant } from './date-time.ts';

describe('dates and times of day', () => {
  it.each([
    ['2026-03-05', '2026-03-05'],
    [' 2026-3-5 ', '2026-03-05'],
    ['2026/03/05', '2026-03-05'],
    ['2026.03.05', '2026-03-05'],
    ['２０２６-０３-０５', '2026-03-05'],
    ['2028-02-29', '2028-02-29'],
    ['4 March 2027', '2027-03-04'],
    ['March 4, 2027', '2027-03-04'],
    ['04-Mar-2027', '2027-03-04'],
    ['Sept. 4th 2027', '2027-09-04'],
    ['4th of March 2027', '2027-03-04'],
    ['Thu 4 Mar 2027', '2027-03-04'],
    ['Thursday, March 4, 2027', '2027-03-04'],
    ['٢٠٢٧-٠٣-٠٤', '2027-03-04'],
    ['২০২৭/০৩/০৪', '2027-03-04'],
    ['৪ March ২০২৭', '2027-03-04'],
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
    '٠٤/٠٣/٢٠٢٧',
    'Mon 4 Mar 2027',
    '30 February 2027',
    'March 2027',
    '4 March 27',
    '4 mars 2027',
    '4 marras 2027',
    'martes 4, 2027',
    '4 March',
    '3-4 March 2027',
    '20270304',
    `4 March ${' '.repeat(60)}2027`,
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
    ['3 PM', '15:00'],
    ['3pm', '15:00'],
    ['12 am', '00:00'],
    ['3.30pm', '15:30'],
    ['٣:٣٠ PM', '15:30'],
    ['১০:৩০', '10:30'],
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
    '13 PM',
    '0 am',
    '15h30',
    '1530',
    '15.30',
    '10:30-11:00',
    '3 PM or 4 PM',
    '',
  ])('reads %j as no time of day rather than book another one', (text) => {
    expect(readTime(text)).toBeUndefined();
  });
});

describe('the instant of a wall clock', () => {
  it.each(['Europe/London', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Dhaka'])(
    'is what the rules of %s say at every hour of a year',
    (zone) => {
      const first = Temporal.PlainDateTime.from('2018-01-01T00:30');
      for (let hours = 0; hours < 366 * 24; hours += 5) {
        const local = first.add({ hours });
        const [date = '', time = ''] = local.toString({ smallestUnit: 'minute' }).split('T');

        const read = local.toZonedDateTime(zone);
        const late = local.toZonedDateTime(zone, { disambiguation: 'later' });
        expect(wallClockInstant(date, time, zone)).toEqual({
          ms: read.epochMilliseconds,
          exact: read.equals(late) && read.toPlainDateTime().equals(local),
        });
      }
    },
  );

  it.each([
    ['2026-02-29', '10:00'],
    ['2026-03-05', '29:99'],
    ['soon', '10:00'],
  ])('does not exist for %s %s', (date, time) => {
    expect(() => wallClockInstant(date, time, 'Asia/Dhaka')).toThrow(RangeError);
  });
});
