import { type CsvSettings, type InboxField, inboxFields } from '../settings.ts';

/** Header names people and form tools use, best first. Compared without case, punctuation and extra spaces. */
const synonyms: Record<InboxField | 'first_name' | 'last_name' | 'ref', readonly string[]> = {
  patient_name: [
    'patient name',
    'full name',
    'name',
    'patient',
    'your name',
    'customer name',
    'client name',
    'client',
  ],
  first_name: ['first name', 'given name'],
  last_name: ['last name', 'family name', 'surname'],
  patient_phone: [
    'patient phone',
    'phone number',
    'phone',
    'mobile number',
    'mobile',
    'mobile phone',
    'contact number',
    'telephone',
    'tel',
    'cell',
    'cell phone',
    'whatsapp',
    'whatsapp number',
    'your phone',
  ],
  address: ['address', 'patient address'],
  appointment_date: ['appointment date', 'preferred date', 'booking date', 'date', 'day'],
  appointment_time: ['appointment time', 'preferred time', 'booking time', 'time', 'slot'],
  doctor_id: ['doctor id', 'dentist id'],
  doctor: ['doctor', 'doctor name', 'dentist', 'dentist name'],
  treatment_id: ['treatment id', 'service id'],
  treatment: ['treatment', 'treatment name', 'service', 'procedure'],
  note: ['note', 'notes', 'comment', 'comments', 'message', 'remarks'],
  clinic: ['clinic'],
  // Not "id" or "lead id": they start at 1 in every file, whose rows would be taken for known ones.
  submission_id: ['submission id'],
  ref: ['ref'],
};

export type HeaderField = keyof typeof synonyms;

/** Which columns hold a field; the first that is not blank counts. */
export type HeaderMap = Partial<Record<HeaderField, number[]>>;

/** Columns of results, after the original ones. */
export const resultColumns = ['ref', 'state', 'appointment_id', 'message', 'updated_at'] as const;

const fold = (header: string) =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/**
 * Positions of our own columns when a results file is dropped back into the inbox: they are replaced, not mapped
 * (its "message" is no note of the patient's).
 */
export function ownColumns(headers: readonly string[]): Set<number> {
  const start = headers.length - resultColumns.length;
  const isResults = start >= 0 && resultColumns.every((name, index) => headers[start + index] === name);
  return new Set(isResults ? resultColumns.map((_, index) => start + index) : []);
}

const required: readonly { field: InboxField; what: string; instead?: HeaderField }[] = [
  { field: 'patient_name', what: 'the patient’s name', instead: 'first_name' },
  { field: 'patient_phone', what: 'the phone number' },
  { field: 'appointment_date', what: 'the date' },
  { field: 'appointment_time', what: 'the time' },
];

/** Finds the columns, or says which one is missing and how to name it. */
export function mapHeaders(
  headers: readonly string[],
  columns: CsvSettings['columns'],
): { map: HeaderMap; fault?: never } | { fault: string; map?: never } {
  const own = ownColumns(headers);
  const folded = headers.map((header, index) => (own.has(index) ? '' : fold(header)));
  const map: HeaderMap = {};
  for (const [field, names] of Object.entries(synonyms) as [HeaderField, readonly string[]][]) {
    const configured = inboxFields.some((name) => name === field) ? columns[field as InboxField] : undefined;
    const all = [...[configured ?? []].flat().map(fold), ...names];
    const places = all.flatMap((name) => folded.flatMap((header, index) => (header === name ? [index] : [])));
    if (places.length > 0) map[field] = [...new Set(places)];
  }
  const ref = headers.indexOf('ref');
  if (own.has(ref)) map.ref = [ref];

  const missing = required.filter(
    ({ field, instead }) => map[field] === undefined && (instead === undefined || map[instead] === undefined),
  );
  if (missing.length === 0) return { map };
  const sentences = missing.map(
    ({ field, what }) =>
      `No column for ${what} (${field}): its header may be ${synonyms[field].slice(0, 4).join(', ')}.`,
  );
  return {
    fault: `The first line must name the columns. ${sentences.join(' ')} Other names go under columns in the connector’s settings.`,
  };
}
