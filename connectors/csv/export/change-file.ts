import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { MirrorView, Row } from '../../../src/connector.ts';
import type { Change, ChangedResource } from '../../../src/model/change.ts';
import type { Clock, Instant } from '../../../src/model/clock.ts';
import { canonical, type JsonObject } from '../../../src/model/json.ts';
import { isAboutPatients, withoutPatient } from '../../../src/model/patient.ts';
import { appending, errnoOf, type FileWriter, replacing } from '../files.ts';
import { type Dialect, renderHeader, renderRows } from '../render-csv.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { PAGE } from './table-rows.ts';
import { changeColumns } from './tables.ts';

/** What the manifest says about the file. */
export interface ChangeFileFacts {
  rows: number;
  bytes: number;
  sha256: string;
  /** Sequence and time of its last row. */
  sequence: number;
  as_of: Instant | null;
}

/** `changes.csv` of one clinic: grows at the end, and costs nothing while nothing changes. */
export interface ChangeFile {
  /** The sequence the file is known to reach; 0 before the first `bring`. */
  readonly sequence: number;
  /** Brings it up to date, and says whether it was written and what the new rows are about. */
  bring(
    view: MirrorView,
    signal: AbortSignal,
  ): Promise<{ written: boolean; resources: ReadonlySet<ChangedResource> }>;
  facts(): ChangeFileFacts;
  /** The next `bring` compares everything. */
  doubt(): void;
}

interface Options {
  clinic: string;
  path: string;
  dialect: Dialect;
  includePatient: boolean;
  clock: Clock;
  mode: number;
  /** Up to this size a changed file is replaced by a longer copy; above it rows are added in place. */
  copyUpTo?: number;
}

/** After a whole comparison any of them may have changed. */
const everything: ReadonlySet<ChangedResource> = new Set([
  'organization',
  'website',
  'treatment',
  'dentist',
  'appointment',
  'booking',
]);
const HOUR_MS = 3_600_000;

interface Progress {
  hash: Hash;
  bytes: number;
  rows: number;
  sequence: number;
  as_of: Instant | null;
}

/** Where a file's content leaves what it should be. `at` is how many bytes it has. */
type Comparison = { kind: 'same' } | { kind: 'short'; at: number } | { kind: 'different' };

export function createChangeFile({
  clinic,
  path,
  dialect,
  includePatient,
  clock,
  mode,
  copyUpTo = 2 ** 20,
}: Options): ChangeFile {
  let progress: Progress | undefined;
  let left: FileStamp | undefined;
  let comparedAt = Number.NEGATIVE_INFINITY;
  /** Erasing a person rewrites old rows of the log, which only a full comparison sees. */
  const compareEveryMs = includePatient ? HOUR_MS : 24 * HOUR_MS;

  const row = (change: Change): Row => {
    const bare = (fields: JsonObject) =>
      // The view has judged the names of dentists and treatments.
      includePatient || !isAboutPatients(change.resource) ? fields : withoutPatient(fields, () => true);
    return {
      clinic: change.clinic,
      sequence: change.sequence,
      at: change.at,
      type: change.type,
      resource: change.resource,
      id: change.id,
      data: canonical(bare(change.data)),
      previous: change.previous === null ? null : canonical(bare(change.previous)),
    };
  };

  /** What the file should hold after `from`, piece by piece, noting how far it has come. */
  async function* pieces(
    view: MirrorView,
    from: Progress,
    signal: AbortSignal,
    resources = new Set<ChangedResource>(),
  ) {
    const take = (text: string): Buffer => {
      const bytes = Buffer.from(text);
      from.hash.update(bytes);
      from.bytes += bytes.length;
      return bytes;
    };
    if (from.bytes === 0) yield take(renderHeader(changeColumns, dialect));
    for (;;) {
      const page = await view.changes(clinic, from.sequence, PAGE);
      const last = page.at(-1);
      if (last === undefined) return;
      for (const { resource } of page) resources.add(resource);
      yield take(renderRows(changeColumns, page.map(row), dialect));
      from.rows += page.length;
      from.sequence = last.sequence;
      from.as_of = last.at;
      await turn();
      signal.throwIfAborted();
    }
  }

  const beginning = (): Progress => ({
    hash: createHash('sha256'),
    bytes: 0,
    rows: 0,
    sequence: 0,
    as_of: null,
  });

  async function compare(view: MirrorView, signal: AbortSignal): Promise<[Comparison, Progress]> {
    const whole = beginning();
    let file: FileHandle;
    try {
      file = await open(path, 'r');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [{ kind: 'different' }, whole];
      throw error;
    }
    try {
      const { size } = await file.stat();
      let at = 0;
      for await (const expected of pieces(view, whole, signal)) {
        const overlap = Math.min(expected.length, Math.max(0, size - at));
        const found = Buffer.alloc(overlap);
        await file.read(found, 0, overlap, at);
        if (!found.equals(expected.subarray(0, overlap))) return [{ kind: 'different' }, whole];
        at += expected.length;
      }
      if (size > at) return [{ kind: 'different' }, whole];
      return [size === at ? { kind: 'same' } : { kind: 'short', at: size }, whole];
    } finally {
      await file.close();
    }
  }

  /** Writes everything after `from`, leaving out the first `skip` bytes of it (they are in the file already). */
  async function write(
    view: MirrorView,
    from: Progress,
    skip: number,
    start: () => Promise<FileWriter>,
    signal: AbortSignal,
    resources = new Set<ChangedResource>(),
  ): Promise<boolean> {
    const until = from.bytes + skip;
    let writer: FileWriter | undefined;
    try {
      for await (const piece of pieces(view, from, signal, resources)) {
        const already = Math.max(0, piece.length - Math.max(0, from.bytes - until));
        if (already === piece.length) continue;
        writer ??= await start();
        await writer.write(piece.subarray(already));
      }
      await writer?.commit();
    } catch (error) {
      await writer?.abandon();
      throw error;
    }
    return writer !== undefined;
  }

  const longer = (size: number) => () =>
    size <= copyUpTo ? replacing(path, { mode, from: 'copy' }) : appending(path);

  async function remember(reached: Progress): Promise<void> {
    left = await stampOf(path, mode);
    progress = reached;
  }

  const untouched = async () => left !== undefined && left === (await stampOf(path, mode));

  return {
    get sequence() {
      return progress?.sequence ?? 0;
    },
    doubt() {
      progress = undefined;
    },
    facts() {
      const { hash, bytes, rows, sequence, as_of } = progress ?? beginning();
      return { rows, bytes, sha256: hash.copy().digest('hex'), sequence, as_of };
    },
    async bring(view, signal) {
      const known = progress;
      // Forgotten until it is written: a failure below leads to a full comparison next time.
      progress = undefined;
      if (known && clock.monotonic() - comparedAt < compareEveryMs && (await untouched())) {
        const resources = new Set<ChangedResource>();
        const written = await write(view, known, 0, longer(known.bytes), signal, resources);
        await remember(known);
        return { written, resources };
      }

      const [comparison, whole] = await compare(view, signal);
      comparedAt = clock.monotonic();
      if (comparison.kind === 'same') {
        await remember(whole);
        return { written: false, resources: everything };
      }
      const reached = beginning();
      const [skip, start] =
        comparison.kind === 'short'
          ? [comparison.at, longer(comparison.at)]
          : [0, () => replacing(path, { mode })];
      const written = await write(view, reached, skip, start, signal);
      await remember(reached);
      return { written, resources: everything };
    },
  };
}
