import { closest } from '../platform/closest.ts';

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);

/** Why a text is no time zone, with the one probably meant, by its whole name or its city. */
export function notAZone(text: string): string {
  const zones = Intl.supportedValuesOf('timeZone');
  const city = closest(cityOf(text), zones.map(cityOf));
  const near = closest(text, zones) ?? zones.find((zone) => cityOf(zone) === city);
  return near
    ? `is not an IANA time zone; did you mean ${near}?`
    : 'is not an IANA time zone such as Europe/London';
}
