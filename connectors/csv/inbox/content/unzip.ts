import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

/** A workbook of the largest file that is taken has less; a bomb has more. */
const MAX_PART_BYTES = 200 * 2 ** 20;
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

/** Reads the text of a part by its name, empty for one that is missing. Throws a RangeError or an error of zlib for a damaged file. */
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
  return async (name) => {
    const entry = found.get(name);
    if (entry === undefined) return '';
    const local = entry.readUInt32LE(42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + entry.readUInt32LE(20));
    const isPacked = entry.readUInt16LE(10) !== 0;
    return (isPacked ? await inflate(packed, { maxOutputLength: MAX_PART_BYTES }) : packed).toString('utf8');
  };
}
