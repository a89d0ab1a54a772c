import { Exit, exit, type Io, type OutputOptions, print, screenLength } from './io.ts';

/** Rows read and printed at a time: keeps memory flat and reads of the daemon's database short. */
const PAGE_SIZE = 500;

/**
 * Reads a list page by page, each page after the last row of the one before: at most `limit` rows, starting after the
 * row `after`.
 */
export async function* inPages<Row extends After, After = Row>(
  read: (count: number, after: After | undefined) => Promise<readonly Row[]>,
  { after, limit = Number.POSITIVE_INFINITY }: { after?: After | undefined; limit?: number | undefined } = {},
): AsyncGenerator<Row> {
  let last = after;
  for (let left = limit; left > 0; left -= PAGE_SIZE) {
    const count = Math.min(PAGE_SIZE, left);
    const rows = await read(count, last);
    yield* rows;
    if (rows.length < count) return;
    last = rows.at(-1);
  }
}

export const limitArgument = (describe: string, standard?: number) =>
  ({
    type: 'number',
    default: standard,
    describe,
    coerce(given: number | undefined): number | undefined {
      if (given === undefined || (Number.isSafeInteger(given) && given > 0)) return given;
      throw new Exit(exit.usage, '--limit is a whole number above zero.');
    },
  }) as const;

type Cell = string | number | null | undefined;
/** Columns by heading: a field of the row, or a function of the row. */
export type Columns<T> = Record<string, KeysOf<T, Cell> | ((row: T) => Cell)>;
type KeysOf<T, V> = { [K in keyof T]-?: T[K] extends V ? K : never }[keyof T];

interface List<T> {
  rows: Iterable<T> | AsyncIterable<T>;
  /** A row as JSON; default: the whole row. */
  data?: (row: T) => unknown;
  /** Printed instead of an empty table. */
  none: string;
  columns: Columns<T>;
}

/** Prints rows while reading them: one JSON array for `--json`, a table otherwise. */
export async function answerList<T>(
  io: Io,
  { json }: OutputOptions,
  { rows, none, columns, data = (row) => row }: List<T>,
): Promise<void> {
  const widths: number[] = [];
  let isFirst = true;
  for await (const page of pagesOf(rows)) {
    if (io.signal.aborted) throw new Exit(exit.needsPerson, 'Stopped before the end of the list.');
    // The brackets are printed before the first page and after the last.
    if (json) io.out(`${isFirst ? '[' : ','}${JSON.stringify(page.map(data), null, 2).slice(1, -2)}`);
    else print(io, tableOf(page, columns, { widths, heading: isFirst, fit: io.width }));
    isFirst = false;
  }
  if (json) print(io, isFirst ? '[]' : '\n]');
  else if (isFirst) print(io, none);
}

async function* pagesOf<T>(rows: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** A table with headings, each line indented. */
export const headed = <T>(rows: readonly T[], columns: Columns<T>): string =>
  tableOf(rows, columns, { indent: '  ', heading: true, widths: [] });

interface Layout {
  indent?: string;
  heading: boolean;
  /** Widths of the columns so far; they only grow from page to page. */
  widths: number[];
  /** Characters per line of the terminal. */
  fit?: number | undefined;
}

function tableOf<T>(
  rows: readonly T[],
  columns: Columns<T>,
  { indent = '', heading, widths, fit }: Layout,
): string {
  const cellOf = (row: T, column: Columns<T>[string]) =>
    oneLine(String((typeof column === 'function' ? column(row) : row[column]) ?? ''));
  const cellsOf = (row: T) => Object.values(columns).map((column) => cellOf(row, column));
  const lines = rows.map(cellsOf);
  if (heading) lines.unshift(Object.keys(columns));
  const indented = lines.map(([first, ...rest]) => [`${indent}${first ?? ''}`, ...rest]);
  if (fit === undefined) return textTable(indented, widths);
  const natural = widthsOf(indented, widths);
  const fitting = fitted(natural, fit, floorsOf(heading ? indented.slice(1) : indented, natural));
  if (fitting === undefined)
    return stacked(
      rows.map((row) => cellsOf(row)),
      Object.keys(columns),
      fit,
    );
  return textTable(indented.map((row) => row.map((cell, at) => shortened(cell, fitting[at] ?? 0))));
}

/** A table whose widest columns are shortened to the terminal's width, as far as there is room. */
export function fitTable(rows: readonly (readonly string[])[], fit: number | undefined): string {
  const natural = widthsOf(rows, []);
  const widths = fit === undefined ? undefined : fitted(natural, fit, floorsOf(rows.slice(1), natural));
  return textTable(
    widths === undefined ? rows : rows.map((row) => row.map((cell, at) => shortened(cell, widths[at] ?? 0))),
  );
}

function widthsOf(rows: readonly (readonly string[])[], widths: number[]): number[] {
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, screenLength(cell));
  return widths;
}

const FIGURE = /^(-?\d[\d.,]*( \S{1,4})?|\d{4}-\d\d-\d\d \d\d:\d\d)?$/;

/** Narrower columns are unreadable. */
const NARROWEST = 8;

/**
 * How far each column may shrink: amounts, counts, and days with a time stay whole, because one that is cut is wrong.
 */
const floorsOf = (rows: readonly (readonly string[])[], natural: readonly number[]): number[] =>
  natural.map((width, at) => {
    const cells = rows.map((row) => row[at] ?? '');
    const figures = cells.filter((cell) => FIGURE.test(cell));
    return figures.length === cells.length ? width : Math.max(NARROWEST, ...figures.map(screenLength));
  });

/** Widths that fit: the widest columns of text shrink and the first stays whole. Undefined when there is no room. */
function fitted(natural: readonly number[], fit: number, floors: readonly number[]): number[] | undefined {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1) - fit;
  for (; over > 0; over -= 1) {
    const [first = 0, ...others] = widths.map((width, at) =>
      at > 0 && width <= (floors[at] ?? 0) ? 0 : width,
    );
    const widest = Math.max(0, ...others);
    if (widest === 0) return first === 0 ? widths : undefined;
    widths[others.indexOf(widest) + 1] = widest - 1;
  }
  return widths;
}

function shortened(cell: string, width: number): string {
  if (screenLength(cell) <= width) return cell;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (screenLength(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Each row as lines of heading and value, for terminals too narrow for columns. */
function stacked(rows: readonly (readonly string[])[], headings: readonly string[], fit: number): string {
  const width = Math.max(...headings.map((heading) => heading.length)) + 2;
  const lineOf = (cell: string, at: number) =>
    cell === '' ? [] : [shortened(`${(headings[at] ?? '').padEnd(width)}${cell}`, fit)];
  return rows.map((cells) => cells.flatMap(lineOf).join('\n')).join('\n\n');
}

/** A line break that somebody typed would begin a row of its own. */
export const oneLine = (text: string): string => text.replace(/(?<!\s)\s*[\n\r\u2028\u2029]\s*/g, ' ⏎ ');

/** Columns as wide as their widest cell, two spaces apart; the last one is not padded. */
export function textTable(rows: readonly (readonly string[])[], widths: number[] = []): string {
  widthsOf(rows, widths);
  const padded = (cell: string, column: number) =>
    cell + ' '.repeat((widths[column] ?? 0) - screenLength(cell));
  return rows
    .map((row) => [...row.slice(0, -1).map(padded), row.at(-1) ?? ''].join('  ').trimEnd())
    .join('\n');
}
