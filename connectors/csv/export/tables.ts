import type { MirrorTable } from '../../../src/connector.ts';
import { type FieldKind, recordFields } from '../../../src/domain/clinics/record-fields.ts';

/** Type of a column's values; decides guarding in CSV and cell types in XLSX. A value that does not fit is text. */
export type ValueKind = 'text' | 'number' | 'decimal' | 'money' | 'date' | 'time' | 'instant';

export interface CsvColumn {
  name: string;
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
const typed = (columns: readonly CsvColumn[]): CsvColumn[] =>
  columns.map((column) => ({ ...column, visitor: true }));
const patient = (...names: string[]): CsvColumn[] =>
  typed(text(...names)).map((column) => ({ ...column, patient: true }));

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
    ...patient('name'),
    ...date('date'),
    ...time('time'),
    ...life,
  ],
  bookings: [
    ...clinic,
    ...text('ref', 'source'),
    ...typed(text('submission_id')),
    ...text('state', 'reason'),
    ...typed(text('message')),
    ...patient('patient_name', 'patient_phone', 'address'),
    ...typed([...date('appointment_date'), ...time('appointment_time')]),
    ...number('doctor_id'),
    ...typed(text('doctor')),
    ...number('treatment_id'),
    ...typed(text('treatment')),
    ...patient('note'),
    ...number('appointment_id', 'attempt', 'merged'),
    ...text('duplicate_of'),
    ...instant('received_at', 'changed_at'),
    ...typed(text('campaign', 'channel', 'click_id')),
    ...text('click_id_kind'),
    ...typed(text('utm_source', 'utm_medium', 'utm_term', 'utm_content', 'landing_page', 'referrer')),
    ...typed(text('first_campaign', 'first_channel')),
    ...instant('first_touch_at'),
  ],
  leads: [
    ...clinic,
    ...text('ref', 'source'),
    ...typed(text('campaign', 'channel', 'click_id')),
    ...text('click_id_kind'),
    ...typed(text('first_campaign', 'first_channel')),
    ...text('state', 'outcome', 'status', 'lost_reason'),
    ...instant('received_at', 'booked_at', 'completed_at', 'converted_at'),
    ...number('treatment_id', 'doctor_id'),
    ...of('money')('fee_as_sent'),
    ...text('currency'),
    ...number('days_to_visit'),
  ],
  conversions: [
    ...clinic,
    ...text('ref', 'source'),
    ...typed(text('campaign', 'channel', 'utm_source', 'utm_medium', 'utm_term', 'utm_content', 'click_id')),
    ...text('click_id_kind'),
    ...instant('received_at', 'booked_at', 'converted_at'),
    ...number('treatment_id', 'doctor_id'),
    ...of('money')('value'),
    ...text('currency', 'order_id'),
  ],
  retractions: [
    ...clinic,
    ...text('ref', 'source'),
    ...typed(text('campaign', 'channel', 'click_id')),
    ...text('click_id_kind'),
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

const looks: Record<Exclude<ValueKind, 'text'>, RegExp> = {
  number: /^-?\d+(\.\d+)?$/,
  decimal: /^-?\d+(\.\d+)?$/,
  money: /^-?\d+(\.\d+)?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}$/,
  instant: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
};

/** The actual kind of a value: the date column of a booking held for its date may hold any text. */
export const valueKindOf = (value: string, kind: ValueKind): ValueKind =>
  kind !== 'text' && looks[kind].test(value) ? kind : 'text';
