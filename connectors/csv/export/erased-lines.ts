import type { FileHandle } from 'node:fs/promises';
import { chunksOf, openPlain, type Piece } from './patch-file.ts';

/** Lines are shorter, but for a few whose notes fill pages. */
const LINE_BYTES = 2 ** 14;
const NEWLINE = 0x0a;

interface Line {
  offset: number;
  length: number;
  bytes: Buffer;
}

/**
 * The lines among the first `size` bytes of a file that contain one of these byte strings, in order. None of the
 * file's cells may have a line feed.
 */
export async function linesWith(path: string, size: number, wanted: readonly Buffer[]): Promise<Line[]> {
  const file = await openPlain(path);
  if (file === undefined) return [];
  try {
    const lines: Line[] = [];
    for (const at of await hitsIn(file, size, wanted)) {
      const former = lines.at(-1);
      if (former !== undefined && at < former.offset + former.length) continue;
      const offset = await startOfLine(file, at);
      const length = (await endOfLine(file, at, size)) - offset;
      lines.push({ offset, length, bytes: await bytesOf(file, offset, length) });
    }
    return lines;
  } finally {
    await file.close();
  }
}

/** Where the byte strings begin, ascending. */
async function hitsIn(file: FileHandle, size: number, wanted: readonly Buffer[]): Promise<number[]> {
  const hits = new Set<number>();
  // A byte string may begin in one chunk and end in the next.
  const overlap = Math.max(...wanted.map(({ length }) => length)) - 1;
  let rest: Buffer = Buffer.alloc(0);
  let end = 0;
  for await (const chunk of chunksOf(file, 0, size)) {
    const text = Buffer.concat([rest, chunk]);
    end += chunk.length;
    for (const bytes of wanted)
      for (let at = text.indexOf(bytes); at >= 0; at = text.indexOf(bytes, at + 1))
        hits.add(end - text.length + at);
    rest = text.subarray(-overlap);
  }
  return [...hits].sort((one, other) => one - other);
}

async function startOfLine(file: FileHandle, at: number): Promise<number> {
  for (let end = at; end > 0; end -= LINE_BYTES) {
    const begin = Math.max(0, end - LINE_BYTES);
    const found = (await bytesOf(file, begin, end - begin)).lastIndexOf(NEWLINE);
    if (found >= 0) return begin + found + 1;
  }
  return 0;
}

async function endOfLine(file: FileHandle, at: number, size: number): Promise<number> {
  for (let begin = at; begin < size; begin += LINE_BYTES) {
    const found = (await bytesOf(file, begin, Math.min(LINE_BYTES, size - begin))).indexOf(NEWLINE);
    if (found >= 0) return begin + found + 1;
  }
  return size;
}

async function bytesOf(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

/** The first `size` bytes of a file with others in place of these lines, which are in order. */
export function* withLines(size: number, lines: readonly (Line & { by: Buffer })[]): Generator<Piece> {
  let offset = 0;
  for (const line of lines) {
    yield { offset, length: line.offset - offset };
    yield { bytes: line.by };
    offset = line.offset + line.length;
  }
  yield { offset, length: size - offset };
}
