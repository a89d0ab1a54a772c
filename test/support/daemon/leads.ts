/** A submission of a web form, by the API's own names. */
export interface Lead {
  submission_id: string;
  patient_name: string;
  patient_phone: string;
  appointment_date: string;
  appointment_time: string;
  [more: string]: string;
}

const DAY_MS = 86_400_000;
const FRIDAY = 5;

/** Leads that resemble each other in nothing: every one is a person of their own, when the clinic is open. */
export function leadMaker(prefix: string): (more?: Partial<Lead>) => Lead {
  let made = 0;
  return (more = {}) => {
    made += 1;
    const day = new Date(Date.now() + (7 + (made % 60)) * DAY_MS);
    if (day.getUTCDay() === FRIDAY) day.setTime(day.getTime() + DAY_MS);
    return {
      submission_id: `${prefix}-${made}`,
      patient_name: `Visitor ${prefix} ${made}`,
      patient_phone: `017${String(10_000_000 + made)}`,
      appointment_date: day.toISOString().slice(0, 10),
      appointment_time: `${10 + (made % 8)}:${made % 2 === 0 ? '00' : '30'}`,
      ...more,
    } as Lead;
  };
}
