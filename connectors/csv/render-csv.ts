import type { Row } from '../../src/connector.ts';
import { guardText, guardTyped } from '../../src/platform/text/formula-guard.ts';
import { localInstant } from '../../src/reports/workbook/local-instant.ts';
import { valueKindOf } from '../../src/reports/workbook/value-kind.ts';
import type { CsvColumn } from './export/tables.ts';
import { encoder, type OutputEncoding } from './output-encoding.ts';
import type { CsvSettings } from './settings.ts';

/** Format of a CSV file. */
export interface CsvDialect {
  delimiter: string;
  newline: string;
  /** For people: byte order mark, formula guard, and numbers and times as their spreadsheet program reads them. */
  forExcel: boolean;
  decimal: '.' | ',';
  quote: CsvSettings['quote'];
  encoding: OutputEncoding;
  /** The zone of instants in a file for people. */
  timezone: string;
}

const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;

/** Files of programs, whatever the settings are for people. */
export const plainDialect: CsvDialect = {
  ...{ delimiter: ',', newline: '\n', forExcel: false, decimal: '.', quote: 'text' },
  ...{ encoding: 'utf-8', timezone: 'UTC' },
};

interface CsvPlace {
  timezone: string;
  /** ISO code; undefined while unknown. */
  country: string | undefined;
}

export function dialectOf(settings: CsvSettings, { timezone, country }: CsvPlace): CsvDialect {
  const forExcel = settings.profile === 'excel';
  const isComma = forExcel && hasDecimalComma(country);
  const delimiter =
    settings.delimiter === 'auto'
      ? forExcel && (isComma || SEMICOLON_AND_POINT.test(country ?? ''))
        ? 'semicolon'
        : 'comma'
      : settings.delimiter;
  const auto =
    forExcel && delimiter === 'semicolon' && (isComma || settings.delimiter !== 'auto') ? ',' : '.';
  return {
    delimiter: delimiters[delimiter],
    newline: settings.line_ending === 'crlf' ? '\r\n' : '\n',
    forExcel,
    decimal: settings.decimal === 'auto' ? auto : settings.decimal === 'comma' ? ',' : '.',
    quote: settings.quote,
    encoding: settings.output_encoding,
    timezone,
  };
}

/** Where spreadsheet programs separate columns by semicolons, and decimals by a point. */
const SEMICOLON_AND_POINT = /^(?:CH|LI)$/;

function hasDecimalComma(country: string | undefined): boolean {
  if (country === undefined) return false;
  const { language, region } = new Intl.Locale('und', { region: country }).maximize();
  const parts = new Intl.NumberFormat(`${language}-${region}-u-nu-latn`).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',');
}

export const BYTE_ORDER_MARK = '\uFEFF';

/** The header line, preceded by a byte order mark for Excel. */
export function renderHeader(columns: readonly CsvColumn[], dialect: CsvDialect): string {
  const { forExcel, encoding, timezone, quote } = dialect;
  const names = columns.map(({ name, kind }) =>
    forExcel && kind === 'instant' ? `${name} (${timezone})` : name,
  );
  const mark = forExcel && encoding === 'utf-8' ? BYTE_ORDER_MARK : '';
  const line = names.map((name) => (quote === 'all' ? quoted(name) : asNeeded(name, dialect)));
  return mark + line.join(dialect.delimiter) + dialect.newline;
}

/**
 * One line per row. Text is quoted unless `quote` says otherwise, because some readers end the row at a bare line feed;
 * so an empty text is `""`, and null is nothing.
 */
export function renderRows(columns: readonly CsvColumn[], rows: readonly Row[], dialect: CsvDialect): string {
  let text = '';
  for (const row of rows) {
    const cells = columns.map((column) => cell(row[column.name] ?? null, column, dialect));
    text += cells.join(dialect.delimiter) + dialect.newline;
  }
  return text;
}

/** The bytes of a text; what the encoding lacks becomes a question mark. */
export const encoded = (text: string, { encoding }: CsvDialect): Buffer => encoder(encoding)(text);

function cell(value: string | number | null, column: CsvColumn, dialect: CsvDialect): string {
  if (value === null) return dialect.quote === 'all' ? '""' : '';
  if (typeof value === 'number') return bare(number(String(value), dialect), dialect);
  const text = value.toWellFormed();
  const kind = valueKindOf(text, column.kind);
  if (kind === 'text') return textCell(guarded(text, column, dialect), dialect);
  // As they always were, for programs; those that want a comma want a number without quotation marks.
  if (!dialect.forExcel && !(dialect.decimal === ',' && NUMBERS.has(kind)))
    return textCell(number(text, dialect, kind), dialect);
  return bare(
    kind === 'instant' ? localInstant(text, dialect.timezone) : number(text, dialect, kind),
    dialect,
  );
}

const guarded = (text: string, column: CsvColumn, { forExcel }: CsvDialect): string =>
  forExcel ? guardText(text) : column.visitor ? guardTyped(text) : text;

const NUMBERS: ReadonlySet<CsvColumn['kind']> = new Set(['number', 'decimal', 'money']);

/** Three decimals look like thousands to a program of another country; with a fourth they are a number or a text. */
const THREE_PLACES = /^-?\d{1,3}\.\d{3}$/;

function number(text: string, { decimal, forExcel }: CsvDialect, kind: CsvColumn['kind'] = 'number'): string {
  if (!NUMBERS.has(kind)) return text;
  const safe = forExcel && THREE_PLACES.test(text) ? `${text}0` : text;
  return decimal === ',' ? safe.replace('.', ',') : safe;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const asNeeded = (text: string, { delimiter }: CsvDialect): string =>
  text.includes(delimiter) || /["\r\n]/.test(text) ? quoted(text) : text;
const bare = (text: string, dialect: CsvDialect): string =>
  dialect.quote === 'all' ? quoted(text) : asNeeded(text, dialect);
const textCell = (text: string, dialect: CsvDialect): string =>
  dialect.quote === 'minimal' ? asNeeded(text, dialect) : quoted(text);

/** Lines of plain cells: a dropped file with its results. Any cell may be a visitor's text. */
export const renderCells = (
  records: readonly (readonly string[])[],
  { delimiter, newline, forExcel }: Pick<CsvDialect, 'delimiter' | 'newline' | 'forExcel'>,
): string =>
  records
    .map(
      (cells) =>
        cells.map((one) => quoted((forExcel ? guardText : guardTyped)(one))).join(delimiter) + newline,
    )
    .join('');
