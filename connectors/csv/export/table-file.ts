import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Memory, MirrorTable, MirrorView, Row } from '../../../src/connector.ts';
import { wallClockAt } from '../../../src/domain/date-time.ts';
import { type Clock, type Instant, instant, toMs } from '../../../src/platform/clock.ts';
import { renderWorkbook } from '../../../src/reports/workbook/workbook.ts';
import { type CsvDialect, encoded, renderHeader, renderRows } from '../render-csv.ts';
import { type Block, blockOf, later, newest, placed, type SizedBlock } from './blocks.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { type Piece, patchFile } from './patch-file.ts';
import { type Compared, createPauses, type Pauses } from './pauses.ts';
import { isStill, type SavedState, savedStateIn } from './saved-state.ts';
import { isGrowing, isLogged, keyOf, pagesOf } from './table-rows.ts';
import type { CsvColumn } from './tables.ts';

interface TableFacts {
  rows: number;
  bytes: number;
  sha256: string;
  /** The newest `changed_at` in the file. */
  latest: Instant | null;
}

/**
 * One table as a file. A CSV file is patched where it changed. A workbook is compressed and rewritten as a whole, so a
 * large one is written rarely.
 */
export interface TableFile {
  readonly name: string;
  update(view: MirrorView, news: TableNews, signal: AbortSignal): Promise<FileUpdate>;
  facts(): TableFacts;
  /** Makes the next `update` compare everything. */
  invalidate(): void;
  /** Makes each `update` write these rows, at once, until one has succeeded. */
  rewrite(rows: readonly Row[]): void;
}

interface TableNews {
  /** The change log was read up to here; rows read from now on are at least as new. */
  through: number;
  /** The log, or a newer answer of the clinic, may have changed this table. */
  moved: boolean;
}

export interface FileUpdate {
  written: boolean;
  /** Milliseconds until a postponed change is written; absent when none waits. */
  waitMs?: number;
  /** Texts that were too long for a cell. */
  cut: number;
}

interface TableFileOptions {
  /** Absent for a file that is written only once. */
  memory?: Memory | undefined;
  table: MirrorTable;
  /** For a file that shows the table in another form: its name and its rows. */
  shown?: { name: string; preamble?: string; rowOf: (row: Row) => Row | undefined };
  clinic: string;
  timezone: string;
  directory: string;
  columns: readonly CsvColumn[];
  /** The CSV dialect; undefined for a workbook. */
  dialect: CsvDialect | undefined;
  mode: number;
  clock: Clock;
}

/** Tables of up to this many rows are always compared as a whole. */
const SMALL = 1_000;

interface State {
  blocks: Block[];
  changed: Set<Block>;
  facts: TableFacts;
  through: number;
  stamp: FileStamp | undefined;
}

/** State of an earlier process, valid while the file has the same content. */
interface SavedTable {
  about?: About | undefined;
  facts: TableFacts;
  through: number;
  blocks: SizedBlock[];
  compared: Compared;
}

/** The rows of a workbook, by their hash, and the age that it says they have. */
interface About {
  rows: string;
  asOf: Instant | null;
}

interface Csv {
  header: Buffer;
  render: (rows: Row[]) => Buffer;
}

interface Parts extends TableFileOptions {
  path: string;
  /** Undefined for a workbook. */
  csv: Csv | undefined;
  pauses: Pauses;
  saved: SavedState<SavedTable>;
  memo: {
    /** Undefined makes the next run recall a stored state or compare everything. */
    state: State | undefined;
    about?: About | undefined;
    mayLoad: boolean;
    rewrite: Row[];
  };
}

const titleOf = ({ table, shown }: TableFileOptions): string => shown?.name ?? table;

/** The rows of a page in the form that the file has. */
const shownRows = ({ shown }: TableFileOptions, rows: Row[]): Row[] =>
  shown === undefined ? rows : rows.map(shown.rowOf).filter((row) => row !== undefined);

export function createTableFile(options: TableFileOptions): TableFile {
  const { directory, clinic, columns, dialect, clock, memory } = options;
  const name = `${titleOf(options)}.${dialect ? 'csv' : 'xlsx'}`;
  const lines = options.shown?.preamble === undefined ? [] : [options.shown.preamble];
  const preamble = lines.map((line) => `${line}\n`).join('');
  const memo: Parts['memo'] = { state: undefined, mayLoad: true, rewrite: [] };
  const parts: Parts = {
    ...options,
    path: join(directory, name),
    csv: dialect && {
      header: encoded(preamble + renderHeader(columns, dialect), dialect),
      render: (rows) => encoded(renderRows(columns, rows, dialect), dialect),
    },
    pauses: createPauses(clock),
    saved: savedStateIn<SavedTable>(memory, `export:${clinic}/${name}`, [dialect, columns, ...lines]),
    memo,
  };
  return {
    name,
    facts: () => memo.state?.facts ?? { rows: 0, bytes: 0, sha256: '', latest: null },
    invalidate() {
      memo.state = undefined;
      memo.mayLoad = false;
    },
    rewrite(rows) {
      memo.rewrite.push(...rows);
    },
    async update(view, { through, moved }, signal) {
      const known = memo.state ?? (await loaded(parts));
      // Unset until written, so that after a failure the next run compares everything.
      memo.state = undefined;
      const isMarked =
        known !== undefined &&
        (await canBePatched(parts, known)) &&
        (await mark(parts, view, known, moved, signal)) &&
        markBlocks(parts, known, memo.rewrite);
      const waitMs = memo.rewrite.length > 0 ? 0 : parts.pauses.waitMs();
      if (isMarked && (known.changed.size === 0 || waitMs > 0)) {
        memo.state = known;
        return { written: false, cut: cutIn(known), ...(known.changed.size > 0 && { waitMs }) };
      }
      const written = await (isMarked && parts.csv
        ? rewriteChanged(parts, parts.csv, view, known, signal)
        : compareAll(parts, view, through, signal));
      memo.rewrite = [];
      await keep(parts, written);
      return { written, cut: cutIn(memo.state) };
    },
  };
}

const cutIn = (state: State | undefined): number =>
  state?.blocks.reduce((sum, { cut = 0 }) => sum + cut, 0) ?? 0;

/** Whether nobody has touched the file and no full comparison is due. */
async function canBePatched({ path, mode, pauses }: Parts, known: State): Promise<boolean> {
  const left = await stampOf(path, mode);
  return left !== undefined && left === known.stamp && !pauses.comparisonDue();
}

/** State of an earlier process; undefined when the file has changed since. */
async function loaded({ path, mode, saved, pauses, csv, memo }: Parts): Promise<State | undefined> {
  const known = memo.mayLoad ? await saved.load() : undefined;
  const stamp = await stampOf(path, mode);
  if (known === undefined || !(await isStill(path, known.facts))) return undefined;
  pauses.resume(known.compared);
  const { facts, through, blocks, about } = known;
  memo.about = about;
  return { blocks: placed(blocks, csv?.header.length), changed: new Set(), facts, through, stamp };
}

/** Marks changed blocks. False when everything has to be compared. */
async function mark(
  parts: Parts,
  view: MirrorView,
  known: State,
  moved: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const { table, clinic } = parts;
  if (!isLogged(table)) return markAll(parts, known, moved);
  for (;;) {
    const { rows, through } = await view.rowsChangedSince(table, clinic, known.through, 500);
    if (!markBlocks(parts, known, rows)) return false;
    if (through === known.through) return true;
    known.through = through;
    await turn();
    signal.throwIfAborted();
  }
}

/** Marks the blocks of these rows. False when one has none. */
function markBlocks({ table }: Parts, { blocks, changed }: State, rows: readonly Row[]): boolean {
  for (const row of rows) {
    const block = isGrowing(table) ? blockOf(table, blocks, row) : undefined;
    if (block === undefined) return false;
    changed.add(block);
  }
  return true;
}

/** Like `mark`, for a table whose changes the log does not name. */
function markAll({ table, csv }: Parts, { facts, blocks, changed }: State, moved: boolean): boolean {
  const isMoved = moved || (!isGrowing(table) && facts.rows <= SMALL);
  if (csv && !isGrowing(table)) return !isMoved;
  // Statistics only grow at the end.
  const last = blocks.at(-1);
  if (isMoved && last) changed.add(last);
  return last !== undefined || !isMoved;
}

async function compareAll(parts: Parts, view: MirrorView, through: number, signal: AbortSignal) {
  const { csv, pauses } = parts;
  const compared = () =>
    pauses.comparing(() =>
      put(parts, through, async function* (blocks) {
        if (csv === undefined) return yield* workbook(parts, view, blocks, signal);
        yield { bytes: csv.header };
        yield* rendered(parts, csv, view, {}, blocks, signal);
      }),
    );
  return csv ? compared() : pauses.writing(compared);
}

const rewriteChanged = (
  parts: Parts,
  csv: Csv,
  view: MirrorView,
  { blocks: known, changed, through }: State,
  signal: AbortSignal,
) =>
  parts.pauses.writing(() =>
    put(parts, through, async function* (blocks) {
      yield { bytes: csv.header };
      for (const [index, block] of known.entries()) {
        if (!changed.has(block)) {
          blocks.push(block);
          yield { offset: block.offset, length: block.length };
          continue;
        }
        const upTo = index === known.length - 1 ? undefined : block.last;
        yield* rendered(parts, csv, view, { after: known[index - 1]?.last, upTo }, blocks, signal);
      }
    }),
  );

/** Renders rows into pieces and adds their blocks to `blocks`. */
async function* rendered(
  parts: Parts,
  csv: Csv,
  view: MirrorView,
  range: Parameters<typeof pagesOf>[2],
  blocks: SizedBlock[],
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const { table } = parts;
  for await (const page of pagesOf(view, parts, range, signal)) {
    const rows = shownRows(parts, page);
    const bytes = csv.render(rows);
    blocks.push({
      last: isGrowing(table) ? keyOf(table, page.at(-1) ?? {}) : {},
      rows: rows.length,
      latest: newest(rows),
      length: bytes.length,
    });
    yield { bytes };
  }
}

/** Renders the whole table as a workbook of one block. */
async function* workbook(
  parts: Parts,
  view: MirrorView,
  blocks: SizedBlock[],
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const { table, clinic, columns } = parts;
  const block = { last: {}, rows: 0, latest: null as Instant | null, length: 0, cut: 0 };
  async function* pages(): AsyncGenerator<Row[]> {
    for await (const rows of pagesOf(view, { table, clinic }, {}, signal)) {
      const page = shownRows(parts, rows);
      block.rows += page.length;
      block.latest = later(block.latest, newest(page));
      yield page;
    }
  }
  const onCut = () => {
    block.cut += 1;
  };
  const { timezone, memo } = parts;
  const answeredAt = await ageOf(view, parts);
  const dayOf = (at: Instant | null = null) => at && wallClockAt(toMs(at), timezone).date;
  /** Of unchanged rows a new one once a day, so that readers and syncers are not given the same again and again. */
  const asOf = (rows: string) => {
    const isSame = memo.about?.rows === rows && dayOf(memo.about.asOf) === dayOf(answeredAt);
    memo.about = isSame ? memo.about : { rows, asOf: answeredAt };
    return memo.about?.asOf ?? null;
  };
  const currency = view.clinics.find((facts) => facts.clinic === clinic)?.currency ?? null;
  const about = { name: titleOf(parts), timezone, currency, asOf };
  const rendered = renderWorkbook({ ...about, columns, pages: pages(), onCut });
  for await (const bytes of rendered) yield { bytes };
  blocks.push(block);
}

/** When the clinic last answered; for what comes from no answer, now. */
async function ageOf(view: MirrorView, { table, clinic, clock }: TableFileOptions): Promise<Instant | null> {
  const polled = answeredBy[table] ?? table;
  const fresh = (await view.freshness(clinic)).find(({ poll }) => poll === polled);
  return fresh === undefined ? instant(clock.now()) : fresh.as_of;
}

const answeredBy: Partial<Record<MirrorTable, string>> = {
  organization_statistics: 'organization',
  fees: 'treatments',
  consultation_fees: 'dentists',
};

async function put(
  { path, mode, csv, memo }: Parts,
  through: number,
  pieces: (blocks: SizedBlock[]) => AsyncIterable<Piece>,
): Promise<boolean> {
  const sized: SizedBlock[] = [];
  const { written, bytes, hash } = await patchFile(path, pieces(sized), mode);
  const blocks = placed(sized, csv?.header.length);
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
  const latest = blocks.reduce<Instant | null>((found, block) => later(found, block.latest), null);
  const stamp = await stampOf(path, mode);
  const facts = { rows, bytes, sha256: hash.digest('hex'), latest };
  memo.state = { blocks, changed: new Set(), facts, through, stamp };
  memo.mayLoad = true;
  return written;
}

/**
 * Stores the state for a later process, unless the table is small and cheaper to compare; with a workbook goes its age.
 */
async function keep(
  { saved, pauses: { compared }, memo: { state, about } }: Parts,
  written: boolean,
): Promise<void> {
  const isCheap = state !== undefined && state.facts.rows <= SMALL && !(written && about !== undefined);
  if (state === undefined || compared === undefined || isCheap) return;
  const { facts, through } = state;
  const blocks = state.blocks.map(({ offset: _offset, ...block }) => block);
  await saved.store({ facts, through, compared, blocks, about });
}
