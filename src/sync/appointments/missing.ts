import { type Instant, instant, toMs } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import type { Observation, TrackedAppointment } from '../../store/ports/appointments.ts';

/** A clinic's server may forget an appointment for a moment, as while it is restored or moved. */
const MISSES = 3;
const MISSING_FOR_MS = 10 * MINUTE;
/** Until it is known to be gone. */
export const MISSED_AGAIN_MS = 5 * MINUTE;

/**
 * What one more answer means that the clinic does not know an appointment whose status was read before. Pure.
 *
 *     afterMiss({ misses: 2, missed_at: '09:00' }, at('09:10')); // { misses: 3, missed_at: '09:00', missing: true }
 */
export function afterMiss(
  { misses: before, missed_at }: Pick<TrackedAppointment, 'misses' | 'missed_at'>,
  now: number,
): NonNullable<Observation['missed']> {
  // A series that began in the future is one from before the clock was set back.
  const isSeries = missed_at !== null && toMs(missed_at) <= now;
  const since: Instant = isSeries ? missed_at : instant(now);
  const misses = isSeries ? before + 1 : 1;
  return { misses, missed_at: since, missing: misses >= MISSES && now - toMs(since) >= MISSING_FOR_MS };
}
