import { isUtf8 } from 'node:buffer';
import { readWindows1252 } from './windows-1252.ts';

/** A file's text, or in plain words why it cannot be read. */
export type Decoded =
  | {
      text: string;
      /** It is not UTF-8, so results without a byte order mark would be misread by the program that wrote it. */
      wantsMark: boolean;
      fault?: never;
    }
  | { fault: string; text?: never };

/**
 * Understands UTF-8, with or without byte order mark, UTF-16LE with one (a spreadsheet's "Unicode text"), and
 * Windows-1252 where it cannot be anything else.
 */
export function decode(bytes: Buffer): Decoded {
  if (bytes.length === 0) return { fault: 'The file is empty.' };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { fault: 'The file is UTF-16 with the bytes the other way round (big-endian).' };
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3)
    return { fault: 'This is a workbook (.xlsx) with the name of a CSV file.' };

  const nul = bytes.indexOf(0);
  const wrong = isUtf8(bytes) ? -1 : firstNotUtf8(bytes);
  if (wrong >= 0 && nul < 0) {
    const text = readWindows1252(bytes);
    if (text !== undefined) return { text, wantsMark: true };
  }
  if (wrong >= 0 && (nul < 0 || wrong < nul))
    return {
      fault: `The file is not UTF-8: byte ${wrong} (line ${lineOf(bytes, wrong)}) does not belong there, and it is not surely Windows-1252 either. Save it as “CSV UTF-8”.`,
    };
  if (nul >= 0) return { fault: `The file is not text: byte ${nul} (line ${lineOf(bytes, nul)}) is zero.` };
  return { text: new TextDecoder('utf-8').decode(bytes), wantsMark: false };
}

function decodeUtf16(bytes: Buffer): Decoded {
  if (bytes.length % 2 === 1)
    return { fault: `The file is UTF-16 but cut off: byte ${bytes.length - 1} has no second half.` };
  const text = bytes.toString('utf16le', 2);
  if (text.isWellFormed() && !text.includes('\0')) return { text, wantsMark: true };
  const wrong = [...text].findIndex((character) => character === '\0' || !character.isWellFormed());
  const units = [...text].slice(0, wrong).join('').length;
  return { fault: `The file is UTF-16, but byte ${2 + units * 2} does not belong there.` };
}

/** Offset of the first byte that is not part of a UTF-8 character (RFC 3629). */
function firstNotUtf8(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = bytes.subarray(at, at + length);
    if (character.length < length || !isUtf8(character)) return at;
    at += length;
  }
  return bytes.length;
}

function lineOf(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line += 1;
  return line;
}
