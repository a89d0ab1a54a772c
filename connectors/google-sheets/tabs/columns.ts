import type { SubmissionField } from '../../../src/domain/bookings/booking.ts';
import type { TabKey } from '../settings.ts';
import { AS_OF, AS_OF_HEADER, CLINIC, type ColumnKind, ID, type TabColumn } from '../sheet/tab-spec.ts';
import { MONTHS, monthColumns } from './overview.ts';
import { DAY_COLUMN } from './price-list.ts';

const column = (key: string, header: string, kind: ColumnKind, width?: number): TabColumn => ({
  key,
  header,
  kind,
  ...(width !== undefined && { width }),
});

/** Columns that people fill in on the Bookings tab; `required` ones are marked with an asterisk. */
export const inputs = {
  patient: { label: 'Patient', field: 'patient_name', required: true, kind: 'text', width: 180 },
  phone: { label: 'Phone', field: 'patient_phone', required: true, kind: 'text', width: 130 },
  date: { label: 'Date', field: 'appointment_date', required: true, kind: 'date', width: 90 },
  time: { label: 'Time', field: 'appointment_time', required: true, kind: 'time', width: 60 },
  dentist: { label: 'Dentist', field: 'doctor', required: false, kind: 'text', width: 160 },
  treatment: { label: 'Treatment', field: 'treatment', required: false, kind: 'text', width: 160 },
  address: { label: 'Address', field: 'address', required: false, kind: 'text', width: 160 },
  note: { label: 'Note', field: 'note', required: false, kind: 'text', width: 160 },
} as const satisfies Record<
  string,
  { label: string; field: SubmissionField; required: boolean; kind: ColumnKind; width: number }
>;

/** Columns of the Bookings tab that people tick or that answer them. */
export const sendAndAnswers = {
  Send: column('send', 'Send', 'checkbox', 50),
  Ref: column('ref', 'Ref', 'text', 100),
  State: column('state', 'State', 'text', 110),
  Appointment: column('appointment', 'Appointment', 'number', 90),
  Message: column('message', 'Message', 'text', 380),
  Updated: column('updated', 'Updated', 'instant', 130),
};

const id = column(ID, 'ID', 'id', 60);
const state = [column('state', 'State', 'text', 80), column('since', 'Since', 'date', 90)];
const clinicColumn = column(CLINIC, 'Clinic', 'text', 90);

/** One of its cells shows the tab's age. */
const asOf: TabColumn = { ...column(AS_OF, AS_OF_HEADER, 'mixed', 250), input: true };

const bare: Record<TabKey, { title: string; columns: TabColumn[] }> = {
  overview: {
    title: 'Overview',
    columns: [
      { ...id, hidden: true },
      clinicColumn,
      column('what', 'What', 'text', 290),
      column('value', 'Value', 'mixed', 160),
      asOf,
      column('series', 'By month', 'text', 120),
      ...monthColumns.map((key, at) =>
        column(key, at === MONTHS - 1 ? 'This month' : `${MONTHS - 1 - at} ago`, 'mixed', 75),
      ),
    ],
  },
  treatments: {
    title: 'Treatments',
    columns: [
      id,
      clinicColumn,
      column('name', 'Treatment', 'text', 220),
      column('fee', 'Fee', 'money', 100),
      column('minutes', 'Minutes', 'number', 70),
      column('description', 'Description', 'text', 320),
      column('image', 'Picture', 'text', 160),
      ...state,
    ],
  },
  dentists: {
    title: 'Dentists',
    columns: [
      id,
      clinicColumn,
      column('name', 'Dentist', 'text', 200),
      column('specialization', 'Specialization', 'text', 180),
      column('qualification', 'Qualification', 'text', 180),
      column('years', 'Years of experience', 'number', 70),
      column('fee', 'Consultation fee', 'money', 120),
      ...state,
    ],
  },
  clinic: {
    title: 'Clinic',
    columns: [
      { ...id, width: 160 },
      clinicColumn,
      column('field', 'Field', 'text', 180),
      column('value', 'Value', 'mixed', 360),
    ],
  },
  fee_history: {
    title: 'Fee history',
    columns: [
      id,
      clinicColumn,
      column('at', 'Noticed', 'instant', 130),
      column('kind', 'Kind', 'text', 90),
      column('thing', 'Of ID', 'id', 60),
      column('name', 'Name', 'text', 220),
      column('field', 'Field', 'text', 120),
      column('old', 'Old', 'money', 100),
      column('new', 'New', 'money', 100),
      column('difference', 'Difference', 'money', 100),
    ],
  },
  price_list: {
    title: 'Price list',
    columns: [
      { ...id, width: 110 },
      clinicColumn,
      column('kind', 'Kind', 'text', 100),
      column('name', 'Name', 'text', 320),
      column('fee', 'Fee', 'money', 120),
      column('currency', 'Currency', 'text', 110),
      column('since', 'Since', 'date', 90),
      { ...column(DAY_COLUMN, 'Day (empty: today)', 'date', 140), input: true },
    ],
  },
  statistics: {
    title: 'Statistics',
    columns: [
      { ...id, width: 170 },
      clinicColumn,
      column('at', 'At', 'instant', 130),
      column('users', 'Users', 'number'),
      column('patients', 'Patients', 'number'),
      column('appointments', 'Appointments', 'number'),
      column('dentists', 'Dentists', 'number'),
    ],
  },
  appointments: {
    title: 'Appointments',
    columns: [
      id,
      clinicColumn,
      column('status', 'Status', 'text', 100),
      column('patient', 'Patient', 'text', 200),
      column('date', 'Date', 'date', 90),
      column('time', 'Time', 'time', 60),
      column('changed', 'Changed', 'instant', 130),
    ],
  },
  leads: {
    title: 'Leads',
    columns: [
      column(ID, 'Ref', 'text', 100),
      clinicColumn,
      column('received', 'Received', 'instant', 130),
      column('source', 'Source', 'text', 110),
      column('campaign', 'Campaign', 'text', 150),
      column('channel', 'Channel', 'text', 130),
      column('state', 'State', 'text', 90),
      column('outcome', 'Outcome', 'text', 90),
      column('status', 'At the clinic', 'text', 110),
      column('booked', 'Booked', 'instant', 130),
      column('completed', 'Completed', 'instant', 130),
      column('treatment', 'Treatment', 'text', 200),
      column('dentist', 'Dentist', 'text', 180),
      column('fee', 'Fee', 'money', 100),
      column('currency', 'Currency', 'text', 80),
    ],
  },
  bookings: {
    title: 'Bookings',
    columns: [
      ...Object.entries(inputs).map(([key, { label, required, kind, width }]) => ({
        ...column(key, required ? `${label} *` : label, kind, width),
        input: true,
      })),
      { ...column('for_clinic', 'Clinic', 'text', 90), input: true },
      ...Object.values(sendAndAnswers),
      { ...column('campaign', 'Campaign', 'text', 130), input: true },
    ],
  },
  sync: {
    title: 'Sync',
    columns: [
      { ...id, width: 140 },
      clinicColumn,
      column('what', 'What', 'text', 420),
      column('rows', 'Rows', 'number', 70),
      column('as_of', 'As of', 'instant', 130),
      column('next', 'Next expected', 'instant', 130),
      column('state', 'State', 'mixed', 160),
    ],
  },
};

/** Title and columns of a new tab. */
export function layoutOf(
  key: TabKey,
  { several, includePatient }: { several: boolean; includePatient: boolean },
): { title: string; columns: TabColumn[] } {
  const { title, columns } = bare[key];
  const wanted = (columns.includes(asOf) ? columns : [...columns, asOf]).filter(
    (one) =>
      (one.key !== 'patient' || key !== 'appointments' || includePatient) &&
      (one.key !== 'for_clinic' || several),
  );
  return {
    title,
    columns: wanted.map((one) => (one.key === CLINIC && !several ? { ...one, hidden: true } : one)),
  };
}
