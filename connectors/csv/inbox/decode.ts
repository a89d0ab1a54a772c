import { isUtf8 } from 'node:buffer';
import { readWindows1252 } from './windows-1252.ts';

/** A file's text, or the reason for people why it cannot be read. */
type Decoded =
  | { text: string; encoding: 'utf-8' | 'utf-16le' | 'windows-1252'; fault?: never }
  | { fault: string; text?: never };

/**
 * Reads UTF-8 with or without byte order mark, UTF-16LE with one (a spreadsheet's "Unicode text"), and Windows-1252
 * when it can be nothing else.
 */
export function decode(bytes: Buffer): Decoded {
  const fault = unreadableStart(bytes);
  if (fault !== undefined) return { fault };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes);

  const nul = bytes.indexOf(0);
  const wrong = isUtf8(bytes) ? -1 : firstNotUtf8(bytes);
  if (wrong >= 0 && nul < 0) {
    const text = readWindows1252(bytes);
    if (text !== undefined) return { text, encoding: 'windows-1252' };
  }
  if (wrong >= 0 && (nul < 0 || wrong < nul))
    return {
      fault: `The file is not UTF-8: byte ${wrong} (line ${lineOf(bytes, wrong)}) does not belong there, and it is not surely Windows-1252 either. Save it as “CSV UTF-8”.`,
    };
  if (nul >= 0) return { fault: `The file is not text: byte ${nul} (line ${lineOf(bytes, nul)}) is zero.` };
  return { text: new TextDecoder('utf-8').decode(bytes), encoding: 'utf-8' };
}

function unreadableStart(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return 'The file is empty.';
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return 'The file is UTF-16 with the bytes the other way round (big-endian).';
  if (bytes.subarray(0, 3).equals(Buffer.from('PK\x03')))
    return 'This is a workbook (.xlsx) with the name of a CSV file.';
  return undefined;
}

function decodeUtf16(bytes: Buffer): Decoded {
  if (bytes.length % 2 === 1)
    return { fault: `The file is UTF-16 but cut off: byte ${bytes.length - 1} has no second half.` };
  const text = bytes.toString('utf16le', 2);
  const wrong = text.search(notUtf16);
  if (wrong < 0) return { text, encoding: 'utf-16le' };
  return { fault: `The file is UTF-16, but byte ${2 + wrong * 2} does not belong there.` };
}

/** Matches a zero or an unpaired surrogate. */
const notUtf16 = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const STRETCH = 64 * 1024;

/** Offset of the first byte that is not part of a UTF-8 character (RFC 3629). */
function firstNotUtf8(bytes: Buffer): number {
  // Checks long stretches first: byte by byte, 20 MB would block the daemon for seconds.
  let at = 0;
  for (let end = startOfCharacter(bytes, STRETCH); end > at; end = startOfCharacter(bytes, at + STRETCH)) {
    if (!isUtf8(bytes.subarray(at, end))) break;
    at = end;
  }
  while (at < bytes.length) {
    const length = lengthFrom(bytes[at] ?? 0);
    const character = bytes.subarray(at, at + length);
    if (character.length < length || !isUtf8(character)) return at;
    at += length;
  }
  return bytes.length;
}

const lengthFrom = (lead: number): number => (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);

/** The offset, or up to three bytes before it, where a character begins. */
function startOfCharacter(bytes: Buffer, offset: number): number {
  if (offset >= bytes.length) return bytes.length;
  for (let at = offset; at > offset - 4; at -= 1) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at;
  return offset;
}

function lineOf(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at += 1) if (bytes[at] === 10) line += 1;
  return line;
}
