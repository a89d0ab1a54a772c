import { expect, it } from 'vitest';
import { isDateFormat, orderOf, readFormattedDate, withTime } from './date-format.ts';

it.each([
  ['2026-04-01', undefined, '2026-04-01'],
  ['2026-04-01 00:00:00', undefined, '2026-04-01'],
  ['2026-04-01T00:00', 'DD/MM/YYYY', '2026-04-01'],
  ['1/4/2026', 'DD/MM/YYYY', '2026-04-01'],
  ['04/01/2026', 'MM/DD/YYYY', '2026-04-01'],
  ['01.04.2026', 'DD.MM.YYYY', '2026-04-01'],
  ['2026/04/01', undefined, '2026-04-01'],
  ['2026.04.01', 'YYYY.MM.DD', '2026-04-01'],
  ['29/02/2028', 'DD/MM/YYYY', '2028-02-29'],
  ['1 / 4 / 2026', 'DD/MM/YYYY', '2026-04-01'],
  ['01 04 2026', 'DD MM YYYY', '2026-04-01'],
  ['1/4/26', 'DD/MM/YYYY', '2026-04-01'],
])('reads the date %s (%s)', (text, format, expected) => {
  expect(readFormattedDate(text, format)).toBe(expected);
});

it.each([
  ['01/04/2026', undefined],
  ['2026-02-30', undefined],
  ['29/02/2027', 'DD/MM/YYYY'],
  ['13/13/2026', 'MM/DD/YYYY'],
  ['1/4/26', undefined],
  ['26/4/1', 'YYYY/MM/DD'],
  ['1/4/2026/1', 'DD/MM/YYYY'],
  ['2026-04-01 10:30', undefined],
  ['46113', undefined],
  ['tomorrow', 'DD/MM/YYYY'],
  ['0x7E-1-1', 'YYYY-MM-DD'],
  ['2026-13-01', 'YYYY-DD-MM'],
])('does not guess what %s is (%s)', (text, format) => {
  expect(readFormattedDate(text, format)).toBeUndefined();
});

it.each([
  ['DD/MM/YYYY', true],
  ['YYYY-MM-DD', true],
  ['DD/MM-YYYY', false],
  ['DD/DD/YYYY', false],
  ['D/M/Y', false],
])('knows whether %s is a format', (format, expected) => {
  expect(isDateFormat(format)).toBe(expected);
});

it.each([
  ['03/25/2027', 'other'],
  ['03/04/2027 10:30', 'either'],
  ['25/03/2027', 'configured'],
  ['04/04/2027', 'configured'],
  ['2027-03-04', undefined],
  ['tomorrow', undefined],
])('knows in which order %s is written', (text, order) => {
  expect(orderOf(text, 'DD/MM/YYYY')).toBe(order);
});

it('reads the day of a cell that also has a time', () => {
  expect(withTime('03/04/2027 10:30', 'DD/MM/YYYY')).toBe('2027-04-03 10:30');
  expect(withTime('03/25/2027 10:30', 'DD/MM/YYYY')).toBeUndefined();
});
