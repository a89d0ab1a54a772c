import type { RequiredField } from '../../../../src/domain/bookings/booking.ts';
import { labelKey, labelsOf, type Target } from '../../../../src/domain/bookings/field-labels.ts';
import { type CampaignField, campaignFields, campaignLabels } from '../../../../src/domain/campaign.ts';
import type { CsvSettings } from '../../settings.ts';

/** Labels by field, besides our own names for the fields and those of `columns`, which come first. */
const labels = {
  // A whole name takes precedence over one in two columns.
  patient_name: labelsOf('full_name', 'name'),
  first_name: labelsOf('first_name'),
  last_name: labelsOf('last_name'),
  patient_phone: labelsOf('patient_phone'),
  address: labelsOf('address'),
  appointment_date: labelsOf('appointment_date', 'day', 'date_and_time'),
  appointment_time: labelsOf('appointment_time', 'slot'),
  doctor_id: labelsOf('doctor_id'),
  doctor: labelsOf('doctor'),
  treatment_id: labelsOf('treatment_id', 'service_id'),
  treatment: labelsOf('treatment'),
  note: labelsOf('note'),
  clinic: ['clinic'],
  // Not "id" or "lead id": they restart at 1 in every file, so new rows would be taken for known ones.
  submission_id: ['submission id'],
  ref: ['ref'],
  ...(Object.fromEntries(
    campaignFields.map((name) => [name, [name, ...(campaignLabels[name] ?? [])]]),
  ) as unknown as Record<CampaignField, readonly string[]>),
} as const satisfies Record<Target | CampaignField | 'first_name' | 'last_name' | 'ref', readonly string[]>;

export type HeaderField = keyof typeof labels;

/** The columns of each field; the first one that is not blank counts. */
export type HeaderMap = Partial<Record<HeaderField, number[]>>;

/** Columns of results, after the original ones. */
export const resultColumns = ['ref', 'state', 'appointment_id', 'message', 'updated_at'] as const;

/**
 * Positions of our own columns when a results file is dropped back into the inbox: they are replaced, not mapped (their
 * "message" is not the patient's note).
 */
export function ownColumns(headers: readonly string[]): Set<number> {
  const start = headers.length - resultColumns.length;
  const isResults = start >= 0 && resultColumns.every((name, index) => headers[start + index] === name);
  return new Set(isResults ? resultColumns.map((_, index) => start + index) : []);
}

const required: readonly { field: RequiredField; what: string; instead?: HeaderField }[] = [
  { field: 'patient_name', what: 'the patient’s name', instead: 'first_name' },
  { field: 'patient_phone', what: 'the phone number' },
];
/** A lead may come without a day; a column with days under another name must not be passed over. */
const expected: typeof required = [
  { field: 'appointment_date', what: 'the date' },
  { field: 'appointment_time', what: 'the time' },
];

/** The preferred label and all single-word ones. */
const plainest = (names: readonly string[]): string[] =>
  names.filter((name, rank) => rank === 0 || !name.includes(' '));

/** Finds the columns, or names the missing ones and their possible headers. */
export function mapHeaders(
  headers: readonly string[],
  columns: CsvSettings['columns'],
): { map: HeaderMap; fault?: never } | { fault: string; map?: never } {
  const own = ownColumns(headers);
  const keys = headers.map((header, index) => (own.has(index) ? '' : labelKey(header)));
  const map: HeaderMap = {};
  for (const [field, names] of Object.entries(labels) as [HeaderField, readonly string[]][]) {
    const configured = field in columns ? [columns[field as Target] ?? []].flat() : [];
    const wanted = [...configured, ...names].map(labelKey).filter((key) => key !== '');
    const places = wanted.flatMap((key) => keys.flatMap((other, index) => (other === key ? [index] : [])));
    if (places.length > 0) map[field] = [...new Set(places)];
  }
  const ref = headers.indexOf('ref');
  if (own.has(ref)) map.ref = [ref];

  const fault = faultFor(required, map);
  return fault === undefined ? { map } : { fault };
}

/**
 * Why the file needs another column for its days or times, if `holdsWhen` finds some in a column that is not mapped.
 */
export const unnamedSlot = (map: HeaderMap): string | undefined => faultFor(expected, map);

/** Why a file with two tables side by side is not read: everything in the second would be passed over. */
export function sideBySide(headers: readonly string[], map: HeaderMap): string | undefined {
  const isTwice = (field: HeaderField) => {
    const names = (map[field] ?? []).map((at) => labelKey(headers[at] ?? ''));
    return new Set(names).size < names.length;
  };
  if (!isTwice('patient_phone') || !(isTwice('patient_name') || isTwice('first_name'))) return undefined;
  return (
    'The first line names the patient and the phone number twice, as where two tables stand side by side. Put ' +
    'one below the other, or each into a file of its own.'
  );
}

function faultFor(wanted: typeof required, map: HeaderMap): string | undefined {
  const missing = wanted.filter(
    ({ field, instead }) => map[field] === undefined && (instead === undefined || map[instead] === undefined),
  );
  if (missing.length === 0) return undefined;
  const sentences = missing.map(
    ({ field, what }) =>
      `No column for ${what} (${field}): its header may be ${plainest(labels[field]).join(', ')}.`,
  );
  return (
    `The first line must name the columns. ${sentences.join(' ')} Other names go under columns in the ` +
    'connector’s settings.'
  );
}
