import { setImmediate as turn } from 'node:timers/promises';
import { sha256, statOf } from '../files.ts';
import type { CsvSettings } from '../settings.ts';
import { decode } from './decode.ts';
import { readPlainFile } from './folders.ts';
import { type HeaderMap, mapHeaders } from './headers.ts';
import { shapeOf } from './last-row.ts';
import { findTable, readRecords, UnreadableRecord } from './records.ts';

/** Each check of the inbox reads whole files; more rows would delay the other files for days. */
const MAX_ROWS = 200_000;
/** Results have every column in every row, even for rows that end early. */
const MAX_CELLS = 20_000_000;
/** A column of days or times has few. */
const MAX_SHAPES = 20;

/** A file that was validated from its first byte to its last. */
export interface DroppedFile {
  sha256: string;
  headers: string[];
  map: HeaderMap;
  delimiter: string;
  /** It was not UTF-8: its program needs a byte order mark in the results. */
  wantsMark: boolean;
  rows: number;
  /** The last row, whether the text ends with a quotation mark, and the shapes of the last column above it. */
  last: string[];
  endsQuoted: boolean;
  shapes: ReadonlySet<string>;
  /** The rows without the headers, parsed again on each call. */
  records(): AsyncGenerator<string[]>;
}

/** Validates a whole file before any row is booked. `fault` is the reason for people why it cannot be. */
export async function openDropped(
  bytes: Buffer,
  columns: CsvSettings['columns'],
  signal: AbortSignal,
): Promise<{ file: DroppedFile; fault?: never } | { fault: string; file?: never }> {
  const decoded = decode(bytes);
  if (decoded.fault !== undefined) return { fault: decoded.fault };
  const { text, encoding } = decoded;
  const { delimiter, body } = findTable(text);

  const measured = await measure(body, delimiter, signal);
  if (measured.fault !== undefined) return { fault: measured.fault };
  const { headers, ...measures } = measured;
  const mapped = mapHeaders(headers, columns);
  if (mapped.fault !== undefined) return { fault: mapped.fault };

  async function* records() {
    let first = true;
    for await (const { cells } of readRecords(body, delimiter)) {
      if (!first) yield cells;
      first = false;
    }
  }
  const { map } = mapped;
  const wantsMark = encoding !== 'utf-8';
  const endsQuoted = body.endsWith('"');
  const read = { headers, map, delimiter, wantsMark, endsQuoted, ...measures, records };
  return { file: { sha256: sha256(bytes), ...read } };
}

type Measured = Pick<DroppedFile, 'headers' | 'rows' | 'last' | 'shapes'>;

/** Parses all rows, or says why that is impossible. */
async function measure(
  body: string,
  delimiter: string,
  signal: AbortSignal,
): Promise<(Measured & { fault?: never }) | { fault: string }> {
  let headers: string[] | undefined;
  let last: string[] = [];
  let rows = 0;
  const shapes = new Set<string>();
  const noteShape = (cell = '') => shapes.size < MAX_SHAPES && shapes.add(shapeOf(cell));
  try {
    for await (const { cells } of readRecords(body, delimiter)) {
      signal.throwIfAborted();
      if (headers === undefined) {
        headers = cells;
        continue;
      }
      if (rows > 0) noteShape(last[headers.length - 1]);
      rows += 1;
      last = cells;
      if (rows > MAX_ROWS) return { fault: 'The file has more than 200,000 rows. Split it into several.' };
      if (rows % 1_000 === 999) await turn();
    }
  } catch (error) {
    if (error instanceof UnreadableRecord) return { fault: error.message };
    throw error;
  }
  if (headers === undefined) return { fault: 'The file is empty.' };
  if (headers.length * Math.max(rows, 1_000) > MAX_CELLS)
    return { fault: 'The first line names far more columns than the rows have.' };
  return { headers, rows, last, shapes };
}

/** Opens a file that was booked before; undefined when it is gone or no longer readable. */
export async function openPlainDropped(
  path: string,
  { columns }: Pick<CsvSettings, 'columns'>,
  signal: AbortSignal,
): Promise<DroppedFile | undefined> {
  const bytes = await bytesOf(path);
  return bytes && (await openDropped(bytes, columns, signal)).file;
}

/** The content of a file; undefined when it is gone or too large. */
export async function bytesOf(path: string): Promise<Buffer | undefined> {
  if (!(await statOf(path))?.isFile()) return undefined;
  const read = await readPlainFile(path);
  return read && 'bytes' in read ? read.bytes : undefined;
}
