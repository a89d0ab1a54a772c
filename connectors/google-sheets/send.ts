import { failpoint } from '../../src/platform/failpoint.ts';
import { Failure } from '../../src/platform/failure.ts';
import type { SheetsClient } from './api/client.ts';
import { refusedRequest } from './api/failures.ts';
import type { Growth } from './growth.ts';
import { requestsFor, type TabEdits } from './plan/requests.ts';
import type { TabKey } from './settings.ts';
import { type Content, toRaw } from './sheet/cells.ts';
import type { RawRequest } from './sheet/raw.ts';
import { CLINIC, ID } from './sheet/tab-spec.ts';
import type { WriteTraces } from './write-traces.ts';
import type { WriteVerification } from './write-verification.ts';

interface Sender {
  client: SheetsClient;
  verification: WriteVerification;
  traces: WriteTraces;
  signal: AbortSignal;
}

/** One batch, which Google applies whole or not at all, and a look at whether it arrived. */
export async function sendBatch(
  { client, verification, traces, signal }: Sender,
  requests: readonly RawRequest[],
  edited: readonly TabEdits[] = [],
): Promise<void> {
  if (requests.length === 0) return;
  await verification.expect(edited);
  failpoint('google-sheets.planned');
  try {
    await client.write(requests, signal);
  } catch (error) {
    if (error instanceof Failure && error.status === 400) await verification.drop(edited);
    // The write may have been applied.
    else if (!signal.aborted) await verification.verify(edited, signal).catch(() => {});
    throw error;
  }
  failpoint('google-sheets.written');
  traces.accepted(edited);
  await verification.verify(edited, signal);
}

/** Without these a row would not be known again. */
const identifying = [ID, CLINIC, 'ref'];
/** Values of a column that are tried one by one before the whole column is left out. */
const MOST_TRIED = 4;
/** Batches for one tab, so that no answer of Google can keep us here. */
const MOST_BATCHES = 30;

/** What Google refused since everything was last compared, by tab, column and value. */
export type RefusedCells = Map<string, Failure>;

interface EditSender extends Sender {
  growth: Growth;
  refusedCells: RefusedCells;
  edited: Set<TabKey>;
  written: Record<string, number>;
}

/**
 * Writes all of a tab's edits that Google takes: a rule, or the type of a column, that refuses some values keeps no
 * other cell from being written. Throws its refusal afterwards.
 */
export async function sendEdits(
  run: EditSender,
  title: string,
  edits: TabEdits,
  rows: number,
): Promise<void> {
  const { key } = edits.tab;
  if (requestsFor(edits).length > 0) run.edited.add(key);
  let refusal: Failure | undefined;
  const work = async () => {
    refusal = await sendTaken(run, edits);
  };
  await (edits.insertion?.keys ? run.growth.adding(key, edits.insertion.keys, work) : work());
  if (rows > 0) run.written[title] = rows;
  if (refusal) throw refusal;
}

async function sendTaken(run: EditSender, edits: TabEdits): Promise<Failure | undefined> {
  for (let batches = 1; ; batches += 1) {
    const { taken, refusal } = withoutRefused(edits, run.refusedCells);
    // After the first refusal each cell is a request of its own, so that Google names the one that it refuses.
    const requests = requestsFor(taken, batches > 1);
    try {
      await sendBatch(run, requests, [taken]);
      return refusal;
    } catch (error) {
      const { failure, cell } = refusedCell(error, requests);
      if (failure === undefined || cell === undefined || batches === MOST_BATCHES) throw error;
      if (batches === 1) continue;
      if (identifying.some((key) => edits.tab.columns.get(key) === cell.column)) throw error;
      leaveOut(run.refusedCells, edits, cell, failure);
    }
  }
}

/** The first cell of the request that was refused for its values. */
function refusedCell(error: unknown, requests: readonly RawRequest[]) {
  const { failure, at = -1 } = refusedRequest(error);
  const { start, rows } = requests[at]?.updateCells ?? {};
  const value = rows?.[0]?.values?.[0]?.userEnteredValue ?? null;
  return { failure, cell: start && { column: start.columnIndex ?? 0, value } };
}

const nameOf = ({ tab }: TabEdits, column: number, value?: unknown): string =>
  `${tab.key} ${column} ${value === undefined ? '' : JSON.stringify(value)}`;

function leaveOut(
  refused: RefusedCells,
  edits: TabEdits,
  { column, value }: { column: number; value: unknown },
  failure: Failure,
): void {
  const whole = nameOf(edits, column);
  const tried = [...refused.keys()].filter((name) => name.startsWith(whole)).length;
  refused.set(tried < MOST_TRIED ? nameOf(edits, column, value) : whole, failure);
}

/** The edits without the cells that are known to be refused, and why. */
function withoutRefused(edits: TabEdits, refused: RefusedCells) {
  let refusal: Failure | undefined;
  const isTaken = (column: number, value: Content): boolean => {
    const found =
      refused.get(nameOf(edits, column)) ?? refused.get(nameOf(edits, column, toRaw(value) ?? null));
    refusal ??= found;
    return found === undefined;
  };
  const { writes, insertion } = edits;
  const newRows = insertion?.rows.map(
    (cells) => new Map([...cells].filter(([column, value]) => isTaken(column, value))),
  );
  const taken: TabEdits = {
    ...edits,
    writes: writes.filter(({ column, value }) => isTaken(column, value)),
    insertion: insertion && { ...insertion, rows: newRows ?? [] },
  };
  return { taken, refusal };
}
