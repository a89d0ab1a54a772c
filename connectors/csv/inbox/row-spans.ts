import { decode } from './decode.ts';
import { findTable, readRecords } from './records.ts';

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;

/** Bytes of a file with one row in it. */
interface Span {
  from: number;
  to: number;
}

/** Where the chosen rows are, in order. */
export async function spansOf(bytes: Buffer, isChosen: (row: number) => boolean): Promise<Span[]> {
  const decoded = decode(bytes);
  if (decoded.fault !== undefined) return [];
  const { text, encoding } = decoded;
  const { delimiter, body } = findTable(text);
  const utf8 = Buffer.from(body);
  const sizeOf = (start: number, end: number) =>
    encoding === 'utf-8' ? end - start : utf8.toString('utf8', start, end).length * widthIn(bytes);

  const spans: Span[] = [];
  let from = bytes.length - sizeOf(0, utf8.length);
  let start = 0;
  let row = -1;
  for await (const { end } of readRecords(body, delimiter)) {
    const to = from + sizeOf(start, end);
    if (row >= 0 && isChosen(row)) spans.push({ from, to });
    [from, start, row] = [to, end, row + 1];
  }
  return spans;
}

/** Bytes of a line end: two in UTF-16. */
const widthIn = (bytes: Buffer): number => (bytes[0] === 0xff && bytes[1] === 0xfe ? 2 : 1);

export function cutOut(bytes: Buffer, spans: readonly Span[]): Buffer {
  const ends = [...spans.map(({ from }) => from), bytes.length];
  return Buffer.concat(ends.map((end, index) => bytes.subarray(spans[index - 1]?.to ?? 0, end)));
}

/**
 * Overwrites rows with spaces and keeps the line ends. The length stays: whoever has the file open goes on at the offset
 * where they stopped.
 */
export function blankOut(bytes: Buffer, spans: readonly Span[]): Buffer {
  const blanked = Buffer.from(bytes);
  const width = widthIn(bytes);
  for (const { from, to } of spans)
    for (let at = from; at < to; at += width) {
      const isLineEnd = (bytes[at] === LF || bytes[at] === CR) && (width === 1 || bytes[at + 1] === 0);
      if (!isLineEnd) blanked.fill(0, at, at + width).writeUInt8(SPACE, at);
    }
  return blanked;
}
