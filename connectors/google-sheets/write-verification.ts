import { Failure } from '../../src/platform/failure.ts';
import type { Log } from '../../src/platform/log.ts';
import type { SheetsClient } from './api/client.ts';
import { repairWrites } from './plan/repair.ts';
import { cellRequests, noEdits, type TabEdits } from './plan/requests.ts';
import { hasPeoplesContent } from './plan/rows.ts';
import type { Reader } from './reader.ts';
import type { TabKey } from './settings.ts';
import { closedAt, type Snapshot } from './sheet/snapshot.ts';
import type { WriteJournal } from './write-journal.ts';
import type { WriteTraces } from './write-traces.ts';

/** Verifies the last write, also that of a killed process, and restores cells it overwrote because others had moved. */
export type WriteVerification = ReturnType<typeof createWriteVerification>;

interface VerificationParts {
  client: SheetsClient;
  reader: Reader;
  journal: WriteJournal;
  traces: WriteTraces;
  log: Log;
  connector: string;
}

const MOST_ROUNDS = 4;

export function createWriteVerification({
  client,
  reader,
  journal,
  traces,
  log,
  connector,
}: VerificationParts) {
  /** Last edits, by sheet id: those of the plan, and what repairs them until Google has taken it. */
  const attempts = new Map<number, readonly TabEdits[]>();
  let isResumed = false;

  async function resume(): Promise<void> {
    if (isResumed) return;
    for (const [sheetId, edits] of await journal.all()) attempts.set(sheetId, edits);
    isResumed = true;
  }

  async function expect(edits: readonly TabEdits[], isRepair = false): Promise<void> {
    for (const one of edits) {
      const { sheetId } = one.tab;
      attempts.set(sheetId, isRepair ? [...(attempts.get(sheetId) ?? []), one] : [one]);
    }
    await journal.note(edits.map(({ tab }) => attempts.get(tab.sheetId) ?? []));
  }

  async function drop(sheetIds: readonly number[]): Promise<void> {
    for (const sheetId of sheetIds) attempts.delete(sheetId);
    await journal.forget(sheetIds);
  }

  /** What is written back. */
  async function repairs({ tabs, copies }: Snapshot): Promise<TabEdits[]> {
    const found: TabEdits[] = [];
    const over: number[] = [];
    for (const tab of [...tabs.values(), ...copies]) {
      traces.look(tab);
      const edits = attempts.get(tab.sheetId);
      if (!edits) continue;
      const writes = edits
        .flatMap((one) => repairWrites(one, tab))
        .filter(({ row, column }) => !closedAt(tab, row, column));
      if (writes.length === 0) over.push(tab.sheetId);
      else {
        found.push({ ...noEdits(tab), writes });
        log.warn('cells that moved while they were written are put back', {
          connector,
          count: writes.length,
        });
      }
    }
    // An attempt that this reading could not show is too old for the next one.
    for (const [sheetId, [first]] of attempts)
      if (
        first &&
        tabs.has(first.tab.key) &&
        tabs.get(first.tab.key)?.sheetId !== sheetId &&
        !copies.some((one) => one.sheetId === sheetId)
      )
        over.push(sheetId);
    await drop(over);
    return found;
  }

  /** False when something was repaired or the reading failed: read again. */
  async function isClean(keys: TabKey[], { isLast }: { isLast: boolean }, signal: AbortSignal) {
    try {
      const { snapshot } = await reader.read(keys, signal);
      return !(await verification.repair(snapshot, signal));
    } catch (error) {
      if (isLast || signal.aborted || isHopeless(error)) throw error;
      return false;
    }
  }

  const verification = {
    /** Call before sending these edits. */
    expect: (edits: readonly TabEdits[]): Promise<void> => expect(edits),
    /** Call when none of these edits was applied. */
    drop: (edits: readonly TabEdits[]): Promise<void> => drop(edits.map(({ tab }) => tab.sheetId)),
    /** Drops what is known of the last writes to these tabs, because it tells of people who were erased. */
    forget: (keys: readonly TabKey[]): Promise<void> =>
      drop(
        [...attempts].flatMap(([id, edits]) => (edits.some(({ tab }) => keys.includes(tab.key)) ? [id] : [])),
      ),
    /** Restores cells that a reading shows to be overwritten. True when something was written. */
    async repair(snapshot: Snapshot, signal: AbortSignal): Promise<boolean> {
      await resume();
      const found = await repairs(snapshot);
      if (found.length === 0) return false;
      await expect(found, true);
      const requests = found.flatMap(({ tab, writes }) => cellRequests(tab.sheetId, writes));
      try {
        await client.write(requests, signal);
      } catch (error) {
        // Else every run would fail at it.
        if (error instanceof Failure && error.status === 400) await verification.drop(found);
        throw error;
      }
      for (const one of found) attempts.set(one.tab.sheetId, [one]);
      return true;
    },
    /** Reads again those tabs of these edits that hold people's content, and repairs them. */
    async verify(edits: readonly TabEdits[], signal: AbortSignal): Promise<void> {
      const keys = edits
        .filter(({ tab }) => tab.key === 'bookings' || hasPeoplesContent(tab))
        .map(({ tab }) => tab.key);
      // The sooner a cell is read again, the more surely an overwritten one is recognized.
      for (let round = 1; keys.length > 0 && round <= MOST_ROUNDS; round += 1)
        if (await isClean(keys, { isLast: round === MOST_ROUNDS }, signal)) return;
    },
    /** Whether this tab was written to and not read since: the next run reads it, in the same call as the others. */
    isUnverified: (tab: TabKey): boolean =>
      [...attempts.values()].some((edits) => edits.some((one) => one.tab.key === tab)),
  };
  return verification;
}

const isHopeless = (error: unknown): boolean =>
  !(error instanceof Failure) || error.kind === 'refused' || error.status === 429;
