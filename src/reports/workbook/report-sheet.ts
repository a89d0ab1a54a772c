import { amountText } from '../../domain/clinics/money.ts';
import type { ReportColumn, ReportColumns } from '../../domain/clinics/report-columns.ts';
import type { Row } from '../../domain/clinics/tables.ts';
import type { ValueKind } from '../../domain/fields.ts';
import type { Locale } from '../../platform/text/locale.ts';
import { columnTitle, reportFields } from '../figures.ts';
import { renderSheets, type SheetColumn, type Worksheet } from './workbook.ts';

const kinds: Record<ReportColumn['type'], ValueKind> = {
  ...{ key: 'text', text: 'text', count: 'number', number: 'decimal', money: 'decimal', worth: 'decimal' },
  ...{ hours: 'decimal', days: 'decimal', instant: 'instant' },
};

/** A report as a sheet, with the headings and words of a language and times on its clock. */
export function reportSheet(
  name: string,
  columns: ReportColumns,
  pages: AsyncIterable<readonly Row[]> | readonly (readonly Row[])[],
  locale: Locale,
): Worksheet {
  const { t, zone } = locale;
  const fields = reportFields(columns).map((field) => {
    const column = columns[field] ?? (columns[field.replace(/_before$/, '')] as ReportColumn);
    const name = columnTitle(field, column, locale);
    const label = column === columns[field] ? name : t('value_before', { name });
    return { field, column, title: column.type === 'instant' ? `${label} (${zone})` : label };
  });
  return {
    name,
    columns: fields.map(
      ({ field, column, title }): SheetColumn => ({ name: field, kind: kinds[column.type], title }),
    ),
    timezone: zone,
    pages: (async function* () {
      for await (const page of pages)
        yield page.map((row) =>
          Object.fromEntries(fields.map(({ field, column }) => [field, cellOf(row, field, column, locale)])),
        );
    })(),
  };
}

function cellOf(row: Row, field: string, column: ReportColumn, { t }: Locale): Row[string] {
  const value = row[field] ?? null;
  const { type, currency = 'currency', words, missing } = column;
  if (value === null) return missing === undefined ? null : t(missing);
  if (type === 'money' || type === 'worth') {
    const code = row[currency];
    return amountText(String(value), typeof code === 'string' ? code : null);
  }
  const word = words?.[String(value)];
  // A decimal number is typed by its text.
  if (word === undefined)
    return type === 'days' || type === 'hours' || type === 'number' ? String(value) : value;
  return t(word);
}

export async function workbookOf(sheets: readonly Worksheet[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const bytes of renderSheets(sheets)) pieces.push(bytes);
  return Buffer.concat(pieces);
}
