import { isUtf8 } from 'node:buffer';
import { decodeAs, type Encoding, readByWords } from './code-pages.ts';

/** How the text of files is read: `encoding:` and what its clinic's country suggests. */
export interface ReadsAs {
  encoding?: 'auto' | Encoding;
  /** ISO code of the clinic's country. */
  country?: string | undefined;
}

/** A file's text without its byte order marks, or the reason for people why it cannot be read. */
type Decoded =
  | {
      text: string;
      encoding: Encoding;
      /** Bytes at the end that are no text: half a letter, an end-of-file mark, padding. */
      tail: number;
      fault?: never;
    }
  | { fault: string; text?: never; encoding?: never };

/** Old workbooks, and those with a password. */
const OLE = Buffer.from('d0cf11e0', 'hex');
const UNREAD_WORKBOOK =
  'This workbook cannot be read: it has another name than .xlsx or a password, is damaged, or has bookings ' +
  'in more than one sheet. Save each sheet as “CSV UTF-8”.';
export const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 3).equals(Buffer.from('PK\x03'));

const WAY_OUT = 'Save it as “CSV UTF-8”, or set encoding to the code page it was saved in.';

/**
 * Reads UTF-8, UTF-16 with or without a mark, the code page that `encoding` names, and otherwise the only code page of
 * the country in which the bytes make words.
 */
export function decode(all: Buffer, { encoding = 'auto', country }: ReadsAs = {}): Decoded {
  if (all.length === 0) return { fault: 'The file is empty.' };
  if (isZip(all) || all.subarray(0, 4).equals(OLE)) return { fault: UNREAD_WORKBOOK };
  const wide = utf16Of(all, encoding);
  const bytes = all.subarray(0, endOfText(all, wide) || all.length);
  const decoded = decodeText(bytes, { encoding, country, wide });
  return decoded.fault === undefined
    ? { ...decoded, tail: decoded.tail + all.length - bytes.length }
    : decoded;
}

/** Ends a text in DOS, or fills the block that it ends in. */
const FILL: readonly number[] = [0, 0x1a];

/** Where the text ends; 0 where there is none. */
export function endOfText(bytes: Buffer, wide: Utf16 | undefined, fill = FILL): number {
  const width = wide === undefined ? 1 : 2;
  const unitAt = (at: number) =>
    wide === undefined ? bytes[at] : wide === 'utf-16le' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  let end = bytes.length;
  while (end >= width && fill.includes(unitAt(end - width) ?? -1)) end -= width;
  return end;
}

function decodeText(
  bytes: Buffer,
  { encoding, country, wide }: Required<ReadsAs> & { wide: Utf16 | undefined },
): Decoded {
  if (wide !== undefined) return decodeUtf16(bytes, wide);
  const isUtf = encoding === 'auto' || encoding === 'utf-8';
  const nul = bytes.indexOf(0);
  const wrong = isUtf8(bytes) ? -1 : firstNotUtf8(bytes);
  if (nul >= 0 && (wrong < 0 || nul < wrong))
    return { fault: `The file is not text: byte ${nul} (line ${lineOf(bytes, nul)}) is zero.` };
  if (!isUtf) return decodeNamed(bytes, encoding);
  const utf8 = decodeUtf8(bytes, wrong < 0 ? bytes.length : wrong);
  if (utf8 !== undefined) return utf8;
  const read = encoding === 'auto' && nul < 0 ? readByWords(bytes, country) : undefined;
  if (read !== undefined) return { ...read, tail: 0 };
  return {
    fault:
      `The file is not UTF-8: byte ${wrong} (line ${lineOf(bytes, wrong)}) does not belong there, and its code ` +
      `page cannot be told for sure. ${WAY_OUT}`,
  };
}

/** The text up to the first byte that is none of UTF-8, if the file ends there or in the middle of a letter. */
function decodeUtf8(bytes: Buffer, end: number): Decoded | undefined {
  const tail = bytes.length - end;
  if (tail > 0 && !isHalfLetter(bytes.subarray(end))) return undefined;
  return { text: withoutMarks(decodeAs(bytes.subarray(0, end), 'utf-8')), encoding: 'utf-8', tail };
}

const isHalfLetter = (rest: Buffer): boolean =>
  rest.length < lengthFrom(rest[0] ?? 0) &&
  (rest[0] ?? 0) >= 0xc2 &&
  rest.subarray(1).every((byte) => (byte & 0xc0) === 0x80);

function decodeNamed(bytes: Buffer, encoding: Encoding): Decoded {
  const text = decodeAs(bytes, encoding);
  if (!text.includes('\uFFFD')) return { text, encoding, tail: 0 };
  return { fault: `The file is not ${encoding}, as encoding says. ${WAY_OUT}` };
}

/** Some programs write two. */
const withoutMarks = (text: string): string => text.replace(/^\uFEFF+/, '');

type Utf16 = 'utf-16le' | 'utf-16be';

/** Which UTF-16 it is: by its mark, by `encoding`, or by the zeros of its ASCII letters. */
export function utf16Of(bytes: Buffer, encoding?: ReadsAs['encoding']): Utf16 | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return encoding;
  const start = bytes.subarray(0, 2_000);
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = start.length / 2 / 2;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : undefined;
}

function decodeUtf16(bytes: Buffer, encoding: Utf16): Decoded {
  if (bytes.length % 2 === 1)
    return { fault: `The file is UTF-16 but cut off: byte ${bytes.length - 1} has no second half.` };
  const text = roughText(bytes, encoding);
  const wrong = text.search(notUtf16);
  if (wrong < 0) return { text: withoutMarks(text), encoding, tail: 0 };
  return { fault: `The file is UTF-16, but byte ${wrong * 2} does not belong there.` };
}

/** A text with U+FFFD where it is no text of this kind. */
export function roughText(bytes: Buffer, wide: Utf16 | undefined): string {
  if (wide === undefined) return bytes.toString('utf8');
  const even = bytes.subarray(0, bytes.length & ~1);
  return (wide === 'utf-16le' ? even : Buffer.from(even).swap16()).toString('utf16le');
}

/** Bytes of a sign that UTF-8 does not count. */
export const widthOf = (encoding: Encoding): number => (encoding.startsWith('utf-16') ? 2 : 1);
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
