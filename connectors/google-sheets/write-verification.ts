import { Failure } from '../../src/platform/failure.ts';
import type { Log } from '../../src/platform/log.ts';
import type { RawRequest, SheetsClient } from './api/client.ts';
import { repairWrites } from './plan/repair.ts';
import { cellRequests, noEdits, type TabEdits } from './plan/requests.ts';
import { hasPeoplesContent } from './plan/rows.ts';
import type { Reader } from './reader.ts';
import type { TabKey } from './settings.ts';
import type { Snapshot } from './sheet/snapshot.ts';

/** Verifies the last write and restores cells it overwrote because rows or columns had moved. */
export type WriteVerification = ReturnType<typeof createWriteVerification>;

interface VerificationParts {
  client: SheetsClient;
  reader: Reader;
  log: Log;
  connector: string;
}

const MOST_ROUNDS = 4;

export function createWriteVerification({ client, reader, log, connector }: VerificationParts) {
  /** Last edits, by sheet id. */
  const attempts = new Map<number, TabEdits>();
  const unverified = new Set<TabKey>();

  /** The cells to write back. Each attempt is compared once; then its repair becomes the attempt. */
  function repairs(snapshot: Snapshot): RawRequest[] {
    const requests: RawRequest[] = [];
    const { tabs, copies } = snapshot;
    for (const tab of [...tabs.values(), ...copies]) {
      const edits = attempts.get(tab.sheetId);
      if (!edits) continue;
      attempts.delete(tab.sheetId);
      unverified.delete(tab.key);
      const writes = repairWrites(edits, tab);
      if (writes.length === 0) continue;
      requests.push(...cellRequests(tab.sheetId, writes));
      attempts.set(tab.sheetId, { ...noEdits(tab), writes });
      log.warn('cells that moved while they were written are put back', {
        connector,
        count: writes.length,
      });
    }
    // An attempt that this reading could not show is too old for the next one.
    for (const [sheetId, { tab }] of attempts)
      if (
        tabs.has(tab.key) &&
        tabs.get(tab.key)?.sheetId !== sheetId &&
        !copies.some((one) => one.sheetId === sheetId)
      )
        attempts.delete(sheetId);
    return requests;
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
    expect(edits: readonly TabEdits[]): void {
      for (const one of edits) attempts.set(one.tab.sheetId, one);
    },
    /** Call when none of these edits was applied. */
    drop(edits: readonly TabEdits[]): void {
      for (const { tab } of edits) attempts.delete(tab.sheetId);
    },
    /** Restores cells that a reading shows to be overwritten. True when something was written. */
    async repair(snapshot: Snapshot, signal: AbortSignal): Promise<boolean> {
      const requests = repairs(snapshot);
      if (requests.length > 0) await client.write(requests, signal);
      return requests.length > 0;
    },
    /** Reads again those tabs of these edits that hold people's content, and repairs them. */
    async verify(edits: readonly TabEdits[], signal: AbortSignal): Promise<void> {
      const keys = edits
        .filter(({ tab }) => tab.key === 'bookings' || hasPeoplesContent(tab))
        .map(({ tab }) => tab.key);
      for (const key of keys) unverified.add(key);
      // The sooner a cell is read again, the more surely an overwritten one is recognized.
      for (let round = 1; keys.length > 0 && round <= MOST_ROUNDS; round += 1)
        if (await isClean(keys, { isLast: round === MOST_ROUNDS }, signal)) {
          for (const key of keys) unverified.delete(key);
          return;
        }
    },
    /** Whether this tab was written to and not verified since. */
    isUnverified: (tab: TabKey): boolean => unverified.has(tab),
  };
  return verification;
}

const isHopeless = (error: unknown): boolean =>
  !(error instanceof Failure) || error.kind === 'refused' || error.status === 429;
