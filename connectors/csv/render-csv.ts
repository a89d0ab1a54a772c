import { stringify } from 'csv-stringify/sync';
import type { Row } from '../../src/connector.ts';
import { guardText, guardTyped } from '../../src/platform/formula-guard.ts';
import { type Column, kindOf } from './export/tables.ts';
import type { CsvSettings } from './settings.ts';

/** Format of a CSV file. */
export interface Dialect {
  delimiter: string;
  newline: string;
  /** Byte order mark and formula guard. */
  forExcel: boolean;
}

const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;

export const dialectOf = (settings: CsvSettings): Dialect => ({
  delimiter: delimiters[settings.delimiter],
  newline: settings.line_ending === 'crlf' ? '\r\n' : '\n',
  forExcel: settings.profile === 'excel',
});

export const BYTE_ORDER_MARK = '\uFEFF';

/** The header line, preceded by a byte order mark for Excel. */
export function renderHeader(columns: readonly Column[], dialect: Dialect): string {
  const names = columns.map((column) => column.name);
  return (dialect.forExcel ? BYTE_ORDER_MARK : '') + lines([names], dialect, false);
}

/**
 * One line per row. Every text is quoted, because some readers end the row at a bare line feed; so an empty text is
 * `""`, and null is nothing.
 */
export function renderRows(columns: readonly Column[], rows: readonly Row[], dialect: Dialect): string {
  const cells = rows.map((row) => columns.map((column) => cell(row[column.name] ?? null, column, dialect)));
  return lines(cells, dialect, true);
}

function cell(value: string | number | null, column: Column, dialect: Dialect): string | number | null {
  if (typeof value !== 'string') return value;
  const text = value.toWellFormed();
  if (kindOf(text, column.kind) !== 'text') return text;
  if (dialect.forExcel) return guardText(text);
  return column.visitor ? guardTyped(text) : text;
}

/** Lines of plain cells: a dropped file with its results. Any cell may be a visitor's text. */
export const renderCells = (records: readonly (readonly string[])[], dialect: Dialect): string =>
  lines(
    records.map((cells) => cells.map(dialect.forExcel ? guardText : guardTyped)),
    dialect,
    true,
  );

function lines(records: readonly (readonly unknown[])[], dialect: Dialect, quoteText: boolean): string {
  if (records.length === 0) return '';
  return stringify(records as unknown[][], {
    delimiter: dialect.delimiter,
    record_delimiter: dialect.newline,
    quoted_string: quoteText,
  });
}
