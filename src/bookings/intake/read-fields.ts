import {
  type Booking,
  type FieldFault,
  type HoldReason,
  type RequiredField,
  requiredFields,
  type Submission,
  type SubmissionField,
} from '../../domain/bookings/booking.ts';
import { missingFields, wrongFields } from '../../domain/bookings/faulty-fields.ts';
import { canonical, isObject, type Json, normalise } from '../../platform/json.ts';
import { hiddenIn } from '../../platform/text/printable.ts';
import { isNoChoice } from '../../reading/choice.ts';
import { doubtOfName, nameInParts } from '../../reading/person-name.ts';
import { phoneInParts, readPhone } from '../../reading/read-phone.ts';
import { readSlot } from '../../reading/read-slot.ts';
import { type Reading, unclear } from '../../reading/reading.ts';
import { decodeOnce, isUnfilled, readText, withoutHidden } from '../../reading/text.ts';
import { whenInParts } from '../../reading/when-parts.ts';

/** The fields of a booking that a source supplies. */
export type BookingFields = Pick<Booking, SubmissionField>;

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

interface Options {
  /** Maximum characters of a note to store. */
  maxText?: number | undefined;
  /** The clinic's; without it, no moment of another zone can be read. */
  zone?: string | undefined;
  /** As it arrives, what programs escaped is decoded. What is stored is not decoded again. */
  isSent?: boolean;
}

/**
 * Reads what a source sent as text and numbers, by the readers of every door. Only lossless changes: `9:30` → `09:30`,
 * without what programs put around it. Unreadable values stay as received, each with a fault. Idempotent but for
 * `isSent`.
 */
export function readFields(
  fields: Submission['fields'],
  options: Options = {},
): { draft: BookingFields; faults: Fault[] } {
  const faults: Fault[] = [];
  const text = (field: SubmissionField) => textOf(field, fields[field], faults, options);

  const draft: BookingFields = {
    patient_name: text('patient_name'),
    patient_phone: text('patient_phone'),
    address: text('address'),
    appointment_date: text('appointment_date'),
    appointment_time: text('appointment_time'),
    ...readChoice('doctor', fields, faults, options),
    ...readChoice('treatment', fields, faults, options),
    note: text('note'),
  };
  const { appointment_date: day, appointment_time: clock } = draft;
  const asText = (sent: string | null) => (sent === null ? undefined : { text: sent });
  const slot = readSlot({ date: asText(day), time: asText(clock) }, options.zone);
  faults.push(...slot.faults.map(({ field, message }) => invalid(field, message)));
  // What is in doubt stays as it came, so that it stays in doubt until somebody corrects it.
  const isDoubtful = slot.faults.length > 0;
  draft.appointment_date = (isDoubtful && day) || (slot.date ?? day);
  draft.appointment_time = (isDoubtful && clock) || (slot.time ?? clock);
  const known = new Set(faults.map(({ field }) => field));
  faults.push(...faultsOf(draft).filter(({ field }) => !known.has(field)));
  return { draft, faults };
}

const faultsOf = (draft: BookingFields): Fault[] => [
  ...wrongFields(draft).map(({ field, otherwise }) => invalid(field, `${labels[field]} ${otherwise}.`)),
  ...missingFields(draft).map(
    (field): Fault => ({ field, message: `${labels[field]} is missing.`, reason: 'missing_field' }),
  ),
];

/** One text of a list or of the parts of a name or number. */
function partsIn(field: SubmissionField, received: Json | undefined, faults: Fault[]): Json | undefined {
  const value = Array.isArray(received) && received.length === 1 ? received[0] : received;
  // Several answers of one question are lines of a note; of anything else, nobody knows which is meant.
  if (Array.isArray(value) && field === 'note' && value.every((one) => typeof one === 'string'))
    return value.join('\n');
  if (!isObject(value)) return value;
  if (field === 'patient_name') return nameInParts(value) ?? value;
  if (field === 'appointment_date' || field === 'appointment_time') return whenInParts(value) ?? value;
  const phone = field === 'patient_phone' ? phoneInParts(value) : undefined;
  if (phone?.kind === 'unclear') faults.push(invalid(field, `${labels.patient_phone} ${phone.why}.`));
  return phone?.kind === 'value' ? phone.value : value;
}

/** A text as its sender meant it, and why that is not certain. */
function meant(field: SubmissionField, sent: string, isSent: boolean): { text: string; read: Reading } {
  const decoded = (isSent ? decodeOnce(sent) : sent).trim();
  // In a name, what cannot be seen is a mistake or a trick: a person looks at it.
  const text = field === 'patient_name' ? decoded : withoutHidden(decoded).trim();
  const read = readText(text);
  if (read.kind !== 'value') return { text, read };
  const doubt = field === 'patient_name' ? doubtOfName(text) : undefined;
  if (doubt !== undefined) return { text, read: unclear(doubt) };
  if (field !== 'patient_phone') return { text, read };
  const phone = readPhone(text);
  return { text: phone.kind === 'value' ? phone.value : text, read: phone };
}

const isRequired = (field: SubmissionField): field is RequiredField =>
  requiredFields.some((required) => required === field);

function textOf(
  field: SubmissionField,
  received: Json | undefined,
  faults: Fault[],
  { maxText = DEFAULT_MAX_TEXT, isSent = false }: Options,
): string | null {
  const value = partsIn(field, received, faults);
  if (value === undefined || value === null) return null;
  if (typeof value === 'object' || typeof value === 'boolean' || Number.isNaN(value)) {
    faults.push(invalid(field, `${field} is not text.`));
    // Kept as received, so that a user can still read it.
    return cut(field, canonical(normalise(value)), maxText);
  }
  const { text: whole, read } = meant(field, normalise(String(value)).trim(), isSent);
  // What was stored of an object is no placeholder.
  const isData = isStructured(whole);
  if (!isRequired(field) && !isData && isUnfilled(whole)) return null;
  const text = cut(field, whole, maxText);
  if (text === '') return null;
  if (read.kind === 'unclear' && !isData)
    faults.push(invalid(field, `${isRequired(field) ? labels[field] : field} ${read.why}.`));
  if (isData || isStructured(text)) faults.push(invalid(field, `${field} is not text.`));
  faults.push(...shapeFaults(field, text, whole));
  return text;
}

function shapeFaults(field: SubmissionField, text: string, whole: string): Fault[] {
  const faults: Fault[] = [];
  const limit = limitOf(field);
  const rest = text.length < whole.length ? `; only the first ${text.length} are stored` : '';
  if (whole.length > limit)
    faults.push(invalid(field, `${field} is longer than ${limit} characters${rest}.`));
  const hidden = hiddenIn(text);
  if (hidden.length > 0)
    faults.push(invalid(field, `${field} contains invisible characters (${hidden.slice(0, 3).join(', ')}).`));
  return faults;
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
  options: Options,
): Pick<BookingFields, Kind | `${Kind}_id`> {
  const chosen = (field: Kind | `${Kind}_id`) => {
    const text = textOf(field, fields[field], faults, options);
    return text === null || isNoChoice(text) ? null : text;
  };
  const name = chosen(kind);
  const given = chosen(`${kind}_id`)?.normalize('NFKC') ?? null;
  const id = given !== null && mostDigits.test(given) ? Number(given) : null;
  if (given !== null && (id === null || id === 0) && name !== null)
    faults.push(invalid(`${kind}_id`, `${kind}_id is not a whole number above zero.`));
  if (id === 0) {
    if (name === null) faults.push(invalid(`${kind}_id`, `${kind}_id is not a whole number above zero.`));
    return { [kind]: name, [`${kind}_id`]: null } as Pick<BookingFields, Kind | `${Kind}_id`>;
  }
  const choice = { [kind]: name ?? (id === null ? given : null), [`${kind}_id`]: id };
  return choice as Pick<BookingFields, Kind | `${Kind}_id`>;
}
