import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

/** Of all parts that are read, in pieces: what is made of them has limits of its own. */
const MAX_UNPACKED = 26 * 2 ** 20;
const PIECE_BYTES = 2 ** 16;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LONGEST_END = 65_557;

/** Where the directory of a ZIP file begins, and how many entries it has; undefined while the file is not whole. */
export function directoryOf(bytes: Buffer): { at: number; entries: number } | undefined {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - LONGEST_END); at -= 1)
    if (bytes.readUInt32LE(at) === END)
      return { entries: bytes.readUInt16LE(at + 10), at: bytes.readUInt32LE(at + 16) };
  return undefined;
}

/**
 * Reads the text of a part by its name, once, in pieces; none for one that is missing. Throws a RangeError or an error
 * of zlib for one that is damaged, too large, or read again.
 */
export function zipPartsOf(bytes: Buffer): (name: string) => AsyncGenerator<string> {
  const found = new Map<string, Buffer>();
  const directory = directoryOf(bytes);
  if (directory === undefined) throw new RangeError('no directory');
  let { at } = directory;
  for (let n = 0; n < directory.entries; n += 1) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new RangeError('no entry');
    const length = bytes.readUInt16LE(at + 28);
    found.set(bytes.toString('utf8', at + 46, at + 46 + length), bytes.subarray(at, at + 46));
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  const wasRead = new Set<string>();
  let left = MAX_UNPACKED;
  return async function* (name) {
    const entry = found.get(name);
    if (entry === undefined) return;
    if (wasRead.has(name)) throw new RangeError('two uses of one part');
    wasRead.add(name);
    const local = entry.readUInt32LE(42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + entry.readUInt32LE(20));
    let sum = 0;
    for await (const piece of unpacked(packed, entry.readUInt16LE(10) !== 0)) {
      left -= piece.length;
      sum = crc32(piece, sum);
      if (left < 0) throw new RangeError('too large');
      yield piece;
    }
    // A changed bit may be another number or day.
    if (sum !== entry.readUInt32LE(16)) throw new RangeError('another checksum');
  };
}

function unpacked(content: Buffer, isPacked: boolean): AsyncIterable<string> {
  if (!isPacked) return Readable.from(slices(content), { objectMode: false }).setEncoding('utf8');
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  inflate.end(content);
  return inflate.setEncoding('utf8');
}

function* slices(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) yield content.subarray(at, at + PIECE_BYTES);
}
