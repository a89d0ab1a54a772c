import { createHash, type Hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Memory, MirrorView, Row } from '../../../src/connector.ts';
import type { Change, ChangedResource } from '../../../src/domain/change.ts';
import { isAboutPatients, withoutPatient } from '../../../src/domain/patient.ts';
import type { Clock, Instant } from '../../../src/platform/clock.ts';
import { HOUR } from '../../../src/platform/duration.ts';
import { canonical, type JsonObject } from '../../../src/platform/json.ts';
import { appending, type FileWriter, replacing } from '../files.ts';
import { type Dialect, renderHeader, renderRows } from '../render-csv.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { hashOfFirst, keptIn } from './kept.ts';
import { openPlain } from './patch-file.ts';
import type { Compared } from './pauses.ts';
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
  memory: Memory;
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
/** Of all time, a whole comparison of a long log takes no more than this share. */
const COMPARING_SHARE = 1 / 300;
/** So many rows are compared with their file sooner than what is known of them is kept once more. */
const KEPT_EVERY = 1_000;

interface Progress {
  hash: Hash;
  bytes: number;
  rows: number;
  sequence: number;
  as_of: Instant | null;
}

/** How far an earlier process knew the file; what it has up to there is seen to be the same by its hash. */
interface KeptProgress extends ChangeFileFacts {
  compared: Compared;
}

/** Where a file's content leaves what it should be. `at` is how many bytes it has. */
type Comparison = { kind: 'same' } | { kind: 'short'; at: number } | { kind: 'different' };

const factsOf = ({ hash, ...known }: Progress): ChangeFileFacts => ({
  ...known,
  sha256: hash.copy().digest('hex'),
});

export function createChangeFile({
  clinic,
  path,
  dialect,
  includePatient,
  clock,
  mode,
  memory,
  copyUpTo = 2 ** 20,
}: Options): ChangeFile {
  let progress: Progress | undefined;
  let left: FileStamp | undefined;
  let compared: Compared | undefined;
  let mayRecall = true;
  let keptRows = 0;
  /** Erasing a person rewrites old rows of the log, which only a full comparison sees. */
  const compareEveryMs = includePatient ? HOUR : 24 * HOUR;
  const kept = keptIn<KeptProgress>(memory, `export:${clinic}/changes.csv`, [dialect, includePatient]);

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

  /** Compares what the file has behind `whole`, which goes along. */
  async function compare(
    view: MirrorView,
    whole: Progress,
    signal: AbortSignal,
  ): Promise<[Comparison, Progress]> {
    const file = await openPlain(path);
    if (file === undefined) return [{ kind: 'different' }, whole];
    try {
      const { size } = await file.stat();
      let at = whole.bytes;
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
    if (compared === undefined || reached.rows - keptRows < KEPT_EVERY) return;
    await kept.keep({ ...factsOf(reached), compared });
    keptRows = reached.rows;
  }

  /** From where the file has to be compared, as often as it is asked for: where an earlier process was, or its beginning. */
  async function known(): Promise<() => Progress> {
    const former = mayRecall ? await kept.recall() : undefined;
    if (former === undefined || isDue(former.compared)) return beginning;
    const hash = await hashOfFirst(path, former.bytes);
    if (hash?.copy().digest('hex') !== former.sha256) return beginning;
    compared = former.compared;
    keptRows = former.rows;
    return () => ({ ...former, hash: hash.copy() });
  }

  const isDue = ({ at, tookMs }: Compared) =>
    // The wall clock may have been set back since.
    Math.abs(clock.now() - at) >= Math.max(compareEveryMs, tookMs / COMPARING_SHARE);

  const untouched = async () => left !== undefined && left === (await stampOf(path, mode));

  return {
    get sequence() {
      return progress?.sequence ?? 0;
    },
    doubt() {
      progress = undefined;
      mayRecall = false;
    },
    facts: () => factsOf(progress ?? beginning()),
    async bring(view, signal) {
      const reachedBefore = progress;
      // Forgotten until it is written: a failure below leads to a comparison next time.
      progress = undefined;
      if (reachedBefore && compared && !isDue(compared) && (await untouched())) {
        const resources = new Set<ChangedResource>();
        const written = await write(view, reachedBefore, 0, longer(reachedBefore.bytes), signal, resources);
        await remember(reachedBefore);
        return { written, resources };
      }

      const from = await known();
      const began = clock.monotonic();
      const [comparison, whole] = await compare(view, from(), signal);
      if (from === beginning) {
        compared = { at: clock.now(), tookMs: clock.monotonic() - began };
        keptRows = 0;
      }
      mayRecall = true;
      if (comparison.kind === 'same') {
        await remember(whole);
        return { written: false, resources: everything };
      }
      const reached = comparison.kind === 'short' ? from() : beginning();
      const [skip, start] =
        comparison.kind === 'short'
          ? [comparison.at - reached.bytes, longer(comparison.at)]
          : [0, () => replacing(path, { mode })];
      const written = await write(view, reached, skip, start, signal);
      await remember(reached);
      return { written, resources: everything };
    },
  };
}
