import { submissionFields } from './booking.ts';

/** What a column or a form's field can fill: a booking's fields, its clinic and the source's own id of the submission. */
export const targets = [...submissionFields, 'clinic', 'submission_id'] as const;
export type Target = (typeof targets)[number];

/** English labels that people and form tools use, best first. Of several in one source the first that is filled in counts. */
const labels = {
  full_name: ['patient name', 'full name', 'your full name', 'patient full name'],
  /** A whole name, or a given name where a surname stands beside it. */
  name: ['name', 'your name', 'patient', 'customer name', 'client name', 'client'],
  first_name: ['first name', 'given name'],
  last_name: ['last name', 'surname', 'family name'],
  patient_phone: [
    'patient phone',
    'phone number',
    'phone',
    'your phone',
    'your phone number',
    'mobile number',
    'mobile',
    'mobile phone',
    'cell phone',
    'cell',
    'telephone',
    'telephone number',
    'tel',
    'your tel',
    'contact number',
    'whatsapp',
    'whatsapp number',
  ],
  address: ['address', 'patient address', 'your address', 'home address', 'street address'],
  appointment_date: [
    'appointment date',
    'preferred date',
    'preferred appointment date',
    'date of appointment',
    'booking date',
    'your date',
    'date',
  ],
  /** In tables only: a form may part a date into day, month and year. */
  day: ['day'],
  appointment_time: [
    'appointment time',
    'preferred time',
    'preferred appointment time',
    'time of appointment',
    'booking time',
    'your time',
    'time',
  ],
  /** In tables only: a form may name its slots in words. */
  slot: ['slot'],
  /** In forms only: both in one field. */
  date_and_time: ['appointment date and time', 'preferred date and time', 'date and time', 'appointment'],
  doctor_id: ['doctor id', 'dentist id'],
  doctor: [
    'doctor',
    'doctor name',
    'dentist',
    'dentist name',
    'preferred dentist',
    'preferred doctor',
    'your dentist',
  ],
  treatment_id: ['treatment id'],
  /** In tables only: a form's number of a service is usually its website's own. */
  service_id: ['service id'],
  treatment: ['treatment', 'treatment name', 'your treatment', 'treatment type', 'service', 'procedure'],
  note: [
    'note',
    'notes',
    'message',
    'your message',
    'comment',
    'comments',
    'remarks',
    'additional information',
    'anything else',
  ],
} as const satisfies Record<string, readonly string[]>;

export type LabelKind = keyof typeof labels;
export const labelKinds = Object.keys(labels) as LabelKind[];

/** The labels of these kinds, ranked by the order of the kinds. */
export const labelsOf = (...kinds: readonly LabelKind[]): string[] => kinds.flatMap((kind) => labels[kind]);

/** Every word that a label is made of. */
export const labelWords = (): Set<string> =>
  new Set(labelsOf(...labelKinds).flatMap((label) => label.split(' ')));

/**
 * What equal labels have in common: `First Name*`, `first_name` and `firstName`. Vowel signs are kept: in many scripts they
 * tell words apart.
 */
export const labelKey = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
