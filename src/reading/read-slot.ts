import type { FieldFault } from '../domain/bookings/booking.ts';
import { isNoDay } from './day.ts';
import { type Moment, readMoment, type Writing } from './moment.ts';

export interface SentWhen extends Writing {
  text: string;
}

interface ReadSlot {
  date?: string;
  time?: string;
  /** Each names the field at fault and never quotes what was sent, except for dates. */
  faults: FieldFault[];
}

const fault = (field: 'appointment_date' | 'appointment_time', message: string): FieldFault => ({
  field,
  message,
});

/**
 * The date and time of two fields on the clinic's wall clock. They belong together: a day in the time's field must be
 * the date's, a time in the date's field the time's. What cannot be read is left out.
 */
export function readSlot(
  sent: { date: SentWhen | undefined; time: SentWhen | undefined },
  clinicZone: string | undefined,
): ReadSlot {
  const read = (one: SentWhen | undefined) => one && readMoment(one.text, one, clinicZone);
  const onDate = read(sent.date);
  const inTime = read(sent.time) ?? byTheClinicsClock(onDate, sent.time, clinicZone);
  const faults: FieldFault[] = [];
  const onTime = inTime?.date !== undefined && isNoDay(inTime.date) ? withoutDay(inTime, faults) : inTime;
  const isSent = (one: SentWhen | undefined) => one !== undefined && one.text !== '';
  faults.push(...contradictions(onDate, onTime, isSent(sent.time)));
  const date = onDate?.date ?? (isSent(sent.date) ? undefined : onTime?.date);
  // Without a field for the time, a moment in the date's field gives it.
  const ofDate = isSent(sent.time) || isInstantOfDay(onDate) ? undefined : onDate?.time;
  const time = onTime?.time ?? ofDate;
  return { ...(date !== undefined && { date }), ...(time !== undefined && { time }), faults };
}

/** `10:30+06:00`, `10:30 Europe/Berlin`: a time of the date before it, where that zone’s clock is the clinic’s. */
function byTheClinicsClock(
  { date, writtenDate }: Moment = {},
  sent: SentWhen | undefined,
  clinicZone: string | undefined,
): Moment | undefined {
  if (date === undefined || writtenDate !== undefined || sent === undefined) return undefined;
  const { date: day, time, writtenTime } = readMoment(`${date} ${sent.text}`, {}, clinicZone) ?? {};
  return day === date && time !== undefined && time === writtenTime ? { time } : undefined;
}

/** A day as an instant: the clinic's midnight, by another clock. */
const isInstantOfDay = (moment: Moment | undefined): boolean =>
  moment?.time === '00:00' && moment.writtenDate !== undefined;

function contradictions(
  onDate: Moment | undefined,
  onTime: Moment | undefined,
  isTimeSent: boolean,
): FieldFault[] {
  const faults: FieldFault[] = [];
  if (onDate === undefined) return faults;
  if (onTime?.date !== undefined && onDate.date !== undefined && onTime.date !== onDate.date)
    faults.push(
      fault(
        'appointment_time',
        `The time came with another day (${onTime.date}) than the date (${onDate.date}).`,
      ),
    );
  const isMoved = onDate.writtenDate !== undefined && onDate.writtenDate !== onDate.date;
  if (isMoved && !isInstantOfDay(onDate) && isTimeSent && onTime?.writtenDate === undefined)
    faults.push(
      fault(
        'appointment_date',
        'The date names a time zone and the time does not, so the day is not certain.',
      ),
    );
  if (onTime?.time !== undefined && hasAnotherTime(onDate, onTime.time))
    faults.push(
      fault(
        'appointment_time',
        'The date came with another time of day than the time, so it is not certain which is meant.',
      ),
    );
  return faults;
}

/** A time of day on a day that is none: with a zone, nobody knows by whose clock. */
function withoutDay({ time, writtenDate }: Moment, faults: FieldFault[]): Moment | undefined {
  if (writtenDate === undefined) return time === undefined ? undefined : { time };
  faults.push(
    fault(
      'appointment_time',
      'The time came with a time zone and no real day, so it is not certain which clock is meant.',
    ),
  );
  return undefined;
}

/** Midnight, here or where it was written, does not count: many tools send it with a plain date. */
const hasAnotherTime = ({ time: withDate, writtenTime }: Moment, time: string): boolean =>
  withDate !== undefined && withDate !== time && withDate !== '00:00' && writtenTime !== '00:00';

/** Names of days that are no appointments. */
const notVisits = [
  /birth|dob|geburt|naissance|nacim|nascim|nascita|geboorte|urodz|doğum/i,
  /creat|submi|sent|receiv|updat|modif|delet|cancel|stamp|entry|added|expir|since|consent|sign|regist|today|version/i,
  /^(?:_|utm|last)/i,
];
/** Whether a day under this name may be the visit's. */
export const isVisitLabel = (name: string): boolean => !notVisits.some((words) => words.test(name));
