import type { FieldFault, Submission, SubmissionField } from '../../../../src/domain/bookings/booking.ts';
import { bookingRefPattern } from '../../../../src/domain/bookings/booking-ref.ts';
import { campaignFields, type SentCampaign } from '../../../../src/domain/campaign.ts';
import { foldName } from '../../../../src/platform/text/fold.ts';
import { unguardText } from '../../../../src/platform/text/formula-guard.ts';
import { readMoment } from '../../../../src/reading/moment.ts';
import { readPhone } from '../../../../src/reading/read-phone.ts';
import { readSlot } from '../../../../src/reading/read-slot.ts';
import { statusQuestion } from '../../../../src/reading/read-status.ts';
import { isUnfilled } from '../../../../src/reading/text.ts';
import { unreadWhen } from '../../../../src/reading/unread.ts';
import { readFormattedDate, withTime } from './date-format.ts';
import type { HeaderField, HeaderMap } from './headers.ts';

/** One row of a dropped file. */
export interface RowReading {
  fields: Submission['fields'];
  campaign: SentCampaign;
  /** Why the booking will be held, for whoever corrects it; never quotes the row. */
  problems: FieldFault[];
  /** What a person must be asked before it is booked. */
  question: string | undefined;
  /** As it is written. */
  sentDate: string | undefined;
  clinic: string | undefined;
  submissionId: string | undefined;
  /** The booking that the row claims to be, when a results file is dropped again. */
  ref: string | undefined;
}

interface Options {
  headers: readonly string[];
  map: HeaderMap;
  dateFormat: string | undefined;
}

/** Reads a row. Pure. Never throws: a faulty lead is still a lead. */
export function readRow(cells: readonly string[], { headers, map, dateFormat }: Options): RowReading {
  const problems: FieldFault[] = [];
  const fields: Submission['fields'] = Object.create(null);
  const values = (field: HeaderField): string[] =>
    (map[field] ?? [])
      .map((index) => unguardText((cells[index] ?? '').trim()).trim())
      .filter((text) => text !== '');
  const value: Value = (field) => values(field)[0];
  const put = (field: SubmissionField, content: string | number | undefined) => {
    if (content !== undefined) fields[field] = content;
  };

  put('patient_name', nameIn(value));
  for (const field of ['address', 'doctor', 'treatment', 'note'] as const) put(field, value(field));
  for (const field of ['doctor_id', 'treatment_id'] as const) put(field, idIn(value(field)));

  const phone = value('patient_phone');
  const number = phone === undefined ? undefined : readPhone(phone);
  put('patient_phone', number?.kind === 'value' ? number.value : phone);

  // A moment of another zone is read by the intake, which knows the clinic’s.
  const date = value('appointment_date');
  const day =
    date === undefined ? undefined : (readFormattedDate(date, dateFormat) ?? withTime(date, dateFormat));
  const isUnread = date !== undefined && day === undefined && !isUnfilled(date);
  if (isUnread && readMoment(date, {}, 'UTC')?.date === undefined)
    problems.push({ field: 'appointment_date', message: dateFault(date, dateFormat) });
  const time = value('appointment_time');
  const sent = (text: string | undefined) => (text === undefined ? undefined : { text });
  const slot = readSlot({ date: sent(day ?? date), time: sent(time) }, undefined);
  put('appointment_date', slot.date ?? date);
  put('appointment_time', slot.time ?? time);
  problems.push(...slot.faults);

  if (cells.slice(headers.length).some((cell) => cell.trim() !== '')) problems.push(tooManyCells);
  if (areTwo(values('patient_name'), values('patient_phone'))) problems.push(twoPeople);

  return {
    fields,
    campaign: Object.fromEntries(
      campaignFields.flatMap((name) => {
        const text = value(name);
        return text === undefined ? [] : [[name, text]];
      }),
    ),
    problems,
    question: statusQuestion(headers.map((header, index) => [header, (cells[index] ?? '').trim()])),
    sentDate: date,
    clinic: value('clinic'),
    submissionId: value('submission_id'),
    ref: value('ref')?.match(bookingRefPattern)?.[0],
  };
}

/** The first cell of a field that is not blank. */
type Value = (field: HeaderField) => string | undefined;

function nameIn(value: Value): string | undefined {
  const parts = [value('first_name'), value('last_name')].filter((part) => part !== undefined);
  return value('patient_name') ?? (parts.length > 0 ? parts.join(' ') : undefined);
}

const idIn = (text: string | undefined): string | number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;

const tooManyCells: FieldFault = {
  field: 'row',
  message:
    'The row has more cells than the first line has names. Text with the delimiter in it must be quoted.',
};

/** Whether names without a common word stand beside numbers of which none ends like the other. */
function areTwo(
  [name = '', ...names]: readonly string[],
  [phone = '', ...phones]: readonly string[],
): boolean {
  if (names.length === 0 || phones.length === 0) return false;
  const words = new Set(foldName(name).split(/[^\p{L}\p{M}]+/u));
  const end = (text: string) => text.replace(/\D/g, '').slice(-7);
  const isOther = (text: string) =>
    !foldName(text)
      .split(/[^\p{L}\p{M}]+/u)
      .some((word) => words.has(word));
  return names.some(isOther) && phones.some((text) => end(text) !== end(phone));
}

const twoPeople: FieldFault = {
  field: 'row',
  message: 'The row has two names and two phone numbers, so it may be about two people. Give each a row.',
};

function dateFault(text: string, format: string | undefined): string {
  if (format !== undefined) return `The date is written neither ${format} nor year first.`;
  const setting = (one: string) => `\`date_format: ${one.split(' ')[0]}\``;
  return (
    unreadWhen('date', text, setting) ??
    'The date is not written year first. If the file has another order, set date_format.'
  );
}
