import { decode } from './decode.ts';
import { findTable, readRecords } from './records.ts';

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;

/** A file's content with some rows overwritten, and the bytes that differ. */
export interface Blanked {
  bytes: Buffer;
  from: number;
  to: number;
}

/**
 * Overwrites rows with spaces and keeps the line ends. The length stays: whoever has the file open goes on at the offset
 * where they stopped.
 */
export async function blankRows(bytes: Buffer, isBlanked: (row: number) => boolean): Promise<Blanked> {
  const blanked: Blanked = { bytes: Buffer.from(bytes), from: bytes.length, to: 0 };
  const decoded = decode(bytes);
  if (decoded.fault !== undefined) return blanked;
  const { text, encoding } = decoded;
  const { delimiter, body } = findTable(text);
  const width = encoding === 'utf-16le' ? 2 : 1;
  const utf8 = Buffer.from(body);
  const sizeOf = (start: number, end: number) =>
    encoding === 'utf-8' ? end - start : utf8.toString('utf8', start, end).length * width;

  let from = bytes.length - sizeOf(0, utf8.length);
  let start = 0;
  let row = -1;
  for await (const { end } of readRecords(body, delimiter)) {
    const to = from + sizeOf(start, end);
    if (row >= 0 && isBlanked(row)) {
      blank(blanked.bytes, { from, to, width });
      blanked.from = Math.min(blanked.from, from);
      blanked.to = to;
    }
    [from, start, row] = [to, end, row + 1];
  }
  return blanked;
}

function blank(bytes: Buffer, { from, to, width }: { from: number; to: number; width: number }): void {
  for (let at = from; at < to; at += width) {
    const isLineEnd = (bytes[at] === LF || bytes[at] === CR) && (width === 1 || bytes[at + 1] === 0);
    if (!isLineEnd) bytes.fill(0, at, at + width).writeUInt8(SPACE, at);
  }
}
