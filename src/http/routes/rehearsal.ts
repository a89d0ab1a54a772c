import type { IntakeResult } from '../../connector.ts';
import type { FieldFault } from '../../domain/bookings/booking.ts';
import { type PossibleDate, possibleDates } from '../../domain/date-time-format.ts';
import type { Json } from '../../platform/json.ts';

export type ReceivedForm = Extract<IntakeResult, { kind: 'submission' }>;

/** What a submission would become, for whoever sets up the form. */
export function rehearsal({ submission, unused = [] }: ReceivedForm, errors: readonly FieldFault[]) {
  const { source: _source, problems: _problems, fields, ...more } = submission;
  const isSent = errors.length === 0 && submission.task === undefined;
  return {
    ok: true,
    rehearsal: true,
    stored: false,
    would_be: isSent ? 'sent' : 'held',
    fields,
    ...more,
    errors,
    ...couldBe(fields.appointment_date),
    not_used: unused,
  };
}

/** The days that a date in numbers can mean, for whoever has to say which. */
function couldBe(date: Json | undefined): { could_be?: PossibleDate[] } {
  const could_be = possibleDates(typeof date === 'string' ? date : '');
  return could_be.length > 0 ? { could_be } : {};
}
