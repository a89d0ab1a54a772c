import type { MirrorTable } from '../../../src/connector.ts';

/** Content of a column; decides guarding in CSV and cell types in XLSX. A value of another shape is text. */
export type Kind = 'text' | 'number' | 'decimal' | 'date' | 'time' | 'instant';

export interface Column {
  name: string;
  kind: Kind;
  /** Present only with `include: [patient]`. */
  patient: boolean;
  /** A visitor may have typed the content: it is never left as a formula, whatever the profile. */
  visitor?: boolean;
}

const of =
  (kind: Kind) =>
  (...names: string[]): Column[] =>
    names.map((name) => ({ name, kind, patient: false }));
const text = of('text');
const number = of('number');
const decimal = of('decimal');
const date = of('date');
const time = of('time');
const instant = of('instant');
const typed = (columns: readonly Column[]): Column[] =>
  columns.map((column) => ({ ...column, visitor: true }));
const patient = (...names: string[]): Column[] =>
  typed(text(...names)).map((column) => ({ ...column, patient: true }));

const clinic = text('clinic');
/** Without `seen_at`, which would change every file with every poll; the manifest has the as-of. */
const life = instant('first_seen_at', 'changed_at', 'removed_at');

/** Columns of every file, in order. Programs rely on names and positions. */
export const tableColumns: Record<MirrorTable, readonly Column[]> = {
  organization: [
    ...clinic,
    ...number('care_id'),
    ...text('name', 'short_name', 'tooth_system', 'currency', 'currency_symbol', 'logo'),
    ...text('address', 'city', 'state', 'region', 'postal_code', 'country'),
    ...text('phone', 'email', 'website', 'fax'),
    ...date('established_date'),
    ...life,
  ],
  organization_statistics: [
    ...clinic,
    ...instant('at'),
    ...number('total_users', 'total_patients', 'total_appointments', 'total_doctors'),
    ...life,
  ],
  website: [
    ...clinic,
    ...number('care_id'),
    ...text('clinic_name', 'theme_primary', 'theme_secondary', 'theme_dark'),
    ...text('hero_title', 'hero_subtitle', 'hero_badge', 'hero_bg_image'),
    ...text('stat_years', 'stat_support', 'stat_success'),
    ...text('about_title', 'about_description', 'about_image'),
    ...text('contact_phone', 'contact_email', 'contact_address', 'whatsapp_number', 'map_url'),
    ...text('opening_hours', 'team_members', 'testimonials', 'faqs', 'services'),
    ...text('cta_text', 'appointment_title', 'appointment_subtitle', 'about_label', 'footer_description'),
    ...text('social_facebook', 'social_instagram', 'social_twitter', 'social_linkedin'),
    ...text('section_labels', 'seo_title', 'seo_description', 'seo_keywords'),
    ...life,
  ],
  treatments: [
    ...clinic,
    ...number('treatment_id'),
    ...text('treatment_name', 'description'),
    ...decimal('base_fee'),
    ...number('duration_minutes'),
    ...text('image_url'),
    ...life,
  ],
  dentists: [
    ...clinic,
    ...number('doctor_id'),
    ...text('doctor_name', 'specialization', 'qualification'),
    ...number('experience_years'),
    ...decimal('consultation_fee'),
    ...text('signature_image_url'),
    ...life,
  ],
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
  ],
};

export const changeColumns: readonly Column[] = [
  ...clinic,
  ...number('sequence'),
  ...instant('at'),
  ...text('type', 'resource', 'id', 'data', 'previous'),
];

export const columnsFor = (columns: readonly Column[], includePatient: boolean): Column[] =>
  columns.filter((column) => includePatient || !column.patient);

const looks: Record<Exclude<Kind, 'text'>, RegExp> = {
  number: /^-?\d+(\.\d+)?$/,
  decimal: /^-?\d+(\.\d+)?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}$/,
  instant: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
};

/** The kind of a value: the date column of a booking that is held for its date may hold any text. */
export const kindOf = (value: string, kind: Kind): Kind =>
  kind !== 'text' && looks[kind].test(value) ? kind : 'text';
