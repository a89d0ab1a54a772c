import { setImmediate as turn } from 'node:timers/promises';
import type { BookingPort } from '../../../src/connector.ts';
import { type Booking, requiredFields, type Submission } from '../../../src/domain/booking.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import { Failure } from '../../../src/platform/failure.ts';
import type { CsvSettings } from '../settings.ts';
import type { DroppedFile } from './dropped-file.ts';
import type { Ledger, Reading, RowFate } from './ledger.ts';
import { type RowReading, readRow, rowId } from './row.ts';

interface Options {
  file: DroppedFile;
  /** Submission ids by row, where they do not come from its content. */
  ids: Reading['ids'];
  source: string;
  clinics: readonly string[];
  settings: CsvSettings;
  bookings: BookingPort;
  ledger: Ledger;
  /** Finds a booking of this source by the ref in a row. */
  own: (ref: string) => Promise<Booking | undefined>;
  /** True when the rest should wait for the next tick. */
  outOfTime: () => boolean;
  signal: AbortSignal;
}

/** Rows accepted together; the event loop turns after each batch. */
const BATCH = 100;

/**
 * Books the rows that have no outcome yet, in order. Resolves to the outcomes so far, one per row once the file is
 * done. Safe to repeat from any point: a row accepted but not recorded is accepted again under the same id.
 */
export async function bookRows(options: Options): Promise<RowFate[]> {
  const { file, ledger, outOfTime, signal } = options;
  const fates = await ledger.fates(file.sha256);
  const done = fates.length;
  if (file.rows <= done) return fates;

  let row = 0;
  let batch: string[][] = [];
  for await (const cells of file.records()) {
    row += 1;
    if (row <= done) continue;
    batch.push(cells);
    if (batch.length < BATCH && row < file.rows) continue;
    signal.throwIfAborted();
    fates.push(...(await bookBatch(batch, fates.length, options)));
    await turn();
    batch = [];
    if (outOfTime()) break;
  }
  return fates;
}

/** Books rows together and records their outcomes after the first `from`. */
async function bookBatch(batch: readonly string[][], from: number, options: Options): Promise<RowFate[]> {
  // Waits for all, so that a stop leaves none unrecorded.
  const settled = await Promise.allSettled(
    batch.map((cells, index) => bookRow(cells, from + index, options)),
  );
  const failed = settled.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  failpoint('csv.inbox.accepted');
  const fresh = settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  await options.ledger.add(options.file.sha256, from, fresh);
  failpoint('csv.inbox.recorded');
  return fresh;
}

async function bookRow(cells: string[], row: number, options: Options): Promise<RowFate> {
  const submission = await submissionFor(cells, row, options);
  if ('ref' in submission) return submission;
  try {
    return { ref: (await options.bookings.accept(submission)).ref };
  } catch (error) {
    // Refused for good, because a retry would block every later row. Shown in the results and on the status page.
    if (error instanceof Failure && error.kind === 'refused') return { refused: error.message };
    throw error;
  }
}

/** The submission of a row, or the ref of the booking that it already is. */
async function submissionFor(
  cells: string[],
  row: number,
  { file, ids, source, clinics, settings, own }: Options,
): Promise<Submission | { ref: string }> {
  const reading = readCells(cells, file, settings);
  const problems = [...reading.problems];
  let id = ids[row] ?? reading.submissionId ?? rowId(file.sha256, cells);

  if (reading.ref !== undefined) {
    const booking = await own(reading.ref);
    if (booking && says(booking, reading)) return { ref: booking.ref };
    problems.push({ field: 'ref', message: refFault(reading.ref, booking) });
    // Not the plain row's id, which may be booked already.
    id = `${id}:${reading.ref}`;
  }
  const known = reading.clinic !== undefined && clinics.includes(reading.clinic);
  if (reading.clinic !== undefined && !known)
    problems.push({ field: 'clinic', message: `The clinic is none of ${clinics.join(', ')}.` });
  const clinic = known ? reading.clinic : (settings.inbox_clinic ?? clinics[0]);

  return {
    source,
    submission_id: id,
    // Anyone who may write into the folder counts as a person deciding.
    by_hand: true,
    fields: reading.fields,
    campaign: reading.campaign,
    ...(clinic === undefined ? {} : { clinic }),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

const readCells = (cells: string[], { headers, map }: DroppedFile, settings: CsvSettings): RowReading =>
  readRow(cells, { headers, map, dateFormat: settings.date_format });

/** The submission id of the file's last row. */
export const lastIdOf = (file: DroppedFile, settings: CsvSettings): string =>
  readCells(file.last, file, settings).submissionId ?? rowId(file.sha256, file.last);

/** Whether the row still matches what was booked. */
const says = (booking: Booking, { fields }: RowReading): boolean =>
  requiredFields.every(
    (field) => (booking[field] ?? '').normalize('NFC') === String(fields[field] ?? '').normalize('NFC'),
  );

const refFault = (ref: string, booking: Booking | undefined) =>
  booking
    ? `${ref} is a booking with another name, phone, date or time. A change to it was not sent.`
    : `${ref} is not known here: it may have been booked by another installation or before a restore.`;
