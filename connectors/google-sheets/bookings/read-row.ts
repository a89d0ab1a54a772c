import { hash } from 'node:crypto';
import type { Submission } from '../../../src/domain/bookings/booking.ts';
import { digitsOf } from '../../../src/domain/bookings/search-terms.ts';
import { possibleDates } from '../../../src/domain/date-time-format.ts';
import { phoneEnd } from '../../../src/domain/phone.ts';
import { fold, foldName } from '../../../src/platform/text/fold.ts';
import { readDay } from '../../../src/reading/day.ts';
import { saysOff } from '../../../src/reading/read-status.ts';
import { readTimeOfDay } from '../../../src/reading/time-of-day.ts';
import { type Content, isFormula, type Plain, serialDate, serialTime } from '../sheet/cells.ts';
import { cellName, closedAt, contentAt, formattedAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { inputLabel, inputs, layoutOf } from '../tabs/columns.ts';
import type { InputHashes } from './claims.ts';

/** A row of the Bookings tab. */
export interface BookingRow {
  row: number;
  /** The content of Ref, which people may have typed. */
  ref: string | null;
  send: boolean;
  /** Ticked, or with something else in Send, which books nothing. */
  asks: boolean;
  /** The tick is protected, so we cannot remove it. */
  sendIsClosed: boolean;
  /** Nothing is filled in. */
  blank: boolean;
  /** Hash of who, when and where; undefined until the row is complete and readable. */
  content: string | undefined;
  /** Hash of each input, of a blank one too. */
  parts: InputHashes;
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
  let statuses: Label[] = [];
  const headers = allHeaders();
  for (let row = 0; row < tab.cells.length; row += 1) {
    if (mayBeHeader(tab, row, headers)) {
      statuses = othersIn(tab, row);
      continue;
    }
    const read = readRow(tab, row, clinics);
    if (read.blank && read.ref === null) continue;
    const off = read.ref === null ? statuses.find((label) => isOff(tab, row, label)) : undefined;
    if (off !== undefined)
      read.faults.push(
        `${off.label} says that it was cancelled, deleted or missed: clear that cell to book it.`,
      );
    rows.push(read);
  }
  doubtDates(tab, rows);
  return rows;
}

/** A column that is not ours. */
interface Label {
  label: string;
  column: number;
}

const othersIn = ({ cells, columns }: TabSnapshot, row: number): Label[] => {
  const ours = new Set(columns.values());
  return (cells[row] ?? []).flatMap((content, column) =>
    typeof content === 'string' && !ours.has(column) ? { label: content.trim().slice(0, 40), column } : [],
  );
};

function isOff(tab: TabSnapshot, row: number, { label, column }: Label): boolean {
  const content = contentAt(tab, row, column);
  const shown = isFormula(content) ? content.result : content;
  return shown !== null && typeof shown !== 'object' && saysOff(label, String(shown ?? ''));
}

/**
 * A column is read as a whole: a date that stayed text, such as 25/03/2027, is in another order than the spreadsheet's,
 * so it took 03/04/2027 for a day that may not be the one meant.
 */
function doubtDates(tab: TabSnapshot, rows: readonly BookingRow[]): void {
  const column = tab.columns.get('date');
  if (column === undefined) return;
  const open = rows.filter(({ ref }) => ref === null);
  const proof = open.find(({ row }) => {
    const content = contentAt(tab, row, column);
    return typeof content === 'string' && possibleDates(content).length === 1;
  });
  if (proof === undefined) return;
  for (const { row, faults, fields } of open) {
    const [, month, day] = String(fields.appointment_date ?? '').split('-');
    const isEither = Number(day) <= 12 && day !== month;
    if (isEither && typeof contentAt(tab, row, column) === 'number')
      faults.push(
        'Date may have day and month exchanged: the spreadsheet could not read ' +
          `${cellName(proof.row, column)}. Correct that cell, and check this one.`,
      );
  }
}

const plain = (text: string): string =>
  text
    .replace(/\*\s*$/, '')
    .trim()
    .toLowerCase();

/** Our headers in every language: a tab keeps those in which it was made until the language is changed. */
const allHeaders = (): ReadonlySet<string> =>
  new Set(
    layoutOf('bookings', { several: true, includePatient: true, language: 'en' }).columns.flatMap(
      ({ headers }) => headers.map(plain),
    ),
  );

/**
 * The header, moved, renamed or written over, or a line that explains it: nothing is read from it or written into it.
 */
function mayBeHeader(tab: TabSnapshot, row: number, headers: ReadonlySet<string>): boolean {
  const at = (key: string) => contentAt(tab, row, tab.columns.get(key) ?? -1);
  const send = at('send');
  const hasDigits = ['phone', 'date', 'time'].some((key) => /\p{Nd}/u.test(JSON.stringify(at(key))));
  // Whatever else it says: a person wants it booked.
  if (send === true && hasDigits) return false;
  const isLabel = (content: Content) => typeof content === 'string' && headers.has(plain(content));
  if ([...tab.columns.keys()].filter((key) => isLabel(at(key))).length > 1) return true;
  return send !== null && typeof send !== 'boolean' && !hasDigits;
}

/** Anything but TRUE, FALSE or nothing in Send, for the person who typed it; it books nothing. */
function oddTick(tick: Content): string | undefined {
  if (tick === null || typeof tick === 'boolean' || /^false$/i.test(String(tick))) return undefined;
  const kind = typeof tick === 'string' ? 'the text ' : '';
  const found = isFormula(tick) ? 'a formula' : `${kind}“${String(tick).trim().slice(0, 20)}”`;
  return (
    `Send holds ${found} instead of a tick, so nothing is booked: clear the cell, choose Insert, Checkbox, and ` +
    'tick its checkbox.'
  );
}
const meansTick = (tick: Content): boolean =>
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

/** Inputs that name someone or something, for which a number or a date is a slip. */
const names: ReadonlySet<string> = new Set(['patient', 'dentist', 'treatment']);

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
  const text = (key: string, label: string) => {
    const content = shown(key, label);
    const column = tab.columns.get(key) ?? -1;
    const isText = content === null || typeof content === 'string';
    if (!isText && names.has(key)) {
      const kind = typeof content === 'number' ? 'a number or a date' : 'a checkbox';
      faults.push(`${label} in ${cellName(row, column)} is ${kind}: type it as text, after an apostrophe.`);
      return undefined;
    }
    return (
      ((isText ? undefined : formattedAt(tab, row, column)) ?? String(content ?? '')).trim() || undefined
    );
  };
  return { at, shown, text, faults };
}

function readRow(tab: TabSnapshot, row: number, clinics: readonly string[]): BookingRow {
  const cells = cellsOf(tab, row);
  const { at, faults } = cells;
  const read = readInputs(cells);
  const clinic = readClinic(cells, clinics);
  const tick = at('send');
  const odd = oddTick(tick);
  const campaign = isFormula(at('campaign')) ? undefined : cells.text('campaign', 'Campaign');
  return {
    row,
    ref: readRef(at('ref')),
    send: tick === true,
    sendIsClosed: closedAt(tab, row, tab.columns.get('send') ?? -1) !== undefined,
    blank: inputKeys.every((key) => at(key) === null),
    content: clinic !== undefined && isComplete(read) ? contentHash(clinic, read) : undefined,
    parts: inputHashesOf(read, (key) => isFormula(at(key))),
    clinic,
    faults: odd === undefined ? faults : [...faults, odd],
    campaign,
    asks: tick === true || (odd !== undefined && (isComplete(read) || meansTick(tick))),
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
    const { required } = inputs[key];
    const label = inputLabel(key);
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

const hashOf = (value: unknown, length: number): string =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, length);

/** Equal for the same lead, whatever its spacing or capitalisation. Only the hash is stored. */
function contentHash(clinic: string, { patient, phone, date, time }: Lead): string {
  const name = patient.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ');
  return hashOf([clinic, name, digitsOf(phone), date, time], 22);
}

/** @param isUnsettled An input that is missing for now, such as a formula that is still loading, has no hash. */
export function inputHashesOf(
  read: Partial<Record<Input, string | null>>,
  isUnsettled: (key: Input) => boolean = () => false,
): InputHashes {
  const known = inputKeys.filter((key) => (read[key] ?? '') !== '' || !isUnsettled(key));
  return Object.fromEntries(known.map((key) => [key, hashOf([key, comparable(key, read[key] ?? '')], 12)]));
}

/** A phone by its last digits, which no country code changes. */
const comparable = (key: Input, text: string): string =>
  key === 'patient' ? foldName(text) : key === 'phone' ? phoneEnd(text) || fold(text) : fold(text);

/** A number is read, so that its row is recognized, but never booked, because its leading zeros are lost. */
function readPhone(content: Plain, faults: string[]): string | undefined {
  if (typeof content === 'number')
    faults.push(
      'Phone is a number, so zeros at its start are lost: type an apostrophe and then the whole number.',
    );
  // Written by programs for Excel, which does not show it.
  return (
    String(content ?? '')
      .trim()
      .replace(/^'/, '') || undefined
  );
}

/** Accepts a real date, or year-first text. */
function readDate(content: Plain, faults: string[]): string | undefined {
  if (content === null) return undefined;
  if (typeof content === 'number' && Number.isInteger(content) && content > 20_000 && content < 100_000)
    return serialDate(content);
  const date = typeof content === 'string' ? readDay(content) : undefined;
  if (date !== undefined) return date;
  const [one, other] = typeof content === 'string' ? possibleDates(content) : [];
  const why = one && other ? `can be read as ${one.format} or as ${other.format}` : 'is not a date';
  faults.push(`Date ${why}: choose it from the calendar, or type YYYY-MM-DD.`);
  return undefined;
}

function readTime(content: Plain, faults: string[]): string | undefined {
  if (content === null) return undefined;
  const isTime = typeof content === 'number' && content >= 0 && content < 1;
  const time = isTime
    ? serialTime(content)
    : typeof content === 'string'
      ? readTimeOfDay(content)
      : undefined;
  if (time === undefined) faults.push('Time is not a time of day: type it as HH:MM.');
  return time;
}

/** Readers by field; plain texts need none. */
const readers: Partial<Record<Input, (content: Plain, faults: string[]) => string | undefined>> = {
  phone: readPhone,
  date: readDate,
  time: readTime,
};

/** Rows of a copy that someone ticked for booking, which nothing takes. */
export const unbookedTicks = (tab: TabSnapshot, clinics: readonly string[]): number =>
  readRows(tab, clinics).filter(({ asks, ref }) => asks && ref === null).length;
