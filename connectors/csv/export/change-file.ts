import { createHash, type Hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Memory, MirrorView, Row } from '../../../src/connector.ts';
import { type Change, type ChangedResource, changedResources } from '../../../src/domain/clinics/change.ts';
import { isAboutPatients, withoutPatient } from '../../../src/domain/patient.ts';
import type { Clock, Instant } from '../../../src/platform/clock.ts';
import { DAY, HOUR } from '../../../src/platform/duration.ts';
import { canonical, type JsonObject } from '../../../src/platform/json.ts';
import { guardJson } from '../../../src/platform/text/formula-guard.ts';
import { appending, type FileWriter, hasOtherNames, replacing } from '../files.ts';
import { type CsvDialect, encoded, renderHeader, renderRows } from '../render-csv.ts';
import { linesWith, withLines } from './erased-lines.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { type Piece, patchFile } from './patch-file.ts';
import type { Compared } from './pauses.ts';
import { hashOfFirst, type SavedState, savedStateIn } from './saved-state.ts';
import { ROWS_PER_PAGE } from './table-rows.ts';
import { changeColumns } from './tables.ts';

/** Facts about the file, for the manifest. */
interface ChangeFileFacts {
  rows: number;
  bytes: number;
  sha256: string;
  /** Sequence and time of its last row. */
  sequence: number;
  as_of: Instant | null;
}

interface Options {
  clinic: string;
  path: string;
  dialect: CsvDialect;
  includePatient: boolean;
  clock: Clock;
  mode: number;
  memory: Memory;
  /** Up to this many bytes, the file is replaced by a longer copy; a larger one grows in place. */
  copyUpTo?: number;
}

/** Reported after a full comparison, when any of them may have changed. */
const everything: ReadonlySet<ChangedResource> = new Set(changedResources);
/** Full comparisons take at most this share of the time. */
const COMPARING_SHARE = 1 / 300;
/** Progress is stored after this many new rows; fewer are cheaper to compare again after a restart. */
const SAVE_EVERY = 1_000;
/** Of more records the lines are not searched for: comparing everything is quicker. */
const SEARCHED_AT_ONCE = 90;

interface Progress {
  hash: Hash;
  bytes: number;
  rows: number;
  sequence: number;
  as_of: Instant | null;
}

/** Progress of an earlier process, valid while the hash of that part of the file is the same. */
interface SavedProgress extends ChangeFileFacts {
  compared: Compared;
}

const factsOf = ({ hash, ...known }: Progress): ChangeFileFacts => ({
  ...known,
  sha256: hash.copy().digest('hex'),
});

/** A record that changes are about. */
interface RecordKey {
  resource: ChangedResource;
  id: string;
}

interface State {
  /** Undefined makes the next run compare everything. */
  progress: Progress | undefined;
  left: FileStamp | undefined;
  compared: Compared | undefined;
  mayLoad: boolean;
  /** Their lines are written anew by the next `update`. */
  rewrite: RecordKey[];
  /** Rows when the progress was last stored. */
  savedRows: number;
}

interface Parts extends Required<Options> {
  state: State;
  saved: SavedState<SavedProgress>;
}

const beginning = (): Progress => ({
  hash: createHash('sha256'),
  bytes: 0,
  rows: 0,
  sequence: 0,
  as_of: null,
});

/** `changes.csv` of one clinic. Append-only; costs nothing while nothing changes. */
export type ChangeFile = ReturnType<typeof createChangeFile>;

export function createChangeFile({ copyUpTo = 2 ** 20, ...options }: Options) {
  const { clinic, dialect, includePatient, memory } = options;
  const state: State = {
    progress: undefined,
    left: undefined,
    compared: undefined,
    mayLoad: true,
    rewrite: [],
    savedRows: 0,
  };
  const saved = savedStateIn<SavedProgress>(memory, `export:${clinic}/changes.csv`, [
    dialect,
    includePatient,
  ]);
  const parts: Parts = { ...options, copyUpTo, state, saved };
  const invalidate = (): void => {
    state.progress = undefined;
    state.mayLoad = false;
  };
  return {
    /** The sequence that the file reaches; 0 before the first `update`. */
    get sequence() {
      return state.progress?.sequence ?? 0;
    },
    /** Makes the next `update` compare everything. */
    invalidate,
    /** Makes each `update` write the changes of these records as the log has them, until one has succeeded. */
    rewrite(records: readonly RecordKey[]): void {
      state.rewrite.push(...records);
    },
    facts: (): ChangeFileFacts => factsOf(state.progress ?? beginning()),
    /** Updates the file. `resources` are those of the new rows. */
    async update(view: MirrorView, signal: AbortSignal) {
      if (state.rewrite.length > SEARCHED_AT_ONCE) invalidate();
      const { isWhole, ...grown } = await advance(parts, view, signal);
      const isRewritten = !isWhole && state.rewrite.length > 0 && (await rewriteLines(parts, view, signal));
      state.rewrite = [];
      return { ...grown, written: grown.written || isRewritten };
    },
  };
}

async function advance(parts: Parts, view: MirrorView, signal: AbortSignal) {
  const { state } = parts;
  const reached = state.progress;
  // Unset until written, so that after a failure the next run compares everything.
  state.progress = undefined;
  const isCurrent = state.compared !== undefined && !isDue(parts, state.compared);
  if (reached === undefined || !isCurrent || !(await isUntouched(parts))) return compare(parts, view, signal);
  const resources = new Set<ChangedResource>();
  const written = await grow(parts, pieces(parts, view, reached, signal, resources), reached.bytes);
  await remember(parts, reached);
  return { written, resources, isWhole: false };
}

/** Columns that name a record, beside each other. */
const recordColumns = changeColumns.filter(({ name }) => name === 'resource' || name === 'id');
const LINE_START = /^"?[^",;\t]*"?[,;\t]"?(\d+)"?[,;\t]/;

/** Replaces the lines of the records, which are found by their bytes, by what the log has of them now. */
async function rewriteLines(parts: Parts, view: MirrorView, signal: AbortSignal): Promise<boolean> {
  const { state, clinic, path, mode, dialect, includePatient } = parts;
  const { progress: reached } = state;
  if (reached === undefined) return false;
  state.progress = undefined;
  const cells = state.rewrite.map(({ resource, id }) => {
    const line = renderRows(recordColumns, [{ resource, id }], dialect).slice(0, -dialect.newline.length);
    return encoded(`${dialect.delimiter}${line}${dialect.delimiter}`, dialect);
  });
  const lines = [];
  for (const line of await linesWith(path, reached.bytes, cells)) {
    const sequence = Number(LINE_START.exec(line.bytes.toString('latin1'))?.[1]);
    if (Number.isNaN(sequence)) {
      state.mayLoad = false;
      return (await compare(parts, view, signal)).written;
    }
    const [change] = await view.changes(clinic, sequence - 1, 1);
    // The log may no longer have it.
    const rows = change?.sequence === sequence ? [rowOf(change, includePatient)] : [];
    lines.push({ ...line, by: encoded(renderRows(changeColumns, rows, dialect), dialect) });
    if (rows.length === 0) reached.rows -= 1;
    signal.throwIfAborted();
  }
  const { written, bytes, hash } = await patchFile(path, withLines(reached.bytes, lines), mode);
  // What an earlier process stored no longer fits the file.
  if (written) state.savedRows = Number.NEGATIVE_INFINITY;
  await remember(parts, { ...reached, bytes, hash });
  return written;
}

const isUntouched = async ({ state, path, mode }: Parts) =>
  state.left !== undefined && state.left === (await stampOf(path, mode));

/** True when a full comparison is due: erasing a person rewrites old rows of the log, which nothing else notices. */
const isDue = (
  { includePatient, clock }: Pick<Parts, 'includePatient' | 'clock'>,
  { at, tookMs }: Compared,
) =>
  // `abs`, because the wall clock may have been set back.
  Math.abs(clock.now() - at) >= Math.max(includePatient ? HOUR : DAY, tookMs / COMPARING_SHARE);

/** Compares the file with the log and corrects it. */
async function compare(parts: Parts, view: MirrorView, signal: AbortSignal) {
  const { state, clock, path, mode } = parts;
  const began = clock.monotonic();
  const reached = (await loaded(parts)) ?? beginning();
  const known = reached.bytes;
  async function* whole(): AsyncGenerator<Piece> {
    yield { offset: 0, length: known };
    for await (const bytes of pieces(parts, view, reached, signal)) yield { bytes };
  }
  const { written } = await patchFile(path, whole(), mode);
  if (known === 0) {
    state.compared = { at: clock.now(), tookMs: clock.monotonic() - began };
    state.savedRows = 0;
  }
  state.mayLoad = true;
  await remember(parts, reached);
  return { written, resources: everything, isWhole: known === 0 };
}

/** Progress of an earlier process; undefined when the file has changed since. */
async function loaded({ state, saved, path, ...parts }: Parts): Promise<Progress | undefined> {
  const former = state.mayLoad ? await saved.load() : undefined;
  if (former === undefined || isDue(parts, former.compared)) return undefined;
  const hash = await hashOfFirst(path, former.bytes);
  if (hash?.copy().digest('hex') !== former.sha256) return undefined;
  state.compared = former.compared;
  state.savedRows = former.rows;
  return { ...former, hash };
}

/** Appends to a file of `size` bytes. False when there was nothing to append. */
async function grow({ path, mode, copyUpTo }: Parts, added: AsyncIterable<Buffer>, size: number) {
  let writer: FileWriter | undefined;
  try {
    for await (const piece of added) {
      const isCopied = size <= copyUpTo || (await hasOtherNames(path));
      writer ??= await (isCopied ? replacing(path, { mode, from: 'copy' }) : appending(path));
      await writer.write(piece);
    }
    await writer?.commit();
  } catch (error) {
    await writer?.abandon();
    throw error;
  }
  return writer !== undefined;
}

/** The content after `from`, a page at a time; advances `from`. */
async function* pieces(
  { clinic, dialect, includePatient }: Parts,
  view: MirrorView,
  from: Progress,
  signal: AbortSignal,
  resources?: Set<ChangedResource>,
): AsyncGenerator<Buffer> {
  const count = (text: string): Buffer => {
    const bytes = encoded(text, dialect);
    from.hash.update(bytes);
    from.bytes += bytes.length;
    return bytes;
  };
  if (from.bytes === 0) yield count(renderHeader(changeColumns, dialect));
  for (;;) {
    const page = await view.changes(clinic, from.sequence, ROWS_PER_PAGE);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const { resource } of page) resources?.add(resource);
    const rows = page.map((change) => rowOf(change, includePatient));
    yield count(renderRows(changeColumns, rows, dialect));
    from.rows += page.length;
    from.sequence = last.sequence;
    from.as_of = last.at;
    await turn();
    signal.throwIfAborted();
  }
}

function rowOf(change: Change, includePatient: boolean): Row {
  const bare = (fields: JsonObject) =>
    // Names that are not a dentist's or treatment's were already removed by the view.
    includePatient || !isAboutPatients(change.resource) ? fields : withoutPatient(fields, () => true);
  return {
    clinic: change.clinic,
    sequence: change.sequence,
    at: change.at,
    type: change.type,
    resource: change.resource,
    id: change.id,
    data: guardJson(canonical(bare(change.data))),
    previous: change.previous === null ? null : guardJson(canonical(bare(change.previous))),
  };
}

async function remember({ state, saved, path, mode }: Parts, reached: Progress): Promise<void> {
  state.left = await stampOf(path, mode);
  state.progress = reached;
  const { compared } = state;
  if (compared === undefined || reached.rows - state.savedRows < SAVE_EVERY) return;
  await saved.store({ ...factsOf(reached), compared });
  state.savedRows = reached.rows;
}
