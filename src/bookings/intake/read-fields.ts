import type {
  Booking,
  FieldFault,
  HoldReason,
  RequiredField,
  Submission,
  SubmissionField,
} from '../../domain/booking.ts';
import { readDate, readTime } from '../../domain/date-time.ts';
import { missingFields, wrongFields } from '../../domain/faulty-fields.ts';
import { canonical, type Json, normalise } from '../../platform/json.ts';
import { hiddenIn } from '../../platform/printable.ts';

/** The fields of a booking that a source supplies. */
export type Draft = Pick<Booking, SubmissionField>;

/** A fault, shown to the sender and to the user who decides. Never quotes what a visitor typed. */
export interface Fault extends FieldFault {
  reason: HoldReason;
}

/** Maximum lengths sent to the clinic. Longer values are held, because a truncated address is a wrong one. */
const longest = {
  patient_name: 200,
  patient_phone: 50,
  address: 500,
  doctor: 200,
  treatment: 200,
  note: 2000,
} as const;

const labels: Record<RequiredField, string> = {
  patient_name: 'The patient’s name',
  patient_phone: 'The phone number',
  appointment_date: 'The date',
  appointment_time: 'The time',
};

const invalid = (field: string, message: string): Fault => ({ field, message, reason: 'invalid_field' });
const mostDigits = /^\d{1,15}$/;
/** Maximum characters of a note to store, unless configured otherwise. */
const DEFAULT_MAX_TEXT = 4_000;
/** Maximum characters to store of any other field: more than is ever sent, enough to recognise the value. */
const mostKept = 500;
const mostOfAddress = 1_000;
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const mostBytes = 3;
const encoder = new TextEncoder();
const limitOf = (field: SubmissionField): number =>
  (longest as Partial<Record<SubmissionField, number>>)[field] ?? mostKept;

/**
 * Reads what a source sent as text and numbers. Only lossless changes: NFC, trimming, `9:30` → `09:30`. Unreadable
 * values stay as received, each with a fault. Idempotent.
 */
export function readFields(
  fields: Submission['fields'],
  maxText: number = DEFAULT_MAX_TEXT,
): { draft: Draft; faults: Fault[] } {
  const faults: Fault[] = [];
  const text = (field: SubmissionField) => readText(field, fields[field], faults, maxText);

  const draft: Draft = {
    patient_name: text('patient_name'),
    patient_phone: text('patient_phone'),
    address: text('address'),
    appointment_date: text('appointment_date'),
    appointment_time: text('appointment_time'),
    ...readChoice('doctor', fields, faults),
    ...readChoice('treatment', fields, faults),
    note: text('note'),
  };
  faults.push(...faultsOf(draft));
  const date = readDate(draft.appointment_date ?? '');
  const time = readTime(draft.appointment_time ?? '');
  draft.appointment_date = date ?? draft.appointment_date;
  draft.appointment_time = time ?? draft.appointment_time;
  return { draft, faults };
}

const faultsOf = (draft: Draft): Fault[] => [
  ...wrongFields(draft).map(({ field, otherwise }) => invalid(field, `${labels[field]} ${otherwise}.`)),
  ...missingFields(draft).map(
    (field): Fault => ({ field, message: `${labels[field]} is missing.`, reason: 'missing_field' }),
  ),
];

function readText(
  field: SubmissionField,
  received: Json | undefined,
  faults: Fault[],
  maxText: number = DEFAULT_MAX_TEXT,
): string | null {
  const value = Array.isArray(received) && received.length === 1 ? received[0] : received;
  if (value === undefined || value === null) return null;
  if (typeof value === 'object' || typeof value === 'boolean' || Number.isNaN(value)) {
    faults.push(invalid(field, `${field} is not text.`));
    // Kept as received, so that a user can still read it.
    return cut(field, canonical(normalise(value)), maxText);
  }
  const given = normalise(String(value)).trim();
  const whole = field === 'patient_phone' ? unwrapped(given) : given;
  const text = cut(field, whole, maxText);
  if (text === '') return null;
  const limit = limitOf(field);
  const rest = text.length < whole.length ? `; only the first ${text.length} are stored` : '';
  if (whole.length > limit)
    faults.push(invalid(field, `${field} is longer than ${limit} characters${rest}.`));
  if (isStructured(text)) faults.push(invalid(field, `${field} is not text.`));
  const hidden = hiddenIn(text);
  if (hidden.length > 0)
    faults.push(invalid(field, `${field} contains invisible characters (${hidden.slice(0, 3).join(', ')}).`));
  return text;
}

/**
 * A stranger may send 64 kB, and the change log stores each booking several times. Bytes are limited too, because a
 * character may take three.
 */
function cut(field: SubmissionField, text: string, maxText: number): string {
  const most = field === 'note' ? maxText : field === 'address' ? mostOfAddress : mostKept;
  const bytes = Math.max(most, mostBytes * limitOf(field));
  if (text.length <= most && Buffer.byteLength(text) <= bytes) return text;
  const { read } = encoder.encodeInto(text.slice(0, most), new Uint8Array(bytes));
  return text.slice(0, read).toWellFormed().trimEnd();
}

/** Strips the direction marks that contact apps put around a number and that are copied with it. */
function unwrapped(phone: string): string {
  const isMark = (index: number) => /[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(phone[index] ?? '');
  let from = 0;
  let to = phone.length;
  while (from < to && isMark(from)) from += 1;
  while (from < to && isMark(to - 1)) to -= 1;
  return phone.slice(from, to);
}

/** An object or list stored as text above must not pass as text when it is read again. */
function isStructured(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads a dentist or treatment by id, name or both. Text in the id field counts as the name. */
function readChoice<Kind extends 'doctor' | 'treatment'>(
  kind: Kind,
  fields: Submission['fields'],
  faults: Fault[],
): Pick<Draft, Kind | `${Kind}_id`> {
  const name = readText(kind, fields[kind], faults);
  const given = readText(`${kind}_id`, fields[`${kind}_id`], faults)?.normalize('NFKC') ?? null;
  const id = given !== null && mostDigits.test(given) ? Number(given) : null;
  if (given !== null && (id === null || id === 0) && name !== null)
    faults.push(invalid(`${kind}_id`, `${kind}_id is not a whole number above zero.`));
  if (id === 0) {
    if (name === null) faults.push(invalid(`${kind}_id`, `${kind}_id is not a whole number above zero.`));
    return { [kind]: name, [`${kind}_id`]: null } as Pick<Draft, Kind | `${Kind}_id`>;
  }
  const choice = { [kind]: name ?? (id === null ? given : null), [`${kind}_id`]: id };
  return choice as Pick<Draft, Kind | `${Kind}_id`>;
}
