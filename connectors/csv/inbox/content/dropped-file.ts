import { setImmediate as turn } from 'node:timers/promises';
import { possibleDates } from '../../../../src/domain/date-time-format.ts';
import { readMoment } from '../../../../src/reading/moment.ts';
import { isVisitLabel } from '../../../../src/reading/read-slot.ts';
import { sha256, statOf } from '../../files.ts';
import type { CsvSettings } from '../../settings.ts';
import { readPlainFile } from '../folders.ts';
import type { Encoding } from './code-pages.ts';
import { decode, type ReadsAs } from './decode.ts';
import { type HeaderMap, mapHeaders, ownColumns, sideBySide, unnamedSlot } from './headers.ts';
import { type LastRow, shapeOf } from './last-row.ts';
import { type CsvRecord, findTable, readCsvRecords, TITLE_LINES, UnreadableCsv } from './records.ts';

/** Each check of the inbox reads whole files; more rows would delay the other files for days. */
const MAX_ROWS = 200_000;
/** Results have every column in every row, even for rows that end early. */
const MAX_CELLS = 20_000_000;
/** A column of days or times has few. */
const MAX_SHAPES = 20;

/** A file that was validated from its first byte to its last. */
export interface DroppedFile extends LastRow {
  sha256: string;
  headers: string[];
  map: HeaderMap;
  delimiter: string;
  encoding: Encoding;
  /** Bytes at the end of the file that are in no row. */
  tail: number;
  /** Whether its last line ends. */
  isEnded: boolean;
  rows: number;
  /** The text after a line that names the delimiter. */
  body: string;
  /** Everything in it, in order, parsed again on each call. */
  lines(): AsyncGenerator<Line>;
  /** The rows alone. */
  records(): AsyncGenerator<string[]>;
}

export interface Line extends CsvRecord {
  /**
   * `header` also where the columns are those of an earlier version. `other`: a blank line, a title above the header,
   * or the header again.
   */
  kind: 'header' | 'row' | 'other';
  /** Its number in the file, from 1, as spreadsheet programs count. */
  number: number;
}

export interface ReadOptions extends ReadsAs {
  columns?: CsvSettings['columns'];
  /** The columns of the file's earlier versions, for one that goes on without naming them. */
  known?: readonly string[] | undefined;
}

/** Validates a whole file before any row is booked. `fault` is the reason for people why it cannot be. */
export async function openDropped(
  bytes: Buffer,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<{ file: DroppedFile; fault?: never } | { fault: string; file?: never }> {
  const decoded = decode(bytes, options);
  if (decoded.fault !== undefined) return { fault: decoded.fault };
  const { text, encoding, tail } = decoded;
  const { candidates, body } = findTable(text);
  try {
    const header = await headerOf(body, candidates, options);
    if ('fault' in header) return header;
    const { delimiter } = header;
    const lines = () => linesOf(body, delimiter, header);
    async function* records() {
      for await (const { cells, kind } of lines()) if (kind === 'row') yield cells;
    }
    const { headers, map } = header;
    const twice = sideBySide(headers, map);
    if (twice !== undefined) return { fault: twice };
    const measured = await measure(records(), header, signal);
    if ('fault' in measured) return measured;
    const read = { headers, map, delimiter, encoding, tail, body, lines, records, ...measured };
    const ends = { endsQuoted: body.endsWith('"'), isEnded: /[\r\n]$/.test(body) };
    return { file: { sha256: sha256(bytes), ...ends, ...read } };
  } catch (error) {
    if (error instanceof UnreadableCsv) return { fault: error.message };
    throw error;
  }
}

interface Header {
  headers: string[];
  map: HeaderMap;
  /** The number of its record; -1 where the columns are those of an earlier version. */
  at: number;
}

/** The header by the first delimiter with which there is one; else what is wrong by the likeliest. */
async function headerOf(
  body: string,
  candidates: readonly string[],
  options: ReadOptions,
): Promise<(Header & { delimiter: string }) | { fault: string }> {
  let fault: { fault: string } | undefined;
  for (const delimiter of candidates) {
    // By another delimiter a quoted cell may look wrong; what the likeliest says is what is wrong.
    const found = await findHeader(body, delimiter, options).catch((error: unknown) => {
      if (error instanceof UnreadableCsv) return { fault: error.message };
      throw error;
    });
    if (!('fault' in found)) return { ...found, delimiter };
    fault ??= found;
  }
  return fault ?? { fault: 'The file is empty.' };
}

/** The first record that names the columns, below a title; or why none does. */
async function findHeader(
  body: string,
  delimiter: string,
  { columns = {}, known }: ReadOptions,
): Promise<Header | { fault: string }> {
  let fault: string | undefined;
  let first: string[] | undefined;
  let at = -1;
  for await (const { cells, isBlank } of readCsvRecords(body, delimiter)) {
    at += 1;
    if (isBlank) continue;
    first ??= cells;
    const mapped = mapHeaders(cells, columns);
    if (mapped.map) return { headers: cells, map: mapped.map, at };
    fault ??= mapped.fault;
    if (at >= TITLE_LINES) break;
  }
  if (fault === undefined) return { fault: 'The file is empty.' };
  const former = known === undefined ? undefined : mapHeaders(known, columns).map;
  // A row has numbers; a line with other column names has none.
  const isRow = first?.length === known?.length && /\d/.test(first?.join('') ?? '');
  return known && former && isRow ? { headers: [...known], map: former, at: -1 } : { fault };
}

async function* linesOf(body: string, delimiter: string, { headers, at }: Header): AsyncGenerator<Line> {
  let record = -1;
  const header = JSON.stringify(headers);
  if (at < 0) yield { cells: headers, end: 0, isBlank: false, kind: 'header', number: 0 };
  for await (const read of readCsvRecords(body, delimiter)) {
    record += 1;
    const isOther = read.isBlank || record < at || JSON.stringify(read.cells) === header;
    yield { ...read, kind: record === at ? 'header' : isOther ? 'other' : 'row', number: record + 1 };
  }
}

type Measured = Pick<DroppedFile, 'rows' | 'last' | 'shapes'>;

/** Parses all rows, or says why they are too many. */
async function measure(
  records: AsyncIterable<string[]>,
  { headers, map }: Header,
  signal: AbortSignal,
): Promise<Measured | { fault: string }> {
  const { length } = headers;
  const fault = unnamedSlot(map);
  const others = fault === undefined ? [] : unmappedColumns(headers, map);
  let last: string[] = [];
  let rows = 0;
  const shapes = new Set<string>();
  const noteShape = (cell = '') => shapes.size < MAX_SHAPES && shapes.add(shapeOf(cell));
  for await (const cells of records) {
    signal.throwIfAborted();
    if (rows > 0) noteShape(last[length - 1]);
    if (fault !== undefined && others.some((column) => isWhen(cells[column] ?? ''))) return { fault };
    rows += 1;
    last = cells;
    if (rows > MAX_ROWS) return { fault: 'The file has more than 200,000 rows. Split it into several.' };
    if (rows % 1_000 === 999) await turn();
  }
  // The line with the names may not be whole yet.
  if (fault !== undefined && rows === 0) return { fault };
  if (length * Math.max(rows, 1_000) > MAX_CELLS)
    return { fault: 'The first line names far more columns than the rows have.' };
  return { rows, last, shapes };
}

/** Columns of which nothing is read, but for those with times of the program that wrote the file. */
function unmappedColumns(headers: readonly string[], map: HeaderMap): number[] {
  const mapped = new Set([...Object.values(map).flat(), ...ownColumns(headers)]);
  return [...headers.keys()].filter((at) => !mapped.has(at) && isVisitLabel(headers[at] ?? ''));
}

/** Whether a person may have written a day or a time: programs write theirs with a zone. */
const isWhen = (cell: string): boolean =>
  /\p{Nd}/u.test(cell) && (readMoment(cell, {}, undefined) !== undefined || possibleDates(cell).length > 0);

/** Opens a file that was booked before; undefined when it is gone or no longer readable. */
export async function openPlainDropped(
  path: string,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<DroppedFile | undefined> {
  const bytes = await bytesOf(path);
  return bytes && (await openDropped(bytes, options, signal)).file;
}

/** The content of a file; undefined when it is gone or too large. */
export async function bytesOf(path: string): Promise<Buffer | undefined> {
  if (!(await statOf(path))?.isFile()) return undefined;
  const read = await readPlainFile(path);
  return read && 'bytes' in read ? read.bytes : undefined;
}
