import { layoutOf } from '../../../connectors/google-sheets/tabs/columns.ts';
import type { SheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import type { CellValue } from '../../../sandbox/google-sheets/workbook.ts';
import { createEyes } from './eyes.ts';

/** What a clinic with the key `main` has in the column ID. People never type there. */
const ids = {
  overview: /^[a-z]/,
  treatments: /^\d{1,2}$/,
  leads: /^CS-N\d/,
  price_list: /^(date|treatment \d)$/,
  sync: /^[a-z]/,
} as const;

/**
 * Cells that no comparison with the mirror shows to be wrong, because they are written once: headers, and the ID and the
 * clinic of each row. A row that lost one of these is a ghost: it stays, out of date, beside its successor.
 */
export function misplacedCells(sandbox: SheetsSandbox): number {
  const { grid, column, value } = createEyes(sandbox);
  let wrong = 0;
  for (const [tab, id] of Object.entries(ids) as [keyof typeof ids, RegExp][]) {
    const rows = grid(tab)?.rows ?? [];
    for (const { key, header } of layoutOf(tab, { several: true, includePatient: true, language: 'en' })
      .columns) {
      const at = column(tab, key);
      if (at < 0) continue;
      const { stringValue, formulaValue } = value(tab, 0, at) ?? {};
      const isFormula = key === 'fresh' && formulaValue !== undefined;
      if (!isFormula && stringValue !== header) wrong += 1;
      if (key !== 'id' && key !== 'clinic') continue;
      const expected = key === 'id' ? id : /^main$/;
      const shown = [...rows.keys()].slice(1).map((row) => shownIn(value(tab, row, at)));
      wrong += shown.filter((text) => text !== undefined && !expected.test(text)).length;
    }
  }
  return wrong;
}

function shownIn({ numberValue, stringValue, ...other }: CellValue = {}): string | undefined {
  const shown = numberValue ?? stringValue ?? (Object.keys(other).length > 0 ? '?' : undefined);
  return shown === undefined ? undefined : String(shown);
}
