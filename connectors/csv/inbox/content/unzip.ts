import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

/** Of all parts that are read: 20,000 leads have less, and the daemon has 256 MB. */
const MAX_UNPACKED_BYTES = 16 * 2 ** 20;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LONGEST_END = 65_557;
const inflate = promisify(inflateRaw);

/** Where the directory of a ZIP file begins, and how many entries it has; undefined while the file is not whole. */
export function directoryOf(bytes: Buffer): { at: number; entries: number } | undefined {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - LONGEST_END); at -= 1)
    if (bytes.readUInt32LE(at) === END)
      return { entries: bytes.readUInt16LE(at + 10), at: bytes.readUInt32LE(at + 16) };
  return undefined;
}

/** Reads the text of a part by its name, empty for one that is missing. Throws a RangeError or an error of zlib for one that is damaged or too large. */
export function partsOf(bytes: Buffer): (name: string) => Promise<string> {
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
  let left = MAX_UNPACKED_BYTES;
  return async (name) => {
    const entry = found.get(name);
    if (entry === undefined) return '';
    const local = entry.readUInt32LE(42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + entry.readUInt32LE(20));
    const isPacked = entry.readUInt16LE(10) !== 0;
    const content = isPacked ? await inflate(packed, { maxOutputLength: Math.max(1, left) }) : packed;
    left -= content.length;
    if (left < 0) throw new RangeError('too large');
    return content.toString('utf8');
  };
}
