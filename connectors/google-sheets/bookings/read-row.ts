import { hash } from 'node:crypto';
import type { Submission } from '../../../src/domain/booking.ts';
import { readDate as readDateText, readTime as readTimeText } from '../../../src/domain/date-time.ts';
import { type Content, isFormula, type Plain, serialDate, serialTime } from '../sheet/cells.ts';
import { closedAt, contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { inputs } from '../tabs/columns.ts';

/** A row of the Bookings tab. */
export interface BookingRow {
  row: number;
  /** The content of Ref, which people may have typed. */
  ref: string | null;
  send: boolean;
  /** Ticked, or with a tick typed or pasted as text, which books nothing. */
  asks: boolean;
  /** The tick is protected, so we cannot remove it. */
  sendIsClosed: boolean;
  /** Nothing is filled in. */
  blank: boolean;
  /** Hash of who, when and where; undefined until the row is complete and readable. */
  content: string | undefined;
  clinic: string | undefined;
  /** What to correct, for the person at the sheet. */
  faults: string[];
  fields: Submission['fields'];
  /** As typed; never a reason to hold the booking. */
  campaign: string | undefined;
}

/** The filled-in rows, wherever they are. Pure. */
export function readRows(tab: TabSnapshot, clinics: readonly string[]): BookingRow[] {
  const rows: BookingRow[] = [];
  const send = tab.columns.get('send') ?? -1;
  for (let row = 0; row < tab.cells.length; row += 1) {
    const tick = contentAt(tab, row, send);
    // Text other than a tick: this is the header, moved or renamed.
    if (typeof tick === 'string' && !isTyped(tick)) continue;
    const read = readRow(tab, row, clinics);
    if (!read.blank || read.ref !== null) rows.push(read);
  }
  return rows;
}

const typedTick = 'Send is typed: clear the cell, then tick its checkbox.';
const isTyped = (tick: Content): boolean =>
  typeof tick === 'number'
    ? tick !== 0
    : typeof tick === 'string' && /^(x|y|yes|true|ok|1|ja|oui|si|sí|sim|[✓✔☑])$/iu.test(tick.trim());

/** One row by column key; unreadable cells are added to `faults`. */
interface Cells {
  at(key: string): Content;
  /** The cell as people see it: a formula's result. */
  shown(key: string, label: string): Plain;
  text(key: string, label: string): string | undefined;
  readonly faults: string[];
}

function cellsOf(tab: TabSnapshot, row: number): Cells {
  const faults: string[] = [];
  const at = (key: string): Content => {
    const column = tab.columns.get(key);
    return column === undefined ? null : contentAt(tab, row, column);
  };
  const shown = (key: string, label: string): Plain => {
    const content = at(key);
    if (!isFormula(content)) return content;
    const { result } = content;
    if (result !== undefined && (result === null || typeof result !== 'object')) return result;
    faults.push(`${label} is a formula that comes to nothing usable: type the value itself.`);
    return null;
  };
  const text = (key: string, label: string) => String(shown(key, label) ?? '').trim() || undefined;
  return { at, shown, text, faults };
}

function readRow(tab: TabSnapshot, row: number, clinics: readonly string[]): BookingRow {
  const cells = cellsOf(tab, row);
  const { at, faults } = cells;
  const campaign = at('campaign');
  const read = readInputs(cells);
  const clinic = readClinic(cells, clinics);
  return {
    row,
    ref: readRef(at('ref')),
    send: at('send') === true,
    sendIsClosed: closedAt(tab, row, tab.columns.get('send') ?? -1) !== undefined,
    blank: inputKeys.every((key) => at(key) === null),
    content: clinic !== undefined && isComplete(read) ? contentHash(clinic, read) : undefined,
    clinic,
    faults: isTyped(at('send')) ? [...faults, typedTick] : faults,
    campaign: typeof campaign === 'string' || typeof campaign === 'number' ? String(campaign) : undefined,
    asks: at('send') === true || isTyped(at('send')),
    fields: Object.fromEntries(
      inputKeys.flatMap((key) => (read[key] === undefined ? [] : [[inputs[key].field, read[key]]])),
    ),
  };
}

type Input = keyof typeof inputs;
const inputKeys = Object.keys(inputs) as Input[];

/** What people filled in, as far as it is readable. */
function readInputs({ shown, text, faults }: Cells): Partial<Record<Input, string>> {
  const found: Partial<Record<Input, string>> = {};
  for (const key of inputKeys) {
    const { label, required } = inputs[key];
    const reader = readers[key];
    const value = reader ? reader(shown(key, label), faults) : text(key, label);
    if (value !== undefined) found[key] = value;
    else if (required && !faults.some((fault) => fault.startsWith(label)))
      faults.push(`${label} is missing.`);
  }
  return found;
}

/** The fields that make a lead. */
type Lead = Record<'patient' | 'phone' | 'date' | 'time', string>;

const isComplete = (read: Partial<Record<Input, string>>): read is Lead =>
  inputKeys.every((key) => !inputs[key].required || read[key] !== undefined);

function readClinic({ text, faults }: Cells, clinics: readonly string[]): string | undefined {
  const [only, ...others] = clinics;
  const named = text('for_clinic', 'Clinic');
  if (others.length === 0) return only;
  if (named !== undefined && clinics.includes(named)) return named;
  faults.push(`Clinic must be one of ${clinics.join(', ')}.`);
  return undefined;
}

function readRef(content: Content): string | null {
  if (content === null) return null;
  return isFormula(content) ? content.formula : String(content).trim() || null;
}

/** Equal for the same lead, whatever its spacing or capitalisation. Only the hash is stored. */
function contentHash(clinic: string, { patient, phone, date, time }: Lead): string {
  const name = patient.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ');
  const digits = phone.normalize('NFKC').replaceAll(/\D/g, '');
  return hash('sha256', JSON.stringify([clinic, name, digits, date, time]), 'base64url').slice(0, 22);
}

/** A number is read, so that its row is recognized, but never booked, because its leading zeros are lost. */
function readPhone(content: Plain, faults: string[]): string | undefined {
  if (typeof content === 'number')
    faults.push(
      'Phone is a number, so zeros at its start are lost: type an apostrophe and then the whole number.',
    );
  return String(content ?? '').trim() || undefined;
}

/** Accepts a real date, or year-first text. */
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

/** Readers by field; plain texts need none. */
const readers: Partial<Record<Input, (content: Plain, faults: string[]) => string | undefined>> = {
  phone: readPhone,
  date: readDate,
  time: readTime,
};
