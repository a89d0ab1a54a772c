import type { ClinicSettings } from '../../config/config.ts';
import { DAY, HOUR } from '../../platform/duration.ts';
import type { IntakeLimit } from '../../store/ports/bookings.ts';

/** How many leads one source or one phone number may send to a clinic. */
export function limitsOf(
  { bookings: { max_per_source_per_hour: perHour, max_per_phone_per_day: perDay } }: ClinicSettings,
  phone: string | null,
): IntakeLimit[] {
  const limits: IntakeLimit[] = [
    {
      by: 'source',
      within_ms: HOUR,
      at_most: perHour,
      message: `More than ${perHour} came from this source within an hour.`,
    },
  ];
  if (phone !== null)
    limits.push({
      by: 'phone',
      within_ms: DAY,
      at_most: perDay,
      message: `More than ${perDay} came with this phone number within a day.`,
    });
  return limits;
}
