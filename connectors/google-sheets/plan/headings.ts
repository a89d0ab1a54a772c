import type { Memory } from '../../../src/connector.ts';
import { parsedJson } from '../../../src/platform/json.ts';
import type { Language } from '../../../src/texts/texts.ts';
import { closedAt, contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { AS_OF, type TabColumn } from '../sheet/tab-spec.ts';
import { headerRow } from './layout-faults.ts';
import type { CellWrite } from './requests.ts';

const KEY = 'headings';
/** Of all versions without this setting. */
const FORMER: Language = 'en';

/**
 * The headers of a tab whose language was changed, until a reading shows all of them as they should be. What people
 * renamed is no header of ours in any language, and stays.
 */
export async function translatedHeaders(
  memory: Memory,
  tab: TabSnapshot,
  { columns, language }: { columns: readonly TabColumn[]; language: Language },
): Promise<CellWrite[]> {
  const noted = Object(parsedJson((await memory.get(KEY)) ?? '{}')) as Record<string, Language>;
  if ((noted[tab.sheetId] ?? FORMER) === language) return [];
  const writes = headerWrites(tab, columns);
  if (writes.length === 0) await memory.set({ [KEY]: JSON.stringify({ ...noted, [tab.sheetId]: language }) });
  return writes;
}

function headerWrites(tab: TabSnapshot, columns: readonly TabColumn[]): CellWrite[] {
  const row = headerRow(tab, columns);
  return columns.flatMap(({ key, header, headers }): CellWrite[] => {
    const column = tab.columns.get(key);
    if (column === undefined || key === AS_OF || closedAt(tab, row, column)) return [];
    const shown = contentAt(tab, row, column);
    const isOurs = typeof shown === 'string' && shown !== header && headers.includes(shown);
    return isOurs ? [{ row, column, value: header }] : [];
  });
}
