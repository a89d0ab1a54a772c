import type { Grid, Region, Workbook } from './workbook.ts';

/** Rows or columns from `start` up to, not including, `end`. */
interface Span {
  start: number;
  end: number;
}

/** Where a span is after a change of its tab; undefined when nothing of it is left. */
type Moved = (span: Span) => Span | undefined;

/** A span grows by what is inserted inside it; what is inserted at its start or its end stays outside. */
export const afterInsertion =
  (at: number, count: number): Moved =>
  ({ start, end }) => ({ start: at <= start ? start + count : start, end: at < end ? end + count : end });

export const afterDeletion =
  (from: number, to: number): Moved =>
  ({ start, end }) => {
    const left = (index: number) => index - Math.max(0, Math.min(index, to) - from);
    return left(start) < left(end) ? { start: left(start), end: left(end) } : undefined;
  };

type Axis = 'rows' | 'columns';

/** Moves what refers to rows or columns of a tab: formulas everywhere, named ranges, and what lies over its cells. */
export function moveReferences(book: Workbook, grid: Grid, axis: Axis, moved: Moved): void {
  const region = (one: Region) => regionAfter(one, axis, moved);
  const kept = <T extends { range: Region }>(list: readonly T[]): T[] =>
    list.flatMap((one) => {
      const range = region(one.range);
      return range ? [{ ...one, range }] : [];
    });
  grid.merges = grid.merges.flatMap((one) => region(one) ?? []);
  grid.tables = grid.tables.flatMap((one) => region(one) ?? []);
  grid.pivotSources = grid.pivotSources.flatMap((one) => region(one) ?? []);
  if (axis === 'columns' && grid.filter !== undefined) {
    const { column } = grid.filter;
    const at = moved({ start: column, end: column + 1 })?.start;
    grid.filter = at === undefined ? undefined : { ...grid.filter, column: at };
  }
  grid.protections = kept(grid.protections);
  book.namedRanges = [
    ...book.namedRanges.filter(({ sheetId }) => sheetId !== grid.sheetId),
    ...kept(book.namedRanges.filter(({ sheetId }) => sheetId === grid.sheetId)),
  ];
  rewriteFormulas(book, (formula, other) => formulaAfter(formula, { other, grid, axis, moved }));
}

function rewriteFormulas(book: Workbook, rewrite: (formula: string, tab: Grid) => string): void {
  for (const tab of book.grids)
    tab.rows = tab.rows.map((cells) =>
      cells.some((cell) => cell?.value?.formulaValue !== undefined)
        ? cells.map((cell) => {
            const formula = cell?.value?.formulaValue;
            return formula === undefined ? cell : { ...cell, value: { formulaValue: rewrite(formula, tab) } };
          })
        : cells,
    );
}

type Rectangle = { [side in keyof Region]-?: number };

/** What refers to cut cells only, follows them; what refers to some of them and to others stays. */
export function followCutCells(
  book: Workbook,
  grid: Grid,
  from: Rectangle,
  { down, across }: { down: number; across: number },
): void {
  const isCut = ([top, bottom, left, right]: readonly number[]) =>
    (top ?? -1) >= from.startRowIndex &&
    (bottom ?? Number.POSITIVE_INFINITY) <= from.endRowIndex &&
    (left ?? -1) >= from.startColumnIndex &&
    (right ?? Number.POSITIVE_INFINITY) <= from.endColumnIndex;
  book.namedRanges = book.namedRanges.map((named) => {
    const { startRowIndex: top = 0, endRowIndex: bottom = Number.POSITIVE_INFINITY } = named.range;
    const { startColumnIndex: left = 0, endColumnIndex: right = Number.POSITIVE_INFINITY } = named.range;
    if (named.sheetId !== grid.sheetId || !isCut([top, bottom, left, right])) return named;
    const rows = { startRowIndex: top + down, endRowIndex: bottom + down };
    return { ...named, range: { ...rows, startColumnIndex: left + across, endColumnIndex: right + across } };
  });
  rewriteFormulas(book, (formula, other) =>
    formula.replace(REFERENCE, (whole, quoted, plain, ...rest: string[]) => {
      if (((quoted ?? plain) || other.title) !== grid.title) return whole;
      const [c$ = '', column = '', r$ = '', row = '', toC$ = '', toColumn, toR$ = '', toRow] = rest;
      const [left, right] = [columnOf(column), columnOf(toColumn ?? column)];
      if (!isCut([Number(row) - 1, Number(toRow ?? row), left, right + 1])) return whole;
      const tab = whole.slice(0, whole.lastIndexOf('!') + 1);
      const first = `${tab}${c$}${lettersOf(left + across)}${r$}${Number(row) + down}`;
      return toRow === undefined
        ? first
        : `${first}:${toC$}${lettersOf(right + across)}${toR$}${Number(toRow) + down}`;
    }),
  );
}

function regionAfter(region: Region, axis: Axis, moved: Moved): Region | undefined {
  const [from, to] =
    axis === 'rows'
      ? (['startRowIndex', 'endRowIndex'] as const)
      : (['startColumnIndex', 'endColumnIndex'] as const);
  const { [from]: start, [to]: end } = region;
  // An open side covers whatever comes.
  const next = moved({ start: start ?? 0, end: end ?? Number.MAX_SAFE_INTEGER });
  if (next === undefined) return undefined;
  return {
    ...region,
    ...(start !== undefined && { [from]: next.start }),
    ...(end !== undefined && { [to]: next.end }),
  };
}

/** `A1`, `$A$1:B2`, `'A tab'!A1`. Whole columns (`D:D`) have every row. */
const REFERENCE =
  /(?:(?:'([^']+)'|([A-Za-z_]\w*))!)?(\$?)([A-Z]{1,2})(\$?)(\d+)(?::(\$?)([A-Z]{1,2})(\$?)(\d+))?(?![\w(])/g;

interface FormulaPlace {
  /** The tab with the formula. */
  other: Grid;
  /** The tab that changes. */
  grid: Grid;
  axis: Axis;
  moved: Moved;
}

function formulaAfter(formula: string, { other, grid, axis, moved }: FormulaPlace): string {
  return formula.replace(REFERENCE, (whole, quoted, plain, ...rest: string[]) => {
    if (((quoted ?? plain) || other.title) !== grid.title) return whole;
    const [c$ = '', column = '', r$ = '', row = '', toC$ = '', toColumn, toR$ = '', toRow] = rest;
    const [first, last] =
      axis === 'rows'
        ? [Number(row) - 1, Number(toRow ?? row) - 1]
        : [columnOf(column), columnOf(toColumn ?? column)];
    const next = moved({ start: first, end: last + 1 });
    if (next === undefined) return '#REF!';
    const prefix = whole.slice(0, whole.lastIndexOf('!') + 1);
    const name = (at: number, own: string, index: string) =>
      axis === 'rows' ? { column: own, row: String(at + 1) } : { column: lettersOf(at), row: index };
    const start = name(next.start, column, row);
    const from = `${prefix}${c$}${start.column}${r$}${start.row}`;
    if (toColumn === undefined || toRow === undefined) return from;
    const end = name(next.end - 1, toColumn, toRow);
    return `${from}:${toC$}${end.column}${toR$}${end.row}`;
  });
}

export const columnOf = (letters: string): number =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));
