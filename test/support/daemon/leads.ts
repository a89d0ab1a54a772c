import { openDay } from '../open-day.ts';

/** A submission of a web form, by the API's own names. */
export interface Lead {
  submission_id: string;
  patient_name: string;
  patient_phone: string;
  appointment_date: string;
  appointment_time: string;
  [more: string]: string;
}

/** Leads that resemble each other in nothing: every one is a person of their own, when the clinic is open. */
export function leadMaker(prefix: string): (more?: Partial<Lead>) => Lead {
  let made = 0;
  return (more = {}) => {
    made += 1;
    return {
      submission_id: `${prefix}-${made}`,
      patient_name: `Visitor ${prefix.replace(/[^a-z0-9]+/gi, ' ')} ${made}`,
      // In steps that no fill handle of a spreadsheet takes.
      patient_phone: `017${String(10_000_000 + 100 * made)}`,
      appointment_date: openDay(7 + (made % 60)),
      appointment_time: `${10 + (made % 8)}:${made % 2 === 0 ? '00' : '30'}`,
      ...more,
    } as Lead;
  };
}
