import { createHash, type Hash } from 'node:crypto';
import { amountText } from '../../domain/clinics/money.ts';
import type { Row } from '../../domain/clinics/tables.ts';
import type { ValueKind } from '../../domain/fields.ts';
import type { Instant } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import { Failure } from '../../platform/failure.ts';
import { localInstant } from './local-instant.ts';
import {
  contentTypes,
  declaration,
  formats,
  main,
  office,
  packageRelations,
  pageSetup,
  sheetRelations,
  style,
  styles,
  workbook,
  workbookRelations,
} from './package-parts.ts';
import { valueKindOf } from './value-kind.ts';
import { type ZipEntry, zip } from './zip.ts';

/** Excel's published limits. */
const MAX_TEXT = 32_767;
const MAX_ROWS = 1_048_576;
/** Digits that a double keeps; longer numbers stay text. */
const MAX_DIGITS = 15;

const MAX_PLACES = formats.length - style.decimal - 1;

const widths: Record<ValueKind, number> = {
  text: 24,
  number: 12,
  decimal: 14,
  money: 14,
  date: 12,
  time: 8,
  instant: 20,
};
/** Names that people gave need wide columns; our ids and words do not. */
const wide = /(^|_)(name|campaign|item|title)$/;
const narrow = /^(id|kind|what|poll|month|about|clinic|ref|state|outcome|currency(_before)?)$/;

/** For the button of a table's filter beside a bold header. */
const BUTTON = 4;

function widthOf({ name, kind }: SheetColumn): number {
  return Math.max(name.length + BUTTON, widthOfContent(name, kind));
}

function widthOfContent(name: string, kind: ValueKind): number {
  if (kind !== 'text') return widths[kind];
  if (wide.test(name)) return 42;
  return narrow.test(name) ? 13 : widths.text;
}

export interface SheetColumn {
  name: string;
  kind: ValueKind;
  /** Its heading, where that is not its name. */
  title?: string;
}

export interface Worksheet {
  name: string;
  columns: readonly SheetColumn[];
  pages: AsyncIterable<Row[]>;
  /** Called for each text that was too long for a cell. */
  onCut?: () => void;
  /** In which instants are shown. */
  timezone?: string;
}

interface WorkbookOptions extends Worksheet {
  /** Its name is in the headers of instants. */
  timezone: string;
  /** Of money in rows without a currency. */
  currency: string | null;
  /** When the clinic last answered, by the hash of the rows; null when it has not. */
  asOf: (rows: string) => Instant | null;
}

interface Written {
  rows: number;
  latest: string | null;
  hash: Hash;
}

const nothingWritten = (): Written => ({ rows: 0, latest: null, hash: createHash('sha256') });

/**
 * A workbook as a stream of bytes: the rows as a table that Excel can filter, sort and refer to by name, and a sheet
 * that says how old they are. Numbers, dates and times are typed cells unless that loses digits; everything else is
 * text, never a formula. Equal rows give equal bytes. Throws `Failure` refused for more rows than a worksheet can hold.
 */
export function renderWorkbook(options: WorkbookOptions): AsyncGenerator<Buffer> {
  const { name, timezone } = options;
  const done = nothingWritten();
  const columns = options.columns.map((column) => ({ ...column, title: titleOf(column, timezone) }));
  return zip([
    ...frame([name, 'About'], 1),
    ['xl/worksheets/sheet1.xml', sheetXml({ ...options, columns }, done, TABLE_PART)],
    ['xl/worksheets/_rels/sheet1.xml.rels', [Buffer.from(sheetRelations)]],
    // The number of rows is known only once they are written.
    ['xl/tables/table1.xml', late(() => tableXml({ ...options, columns }, done))],
    ['xl/worksheets/sheet2.xml', late(() => aboutXml(options, done))],
  ]);
}

const titleOf = ({ name, kind }: SheetColumn, timezone: string): string =>
  kind === 'instant' ? `${name} (${timezone})` : name;

/** A printable workbook of several sheets, without tables. */
export const renderSheets = (sheets: readonly Worksheet[]): AsyncGenerator<Buffer> =>
  zip([
    ...frame(
      sheets.map(({ name }) => name),
      0,
    ),
    ...sheets.map(
      (sheet, at): ZipEntry => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(sheet, nothingWritten(), '')],
    ),
  ]);

const frame = (names: readonly string[], tables: number): ZipEntry[] => [
  ['[Content_Types].xml', [Buffer.from(contentTypes(names.length, tables))]],
  ['_rels/.rels', [Buffer.from(packageRelations)]],
  ['xl/workbook.xml', [Buffer.from(workbook(names, tables || names.length))]],
  ['xl/_rels/workbook.xml.rels', [Buffer.from(workbookRelations(names.length))]],
  ['xl/styles.xml', [Buffer.from(styles)]],
];

const TABLE_PART = '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>';

async function* late(render: () => string): AsyncGenerator<Buffer> {
  yield Buffer.from(render());
}

async function* sheetXml(
  { name, columns, pages, onCut, timezone, currency = null }: Worksheet & Partial<WorkbookOptions>,
  done: Written,
  parts: string,
): AsyncGenerator<Buffer> {
  const names = columns.map((column, index) => textCell(index, 1, column.title ?? column.name, style.header));
  yield Buffer.from(sheetStart(columns) + rowXml(1, names));
  let last = 1;
  for await (const page of pages) {
    if (last + page.length > MAX_ROWS)
      throw new Failure({
        kind: 'refused',
        message: `${name} has more rows than a worksheet can hold`,
        hint: 'Set `format: csv` for this connector.',
      });
    let xml = '';
    for (const row of page) {
      last += 1;
      done.rows += 1;
      const used = typeof row.currency === 'string' ? row.currency : currency;
      const cells = columns.map((column, place) => {
        const value = row[column.name] ?? null;
        if (typeof value === 'string' && value.length > MAX_TEXT) onCut?.();
        if (column.kind === 'instant') done.latest = later(done.latest, value);
        return cell(place, last, shown(value, column.kind, { timezone, currency: used }), column.kind);
      });
      xml += rowXml(last, cells);
    }
    done.hash.update(xml);
    yield Buffer.from(xml);
  }
  yield Buffer.from(`</sheetData>${pageSetup}${parts}</worksheet>`);
}

const later = (latest: string | null, value: string | number | null) =>
  typeof value === 'string' && valueKindOf(value, 'instant') === 'instant' && value > (latest ?? '')
    ? value
    : latest;

/** Without an offset, which only text can have. */
const PLAIN_INSTANT = /^(\S+) (\S+)$/;

/** Instants by the clinic's clock, money with its currency's decimals. */
function shown(
  value: string | number | null,
  kind: ValueKind,
  { timezone, currency }: { timezone: string | undefined; currency: string | null },
): string | number | null {
  if (typeof value !== 'string' || valueKindOf(value, kind) === 'text') return value;
  if (kind === 'money') return amountText(value, currency);
  // Typed as what it shows: a cell has no zone.
  if (kind !== 'instant' || timezone === undefined) return value;
  return localInstant(value, timezone).replace(PLAIN_INSTANT, '$1T$2Z');
}

/** A table needs at least one row below its header, if only a blank one. */
function tableXml({ name, columns }: WorkbookOptions, { rows }: Written): string {
  const ref = `A1:${address(columns.length - 1, 1 + Math.max(1, rows))}`;
  const named = columns.map(
    (column, at) => `<tableColumn id="${at + 1}" name="${escapeText(column.title ?? column.name)}"/>`,
  );
  return (
    `${declaration}<table xmlns="${main}" id="1" name="${name}" displayName="${name}" ref="${ref}">` +
    `<autoFilter ref="${ref}"/><tableColumns count="${columns.length}">${named.join('')}</tableColumns>` +
    '<tableStyleInfo name="TableStyleLight1" showRowStripes="1"/></table>'
  );
}

function aboutXml({ name, asOf, timezone }: WorkbookOptions, { rows, latest, hash }: Written): string {
  const local = (at: string | null) => shown(at, 'instant', { timezone, currency: null });
  const lines: [label: string, value: string | number | null, kind: ValueKind][] = [
    ['Table', name, 'text'],
    ['As of', local(asOf(hash.digest('hex'))), 'instant'],
    ['Rows', rows, 'number'],
    ['Newest entry', local(latest), 'instant'],
    ['Time zone', timezone, 'text'],
  ];
  const rowsXml = lines.map(([label, value, kind], at) =>
    rowXml(at + 1, [textCell(0, at + 1, label, style.header), cell(1, at + 1, value, kind)]),
  );
  return (
    `${declaration}<worksheet xmlns="${main}"><cols><col min="1" max="2" width="22" customWidth="1"/></cols>` +
    `<sheetData>${rowsXml.join('')}</sheetData></worksheet>`
  );
}

function cell(index: number, row: number, value: string | number | null, kind: ValueKind): string {
  if (value === null) return '';
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || !Number.isInteger(value)
      ? numberCell(index, row, value, style.general)
      : textCell(index, row, String(value), style.text);
  return typedCell(index, row, value, valueKindOf(value, kind)) ?? textCell(index, row, value, style.text);
}

/** Undefined when a typed cell would change the value. */
function typedCell(index: number, row: number, value: string, kind: ValueKind): string | undefined {
  switch (kind) {
    case 'number':
    case 'money':
    case 'decimal': {
      const places = value.split('.')[1]?.length ?? 0;
      const number = Number(value);
      const digits = value.replace(/\D/g, '').length;
      if (places > MAX_PLACES || digits > MAX_DIGITS || number.toFixed(places) !== value) return undefined;
      return numberCell(index, row, number, kind !== 'number' ? style.decimal + places : style.general);
    }
    case 'date': {
      const serial = excelSerial(`${value}T00:00:00Z`);
      return serial === undefined ? undefined : numberCell(index, row, serial, style.date);
    }
    case 'instant': {
      const serial = excelSerial(value);
      return serial === undefined ? undefined : numberCell(index, row, serial, style.instant);
    }
    case 'time': {
      const [hours = 0, minutes = 0] = value.split(':').map(Number);
      if (hours > 23 || minutes > 59) return undefined;
      return numberCell(index, row, (hours * 60 + minutes) / 1440, style.time);
    }
    case 'text':
      return undefined;
  }
}

/** Days since 1899-12-30; undefined before March 1900, because Excel counts a leap day that did not exist. */
function excelSerial(at: string): number | undefined {
  const ms = Date.parse(at);
  const serial = ms / DAY + 25_569;
  const real = Number.isFinite(ms) && new Date(ms).toISOString().slice(0, 10) === at.slice(0, 10);
  return real && serial >= 61 ? serial : undefined;
}

function address(index: number, row: number): string {
  let letters = '';
  for (let n = index; n >= 0; n = Math.floor(n / 26) - 1)
    letters = String.fromCharCode(65 + (n % 26)) + letters;
  return `${letters}${row}`;
}

const rowXml = (row: number, cells: readonly string[]) => `<row r="${row}">${cells.join('')}</row>`;
const numberCell = (index: number, row: number, value: number, s: number) =>
  `<c r="${address(index, row)}"${s === 0 ? '' : ` s="${s}"`}><v>${value}</v></c>`;
const textCell = (index: number, row: number, value: string, s: number) =>
  `<c r="${address(index, row)}" s="${s}" t="inlineStr"><is><t xml:space="preserve">` +
  `${escapeText(shorten(value))}</t></is></c>`;

const shorten = (value: string) =>
  value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT - 1).toWellFormed()}…` : value;

/**
 * Writes characters that XML cannot carry as `_xHHHH_` (ECMA-376, ST_Xstring), and escapes text that looks like such an
 * escape. Lines within a cell end with a line feed alone.
 */
function escapeText(value: string): string {
  return value
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones XML 1.0 forbids
      /[\x00-\x08\x0B-\x1F\uFFFE\uFFFF]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function sheetStart(columns: readonly SheetColumn[]): string {
  const cols = columns
    .map(
      (column, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${widthOf(column)}" customWidth="1"/>`,
    )
    .join('');
  return (
    `${declaration}<worksheet xmlns="${main}" xmlns:r="${office}"><sheetPr><pageSetUpPr fitToPage="1"/>` +
    '</sheetPr><sheetViews><sheetView workbookViewId="0">' +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
    `${cols}</cols><sheetData>`
  );
}
