import type { FieldFault, Submission, SubmissionField } from '../../../src/domain/booking.ts';
import { bookingRefPattern } from '../../../src/domain/booking-ref.ts';
import { campaignFields, type SentCampaign } from '../../../src/domain/campaign.ts';
import { readTime } from '../../../src/domain/date-time.ts';
import { unguardText } from '../../../src/platform/formula-guard.ts';
import { readDate } from './date-format.ts';
import type { HeaderField, HeaderMap } from './headers.ts';

/** One row of a dropped file. */
export interface RowReading {
  fields: Submission['fields'];
  campaign: SentCampaign;
  /** Why the booking will be held, for whoever corrects it; never quotes the row. */
  problems: FieldFault[];
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
  const value: Value = (field) => {
    for (const index of map[field] ?? []) {
      const text = unguardText((cells[index] ?? '').trim()).trim();
      if (text !== '') return text;
    }
    return undefined;
  };
  const put = (field: SubmissionField, content: string | number | undefined) => {
    if (content !== undefined) fields[field] = content;
  };

  put('patient_name', nameIn(value));
  for (const field of ['address', 'doctor', 'treatment', 'note'] as const) put(field, value(field));
  for (const field of ['doctor_id', 'treatment_id'] as const) put(field, idIn(value(field)));

  const phone = value('patient_phone')?.replace(/^'/, '');
  put('patient_phone', phone?.replace(/^(\+?\d{7,})\.0+$/, '$1'));

  const date = value('appointment_date');
  const day = date === undefined ? undefined : readDate(date, dateFormat);
  put('appointment_date', day ?? date);
  if (date !== undefined && day === undefined)
    problems.push({ field: 'appointment_date', message: dateFault(dateFormat) });
  const time = value('appointment_time');
  put('appointment_time', time === undefined ? undefined : (readTime(time) ?? time));

  if (cells.slice(headers.length).some((cell) => cell.trim() !== '')) problems.push(tooManyCells);

  return {
    fields,
    campaign: Object.fromEntries(
      campaignFields.flatMap((name) => {
        const text = value(name);
        return text === undefined ? [] : [[name, text]];
      }),
    ),
    problems,
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

const dateFault = (format: string | undefined) =>
  format === undefined
    ? 'The date is not written year first. If the file has another order, set date_format.'
    : `The date is written neither ${format} nor year first.`;
