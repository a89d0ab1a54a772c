import { Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';

/** Longest row; anything longer is an open quote that swallowed the rest of the file. */
const MAX_RECORD_CHARACTERS = 256 * 1024;
/** Characters parsed at a time: few, so that even very short rows do not block the event loop. */
const SLICE = 16 * 1024;

const delimiters = [',', ';', '\t'] as const;

/** Lines above the header that a title may take. */
export const TITLE_LINES = 10;

/**
 * The table's text and what may delimit its cells, the likeliest first: what a `sep=;` line says, else the most
 * frequent in one of the first lines. A note may have more commas than its table has columns.
 */
export function findTable(text: string): { candidates: string[]; body: string } {
  const sep = /^sep=(.)\r?\n/i.exec(text);
  if (sep?.[1] !== undefined) return { candidates: [sep[1]], body: text.slice(sep[0].length) };
  const lines = text.slice(0, MAX_RECORD_CHARACTERS).split(/[\r\n]+/, TITLE_LINES + 1);
  const unquoted = lines.map((line) => line.replace(/"[^"]*"/g, ''));
  const count = (delimiter: string) => Math.max(...unquoted.map((line) => line.split(delimiter).length));
  return { candidates: delimiters.toSorted((one, other) => count(other) - count(one)), body: text };
}

export interface CsvRecord {
  cells: string[];
  isBlank: boolean;
  /** Where it ends in the text, in bytes of UTF-8. */
  end: number;
}

/**
 * The records of a CSV text (RFC 4180), blank lines among them, one at a time. Throws `UnreadableRecord` with the line
 * number, never with content.
 */
export async function* readCsvRecords(body: string, delimiter: string): AsyncGenerator<CsvRecord> {
  const parser: Parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_CHARACTERS,
    on_record(cells: string[], { bytes: end }) {
      // Makes every record the first: the parser creates an Error for each that is longer or shorter than the first,
      // even where that is allowed. For 200,000 rows that took ten times as long as parsing them.
      Object.assign(parser.info, { records: 0 });
      // Files that were joined have them between.
      if (cells[0]) cells[0] = cells[0].replace(MARKS, '');
      const record: CsvRecord = { cells, end, isBlank: cells.every((cell) => BLANK.test(cell)) };
      // The types know no records of other shapes, although the parser passes on whatever it is given here.
      return record as unknown as string[];
    },
  });
  Readable.from(slices(body)).pipe(parser);
  try {
    yield* parser as AsyncIterable<CsvRecord>;
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableCsv(sentenceFor(error));
    throw error;
  }
}

/** Byte order and end-of-file marks. */
const MARKS = /^[\p{Cc}\p{Cf}]+/u;
const BLANK = /^[\s\p{C}]*$/u;

/** Why a CSV text cannot be read, for the person who dropped it. */
export class UnreadableCsv extends Error {
  override readonly name = 'UnreadableRecord';
}

function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    // An unpaired surrogate would become a replacement character.
    const end = isHighSurrogate(text.charCodeAt(at + SLICE - 1)) ? at + SLICE - 1 : at + SLICE;
    yield text.slice(at, end);
    at = end;
  }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

function sentenceFor(error: CsvError): string {
  const line = 'lines' in error ? Number(error.lines) : 0;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'A quotation mark is opened and never closed, so the last row has no end.';
    case 'CSV_MAX_RECORD_SIZE':
      return `The row near line ${line} is far too long: a quotation mark before it is probably not closed.`;
    default:
      return (
        `Line ${line} has a quotation mark in the wrong place: a field with quotation marks in it is enclosed ` +
        'in quotation marks, and those in it are doubled.'
      );
  }
}
