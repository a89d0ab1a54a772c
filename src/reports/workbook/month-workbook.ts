import type { MonthPack } from '../../domain/clinics/month.ts';
import type { Row } from '../../domain/clinics/tables.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { totalOf } from '../figures.ts';
import { monthFacts, monthName } from '../month-page.ts';
import { type MonthTable, monthTables } from '../month-tables.ts';
import { reportSheet, workbookOf } from './report-sheet.ts';
import type { Worksheet } from './workbook.ts';

/** A month as a workbook with a sheet per part, in a language. */
export async function monthWorkbook(pack: MonthPack, language: Locale): Promise<Buffer> {
  const locale = language.inZone(pack.timezone);
  const { t } = locale;
  const facts: [string, string][] = [
    [t('clinic'), pack.name ?? pack.clinic],
    [t('by_month'), monthName(pack.month, locale)],
    ...monthFacts(pack, locale),
  ];
  const about: Worksheet = {
    name: 'month',
    columns: [
      { name: 'what', kind: 'text', title: t('what') },
      { name: 'value', kind: 'text', title: t('month_report') },
    ],
    pages: (async function* () {
      yield facts.map(([what, value]) => ({ what, value }));
    })(),
  };
  const sheets = monthTables(pack).map(({ key, columns, ...table }) =>
    // A month has no month before in it.
    reportSheet(key, withoutBefore(columns), [withTotal({ key, columns, ...table }, t('total'))], locale),
  );
  return workbookOf([about, ...sheets]);
}

const withoutBefore = (columns: MonthTable['columns']): MonthTable['columns'] =>
  Object.fromEntries(Object.entries(columns).map(([name, { before: _before, ...column }]) => [name, column]));

function withTotal({ columns, rows, total }: MonthTable, label: string): Row[] {
  const [first = ''] = Object.keys(columns);
  return total === 'sum' ? [...rows, { ...totalOf(columns, rows), [first]: label }] : rows;
}
