import type { Locale } from '../../../src/platform/text/locale.ts';
import { rowsByKey } from '../plan/rows.ts';
import type { RawRequest } from '../sheet/raw.ts';
import type { TabSnapshot } from '../sheet/snapshot.ts';
import { rowKey, type TabSpec } from '../sheet/tab-spec.ts';
import { chartRows, MONTHS, monthColumns } from './overview.ts';

const WIDTH = 560;
const HEIGHT = 300;
/** Rows of 21 pixels that a chart covers, plus one. */
export const CHART_ROWS = 16;

const charts = [
  { key: 'leads', title: 'sheet_chart_leads', chartType: 'COLUMN', stackedType: 'STACKED' },
  { key: 'figures', title: 'sheet_chart_figures', chartType: 'LINE', stackedType: undefined },
] as const;

/**
 * The charts of one clinic, below all our rows. They are created once; people may then move, restyle and delete them.
 * Undefined until all rows exist side by side.
 */
export function chartRequests(
  tab: TabSnapshot,
  spec: TabSpec,
  { clinic, name, place, locale: { t } }: { clinic: string; name: string; place: number; locale: Locale },
): RawRequest[] | undefined {
  const rows = rowsByKey(tab, spec);
  const columns = ['series', ...monthColumns].map((key) => tab.columns.get(key) ?? -1);
  const [first = -1] = columns;
  if (rows === undefined || first < 0 || columns.some((column, at) => column !== first + at))
    return undefined;

  const { sheetId } = tab;
  const last = Math.max(0, ...[...rows.values()].flat());
  const rowIndex = Math.min(last + 2 + place * CHART_ROWS, tab.rowCount - 1);
  const requests: RawRequest[] = [];
  for (const [at, { key, title, chartType, stackedType }] of charts.entries()) {
    const places = chartRows[key].map((id) => rows.get(rowKey(clinic, id))?.[0]);
    if (places.includes(undefined)) return undefined;
    const [domain, ...series] = places.map((row = 0) => ({
      sourceRange: {
        sources: [
          {
            sheetId,
            startRowIndex: row,
            endRowIndex: row + 1,
            startColumnIndex: first,
            endColumnIndex: first + columns.length,
          },
        ],
      },
    }));
    requests.push({
      addChart: {
        chart: {
          spec: {
            title: `${t(title)} · ${name}`,
            altText: t('sheet_chart_alt', { title: t(title), months: MONTHS }),
            basicChart: {
              chartType,
              ...(stackedType && { stackedType }),
              legendPosition: 'BOTTOM_LEGEND',
              headerCount: 1,
              domains: [{ ...(domain && { domain }) }],
              series: series.map((one) => ({ series: one, targetAxis: 'LEFT_AXIS' })),
            },
          },
          position: {
            overlayPosition: {
              anchorCell: { sheetId, rowIndex, columnIndex: 0 },
              offsetXPixels: 10 + at * (WIDTH + 20),
              widthPixels: WIDTH,
              heightPixels: HEIGHT,
            },
          },
        },
      },
    });
  }
  return requests;
}
