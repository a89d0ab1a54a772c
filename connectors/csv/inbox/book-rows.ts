import { setImmediate as turn } from 'node:timers/promises';
import type { BookingPort } from '../../../src/connector.ts';
import {
  type Booking,
  type FieldFault,
  requiredFields,
  type Submission,
} from '../../../src/domain/bookings/booking.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { sha256 } from '../files.ts';
import type { CsvSettings } from '../settings.ts';
import { orderOf, otherOrder } from './content/date-format.ts';
import type { DroppedFile, Line } from './content/dropped-file.ts';
import { type RowReading, readRow } from './content/row.ts';
import type { Ledger, RowFate } from './ledger.ts';
import { listNames } from './other-files.ts';
import {
  compareVersions,
  cutOf,
  digestsOf,
  fromOf,
  type KnownRow,
  type PlacedRow,
  type RowDigests,
  type RowPlace,
  type Versions,
} from './versions.ts';

interface Options {
  file: DroppedFile;
  name: string;
  /** The name that all versions of the file share. */
  family: string;
  /** The file ends in the middle of its last row, or may. */
  isCut: boolean;
  source: string;
  clinics: readonly string[];
  settings: CsvSettings;
  bookings: BookingPort;
  ledger: Ledger;
  clock: Clock;
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
  const versions = await versionsOf(options);
  if (file.rows <= done) {
    if (versions.versions.hasCut) await withdrawAllCut({ ...options, ...versions });
    return fates;
  }
  const known = { ...versions, isOtherOrder: await hasOtherOrder(options) };
  let row = 0;
  let batch: Line[] = [];
  for await (const line of file.lines()) {
    if (line.kind !== 'row') continue;
    row += 1;
    if (row <= done) continue;
    batch.push(line);
    if (batch.length < BATCH && row < file.rows) continue;
    signal.throwIfAborted();
    fates.push(...(await bookBatch(batch, fates.length, { ...options, ...known })));
    await turn();
    batch = [];
    if (outOfTime()) break;
  }
  return fates;
}

interface Known {
  salt: string;
  /** Which file of its series this is. */
  from: Pick<KnownRow, 'from'>;
  versions: Versions;
  /** A row proves that the dates of the file are not in the configured order. */
  isOtherOrder: boolean;
}

/** A column is read as a whole: one date that only the other order can read makes every ambiguous one doubtful. */
async function hasOtherOrder({ file, settings, signal }: Options): Promise<boolean> {
  const { date_format: format } = settings;
  if (otherOrder(format) === undefined || format === undefined) return false;
  let row = 0;
  for await (const cells of file.records()) {
    if (orderOf(String(readCells(cells, file, settings).sentDate ?? ''), format) === 'other') return true;
    row += 1;
    if (row % 1_000 === 0) await turn();
    signal.throwIfAborted();
  }
  return false;
}

const doubtfulOrder = (format: string): FieldFault => ({
  field: 'appointment_date',
  message:
    `Another row of this file has a date that cannot be ${format}, so the order of this one is not certain. ` +
    'Check date_format.',
});

/** What is known of the earlier versions of the file. */
async function versionsOf({
  file,
  family,
  ledger,
  settings,
  clock,
  signal,
}: Options): Promise<Omit<Known, 'isOtherOrder'>> {
  const salt = await ledger.salt();
  const { rows, previous } = await ledger.family(family);
  const present = new Set<string>();
  if (rows.length > 0)
    for await (const cells of file.records()) {
      present.add(digestsOf(readCells(cells, file, settings), salt).key);
      if (present.size % 1_000 === 999) await turn();
      signal.throwIfAborted();
    }
  const from = fromOf(family, salt);
  const now = { present, from: from.from, nowMs: clock.now() };
  return { salt, from, versions: compareVersions({ rows, previous, salt, ...now }) };
}

/** Books rows together and records their outcomes after the first `from`. */
async function bookBatch(batch: readonly Line[], from: number, options: Options & Known): Promise<RowFate[]> {
  const prepared: Prepared[] = [];
  for (const [index, line] of batch.entries()) prepared.push(await prepare(line, from + index, options));
  // Waits for all, so that a stop leaves none unrecorded.
  const settled = await Promise.allSettled(prepared.map((row) => bookRow(row, options)));
  const failed = settled.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  failpoint('csv.inbox.accepted');
  const fates = settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const rows = prepared.flatMap((row, index) => {
    const fate = fates[index];
    if (!('submission' in row) || fate === undefined || !('ref' in fate)) return [];
    return [
      {
        ...row.says,
        ...options.from,
        submissionId: row.submission.submission_id,
        ref: fate.ref,
        place: { file: options.name, number: batch[index]?.number ?? 0 },
        ...(row.cut && { cut: row.cut }),
      },
    ];
  });
  await options.ledger.add(options.file.sha256, from, fates, { family: options.family, rows });
  failpoint('csv.inbox.recorded');
  return fates;
}

/** A row that is booked already, or what to submit of it. */
type Prepared = { ref: string } | (Pick<KnownRow, 'cut'> & { says: RowDigests; submission: WithId });
type WithId = Submission & { submission_id: string };

async function prepare({ cells, number }: Line, row: number, options: Options & Known): Promise<Prepared> {
  const { file, salt, versions } = options;
  const isCut = options.isCut && row === file.rows - 1;
  const reading = readCells(cells, file, options.settings);
  const { date_format: format } = options.settings;
  if (options.isOtherOrder && format !== undefined && orderOf(reading.sentDate ?? '', format) === 'either')
    reading.problems.push(doubtfulOrder(format));
  const says = digestsOf(reading, salt);
  const known = reading.ref === undefined ? versions.known(says, isCut) : undefined;
  const isRenewed = known !== undefined && !versions.isSame(known) && (await hasEnded(known.ref, options));
  if (known !== undefined && !isRenewed) {
    // An upload of rows that are known had broken off in this one.
    if (!isCut) await withdrawCut({ says, cells, row, isKnown: true }, options);
    return { ref: known.ref };
  }
  const ask = isCut ? CUT : isRenewed ? RENEWED : undefined;
  const submission = await submissionFor(reading, { says, cells, row, number, isCut, ask }, options);
  if ('ref' in submission) return submission;
  return { says, submission, ...(isCut && { cut: cutOf({ cells, row }, file, salt) }) };
}

/** Whether a booking ended without a visit. */
async function hasEnded(ref: string, { source, bookings }: Options): Promise<boolean> {
  const state = (await bookings.find(source, ref))?.state;
  return state !== undefined && ['rejected', 'expired', 'dropped'].includes(state);
}

async function bookRow(row: Prepared, { bookings }: Options): Promise<RowFate> {
  if ('ref' in row) return row;
  try {
    return { ref: (await bookings.accept(row.submission)).ref };
  } catch (error) {
    // Refused for good, because a retry would block every later row. Shown in the results and on the status page.
    if (error instanceof Failure && error.kind === 'refused') return { refused: error.message };
    throw error;
  }
}

interface Row extends PlacedRow {
  says: RowDigests;
  number: number;
  isCut: boolean;
  ask: string | undefined;
}

/** The submission of a row, or the ref of the booking that it already is. */
async function submissionFor(
  reading: RowReading,
  row: Row,
  options: Options & Known,
): Promise<WithId | { ref: string }> {
  const { source, clinics, settings, name, own } = options;
  const problems = [...reading.problems];
  const { id: idOfRow, origin } = await idOf(row, options);
  let id = reading.submissionId ?? idOfRow;

  if (reading.ref !== undefined) {
    const booking = await own(reading.ref);
    if (booking && saysSame(booking, reading)) return { ref: booking.ref };
    problems.push({ field: 'ref', message: refFault(reading.ref, booking) });
    // Not the plain row's id, which may be booked already.
    id = `${id}:${reading.ref}`;
  }
  const known = reading.clinic !== undefined && clinics.includes(reading.clinic);
  if (reading.clinic !== undefined && !known)
    problems.push({ field: 'clinic', message: `The clinic is none of ${clinics.join(', ')}.` });
  const asked = [row.ask, reading.question].filter((one) => typeof one === 'string');
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
    ...(asked.length > 0 && { ask: asked.join(' ') }),
    ...(id === origin?.submissionId && {
      version: versionOf({ file: name, number: row.number }, origin.place),
    }),
  };
}

/** Which row differs from which, for people. */
function versionOf(here: RowPlace, there: RowPlace | undefined): NonNullable<Submission['version']> {
  const worded = ({ file, number }: RowPlace, the = '') => `row ${number} of ${the}${listNames([file])}`;
  if (there === undefined) return { here: worded(here), there: 'a row of an earlier file' };
  return { here: worded(here), there: worded(there, there.file === here.file ? 'the earlier ' : '') };
}

const CUT =
  'The file ends in the middle of its last line, so this may be half of what was meant. Approve it if it is ' +
  'whole; the whole file, dropped again, replaces it.';
const RENEWED =
  'A file of another day had the same row, whose booking ended without a visit. Approve it if it was asked for again.';
const COMPLETED = 'The whole line came with a later version of the file.';

/**
 * The same for the same row in any version of the file; that of the row in whose place it is, which makes it a change
 * of that booking. A cut row that nobody has decided about yet makes way.
 */
async function idOf(
  { says, isCut, cells, row }: Row,
  options: Options & Known,
): Promise<{ id: string; origin: KnownRow | undefined }> {
  const { file, family, versions } = options;
  const origin = (await withdrawCut({ says, cells, row }, options)) ?? versions.changed(says);
  if (origin !== undefined) return { id: origin.submissionId, origin };
  // Without a day the same words may come again as another wish.
  const of = says.day === undefined ? file.sha256 : sha256(family);
  return { id: `csv:${of.slice(0, 16)}:${says.key}${isCut ? ':cut' : ''}`, origin };
}

/** Drops the bookings of cut rows that this one completes. Resolves to one that a person has decided about. */
async function withdrawCut(
  { says, ...placed }: PlacedRow & { says: RowDigests },
  { source, bookings, versions }: Options & Omit<Known, 'isOtherOrder'>,
): Promise<KnownRow | undefined> {
  let decided: KnownRow | undefined;
  for (const one of versions.begun(says, placed))
    if (!(await bookings.withdraw(source, one.ref, COMPLETED))) decided ??= one;
  return decided;
}

/** The same for a file whose rows are all known: an upload of it had broken off meanwhile. */
async function withdrawAllCut(options: Options & Omit<Known, 'isOtherOrder'>): Promise<void> {
  let row = -1;
  for await (const cells of options.file.records()) {
    row += 1;
    const isCut = options.isCut && row === options.file.rows - 1;
    const says = digestsOf(readCells(cells, options.file, options.settings), options.salt);
    if (!isCut) await withdrawCut({ says, cells, row, isKnown: true }, options);
    if (row % 1_000 === 999) await turn();
  }
}

export const readCells = (
  cells: string[],
  { headers, map }: DroppedFile,
  settings: CsvSettings,
): RowReading => readRow(cells, { headers, map, dateFormat: settings.date_format });

/** Whether the row still matches what was booked. */
const saysSame = (booking: Booking, { fields }: RowReading): boolean =>
  requiredFields.every(
    (field) => (booking[field] ?? '').normalize('NFC') === String(fields[field] ?? '').normalize('NFC'),
  );

const refFault = (ref: string, booking: Booking | undefined) =>
  booking
    ? `${ref} is a booking with another name, phone, date or time. A change to it was not sent.`
    : `${ref} is not known here: it may have been booked by another installation or before a restore.`;
