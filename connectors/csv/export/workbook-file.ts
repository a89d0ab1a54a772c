import type { MirrorView, Row } from '../../../src/connector.ts';
import type { Instant } from '../../../src/platform/clock.ts';
import { type FileStamp, stampOf } from './file-stamp.ts';
import { isStill, keptIn } from './kept.ts';
import { type Piece, patchFile } from './patch-file.ts';
import { type Compared, createPauses } from './pauses.ts';
import { newest, SMALL, type TableFacts, type TableFile, type TableFileOptions } from './table-file.ts';
import { isLogged, pagesOf } from './table-rows.ts';
import { renderWorkbook } from './workbook.ts';

/** One table as a workbook. It is compressed, so a change costs the whole of it, and a large one is written rarely. */
/** A state of an earlier process, once the file is seen to have the content of then. */
interface KeptWorkbook {
  facts: TableFacts;
  logged: number;
  cut: number;
  compared: Compared;
}

export function createWorkbookFile(options: TableFileOptions): TableFile {
  const { table, clinic, path, columns, mode, clock, memory } = options;
  const name = `${table}.xlsx`;
  const pauses = createPauses(clock);
  const nothing: TableFacts = { rows: 0, bytes: 0, sha256: '', latest: null };
  let facts = nothing;
  let stamp: FileStamp | undefined;
  let known = false;
  let mayRecall = true;
  let changed = false;
  let logged = 0;
  let cut = 0;

  const kept = keptIn<KeptWorkbook>(memory, `export:${clinic}/${name}`, [columns]);

  /** Goes on where an earlier process was, when the file still has the content of then. */
  async function recall(): Promise<void> {
    const former = mayRecall ? await kept.recall() : undefined;
    const found = await stampOf(path, mode);
    if (former === undefined || !(await isStill(path, former.facts))) return;
    pauses.resume(former.compared);
    ({ facts, logged, cut } = former);
    stamp = found;
    known = true;
  }

  async function write(view: MirrorView, signal: AbortSignal): Promise<boolean> {
    let [rows, long]: [number, number] = [0, 0];
    let latest: Instant | null = null;
    async function* pages(): AsyncGenerator<Row[]> {
      for await (const page of pagesOf(view, { table, clinic }, {}, signal)) {
        rows += page.length;
        const found = newest(page);
        if (found !== null && (latest === null || found > latest)) latest = found;
        yield page;
      }
    }
    async function* pieces(): AsyncGenerator<Piece> {
      const onCut = () => {
        long += 1;
      };
      for await (const bytes of renderWorkbook({ name: table, columns, pages: pages(), onCut }))
        yield { bytes };
    }
    const { written, bytes, sha256 } = await patchFile(path, pieces(), mode);
    facts = { rows, bytes, sha256, latest };
    stamp = await stampOf(path, mode);
    cut = long;
    return written;
  }

  async function hasNews(view: MirrorView): Promise<boolean> {
    if (!isLogged(table)) return false;
    const { rows, through } = await view.rowsChangedSince(table, clinic, logged, 500);
    const more = through !== logged;
    logged = through;
    return rows.length > 0 || (more && (await hasNews(view)));
  }

  return {
    name,
    facts: () => facts,
    doubt() {
      known = false;
      mayRecall = false;
    },
    async bring(view, { through, moved }, signal) {
      if (!known) await recall();
      const intact = known && stamp !== undefined && stamp === (await stampOf(path, mode));
      if (intact && !changed && !pauses.comparisonDue()) {
        changed = isLogged(table) ? await hasNews(view) : moved || facts.rows <= SMALL;
        if (!changed) return { written: false, cut };
      }
      const waitMs = pauses.waitMs();
      if (intact && changed && waitMs > 0) return { written: false, cut, waitMs };
      // Forgotten until it is written: after a failure below everything is compared.
      known = false;
      const written = await pauses.comparing(() => pauses.writing(() => write(view, signal)));
      known = true;
      mayRecall = true;
      changed = false;
      logged = through;
      const { compared } = pauses;
      // Of a small table it would cost more than comparing it.
      if (compared && facts.rows > SMALL) await kept.keep({ facts, logged, cut, compared });
      return { written, cut };
    },
  };
}
