import { expect, it } from 'vitest';
import { zonesInstead } from './zones-of-country.ts';

it.each([
  ['Europe/Berlin', 'BD', ['Asia/Dhaka']],
  ['Asia/Dhaka', 'GB', ['Europe/London']],
  ['Etc/UTC', 'GB', ['Europe/London']],
])('names the zones of the country where %s is not of %s', (zone, country, zones) => {
  expect(zonesInstead(zone, country)).toEqual(zones);
});

it.each([
  ['Asia/Dhaka', 'BD'],
  ['Asia/Dacca', 'BD'],
  ['Europe/Vienna', 'DE'],
  ['America/Denver', 'US'],
  ['Asia/Dhaka', 'XX'],
  ['Asia/Dhaka', 'not a country'],
])('accepts %s for %s', (zone, country) => {
  expect(zonesInstead(zone, country)).toBeUndefined();
});
