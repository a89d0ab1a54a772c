import { closeSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

/** Fields of the first page that identify its database and its age. */
export interface PageOne {
  /** Number of the installation; 0 in files of version 0.1.0. */
  installation: number;
  /** Commits so far, see `sqliteDialect`. Never decreases. */
  commits: number;
}

export const pageOne = (page: Buffer): PageOne => ({
  installation: page.readInt32BE(68),
  commits: page.readUInt32BE(60),
});

/** What SQLite would replay: frames with the log's salts and valid cumulative checksums, up to the last commit. */
interface LogContent {
  /** The first and the last copy of the first page; undefined when no commit wrote that page. */
  pageOnes: { first: PageOne; last: PageOne } | undefined;
  /** Pages of the database after the last commit; undefined for a log without a commit. */
  pages: number | undefined;
}

const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** The lowest bit selects big-endian words for checksums. */
const MAGIC = 0x377f0682;
const CHUNK_BYTES = 1 << 20;
/** Verifying more would delay the start; beyond this, matching salts (64 random bits) suffice. */
const SUMMED_BYTES = 64 << 20;

/**
 * Reads a log without SQLite until a committed first page satisfies `isEnough`. Undefined for another page size.
 * Layout: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
export function readLog(
  path: string,
  pageSize: number,
  isEnough: (page: PageOne) => boolean,
): LogContent | undefined {
  const descriptor = openSync(path, 'r');
  try {
    const log = Buffer.alloc(LOG_HEADER);
    readSync(descriptor, log, 0, LOG_HEADER, 0);
    const content: LogContent = { pageOnes: undefined, pages: undefined };
    let written: PageOne | undefined;
    for (const frame of replayable(descriptor, log)) {
      if (log.readUInt32BE(8) !== pageSize) return undefined;
      if (frame.readUInt32BE(0) === 1) written = pageOne(frame.subarray(FRAME_HEADER));
      const pages = frame.readUInt32BE(4);
      if (pages === 0) continue;
      content.pages = pages;
      if (written === undefined) continue;
      content.pageOnes = { first: content.pageOnes?.first ?? written, last: written };
      if (isEnough(written)) break;
    }
    return content;
  } finally {
    closeSync(descriptor);
  }
}

/** The frames SQLite would accept. None when the header is invalid, as a power cut may leave zeros. */
function* replayable(descriptor: number, log: Buffer): Generator<Buffer> {
  const sum = checksum(log.readUInt32BE(0) === MAGIC + 1 ? 'BE' : 'LE');
  sum.add(log.subarray(0, 24));
  if (!sum.is(log, 24) || log.readUInt32BE(8) === 0) return;
  for (const { frame, at } of frames(descriptor, FRAME_HEADER + log.readUInt32BE(8))) {
    if (!frame.subarray(8, 16).equals(log.subarray(16, 24))) return;
    if (at < SUMMED_BYTES) {
      sum.add(frame.subarray(0, 8));
      sum.add(frame.subarray(FRAME_HEADER));
      if (!sum.is(frame, 16)) return;
    }
    yield frame;
  }
}

/** Every complete frame. The buffer is reused for the next one. */
function* frames(descriptor: number, size: number): Generator<{ frame: Buffer; at: number }> {
  const chunk = Buffer.alloc(Math.max(1, Math.floor(CHUNK_BYTES / size)) * size);
  for (let from = LOG_HEADER; ; from += chunk.length) {
    const read = readSync(descriptor, chunk, 0, chunk.length, from);
    for (let at = 0; at + size <= read; at += size)
      yield { frame: chunk.subarray(at, at + size), at: from + at };
    if (read < chunk.length) return;
  }
}

/** The log's cumulative checksum. */
function checksum(order: 'BE' | 'LE') {
  let [one, two] = [0, 0];
  return {
    /** `bytes` must be aligned to 4 and a multiple of 8 long. */
    add(bytes: Buffer): void {
      const native = order === endianness() ? bytes : Buffer.from(bytes).swap32();
      const words = new Uint32Array(native.buffer, native.byteOffset, native.length / 4);
      for (let i = 0; i < words.length; i += 2) {
        one = (one + (words[i] as number) + two) | 0;
        two = (two + (words[i + 1] as number) + one) | 0;
      }
    },
    is: (stored: Buffer, at: number): boolean =>
      stored.readInt32BE(at) === one && stored.readInt32BE(at + 4) === two,
  };
}
