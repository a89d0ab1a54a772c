import type { MirrorTable } from '../../../src/connector.ts';
import { bookingEntity } from '../../../src/domain/bookings/booking.ts';
import { type FieldKind, recordFields } from '../../../src/domain/clinics/record-fields.ts';
import type { EntityField, ValueKind } from '../../../src/domain/fields.ts';

export interface CsvColumn {
  name: string;
  /** Decides guarding in CSV and cell types in XLSX. */
  kind: ValueKind;
  /** Present only with `include: [patient]`. */
  patient: boolean;
  /** A visitor may have typed the value, so it is never left as a formula, whatever the profile. */
  visitor?: boolean;
  /** What a workbook calls it, where that is not its name. */
  title?: string;
}

export const column = (name: string, kind: ValueKind = 'text'): CsvColumn => ({ name, kind, patient: false });

const of =
  (kind: ValueKind) =>
  (...names: string[]): CsvColumn[] =>
    names.map((name) => column(name, kind));
const text = of('text');
const number = of('number');
const date = of('date');
const time = of('time');
const instant = of('instant');
/** Columns of a booking's fields. */
const ofBooking = (...names: (keyof typeof bookingEntity)[]): CsvColumn[] =>
  names.map((name) => {
    const { kind = 'text', from }: EntityField = bookingEntity[name];
    return { ...column(name, kind), patient: from === 'patient', ...(from && { visitor: true }) };
  });

const clinic = text('clinic');
/** Without `seen_at`, which would change every file with every poll; the manifest has each table's as-of. */
const life = instant('first_seen_at', 'changed_at', 'removed_at');

/** A fee and its period. */
const fee = [...of('money')('fee'), ...text('currency'), ...instant('valid_from', 'valid_to')];

const kinds: Record<FieldKind, ValueKind> = {
  id: 'number',
  number: 'number',
  name: 'text',
  text: 'text',
  json: 'text',
  fee: 'money',
  decimal: 'decimal',
  date: 'date',
};
const ofRecord = (table: keyof typeof recordFields): CsvColumn[] =>
  Object.entries(recordFields[table]).flatMap(([name, kind]) => of(kinds[kind])(name));

/** Columns of every file, in order. Programs rely on names and positions. */
export const tableColumns: Record<MirrorTable, readonly CsvColumn[]> = {
  organization: [...clinic, ...ofRecord('organization'), ...life],
  organization_statistics: [
    ...clinic,
    ...instant('at'),
    ...number('total_users', 'total_patients', 'total_appointments', 'total_doctors'),
    ...life,
  ],
  website: [...clinic, ...ofRecord('website'), ...life],
  treatments: [...clinic, ...ofRecord('treatments'), ...life],
  dentists: [...clinic, ...ofRecord('dentists'), ...life],
  fees: [...clinic, ...number('treatment_id'), ...text('treatment_name'), ...fee],
  consultation_fees: [...clinic, ...number('doctor_id'), ...text('doctor_name'), ...fee],
  appointments: [
    ...clinic,
    ...number('appointment_id'),
    ...text('status'),
    { ...column('name'), visitor: true, patient: true },
    ...date('date'),
    ...time('time'),
    ...life,
  ],
  bookings: [
    ...ofBooking('clinic', 'ref', 'source', 'submission_id', 'state', 'reason', 'message'),
    ...ofBooking('patient_name', 'patient_phone', 'address', 'appointment_date', 'appointment_time'),
    ...ofBooking('doctor_id', 'doctor', 'treatment_id', 'treatment', 'note', 'appointment_id'),
    ...ofBooking('attempt', 'merged', 'duplicate_of', 'received_at', 'changed_at'),
    ...ofBooking('campaign', 'channel', 'click_id', 'click_id_kind', 'utm_source', 'utm_medium', 'utm_term'),
    ...ofBooking('utm_content', 'landing_page', 'referrer'),
    ...ofBooking('first_campaign', 'first_channel', 'first_touch_at'),
  ],
  leads: [
    ...ofBooking('clinic', 'ref', 'source', 'campaign', 'channel', 'click_id', 'click_id_kind'),
    ...ofBooking('first_campaign', 'first_channel', 'state'),
    ...text('outcome', 'status', 'lost_reason'),
    ...instant('received_at', 'booked_at', 'completed_at', 'converted_at'),
    ...ofBooking('treatment_id', 'doctor_id'),
    ...of('money')('fee_as_sent'),
    ...text('currency'),
    ...number('days_to_visit'),
  ],
  conversions: [
    ...ofBooking('clinic', 'ref', 'source', 'campaign', 'channel', 'utm_source', 'utm_medium', 'utm_term'),
    ...ofBooking('utm_content', 'click_id', 'click_id_kind'),
    ...instant('received_at', 'booked_at', 'converted_at'),
    ...ofBooking('treatment_id', 'doctor_id'),
    ...of('money')('value'),
    ...text('currency', 'order_id'),
  ],
  retractions: [
    ...ofBooking('clinic', 'ref', 'source', 'campaign', 'channel', 'click_id', 'click_id_kind'),
    ...instant('converted_at', 'retracted_at'),
    ...text('outcome'),
    ...of('money')('value'),
    ...text('currency', 'order_id'),
  ],
};

export const changeColumns: readonly CsvColumn[] = [
  ...clinic,
  ...number('sequence'),
  ...instant('at'),
  ...text('type', 'resource', 'id', 'data', 'previous'),
];

export const columnsFor = (columns: readonly CsvColumn[], includePatient: boolean): CsvColumn[] =>
  columns.filter((column) => includePatient || !column.patient);
