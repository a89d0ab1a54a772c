import { setImmediate as turn } from 'node:timers/promises';
import type { GrowingTable, MirrorTable, MirrorView, Row } from '../../../src/connector.ts';
import type { Clock, Instant } from '../../../src/model/clock.ts';
import { type Dialect, renderHeader, renderRows } from '../render-csv.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { type Piece, patchFile } from './patch-file.ts';
import { createPauses } from './pauses.ts';
import { compareRows, isGrowing, isLogged, keyOf, pagesOf } from './table-rows.ts';
import type { Column } from './tables.ts';

export interface TableFacts {
  rows: number;
  bytes: number;
  sha256: string;
  /** The newest `changed_at` in it. */
  latest: Instant | null;
}

/** One table as a file that costs what changed. */
export interface TableFile {
  readonly name: string;
  bring(view: MirrorView, news: TableNews, signal: AbortSignal): Promise<Brought>;
  facts(): TableFacts;
  /** The next `bring` compares everything. */
  doubt(): void;
}

export interface TableNews {
  /** The change log is known up to here; rows read from now on are at least as new. */
  through: number;
  /** The log, or a newer answer of the clinic, may have changed this table. */
  moved: boolean;
}

export interface Brought {
  written: boolean;
  /** Given: something waits for its turn, so many milliseconds from now. */
  waitMs?: number;
  /** Texts that were too long for a cell. */
  cut: number;
}

export interface TableFileOptions {
  table: MirrorTable;
  clinic: string;
  path: string;
  columns: readonly Column[];
  mode: number;
  clock: Clock;
}

/** Up to this many a table is compared whole every time. */
export const SMALL = 1_000;

/** A page of rows, rendered together: a changed row costs this many, all others are copied as bytes. */
interface Block {
  /** Key of its last row; the last block goes on to the end of the table. */
  last: Row;
  rows: number;
  latest: Instant | null;
  offset: number;
  length: number;
}

interface State {
  blocks: Block[];
  changed: Set<Block>;
  facts: TableFacts;
  through: number;
  stamp: FileStamp | undefined;
}

export function createTableFile(options: TableFileOptions & { name: string; dialect: Dialect }): TableFile {
  const { name, table, clinic, path, columns, dialect, mode, clock } = options;
  const pauses = createPauses(clock);
  let state: State | undefined;
  const header = Buffer.from(renderHeader(columns, dialect));

  /** Rendered rows as blocks, and pieces for the file. `blocks` grows along. */
  async function* rendered(
    view: MirrorView,
    range: Parameters<typeof pagesOf>[2],
    blocks: Omit<Block, 'offset'>[],
    signal: AbortSignal,
  ): AsyncGenerator<Piece> {
    for await (const rows of pagesOf(view, { table, clinic }, range, signal)) {
      const bytes = Buffer.from(renderRows(columns, rows, dialect));
      blocks.push({
        last: isGrowing(table) ? keyOf(table, rows.at(-1) ?? {}) : {},
        rows: rows.length,
        latest: newest(rows),
        length: bytes.length,
      });
      yield { bytes };
    }
  }

  async function put(
    through: number,
    pieces: (blocks: Omit<Block, 'offset'>[]) => AsyncIterable<Piece>,
  ): Promise<boolean> {
    const sized: Omit<Block, 'offset'>[] = [];
    const { written, bytes, sha256 } = await patchFile(path, pieces(sized), mode);
    const blocks: Block[] = [];
    let offset = header.length;
    for (const block of sized) {
      blocks.push({ ...block, offset });
      offset += block.length;
    }
    const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
    const latest = blocks.reduce<Instant | null>((found, block) => later(found, block.latest), null);
    const stamp = await stampOf(path, mode);
    state = { blocks, changed: new Set(), facts: { rows, bytes, sha256, latest }, through, stamp };
    return written;
  }

  async function compareAll(view: MirrorView, through: number, signal: AbortSignal): Promise<Brought> {
    const written = await pauses.comparing(() =>
      put(through, async function* (blocks) {
        yield { bytes: header };
        yield* rendered(view, {}, blocks, signal);
      }),
    );
    return { written, cut: 0 };
  }

  async function rewriteChanged(
    view: MirrorView,
    { blocks: known, changed, through }: State,
    signal: AbortSignal,
  ): Promise<Brought> {
    const written = await pauses.writing(() =>
      put(through, async function* (blocks) {
        yield { bytes: header };
        for (const [index, block] of known.entries()) {
          if (!changed.has(block)) {
            blocks.push(block);
            yield { offset: block.offset, length: block.length };
            continue;
          }
          const upTo = index === known.length - 1 ? undefined : block.last;
          yield* rendered(view, { after: known[index - 1]?.last, upTo }, blocks, signal);
        }
      }),
    );
    return { written, cut: 0 };
  }

  /** Marks the blocks of what the change log names. False: a whole comparison is needed. */
  async function mark(view: MirrorView, known: State, signal: AbortSignal): Promise<boolean> {
    if (!isLogged(table)) return false;
    for (;;) {
      const { rows, through } = await view.rowsChangedSince(table, clinic, known.through, 500);
      for (const row of rows) {
        const block = blockOf(table, known.blocks, row);
        if (block === undefined) return false;
        known.changed.add(block);
      }
      if (through === known.through) return true;
      known.through = through;
      await turn();
      signal.throwIfAborted();
    }
  }

  return {
    name,
    facts: () => state?.facts ?? { rows: 0, bytes: 0, sha256: '', latest: null },
    doubt() {
      state = undefined;
    },
    async bring(view, { through, moved }, signal) {
      const known = state;
      // Forgotten until it is written: after a failure below everything is compared.
      state = undefined;
      const left = known && (await stampOf(path, mode));
      if (known === undefined || left === undefined || left !== known.stamp || pauses.comparisonDue())
        return compareAll(view, through, signal);
      if (!isLogged(table)) {
        if (moved || known.facts.rows <= SMALL) return compareAll(view, through, signal);
        state = known;
        return { written: false, cut: 0 };
      }
      if (!(await mark(view, known, signal))) return compareAll(view, through, signal);
      const waitMs = pauses.waitMs();
      if (known.changed.size > 0 && waitMs <= 0) return rewriteChanged(view, known, signal);
      state = known;
      return { written: false, cut: 0, ...(known.changed.size > 0 && { waitMs }) };
    },
  };
}

/** The block a row is in or belongs into; undefined while there is none. */
function blockOf(table: GrowingTable, blocks: readonly Block[], row: Row): Block | undefined {
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const last = blocks[middle]?.last ?? {};
    if (compareRows(table, row, last) <= 0) high = middle;
    else low = middle + 1;
  }
  return blocks[low];
}

const later = (one: Instant | null, other: Instant | null) =>
  one === null || (other !== null && other > one) ? other : one;

export function newest(rows: readonly Row[]): Instant | null {
  let found: Instant | null = null;
  for (const { changed_at } of rows) if (typeof changed_at === 'string') found = later(found, changed_at);
  return found;
}
