import { type ConnectorContext, need, type Problem, said } from '../../src/connector.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { DAY, MINUTE } from '../../src/platform/duration.ts';
import { type GoogleSheetsSettings, type TabKey, tabKeys } from './settings.ts';
import type { Snapshot } from './sheet/snapshot.ts';

/** Sheet ids by tab. */
export type KnownTabs = Partial<Record<TabKey, number>>;

/** How long a tab must be missing before a new one takes its place. */
const GONE_AFTER_MS = MINUTE;

/** Which of the tabs we have had are missing: one odd answer must not abandon the tab that people work in. */
export function createAbsences(clock: Clock) {
  /** Monotonic. */
  const since = new Map<TabKey, number>();
  return {
    /** Call with each complete reading. */
    note(known: KnownTabs, { tabs, sheetIds }: Snapshot): void {
      for (const key of tabKeys) {
        const sheetId = known[key];
        // A tab that lost our mark is there to see; nothing about it is doubtful.
        const isThere = sheetId === undefined || tabs.has(key) || sheetIds.includes(sheetId);
        if (isThere) since.delete(key);
        else if (!since.has(key)) since.set(key, clock.monotonic());
      }
    },
    /** Why a complete reading does not show this tab; `gone`: two of them, a minute apart, did not. */
    of(key: TabKey): 'never_made' | 'doubtful' | 'gone' {
      const missing = since.get(key);
      if (missing === undefined) return 'never_made';
      return clock.monotonic() - missing < GONE_AFTER_MS ? 'doubtful' : 'gone';
    },
  };
}

type Context = Pick<ConnectorContext<GoogleSheetsSettings>, 'memory' | 'clock' | 'settings'>;

/** When tabs of ours were found missing. */
const GONE = 'gone:';
/** People are told that long, because they may have deleted a tab by accident. */
const TOLD_FOR_MS = DAY;

export const noteGone = ({ memory, clock }: Context, key: TabKey): Promise<void> =>
  memory.set({ [GONE + key]: String(clock.now()) });

/** The tabs that were missing within a day, whether or not they were made again since. */
export async function goneTabs({ memory, clock, settings }: Context): Promise<TabKey[]> {
  const noted = await memory.list(GONE);
  const past = Object.keys(noted).filter((key) => Math.abs(clock.now() - Number(noted[key])) > TOLD_FOR_MS);
  if (past.length > 0) await memory.set(Object.fromEntries(past.map((key) => [key, undefined])));
  return tabKeys.filter(
    (key) => GONE + key in noted && !past.includes(GONE + key) && settings.tabs.includes(key),
  );
}

export interface StrayTab {
  key: TabKey;
  title: string;
  /** False if one of our tabs has lost its mark. */
  isCopy: boolean;
}

/** A copy that only shows data, or where no row waits, may be kept as a record. */
export const strayTabs = (
  { strays }: { strays: readonly StrayTab[] },
  ticked: ReadonlyMap<string, number>,
): Problem[] =>
  strays.flatMap(({ title, key, isCopy }) => {
    const isBookings = key === 'bookings';
    const place = { place: title };
    if (!isCopy) return need(said(isBookings ? 'bookings_unmarked' : 'tab_unmarked', place));
    const count = isBookings ? (ticked.get(title) ?? 0) : 0;
    const copy = said(isBookings ? 'bookings_copied' : 'tab_copied', place);
    // The name that people gave a copy stays in the spreadsheet, because needs also go out in messages.
    return count === 0 ? copy : [need(said('copy_ticked', { count })), copy];
  });
