import { submissionFields } from './booking.ts';

/** What a column or form field can fill: a booking's fields, its clinic and the source's own submission id. */
export const targets = [...submissionFields, 'clinic', 'submission_id'] as const;
export type Target = (typeof targets)[number];

/** English labels used by people and form tools, best first. Of several in one source, the first filled in counts. */
const labels = {
  full_name: ['patient name', 'full name', 'your full name', 'patient full name'],
  /** A full name, or a given name if there is also a surname. */
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
  /** In tables only: a form may split a date into day, month and year. */
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
  /** In tables only: a form may describe its slots in words. */
  slot: ['slot'],
  /** Date and time in one field. */
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
  /** In tables only: in a form, it is usually the website's own number. */
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

/** The labels of these kinds, in the order of the kinds. */
export const labelsOf = (...kinds: readonly LabelKind[]): string[] => kinds.flatMap((kind) => labels[kind]);

/** Every word used in a label. */
export const labelWords = (): Set<string> =>
  new Set(labelsOf(...labelKinds).flatMap((label) => label.split(' ')));

/**
 * Equal for labels that mean the same: `First Name*`, `first_name` and `firstName`. Keeps vowel signs, which
 * distinguish words in many scripts.
 */
export const labelKey = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
