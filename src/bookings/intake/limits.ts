import type { ClinicSettings } from '../../config/config.ts';
import { instant } from '../../platform/clock.ts';
import { HOUR } from '../../platform/duration.ts';
import type { BookingParts } from '../parts.ts';
import type { Fault } from './read-fields.ts';

interface Limit {
  by: { source: string } | { phone_e164: string };
  withinMs: number;
  atMost: number;
  message: string;
}

/** How many leads one source and one phone number may bring to a clinic. */
export function limitsOf(
  { bookings: { max_per_source_per_hour: perHour, max_per_phone_per_day: perDay } }: ClinicSettings,
  { source, phone_e164 }: { source: string; phone_e164: string | null },
): Limit[] {
  const ofSource = { by: { source }, withinMs: HOUR, atMost: perHour };
  const limits: Limit[] = [
    { ...ofSource, message: `More than ${perHour} came from this source within an hour.` },
  ];
  if (phone_e164 !== null)
    limits.push({
      by: { phone_e164 },
      withinMs: 24 * HOUR,
      atMost: perDay,
      message: `More than ${perDay} came with this phone number within a day.`,
    });
  return limits;
}

/**
 * Runs `work` with a fault for each limit that is reached. Leads under way, which the store does not count yet, count
 * too: a burst must not slip under a limit.
 */
export async function withinLimits<T>(
  { store, clock, underWay }: Pick<BookingParts, 'store' | 'clock'> & { underWay: Map<string, number> },
  clinic: string,
  limits: readonly Limit[],
  work: (faults: Fault[]) => Promise<T>,
): Promise<T> {
  const counted = limits.map((limit) => {
    const key = JSON.stringify([clinic, limit.by]);
    const ahead = underWay.get(key) ?? 0;
    underWay.set(key, ahead + 1);
    return { ...limit, key, ahead };
  });
  try {
    const faults: Fault[] = [];
    for (const { by, withinMs, atMost, message, ahead } of counted) {
      const since = instant(clock.now() - withinMs);
      if ((await store.bookings.countSince(clinic, since, by, atMost)) + ahead >= atMost)
        faults.push({ field: 'booking', message, reason: 'source_limit' });
    }
    return await work(faults);
  } finally {
    for (const { key } of counted) {
      const left = (underWay.get(key) ?? 1) - 1;
      if (left > 0) underWay.set(key, left);
      else underWay.delete(key);
    }
  }
}
