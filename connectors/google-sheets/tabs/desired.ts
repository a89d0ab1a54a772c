import { createHash } from 'node:crypto';
import type { MirrorView } from '../../../src/connector.ts';
import type { GoogleSheetsSettings, TabKey } from '../settings.ts';
import { layoutOf } from './columns.ts';
import { type History, isHistoryTab } from './history.ts';
import { mirrorTabs } from './mirror-tabs.ts';
import type { DesiredRow, TabSpec } from './tab-spec.ts';

export interface Desired {
  /** The tabs that show the mirror; Bookings and Sync depend on what is in the sheet and come later. */
  specs: ReadonlyMap<TabKey, TabSpec>;
  /** Equal digest, equal tabs. */
  digest: string;
}

interface DesiredOptions {
  settings: GoogleSheetsSettings;
  history: History;
  includePatient: boolean;
}

/** What the spreadsheet should say, from the mirror as it is now. */
export async function desiredTabs(view: MirrorView, options: DesiredOptions): Promise<Desired> {
  const { settings, history, includePatient } = options;
  const specs = new Map<TabKey, TabSpec>();
  const hash = createHash('sha256');
  for (const key of settings.tabs) {
    const rows: DesiredRow[] = [];
    const build = isHistoryTab(key) ? history.rows(key) : mirrorTabs[key];
    if (build === undefined) continue;
    for (const facts of view.clinics) for (const row of await build(view, facts, options)) rows.push(row);
    specs.set(key, specOf(key, rows, { view, includePatient }));
    hash.update(JSON.stringify([key, isHistoryTab(key) ? history.version(key) : rows]));
  }
  return { specs, digest: hash.digest('base64url') };
}

export function specOf(
  key: TabKey,
  rows: readonly DesiredRow[],
  { view, includePatient }: { view: Pick<MirrorView, 'clinics'>; includePatient: boolean },
): TabSpec {
  const clinics = view.clinics.map(({ clinic }) => clinic);
  return { key, rows, clinics, ...layoutOf(key, { several: clinics.length > 1, includePatient }) };
}
