import type { Target } from './mapping.ts';

const moments = ['appointment date and time', 'preferred date and time', 'date and time', 'appointment', 'datetime'];

/**
 * What people call the fields of a booking form, in English. The first label that was filled in is taken; a text with
 * several {{fields}} counts only when all of them were. Separators, case and asterisks do not count.
 */
export const commonLabels: Partial<Record<Target, readonly string[]>> = {
  patient_name: [
    'patient_name',
    'full name',
    'your full name',
    'patient full name',
    '{{first name}} {{last name}}',
    '{{first name}} {{surname}}',
    '{{name}} {{last name}}',
    '{{name}} {{surname}}',
    'name',
    'your name',
    'patient',
    'first name',
  ],
  patient_phone: [
    'patient_phone',
    'phone',
    'phone number',
    'your phone',
    'your phone number',
    'mobile',
    'mobile number',
    'mobile phone',
    'cell phone',
    'telephone',
    'telephone number',
    'your tel',
    'tel',
    'contact number',
    'whatsapp',
    'whatsapp number',
  ],
  address: ['address', 'your address', 'home address', 'street address'],
  appointment_date: [
    'appointment_date',
    'preferred date',
    'preferred appointment date',
    'date of appointment',
    'booking date',
    'your date',
    'date',
    ...moments,
  ],
  appointment_time: [
    'appointment_time',
    'preferred time',
    'preferred appointment time',
    'time of appointment',
    'booking time',
    'your time',
    'time',
    ...moments,
  ],
  doctor_id: ['doctor_id', 'dentist_id'],
  doctor: ['doctor', 'dentist', 'preferred dentist', 'preferred doctor', 'your dentist'],
  treatment_id: ['treatment_id'],
  treatment: ['treatment', 'your treatment', 'treatment type', 'service', 'procedure'],
  note: [
    'note',
    'notes',
    'message',
    'your message',
    'comment',
    'comments',
    'additional information',
    'anything else',
  ],
};
