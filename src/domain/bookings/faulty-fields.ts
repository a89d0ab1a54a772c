import { readDate, readTime } from '../date-time.ts';
import {
  type Booking,
  noClinic,
  type RequiredField,
  requiredFields,
  type SubmissionField,
  submissionFields,
} from './booking.ts';

export type FaultyField = SubmissionField | 'clinic';

const lineEnds = /[\t\r\n\u2028\u2029]/;

/** A phone number that a program took for a figure. */
export const roundedPhone = {
  pattern: /^[+-]?\d+([.,]\d+)?[eE]\+?\d+$/,
  otherwise:
    'was turned into a rounded number such as 8.80171E+12 by a spreadsheet or another ' +
    'program, so its last digits are lost; format that column as text',
};

/** What each required field must satisfy besides being present. */
const wanted: [field: RequiredField, isRight: (text: string) => boolean, otherwise: string][] = [
  ['patient_name', (name) => !lineEnds.test(name), 'has more than one line'],
  ['patient_phone', (phone) => !lineEnds.test(phone), 'has more than one line'],
  ['patient_name', (name) => /[\p{L}\p{N}]/u.test(name), 'contains no letter'],
  ['patient_phone', (phone) => (phone.match(/\p{Nd}/gu)?.length ?? 0) >= 5, 'has fewer than five digits'],
  ['patient_phone', (phone) => !roundedPhone.pattern.test(phone), roundedPhone.otherwise],
  ['appointment_date', (date) => readDate(date) !== undefined, 'is not YYYY-MM-DD'],
  ['appointment_time', (time) => readTime(time) !== undefined, 'is not HH:MM'],
];

type Required = Pick<Booking, RequiredField>;

export const missingFields = (draft: Required): RequiredField[] =>
  requiredFields.filter((field) => draft[field] === null);

/** Required fields that cannot be sent as they are, each with what is wrong. */
export const wrongFields = (draft: Required): { field: RequiredField; otherwise: string }[] =>
  wanted.flatMap(([field, isRight, otherwise]) =>
    draft[field] === null || isRight(draft[field]) ? [] : { field, otherwise },
  );

const isField = (name: string): name is SubmissionField => submissionFields.some((one) => one === name);

/** The fields for which a booking is held, as far as they are known. No values: these may be shown to anyone. */
export function faultyFields(booking: Booking): FaultyField[] {
  const { state, kind, reason, clinic, unreadable_fields } = booking;
  if (state !== 'held' || kind !== 'booking') return [];
  switch (reason) {
    case 'missing_field':
      return clinic === noClinic ? ['clinic'] : missingFields(booking);
    case 'invalid_field': {
      const wrong = wrongFields(booking).map(({ field }) => field);
      return [...new Set([...wrong, ...unreadable_fields.filter(isField)])];
    }
    case 'mapping':
      return (['doctor', 'treatment'] as const).filter(
        (field) => booking[field] !== null && booking[`${field}_id`] === null,
      );
    default:
      return [];
  }
}
