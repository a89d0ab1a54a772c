import { isUtf8 } from 'node:buffer';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../../src/platform/log.ts';
import { isZip } from './content/decode.ts';
import { bytesOf } from './content/dropped-file.ts';
import { csvFiles, type Folders, stemOf } from './folders.ts';
import type { Ledger } from './ledger.ts';
import { removeOwn } from './own-files.ts';
import { familyOf } from './versions.ts';

interface Parts {
  ledger: Ledger;
  log: Log;
  source: string;
}

/**
 * Takes back that earlier versions of a file were refused, now that all they held has been read: an early part of it,
 * zeros in its place, or the same rows written wrongly. Anything else stays for a person.
 */
export async function withdrawRefusals(
  { ledger, log, source }: Parts,
  folders: Folders,
  { family, bytes }: { family: string; bytes: Buffer },
  signal: AbortSignal,
): Promise<void> {
  for (const name of await csvFiles(folders.failed)) {
    signal.throwIfAborted();
    const stem = stemOf(name);
    // Its own name may be numbered; that of its results is not.
    if (familyOf(await ledger.answer({ folder: 'failed', stem })) !== family) continue;
    const path = join(folders.failed, name);
    const refused = await bytesOf(path).catch(() => undefined);
    if (refused === undefined) continue;
    const isUtf = isUtf8(refused) && isUtf8(bytes);
    const isRead = () => !isZip(refused) && isIn(skeletons(refused, isUtf), skeletons(bytes, isUtf));
    if (!isEarlier(refused, bytes) && !isRead()) continue;
    await removeRefusal(ledger, folders, stem);
    await rm(path, { force: true });
    await ledger.note({ folder: 'failed', stem }, undefined);
    log.info('refused inbox file withdrawn', { connector: source });
  }
}

/** Removes what was said of a refused file. */
export async function removeRefusal(ledger: Ledger, folders: Folders, stem: string): Promise<void> {
  const results = await ledger.answer({ folder: 'failed', stem });
  if ((await ledger.holder(results))?.folder === 'failed')
    await removeOwn(ledger, folders, ['results', results]);
  await removeOwn(ledger, folders, ['failed', `${stem}.error.txt`]);
}

/** Whether these bytes are the beginning of the whole, with zeros where it had not arrived. */
const isEarlier = (refused: Buffer, whole: Buffer): boolean =>
  refused.length <= whole.length && refused.every((byte, at) => byte === 0 || byte === whole[at]);

/**
 * The letters and digits of each line, whatever its quotation marks and delimiters are; only those of ASCII, if it has
 * any, where the files are in different encodings.
 */
const skeletons = (bytes: Buffer, isUtf: boolean): string[] =>
  bytes
    .toString(isUtf ? 'utf8' : 'latin1')
    // Zeros between the letters of UTF-16, but not a hole.
    .replace(/(?<!\0)\0(?!\0)/g, '')
    .split(/[\r\n]+/)
    .map((line) => (isUtf ? '' : line.replace(/[^0-9A-Za-z\0]/g, '')) || line.replace(notInWords, ''))
    .filter((line) => line !== '');
const notInWords = /[^\p{L}\p{M}\p{N}\0]/gu;

/** A first line without digits names columns and may be wrong; the last may have been cut. */
function isIn(refused: readonly string[], read: readonly string[]): boolean {
  const whole = new Set(read);
  return refused.every((line, index) => {
    const isHeader = index === 0 && !/\p{Nd}/u.test(line);
    const isLast = index === refused.length - 1;
    // Around a hole, its pieces.
    if (line.includes('\0')) return line.split(/\0+/).every((part) => read.some((one) => one.includes(part)));
    return isHeader || whole.has(line) || (isLast && read.some((one) => one.startsWith(line)));
  });
}
