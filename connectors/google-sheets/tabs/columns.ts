import type { SubmissionField } from '../../../src/domain/bookings/booking.ts';
import { type Locale, localeOf } from '../../../src/platform/text/locale.ts';
import { type Language, languages, type PlainText } from '../../../src/texts/texts.ts';
import type { TabKey } from '../settings.ts';
import { AS_OF, AS_OF_HEADER, CLINIC, type ColumnKind, ID, type TabColumn } from '../sheet/tab-spec.ts';
import { MONTHS, monthColumns } from './overview.ts';
import { DAY_COLUMN } from './price-list.ts';

type Heading = (locale: Locale) => string;

/** A column whose header is not yet in a language. */
type BareColumn = Omit<TabColumn, 'header' | 'headers'> & { heading: Heading };

const column = (key: string, name: PlainText | Heading, kind: ColumnKind, width?: number): BareColumn => ({
  key,
  heading: typeof name === 'function' ? name : ({ t }) => t(name),
  kind,
  ...(width !== undefined && { width }),
});

/** Columns that people fill in on the Bookings tab; `required` ones are marked with an asterisk. */
export const inputs = {
  patient: { name: 'patient', field: 'patient_name', required: true, kind: 'text', width: 180 },
  phone: { name: 'phone', field: 'patient_phone', required: true, kind: 'text', width: 130 },
  date: { name: 'date', field: 'appointment_date', required: true, kind: 'date', width: 90 },
  time: { name: 'time', field: 'appointment_time', required: true, kind: 'time', width: 60 },
  dentist: { name: 'dentist', field: 'doctor', required: false, kind: 'text', width: 160 },
  treatment: { name: 'treatment', field: 'treatment', required: false, kind: 'text', width: 160 },
  address: { name: 'address', field: 'address', required: false, kind: 'text', width: 160 },
  note: { name: 'note', field: 'note', required: false, kind: 'text', width: 160 },
} as const satisfies Record<
  string,
  { name: PlainText; field: SubmissionField; required: boolean; kind: ColumnKind; width: number }
>;

/** What the messages in rows, which are English, call a column. */
export const inputLabel = (key: keyof typeof inputs): string => localeOf('en').t(inputs[key].name);

/** Columns of the Bookings tab that people tick or that answer them. */
const sendAndAnswers = [
  column('send', 'sheet_send', 'checkbox', 50),
  column('ref', 'sheet_ref', 'text', 100),
  column('state', 'state', 'text', 110),
  column('appointment', 'thing_appointment', 'number', 90),
  column('message', 'sheet_message', 'text', 380),
  column('updated', 'sheet_updated', 'instant', 130),
];

const id = column(ID, 'sheet_id', 'id', 60);
const state = [column('state', 'state', 'text', 80), column('since', 'since', 'date', 90)];
const clinicColumn = column(CLINIC, 'clinic', 'text', 90);

/** One of its cells shows the tab's age, in the place of this header. */
const asOf: BareColumn = { ...column(AS_OF, () => AS_OF_HEADER, 'mixed', 250), input: true };

const bare: Record<TabKey, { title: PlainText; columns: BareColumn[] }> = {
  overview: {
    title: 'nav_overview',
    columns: [
      { ...id, hidden: true },
      clinicColumn,
      column('what', 'what', 'text', 290),
      column('value', 'lead_value', 'mixed', 160),
      asOf,
      column('series', 'sheet_by_month', 'text', 120),
      ...monthColumns.map((key, at) =>
        column(
          key,
          at === MONTHS - 1
            ? 'sheet_this_month'
            : ({ t }) => t('sheet_months_ago', { months: MONTHS - 1 - at }),
          'mixed',
          75,
        ),
      ),
    ],
  },
  treatments: {
    title: 'poll_treatments',
    columns: [
      id,
      clinicColumn,
      column('name', 'treatment', 'text', 220),
      column('fee', 'fee', 'money', 100),
      column('minutes', 'field_duration_minutes', 'number', 70),
      column('description', 'field_description', 'text', 320),
      column('image', 'field_image_url', 'text', 160),
      ...state,
    ],
  },
  dentists: {
    title: 'poll_dentists',
    columns: [
      id,
      clinicColumn,
      column('name', 'dentist', 'text', 200),
      column('specialization', 'field_specialization', 'text', 180),
      column('qualification', 'field_qualification', 'text', 180),
      column('years', 'field_experience_years', 'number', 70),
      column('fee', 'field_consultation_fee', 'money', 120),
      ...state,
    ],
  },
  clinic: {
    title: 'clinic',
    columns: [
      { ...id, width: 160 },
      clinicColumn,
      column('field', 'sheet_field', 'text', 180),
      column('value', 'lead_value', 'mixed', 360),
    ],
  },
  fee_history: {
    title: 'sheet_fee_history',
    columns: [
      id,
      clinicColumn,
      column('at', 'noticed', 'instant', 130),
      column('kind', 'kind', 'text', 90),
      column('thing', 'sheet_of_id', 'id', 60),
      column('name', 'name', 'text', 220),
      column('field', 'sheet_field', 'text', 120),
      column('old', 'sheet_old', 'money', 100),
      column('new', 'sheet_new', 'money', 100),
      column('difference', 'difference', 'money', 100),
    ],
  },
  price_list: {
    title: 'sheet_price_list',
    columns: [
      { ...id, width: 110 },
      clinicColumn,
      column('kind', 'kind', 'text', 100),
      column('name', 'name', 'text', 320),
      column('fee', 'fee', 'money', 120),
      column('currency', 'currency', 'text', 110),
      column('since', 'since', 'date', 90),
      { ...column(DAY_COLUMN, 'sheet_day', 'date', 140), input: true },
    ],
  },
  statistics: {
    title: 'sheet_statistics',
    columns: [
      { ...id, width: 170 },
      clinicColumn,
      column('at', 'sheet_at', 'instant', 130),
      column('users', 'total_users', 'number'),
      column('patients', 'total_patients', 'number'),
      column('appointments', 'total_appointments', 'number'),
      column('dentists', 'poll_dentists', 'number'),
    ],
  },
  appointments: {
    title: 'poll_appointments',
    columns: [
      id,
      clinicColumn,
      column('status', 'sheet_status', 'text', 100),
      column('patient', 'patient', 'text', 200),
      column('date', 'date', 'date', 90),
      column('time', 'time', 'time', 60),
      column('changed', 'sheet_changed', 'instant', 130),
    ],
  },
  leads: {
    title: 'leads',
    columns: [
      column(ID, 'sheet_ref', 'text', 100),
      clinicColumn,
      column('received', 'sheet_received', 'instant', 130),
      column('source', 'source', 'text', 110),
      column('campaign', 'by_campaign', 'text', 150),
      column('channel', 'by_channel', 'text', 130),
      column('state', 'state', 'text', 90),
      column('outcome', 'sheet_outcome', 'text', 90),
      column('status', 'at_the_clinic', 'text', 110),
      column('booked', 'lead_booked', 'instant', 130),
      column('completed', 'lead_completed', 'instant', 130),
      column('treatment', 'treatment', 'text', 200),
      column('dentist', 'dentist', 'text', 180),
      column('fee', 'fee', 'money', 100),
      column('currency', 'currency', 'text', 80),
    ],
  },
  bookings: {
    title: 'nav_bookings',
    columns: [
      ...Object.entries(inputs).map(([key, { name, required, kind, width }]) => ({
        ...column(key, ({ t }) => (required ? `${t(name)} *` : t(name)), kind, width),
        input: true,
      })),
      { ...column('for_clinic', 'clinic', 'text', 90), input: true },
      ...sendAndAnswers,
      { ...column('campaign', 'by_campaign', 'text', 130), input: true },
    ],
  },
  sync: {
    title: 'sheet_sync',
    columns: [
      { ...id, width: 140 },
      clinicColumn,
      column('what', 'what', 'text', 420),
      column('rows', 'rows', 'number', 70),
      column('as_of', 'sheet_as_of', 'instant', 130),
      column('next', 'sheet_next', 'instant', 130),
      column('state', 'state', 'mixed', 160),
    ],
  },
};

interface LayoutOptions {
  several: boolean;
  includePatient: boolean;
  language: Language;
}

/** Title and columns of a new tab. The texts of all languages must be loaded. */
export function layoutOf(
  key: TabKey,
  { several, includePatient, language }: LayoutOptions,
): { title: string; columns: TabColumn[] } {
  const { title, columns } = bare[key];
  const wanted = (columns.includes(asOf) ? columns : [...columns, asOf]).filter(
    (one) =>
      (one.key !== 'patient' || key !== 'appointments' || includePatient) &&
      (one.key !== 'for_clinic' || several),
  );
  const locale = localeOf(language);
  return {
    title: locale.t(title),
    columns: wanted.map(({ heading, ...one }) => ({
      ...one,
      header: heading(locale),
      headers: languages.map((lang) => heading(localeOf(lang))),
      ...(one.key === CLINIC && !several && { hidden: true }),
    })),
  };
}
