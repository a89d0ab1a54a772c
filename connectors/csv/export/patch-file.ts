import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errnoOf, type FileWriter, replacing } from '../files.ts';

/** A part of the new file: bytes, or a range of the current file. */
export type Piece = { bytes: Buffer } | { offset: number; length: number };

const CHUNK_BYTES = 2 ** 18;

/**
 * Gives a file the content of the pieces without holding it in memory. Replaces it in one step; leaves equal content
 * untouched.
 */
export async function patchFile(
  path: string,
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  mode: number,
): Promise<{ written: boolean; bytes: number; hash: Hash }> {
  const old = await openPlain(path);
  const hash = createHash('sha256');
  let writer: FileWriter | undefined;
  let bytes = 0;

  /** `kept` when the old file has the piece at the same offset. */
  async function put(piece: Buffer, kept: boolean): Promise<void> {
    if (writer === undefined && !kept && !(await holds(old, bytes, piece))) {
      writer = await replacing(path, { mode });
      for await (const chunk of chunksOf(old, 0, bytes)) await writer.write(chunk);
    }
    hash.update(piece);
    bytes += piece.length;
    await writer?.write(piece);
  }

  try {
    for await (const piece of joined(pieces)) {
      if ('bytes' in piece) await put(piece.bytes, false);
      else {
        const inPlace = piece.offset === bytes;
        for await (const chunk of chunksOf(old, piece.offset, piece.length)) await put(chunk, inPlace);
      }
    }
    // A file that is too long differs as well.
    if (writer === undefined && (old === undefined || (await old.stat()).size !== bytes)) {
      writer = await replacing(path, { mode });
      for await (const chunk of chunksOf(old, 0, bytes)) await writer.write(chunk);
    }
    await writer?.commit();
    return { written: writer !== undefined, bytes, hash };
  } catch (error) {
    await writer?.abandon();
    throw error;
  } finally {
    await old?.close();
  }
}

/** Undefined unless it is a plain file; anything else in its place is replaced. */
export async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EACCES'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** Joins adjacent ranges, so that unchanged stretches are copied in few large reads. */
async function* joined(pieces: AsyncIterable<Piece> | Iterable<Piece>): AsyncGenerator<Piece> {
  let range: { offset: number; length: number } | undefined;
  for await (const piece of pieces) {
    if ('offset' in piece && range && range.offset + range.length === piece.offset) {
      range.length += piece.length;
      continue;
    }
    if (range) yield range;
    range = 'offset' in piece ? { ...piece } : undefined;
    if ('bytes' in piece) yield piece;
  }
  if (range) yield range;
}

async function holds(file: FileHandle | undefined, at: number, expected: Buffer): Promise<boolean> {
  if (file === undefined) return false;
  const found = Buffer.alloc(expected.length);
  const { bytesRead } = await file.read(found, 0, expected.length, at);
  return bytesRead === expected.length && found.equals(expected);
}

/** Each chunk is valid until the next is read: the buffer is reused, because large ones trigger full collections. */
export async function* chunksOf(file: FileHandle | undefined, offset: number, length: number) {
  const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, length));
  for (let at = offset; at < offset + length; ) {
    const wanted = Math.min(chunk.length, offset + length - at);
    const { bytesRead = 0 } = (await file?.read(chunk, 0, wanted, at)) ?? {};
    if (bytesRead === 0) throw new Error('the file became shorter while it was read');
    yield chunk.subarray(0, bytesRead);
    at += bytesRead;
  }
}
