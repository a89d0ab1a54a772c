import { createHash } from 'node:crypto';
import type { Submission } from '../../../src/domain/booking.ts';
import { readDate as readDateText, readTime as readTimeText } from '../../../src/domain/date-time.ts';
import { type Content, isFormula, type Plain, serialDate, serialTime } from '../sheet/cells.ts';
import { closedAt, contentAt, type TabSnapshot } from '../sheet/snapshot.ts';

/** What a row of the Bookings tab says. */
export interface BookingRow {
  row: number;
  /** What stands in Ref, whoever wrote it. */
  ref: string | null;
  send: boolean;
  /** We may not take the tick away. */
  sendIsClosed: boolean;
  /** Nothing is filled in. */
  blank: boolean;
  /** Hash of who, when and where; undefined while the row is not complete and readable. */
  content: string | undefined;
  clinic: string | undefined;
  /** What to correct, for the person at the sheet. */
  faults: string[];
  fields: Submission['fields'];
}

/** Rows that people fill in, wherever they stand; blank ones are left out. Pure. */
export function readRows(tab: TabSnapshot, clinics: readonly string[]): BookingRow[] {
  const rows: BookingRow[] = [];
  const send = tab.columns.get('send') ?? -1;
  for (let row = 0; row < tab.cells.length; row += 1) {
    // Text in place of the checkbox: the header, wherever it is and whatever it is called by now.
    if (typeof contentAt(tab, row, send) === 'string') continue;
    const read = readRow(tab, row, clinics);
    if (!read.blank || read.ref !== null) rows.push(read);
  }
  return rows;
}

function readRow(tab: TabSnapshot, row: number, clinics: readonly string[]): BookingRow {
  const faults: string[] = [];
  const at = (key: string): Content => {
    const column = tab.columns.get(key);
    return column === undefined ? null : contentAt(tab, row, column);
  };
  /** What a person reads there. */
  const shown = (key: string, label: string): Plain => {
    const content = at(key);
    if (!isFormula(content)) return content;
    const { result } = content;
    if (result !== undefined && (result === null || typeof result !== 'object')) return result;
    faults.push(`${label} is a formula that comes to nothing usable: type the value itself.`);
    return null;
  };
  const text = (key: string, label: string): string | undefined =>
    String(shown(key, label) ?? '').trim() || undefined;
  const need = <T>(value: T | undefined, label: string): T | undefined => {
    if (value === undefined && !faults.some((fault) => fault.startsWith(label)))
      faults.push(`${label} is missing.`);
    return value;
  };

  const keys = ['patient', 'phone', 'date', 'time', 'dentist', 'treatment', 'address', 'note'];
  const blank = keys.every((key) => at(key) === null);
  const patient = need(text('patient', 'Patient'), 'Patient');
  const phone = need(text('phone', 'Phone'), 'Phone');
  const date = need(readDate(shown('date', 'Date'), faults), 'Date');
  const time = need(readTime(shown('time', 'Time'), faults), 'Time');
  const dentist = text('dentist', 'Dentist');
  const treatment = text('treatment', 'Treatment');
  const address = text('address', 'Address');
  const note = text('note', 'Note');
  const [only, ...others] = clinics;
  const named = text('for_clinic', 'Clinic');
  const clinic =
    others.length === 0 ? only : named === undefined || clinics.includes(named) ? named : undefined;
  if (clinic === undefined) faults.push(`Clinic must be one of ${clinics.join(', ')}.`);

  const ref = at('ref');
  const complete = patient !== undefined && phone !== undefined && date !== undefined && time !== undefined;
  return {
    row,
    ref: ref === null ? null : isFormula(ref) ? ref.formula : String(ref).trim() || null,
    send: at('send') === true,
    sendIsClosed: closedAt(tab, row, tab.columns.get('send') ?? -1) !== undefined,
    blank,
    content:
      complete && clinic !== undefined ? contentHash(clinic, { patient, phone, date, time }) : undefined,
    clinic,
    faults,
    fields: {
      ...(patient !== undefined && { patient_name: patient }),
      ...(phone !== undefined && { patient_phone: phone }),
      ...(date !== undefined && { appointment_date: date }),
      ...(time !== undefined && { appointment_time: time }),
      ...(dentist !== undefined && { doctor: dentist }),
      ...(treatment !== undefined && { treatment }),
      ...(address !== undefined && { address }),
      ...(note !== undefined && { note }),
    },
  };
}

/** The same lead, however it is spaced or capitalised. Only the hash is kept. */
function contentHash(
  clinic: string,
  { patient, phone, date, time }: Record<'patient' | 'phone' | 'date' | 'time', string>,
): string {
  const name = patient.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ');
  const digits = phone.normalize('NFKC').replaceAll(/\D/g, '');
  return createHash('sha256')
    .update(JSON.stringify([clinic, name, digits, date, time]))
    .digest('base64url')
    .slice(0, 22);
}

/** A real date, or year-first text. */
function readDate(content: Plain, faults: string[]): string | undefined {
  if (content === null) return undefined;
  if (typeof content === 'number' && Number.isInteger(content) && content > 20_000 && content < 100_000)
    return serialDate(content);
  const date = typeof content === 'string' ? readDateText(content) : undefined;
  if (date === undefined) faults.push('Date is not a date: choose it from the calendar, or type YYYY-MM-DD.');
  return date;
}

function readTime(content: Plain, faults: string[]): string | undefined {
  if (content === null) return undefined;
  const isTime = typeof content === 'number' && content >= 0 && content < 1;
  const time = isTime ? serialTime(content) : typeof content === 'string' ? readTimeText(content) : undefined;
  if (time === undefined) faults.push('Time is not a time of day: type it as HH:MM.');
  return time;
}
