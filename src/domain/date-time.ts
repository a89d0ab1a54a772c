import { Temporal } from 'temporal-polyfill';

/**
 * A clinic's date and time of day carry no zone (specification 2.6): they are read on the clinic's wall clock.
 * In a gap (spring) the later reading is taken, in a fold (autumn) the earlier, and `exact` says that it was so.
 */
export function wallClockInstant(date: string, time: string, zone: string): { ms: number; exact: boolean } {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`);
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'compatible' });
  const later = local.toZonedDateTime(zone, { disambiguation: 'later' });
  const exact =
    earlier.epochMilliseconds === later.epochMilliseconds && earlier.toPlainDateTime().equals(local);
  return { ms: earlier.epochMilliseconds, exact };
}

/** The clinic's date and time of day at an instant. */
export function wallClockAt(ms: number, zone: string): { date: string; time: string; weekday: number } {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return {
    date: at.toPlainDate().toString(),
    time: at.toPlainTime().toString({ smallestUnit: 'minute' }),
    weekday: at.dayOfWeek,
  };
}

export function isTimeZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}
