import { labelsOf, type Target } from '../../../src/domain/bookings/field-labels.ts';

const surnames = labelsOf('last_name').map((label) => `{{${label}}}`);
/** Beside a surname, `name` is a given name: both parts together take precedence over it alone. */
const parted = [...labelsOf('first_name'), 'name'].flatMap((given) =>
  surnames.map((surname) => `{{${given}}} ${surname}`),
);

/**
 * Labels to look for when no rule names a form's field. The first one that was filled in counts; a text with several
 * {{fields}} counts only when all of them were.
 */
export const commonLabels: Partial<Record<Target, readonly string[]>> = {
  patient_name: [...labelsOf('full_name'), ...parted, ...labelsOf('name', 'first_name')],
  patient_phone: labelsOf('patient_phone'),
  address: labelsOf('address'),
  // A field with date and time also gives the time when no other field does.
  appointment_date: labelsOf('appointment_date', 'date_and_time'),
  appointment_time: labelsOf('appointment_time'),
  doctor_id: labelsOf('doctor_id'),
  doctor: labelsOf('doctor'),
  treatment_id: labelsOf('treatment_id'),
  treatment: labelsOf('treatment'),
  note: labelsOf('note'),
};
