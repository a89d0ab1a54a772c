import type { MirrorView, Row } from '../../../src/connector.ts';
import type { Instant } from '../../../src/platform/clock.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { isStill, type Kept, keptIn } from './kept.ts';
import { type Piece, patchFile } from './patch-file.ts';
import { type Compared, createPauses, type Pauses } from './pauses.ts';
import {
  type Brought,
  later,
  newest,
  SMALL,
  type TableFacts,
  type TableFile,
  type TableFileOptions,
  type TableNews,
} from './table-file.ts';
import { isLogged, pagesOf } from './table-rows.ts';
import { renderWorkbook } from './workbook.ts';

/** A state of an earlier process, once the file is seen to have the content of then. */
interface KeptWorkbook {
  facts: TableFacts;
  logged: number;
  cut: number;
  compared: Compared;
}

interface State {
  facts: TableFacts;
  stamp: FileStamp | undefined;
  /** False: everything is compared. */
  known: boolean;
  mayRecall: boolean;
  changed: boolean;
  /** The change log is known up to here. */
  logged: number;
  cut: number;
}

interface Parts extends TableFileOptions {
  pauses: Pauses;
  kept: Kept<KeptWorkbook>;
  state: State;
}

/** One table as a workbook. It is compressed, so a change costs the whole of it, and a large one is written rarely. */
export function createWorkbookFile(options: TableFileOptions): TableFile {
  const { table, clinic, columns, clock, memory } = options;
  const name = `${table}.xlsx`;
  const state: State = {
    facts: { rows: 0, bytes: 0, sha256: '', latest: null },
    stamp: undefined,
    known: false,
    mayRecall: true,
    changed: false,
    logged: 0,
    cut: 0,
  };
  const kept = keptIn<KeptWorkbook>(memory, `export:${clinic}/${name}`, [columns]);
  const parts: Parts = { ...options, pauses: createPauses(clock), kept, state };
  return {
    name,
    facts: () => state.facts,
    doubt() {
      state.known = false;
      state.mayRecall = false;
    },
    bring: (view, news, signal) => bring(parts, view, news, signal),
  };
}

async function bring(
  parts: Parts,
  view: MirrorView,
  { through, moved }: TableNews,
  signal: AbortSignal,
): Promise<Brought> {
  const { table, path, mode, pauses, kept, state } = parts;
  if (!state.known) await recall(parts);
  const isIntact = state.known && state.stamp !== undefined && state.stamp === (await stampOf(path, mode));
  if (isIntact && !state.changed && !pauses.comparisonDue()) {
    state.changed = isLogged(table) ? await hasNews(parts, view) : moved || state.facts.rows <= SMALL;
    if (!state.changed) return { written: false, cut: state.cut };
  }
  const waitMs = pauses.waitMs();
  if (isIntact && state.changed && waitMs > 0) return { written: false, cut: state.cut, waitMs };
  // Forgotten until it is written: after a failure below everything is compared.
  state.known = false;
  const written = await pauses.comparing(() => pauses.writing(() => write(parts, view, signal)));
  Object.assign(state, { known: true, mayRecall: true, changed: false, logged: through });
  const { facts, logged, cut } = state;
  const { compared } = pauses;
  // Of a small table it would cost more than comparing it.
  if (compared && facts.rows > SMALL) await kept.keep({ facts, logged, cut, compared });
  return { written, cut };
}

/** Goes on where an earlier process was, when the file still has the content of then. */
async function recall({ path, mode, pauses, kept, state }: Parts): Promise<void> {
  const former = state.mayRecall ? await kept.recall() : undefined;
  const stamp = await stampOf(path, mode);
  if (former === undefined || !(await isStill(path, former.facts))) return;
  pauses.resume(former.compared);
  const { facts, logged, cut } = former;
  Object.assign(state, { facts, logged, cut, stamp, known: true });
}

async function hasNews({ table, clinic, state }: Parts, view: MirrorView): Promise<boolean> {
  if (!isLogged(table)) return false;
  let found = false;
  for (;;) {
    const { rows, through } = await view.rowsChangedSince(table, clinic, state.logged, 500);
    const isEnd = through === state.logged;
    state.logged = through;
    found ||= rows.length > 0;
    if (found || isEnd) return found;
  }
}

async function write(
  { table, clinic, columns, path, mode, state }: Parts,
  view: MirrorView,
  signal: AbortSignal,
): Promise<boolean> {
  let [rows, cut]: [number, number] = [0, 0];
  let latest: Instant | null = null;
  async function* pages(): AsyncGenerator<Row[]> {
    for await (const page of pagesOf(view, { table, clinic }, {}, signal)) {
      rows += page.length;
      latest = later(latest, newest(page));
      yield page;
    }
  }
  const onCut = () => {
    cut += 1;
  };
  async function* pieces(): AsyncGenerator<Piece> {
    const rendered = renderWorkbook({ name: table, columns, pages: pages(), onCut });
    for await (const bytes of rendered) yield { bytes };
  }
  const { written, bytes, sha256 } = await patchFile(path, pieces(), mode);
  Object.assign(state, { facts: { rows, bytes, sha256, latest }, stamp: await stampOf(path, mode), cut });
  return written;
}
