import { DAY } from '../../platform/duration.ts';

/** `2026` has both halves of a year with daylight saving time, and rules change rarely. */
const WINTER = Date.UTC(2026, 0, 15);
const SUMMER = WINTER + 180 * DAY;
const MOST_SHOWN = 4;

/**
 * Time zones of a country (`BD`), if the clocks of the given zone never agree with any of them; undefined if they do,
 * or the country is unknown. Compares what clocks show, because zones have several names.
 */
export function zonesInstead(zone: string, country: string): string[] | undefined {
  const zones = zonesOf(country);
  const shown = (one: string) => [WINTER, SUMMER].map((at) => offsetOf(one, at)).join(' ');
  if (zones.length === 0 || zones.some((one) => shown(one) === shown(zone))) return undefined;
  return zones.slice(0, MOST_SHOWN);
}

interface WithZones {
  getTimeZones?(): string[];
  timeZones?: string[];
}

/** A method in newer versions of V8, a property before. */
function zonesOf(country: string): readonly string[] {
  try {
    const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & WithZones;
    return locale.getTimeZones?.() ?? locale.timeZones ?? [];
  } catch {
    return [];
  }
}

const offsetOf = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';
