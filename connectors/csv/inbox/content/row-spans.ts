import type { Encoding } from './code-pages.ts';
import { widthOf } from './decode.ts';
import type { DroppedFile } from './dropped-file.ts';

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;

/** Bytes of a file with one row in it. */
interface Span {
  from: number;
  to: number;
}

/** Where the chosen rows are, in order. */
export async function spansOf(
  bytes: Buffer,
  { body, encoding, tail, lines }: DroppedFile,
  isChosen: (row: number) => boolean,
): Promise<Span[]> {
  const utf8 = Buffer.from(body);
  const sizeOf = (start: number, end: number) =>
    encoding === 'utf-8' ? end - start : utf8.toString('utf8', start, end).length * widthOf(encoding);

  const spans: Span[] = [];
  let from = bytes.length - tail - sizeOf(0, utf8.length);
  let start = 0;
  let row = -1;
  for await (const { end, kind } of lines()) {
    const to = from + sizeOf(start, end);
    if (kind === 'row') row += 1;
    const isLast = end === utf8.length;
    if (kind === 'row' && isChosen(row)) spans.push({ from, to: isLast ? bytes.length : to });
    [from, start] = [to, end];
  }
  return spans;
}

export function cutOut(bytes: Buffer, spans: readonly Span[]): Buffer {
  const ends = [...spans.map(({ from }) => from), bytes.length];
  return Buffer.concat(ends.map((end, index) => bytes.subarray(spans[index - 1]?.to ?? 0, end)));
}

/**
 * Overwrites rows with spaces and keeps the line ends. The length stays: whoever has the file open goes on at the
 * offset where they stopped.
 */
export function blankOut(bytes: Buffer, spans: readonly Span[], encoding: Encoding): Buffer {
  const blanked = Buffer.from(bytes);
  const width = widthOf(encoding);
  const low = encoding === 'utf-16be' ? 1 : 0;
  for (const { from, to } of spans)
    for (let at = from; at < to; at += width) {
      const [sign, other = 0] = [bytes[at + low], width === 1 ? 0 : bytes[at + 1 - low]];
      const isLineEnd = (sign === LF || sign === CR) && other === 0;
      if (!isLineEnd) blanked.fill(0, at, at + width).writeUInt8(SPACE, at + low);
    }
  return blanked;
}
