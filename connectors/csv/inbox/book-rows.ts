import { setImmediate as turn } from 'node:timers/promises';
import type { BookingDoor } from '../../../src/connector.ts';
import type { Booking, Submission } from '../../../src/domain/booking.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import { Failure } from '../../../src/platform/failure.ts';
import type { CsvSettings } from '../settings.ts';
import type { DroppedFile } from './dropped-file.ts';
import type { Ledger, RowFate } from './ledger.ts';
import { type RowReading, readRow, rowId } from './row.ts';

interface Options {
  file: DroppedFile;
  source: string;
  clinics: readonly string[];
  settings: CsvSettings;
  bookings: BookingDoor;
  ledger: Ledger;
  /** Bookings of this source, for rows that say they are one of them. */
  own: (ref: string) => Promise<Booking | undefined>;
  /** True when the rest should wait for the next tick. */
  outOfTime: () => boolean;
  signal: AbortSignal;
}

/** Rows whose acceptance shares a commit, and after which the daemon may do something else. */
const BATCH = 100;

/**
 * Books the rows that have no fate yet, in order. Resolves to the fates so far; all are there when as many as rows.
 * Safe to repeat from any point: what was accepted but not noted is accepted again under the same id.
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

/** Books rows together and notes their fates behind the `from` that are known. */
async function bookBatch(batch: readonly string[][], from: number, options: Options): Promise<RowFate[]> {
  // All have ended before the next step, so that stopping never leaves one behind in mid-air.
  const settled = await Promise.allSettled(batch.map((cells) => bookRow(cells, options)));
  const failed = settled.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  failpoint('csv.inbox.accepted');
  const fresh = settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  await options.ledger.add(options.file.sha256, from, fresh);
  failpoint('csv.inbox.recorded');
  return fresh;
}

async function bookRow(cells: string[], options: Options): Promise<RowFate> {
  const submission = await submissionFor(cells, options);
  if ('ref' in submission) return submission;
  try {
    return { ref: (await options.bookings.accept(submission)).ref };
  } catch (error) {
    // Refused for good: it would stop every later row of every file. Shown in the results and on the status page.
    if (error instanceof Failure && error.kind === 'refused') return { refused: error.message };
    throw error;
  }
}

/** What a row asks for; its ref when it is a booking already and says nothing else. */
async function submissionFor(
  cells: string[],
  { file, source, clinics, settings, own }: Options,
): Promise<Submission | { ref: string }> {
  const { headers, map, sha256 } = file;
  const reading = readRow(cells, { headers, map, dateFormat: settings.date_format });
  const problems = [...reading.problems];
  let id = reading.submissionId ?? rowId(sha256, cells);

  if (reading.ref !== undefined) {
    const booking = await own(reading.ref);
    if (booking && says(booking, reading)) return { ref: booking.ref };
    problems.push({ field: 'ref', message: refFault(reading.ref, booking) });
    // Says to whoever checks it that this may be booked already.
    id = `${id}:${reading.ref}`;
  }
  const known = reading.clinic !== undefined && clinics.includes(reading.clinic);
  if (reading.clinic !== undefined && !known)
    problems.push({ field: 'clinic', message: `The clinic is none of ${clinics.join(', ')}.` });
  const clinic = known ? reading.clinic : (settings.inbox_clinic ?? clinics[0]);

  return {
    source,
    submission_id: id,
    fields: reading.fields,
    ...(clinic === undefined ? {} : { clinic }),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

/** Does the row still ask for what the booking is? */
const says = (booking: Booking, { fields }: RowReading): boolean =>
  (['patient_name', 'patient_phone', 'appointment_date', 'appointment_time'] as const).every(
    (field) => (booking[field] ?? '').normalize('NFC') === String(fields[field] ?? '').normalize('NFC'),
  );

const refFault = (ref: string, booking: Booking | undefined) =>
  booking
    ? `${ref} is a booking with another name, phone, date or time. A change to it was not sent.`
    : `${ref} is not known here: it may have been booked by another installation or before a restore.`;
