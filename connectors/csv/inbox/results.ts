import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { BookingPort, MirrorView, Row } from '../../../src/connector.ts';
import type { Booking, BookingState } from '../../../src/domain/bookings/booking.ts';
import { type Clock, instant, toMs } from '../../../src/platform/clock.ts';
import { DAY } from '../../../src/platform/duration.ts';
import type { BlockedFiles } from '../blocked-files.ts';
import { correctMode } from '../export/file-stamp.ts';
import { sha256, statOf } from '../files.ts';
import { BYTE_ORDER_MARK, renderCells } from '../render-csv.ts';
import type { CsvSettings } from '../settings.ts';
import { type DroppedFile, type Line, openPlainDropped, type ReadOptions } from './content/dropped-file.ts';
import { ownColumns, resultColumns } from './content/headers.ts';
import type { Folders } from './folders.ts';
import type { Ledger, OpenFile, RowFate } from './ledger.ts';
import { isFree, writeOwn } from './own-files.ts';
import { takenName, takeResultsName } from './results-name.ts';
import { familyOf } from './versions.ts';

export interface ResultsParts {
  source: string;
  settings: CsvSettings;
  bookings: BookingPort;
  ledger: Ledger;
  clock: Clock;
  timezone: string;
  /** The clinic's country, as far as it is known. */
  country: string | undefined;
  mode: number;
  /** What each results file was written from, by stem; unchanged ones are not even read. */
  written: Map<string, Written>;
}

type Source = Pick<ResultsParts, 'source' | 'bookings'>;

/** How a file of this family is read. */
export async function readOptions(
  { settings, country, ledger }: Pick<ResultsParts, 'settings' | 'country' | 'ledger'>,
  family: string,
): Promise<ReadOptions> {
  const { columns, encoding } = settings;
  return { columns, encoding, country, known: await ledger.header(family) };
}

/** A file in `done` with the outcomes of its rows. */
interface Answered {
  stem: string;
  file: DroppedFile;
  fates: readonly RowFate[];
}

type State = Pick<Booking, 'ref' | 'state' | 'appointment_id' | 'message' | 'changed_at'>;

/** States that only a person can still change. */
const settledStates: readonly BookingState[] = ['booked', 'booked_no_id', 'rejected', 'expired', 'dropped'];
/** Results whose bookings are all settled are still updated for this long. */
const KEEP_OPEN_MS = 30 * DAY;

type States = ReadonlyMap<string, State>;
/** Lines rendered per turn of the event loop. */
const LINES = 100;

/** Writes the outcome of each row. False when the file is already up to date. */
export async function writeResults(
  parts: ResultsParts,
  folders: Folders,
  answered: Answered,
  signal: AbortSignal,
): Promise<boolean> {
  return write(parts, folders, answered, await statesOf(parts, answered.fates), signal);
}

/**
 * Rewrites the results of changed bookings (undefined: any may have changed). Resolves to the number of files, and to
 * the names that somebody's own files keep from results.
 */
export async function refreshResults(
  parts: ResultsParts,
  folders: Folders,
  { changed, blocked }: { changed: ReadonlySet<string> | undefined; blocked: BlockedFiles },
  signal: AbortSignal,
): Promise<{ count: number; foreign: string[] }> {
  let count = 0;
  const foreign: string[] = [];
  for (const open of await parts.ledger.open()) {
    signal.throwIfAborted();
    const name = await parts.ledger.answer({ folder: 'done', stem: open.stem });
    await blocked.attempt(join(folders.results, name), name, async () => {
      if (await refresh(parts, folders, open, changed, signal)) count += 1;
      const taken = takenName(await parts.ledger.answer({ folder: 'done', stem: open.stem }));
      if (taken !== undefined && !(await isFree(parts.ledger, folders, ['results', taken])))
        foreign.push(taken);
    });
  }
  return { count, foreign };
}

async function refresh(
  parts: ResultsParts,
  folders: Folders,
  { stem, sha256: hash, at }: OpenFile,
  changed: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const { ledger, clock, written } = parts;
  const known = written.get(stem);
  const results = await ledger.answer({ folder: 'done', stem });
  const isThere = (await statOf(join(folders.results, results))) !== undefined;
  const isOld = clock.now() - toMs(at) > KEEP_OPEN_MS;
  if (isThere && known && changed?.isDisjointFrom(known.refs)) {
    if (known.settled && isOld) await ledger.close(stem);
    return false;
  }
  const fates = await ledger.fates(hash);
  const states = await statesOf(parts, fates);
  const now = writtenOf(fates, states);
  let rewritten = false;
  if (!isThere || known?.digest !== now.digest) {
    const options = await readOptions(parts, familyOf(stem));
    const file = await openPlainDropped(join(folders.done, `${stem}.csv`), options, signal);
    if (file?.sha256 === hash) rewritten = await write(parts, folders, { stem, file, fates }, states, signal);
    // Either removed from done/, which ends its results, or being booked, which opens them again.
    else await ledger.close(stem);
  }
  if (now.settled && isOld) await ledger.close(stem);
  return rewritten;
}

async function write(
  parts: ResultsParts,
  folders: Folders,
  { stem, file, fates }: Answered,
  states: States,
  signal: AbortSignal,
): Promise<boolean> {
  const { settings, ledger, mode, written } = parts;
  const place = { folder: 'done', stem } as const;
  let results = await ledger.answer(place);
  const bytes = await render(settings, file, fates, states, signal);
  const path = join(folders.results, results);
  const stat = await statOf(path);
  const isSame = stat?.isFile() && stat.size === bytes.length && bytes.equals(await readFile(path));
  if (isSame) await correctMode(path, mode);
  else {
    if (!(await isFree(ledger, folders, ['results', results])))
      results = await takeResultsName(parts, folders, { place, results });
    await writeOwn(parts, folders, ['results', results], bytes);
  }
  written.set(stem, writtenOf(fates, states));
  return !isSame;
}

/** The results of a file that was refused: one row with the reason. */
export async function writeRefusal(
  parts: ResultsParts,
  folders: Folders,
  results: string,
  fault: string,
): Promise<void> {
  const { settings, clock } = parts;
  const dialect = resultsDialect(settings, ',');
  const row = ['', 'refused', '', fault, instant(clock.now())];
  const text = renderCells([resultColumns, row], dialect);
  const bytes = Buffer.from((dialect.forExcel ? BYTE_ORDER_MARK : '') + text);
  await writeOwn(parts, folders, ['results', results], bytes);
}

/** Whether only a person can still change what became of these rows. */
export async function areSettled(parts: Source, fates: readonly RowFate[]): Promise<boolean> {
  return writtenOf(fates, await statesOf(parts, fates)).settled;
}

async function statesOf({ bookings, source }: Source, fates: readonly RowFate[]): Promise<States> {
  const states = new Map<string, State>();
  for (const fate of fates) {
    if (!('ref' in fate) || states.has(fate.ref)) continue;
    const booking = await bookings.find(source, fate.ref);
    if (booking === undefined) continue;
    const { ref, state, appointment_id, message, changed_at } = booking;
    states.set(ref, { ref, state, appointment_id, message, changed_at });
    if (states.size % 50 === 0) await turn();
  }
  return states;
}

const resultsDialect = ({ line_ending, profile }: CsvSettings, delimiter: string) => ({
  delimiter,
  newline: line_ending === 'crlf' ? '\r\n' : '\n',
  forExcel: profile === 'excel',
});

/** The dropped file's columns, then ours. */
async function render(
  settings: CsvSettings,
  file: DroppedFile,
  fates: readonly RowFate[],
  states: States,
  signal: AbortSignal,
): Promise<Buffer> {
  const own = ownColumns(file.headers);
  const original = (cells: readonly string[]) =>
    file.headers.flatMap((_, index) => (own.has(index) ? [] : [cells[index] ?? '']));
  const dialect = resultsDialect(settings, file.delimiter);
  // The program that wrote another encoding needs a mark to read UTF-8.
  const mark = dialect.forExcel || file.encoding !== 'utf-8' ? BYTE_ORDER_MARK : '';
  const heading = renderCells([[...original(file.headers), ...resultColumns]], dialect);
  const pieces = [Buffer.from(mark)];
  let text = '';
  let row = -1;
  let count = 0;
  const lineFor = ({ cells, isBlank, kind }: Line) => {
    if (kind === 'header') return heading;
    if (kind === 'other') return isBlank ? dialect.newline : renderCells([cells], dialect);
    row += 1;
    return renderCells([[...original(cells), ...cellsOf(fates[row], states)]], dialect);
  };
  // Line for line as in the file, so that its numbers hold.
  for await (const line of file.lines()) {
    text += lineFor(line);
    count += 1;
    if (count % LINES > 0) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await turn();
    signal.throwIfAborted();
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

function cellsOf(fate: RowFate | undefined, states: States): string[] {
  if (fate === undefined) return ['', '', '', '', ''];
  if ('refused' in fate) return ['', '', '', `Not stored: ${fate.refused}`, ''];
  const state = states.get(fate.ref);
  if (state === undefined) return [fate.ref, '', '', 'This booking is no longer known.', ''];
  const { appointment_id, message, changed_at } = state;
  return [fate.ref, state.state, String(appointment_id ?? ''), message ?? '', changed_at];
}

/** The input of a results file. */
interface Written {
  digest: string;
  refs: ReadonlySet<string>;
  settled: boolean;
}

const writtenOf = (fates: readonly RowFate[], states: ReadonlyMap<string, State>): Written => ({
  digest: sha256(JSON.stringify([fates, [...states.values()]])),
  refs: new Set(states.keys()),
  settled: [...states.values()].every(({ state }) => settledStates.includes(state)),
});

/** Sequence up to which the change log was read, by clinic. */
export type Cursors = Map<string, number>;

/** Refs of a source's bookings changed since the cursors; undefined on the first call, when any may have changed. */
export async function changedBookings(
  view: MirrorView,
  cursors: Cursors,
  { source, clinics }: { source: string; clinics: readonly string[] },
): Promise<ReadonlySet<string> | undefined> {
  const isFirst = cursors.size === 0;
  const refs = new Set<string>();
  for (const clinic of clinics) {
    for await (const row of rowsSince(view, clinic, cursors))
      if (row.source === source && typeof row.ref === 'string') refs.add(row.ref);
  }
  return isFirst ? undefined : refs;
}

async function* rowsSince(view: MirrorView, clinic: string, cursors: Cursors): AsyncGenerator<Row> {
  for (;;) {
    const cursor = cursors.get(clinic) ?? 0;
    const { rows, through } = await view.rowsChangedSince('bookings', clinic, cursor, 500);
    yield* rows;
    cursors.set(clinic, through);
    if (through === cursor) return;
  }
}
