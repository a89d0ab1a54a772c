import type { Converged } from '../../src/connector.ts';
import type { RawRequest } from './api/client.ts';
import { claimOwnership } from './owner.ts';
import { columnRequests } from './plan/create-tab.ts';
import type { SpreadsheetParts } from './spreadsheet.ts';
import { layoutOf } from './tabs/columns.ts';

/** Restores deleted columns at the right end of their tab; the next run fills them. */
export async function repairColumns(
  { context, client, reader }: Pick<SpreadsheetParts, 'context' | 'client' | 'reader'>,
  signal: AbortSignal,
): Promise<Converged> {
  const { settings, clinics, includePatient, instance, name } = context;
  const { snapshot } = await reader.read(settings.tabs, signal);
  claimOwnership(snapshot, { me: `${instance}/${name}`, adopt: undefined });
  const requests: RawRequest[] = [];
  const written: Record<string, number> = {};
  const problems: string[] = [];
  for (const tab of snapshot.tabs.values()) {
    const { columns } = layoutOf(tab.key, { several: clinics.length > 1, includePatient });
    const missing = columns.filter(({ key }) => !tab.columns.has(key));
    if (missing.length === 0) continue;
    const { sheetId, columnCount, rowCount } = tab;
    requests.push({
      insertDimension: {
        range: {
          sheetId,
          dimension: 'COLUMNS',
          startIndex: columnCount,
          endIndex: columnCount + missing.length,
        },
        inheritFromBefore: true,
      },
    });
    for (const [at, column] of missing.entries())
      requests.push(...columnRequests({ sheetId, key: tab.key, column, index: columnCount + at, rowCount }));
    written[tab.title] = missing.length;
    if (missing.some(({ key }) => key === 'id'))
      problems.push(
        `${tab.title}: the column ID is back but empty, so all rows are written again below the old ones; delete the old rows.`,
      );
  }
  if (requests.length > 0) await client.write(requests, signal);
  return { written, problems };
}
