import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pick, type Random } from '../../../sandbox/clinic/random.ts';
import type { Act } from './trace.ts';

/** What a disk may write in one piece, in bytes. */
const SECTOR = 512;

type Write = Extract<Act, { kind: 'write' }>;
type Change = Write | Extract<Act, { kind: 'truncate' }>;

interface File {
  /** Survives a power cut. */
  durable: Buffer;
  /** Since the last sync: any of it may survive, in any order, the last sectors of it missing or not. */
  pending: Change[];
}

/**
 * A disk that promises no more than POSIX does: what was written and not synced may be there, half there or not. Names
 * (renames, removals) are taken to be durable at once: SQLite and the marker sync their folder after each.
 */
export function createDisk(): { act(act: Act): void; cutPower(folder: string, random: Random): void } {
  const files = new Map<string, File>();

  return {
    act(act) {
      if (act.kind === 'write' || act.kind === 'truncate') {
        const file = files.get(act.path) ?? { durable: Buffer.alloc(0), pending: [] };
        file.pending.push(act);
        files.set(act.path, file);
      } else if (act.kind === 'sync') {
        const file = files.get(act.path);
        if (file === undefined) return;
        file.durable = applied(file.durable, file.pending);
        file.pending = [];
      } else if (act.kind === 'rename') {
        const file = files.get(act.from);
        files.delete(act.from);
        if (file !== undefined) files.set(act.to, file);
      } else if (act.kind === 'remove') files.delete(act.path);
    },
    /** Writes into `folder` what a power cut at this instant may leave; what remembers nothing (`-shm`) is left out. */
    cutPower(folder, random) {
      for (const [path, { durable, pending }] of files) {
        if (path.endsWith('-shm')) continue;
        const survived = pending.flatMap((change) => fate(change, random));
        writeFileSync(join(folder, basename(path)), applied(durable, survived));
      }
    },
  };
}

function fate(change: Change, random: Random): Change[] {
  const drawn = pick(random, ['lost', 'torn', 'kept'] as const);
  if (drawn === 'lost') return [];
  return drawn === 'torn' && change.kind === 'write' ? [torn(change, random)] : [change];
}

/** Its first sectors, the others as they were. */
function torn(change: Write, random: Random): Write {
  const sectors = Math.ceil(change.bytes.length / SECTOR);
  return { ...change, bytes: change.bytes.subarray(0, Math.floor(random() * sectors) * SECTOR) };
}

/** A copy of the content with the changes made. */
function applied(content: Buffer, changes: readonly Change[]): Buffer {
  let size = content.length;
  let largest = size;
  for (const change of changes) {
    size = change.kind === 'truncate' ? change.size : Math.max(size, change.at + change.bytes.length);
    largest = Math.max(largest, size);
  }
  const result = Buffer.alloc(largest);
  content.copy(result);
  for (const change of changes)
    if (change.kind === 'truncate') result.fill(0, change.size);
    else change.bytes.copy(result, change.at);
  return result.subarray(0, size);
}
