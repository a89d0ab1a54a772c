import { Failure } from '../../src/platform/failure.ts';
import type { Log } from '../../src/platform/log.ts';
import type { RawRequest, SheetsClient } from './api/client.ts';
import { noEdits, type TabEdits } from './plan/edits.ts';
import { mend } from './plan/repair.ts';
import { cellRequests } from './plan/requests.ts';
import { hasPeoplesContent } from './plan/rows.ts';
import type { Reader, Reading } from './reader.ts';
import type { Rules } from './rules.ts';
import type { TabKey } from './settings.ts';

/** Looks behind our own writing: what slipped into cells that had moved is put right. */
export interface Aftermath {
  /** These edits are about to be sent. */
  expect(edits: readonly TabEdits[]): void;
  /** Puts right what a reading shows. True when something was written. */
  mended(reading: Reading, signal: AbortSignal): Promise<boolean>;
  /** Reads once more what was written among things of people's, and mends it. */
  look(edits: readonly TabEdits[], signal: AbortSignal): Promise<void>;
  /** Has this tab been written to and not been looked at since? */
  unseen(tab: TabKey): boolean;
}

interface AftermathOptions {
  client: SheetsClient;
  reader: Reader;
  rules: Rules;
  log: Log;
  connector: string;
}

const MOST_ROUNDS = 4;

export function createAftermath({ client, reader, rules, log, connector }: AftermathOptions): Aftermath {
  const attempts = new Map<TabKey, TabEdits>();
  const unseen = new Set<TabKey>();

  /** What an earlier batch of ours did to cells that had moved meanwhile is put right before anything else. */
  async function mended({ snapshot }: Reading, signal: AbortSignal): Promise<boolean> {
    const requests: RawRequest[] = [];
    if (!rules.mends) attempts.clear();
    for (const [key, edits] of [...attempts]) {
      const tab = snapshot.tabs.get(key);
      if (!tab) continue;
      attempts.delete(key);
      unseen.delete(key);
      const writes = tab.sheetId === edits.tab.sheetId ? mend(edits, tab) : [];
      if (writes.length === 0) continue;
      requests.push(...cellRequests(tab.sheetId, writes));
      attempts.set(key, { ...noEdits(tab), writes });
      log.warn('cells that moved while they were written are put back', {
        connector,
        count: writes.length,
      });
    }
    if (requests.length === 0) return false;
    await client.write(requests, signal);
    return true;
  }

  /**
   * Reads once more what was written among things of people's: the sooner, the surer a cell that was hit by mistake is
   * found. Tried a few times at once, because every minute makes it harder.
   */
  async function look(edits: readonly TabEdits[], signal: AbortSignal): Promise<void> {
    const risky = edits
      .filter(({ tab }) => tab.key === 'bookings' || hasPeoplesContent(tab))
      .map(({ tab }) => tab.key);
    for (const key of risky) unseen.add(key);
    for (let rounds = 1; risky.length > 0 && rounds <= MOST_ROUNDS; rounds += 1)
      try {
        if (await mended(await reader.read(risky, signal), signal)) continue;
        for (const key of risky) unseen.delete(key);
        return;
      } catch (error) {
        const hopeless = !(error instanceof Failure) || error.kind === 'refused' || error.status === 429;
        if (rounds === MOST_ROUNDS || signal.aborted || hopeless) throw error;
      }
  }

  return {
    expect(edits) {
      for (const one of edits) attempts.set(one.tab.key, one);
    },
    mended,
    look,
    unseen: (tab) => unseen.has(tab),
  };
}
