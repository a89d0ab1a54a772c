import { setImmediate as turn } from 'node:timers/promises';
import { sha256 } from '../files.ts';
import type { CsvSettings } from '../settings.ts';
import { decode } from './decode.ts';
import { type HeaderMap, mapHeaders } from './headers.ts';
import { findTable, readRecords, UnreadableRecord } from './records.ts';

/** A file that can be read from its first byte to its last. */
export interface DroppedFile {
  sha256: string;
  headers: string[];
  map: HeaderMap;
  delimiter: string;
  /** Its results get a byte order mark. */
  wantsMark: boolean;
  rows: number;
  /** The rows without the headers, read anew on each call. */
  records(): AsyncGenerator<string[]>;
}

/** Validates a whole file before anything of it is booked. `fault` says in plain words why it cannot be. */
export async function openDropped(
  bytes: Buffer,
  columns: CsvSettings['columns'],
  signal: AbortSignal,
): Promise<{ file: DroppedFile; fault?: never } | { fault: string; file?: never }> {
  const decoded = decode(bytes);
  if (decoded.fault !== undefined) return { fault: decoded.fault };
  const { text, wantsMark } = decoded;
  const { delimiter, body } = findTable(text);

  let headers: string[] | undefined;
  let rows = 0;
  try {
    for await (const record of readRecords(body, delimiter)) {
      if (headers === undefined) headers = record;
      else rows += 1;
      if (rows % 1_000 === 999) await turn();
      signal.throwIfAborted();
    }
  } catch (error) {
    if (error instanceof UnreadableRecord) return { fault: error.message };
    throw error;
  }
  if (headers === undefined) return { fault: 'The file is empty.' };
  const mapped = mapHeaders(headers, columns);
  if (mapped.fault !== undefined) return { fault: mapped.fault };
  if (rows === 0) return { fault: 'The file has column names but no rows.' };

  async function* records() {
    let first = true;
    for await (const record of readRecords(body, delimiter)) {
      if (!first) yield record;
      first = false;
    }
  }
  return { file: { sha256: sha256(bytes), headers, map: mapped.map, delimiter, wantsMark, rows, records } };
}
