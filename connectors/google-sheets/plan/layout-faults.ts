import { need, type Problem, said } from '../../../src/connector.ts';
import type { Looks } from '../api/client.ts';
import type { Content } from '../sheet/cells.ts';
import type { TabSnapshot } from '../sheet/snapshot.ts';
import { AS_OF, type TabColumn } from '../sheet/tab-spec.ts';
import { columnFormatOf } from './create-tab.ts';

/** One of our columns, known by its header, at its present index. */
export interface FoundColumn {
  key: string;
  header: string;
  at: number;
}

export interface LayoutFaults {
  /** Cut and pasted elsewhere, header and all: cells move, a mark stays with its column. */
  moved: FoundColumn[];
  /** There, without its mark. */
  unmarked: FoundColumn[];
  /** Headers of columns that are nowhere. */
  gone: string[];
  /** No row has our headers, and the first is one of ours. */
  isHeaderGone: boolean;
}

const plain = (content: Content | undefined): string | undefined =>
  typeof content === 'string'
    ? content
        .replace(/\*\s*$/, '')
        .trim()
        .toLowerCase()
    : undefined;

/** The row with the most of our headers, but at least two. People may rename some, and move it. */
export function headerRow({ cells }: TabSnapshot, columns: readonly TabColumn[]): number {
  const labels = new Set(columns.flatMap(({ headers }) => headers.map(plain)));
  const counts = cells.map((row) => row.filter((content) => labels.has(plain(content))).length);
  const most = Math.max(1, ...counts);
  return most < 2 ? -1 : counts.indexOf(most);
}

/** Looks at marks and headers. Pure. */
export function layoutFaults(
  tab: TabSnapshot,
  columns: readonly TabColumn[],
  isOurs: (row: number) => boolean = () => false,
): LayoutFaults {
  const row = headerRow(tab, columns);
  const headers = tab.cells[row] ?? [];
  const marked = new Set(tab.columns.values());
  const shown = columns.filter(({ key, hidden }) => key !== AS_OF && !hidden);
  const found = ({ key, header, headers: known }: TabColumn): FoundColumn[] => {
    const names = known.map(plain);
    const places = [...headers.keys()].filter(
      (at) => !marked.has(at) && headers[at] != null && names.includes(plain(headers[at])),
    );
    const [at] = places;
    return at === undefined || places.length > 1 ? [] : [{ key, header, at }];
  };
  const isFilled = (at: number) =>
    tab.cells.some((cells, below) => below > row && (cells[at] ?? null) !== null);
  // A header alone that went elsewhere takes no cells along.
  const withCells = (column: TabColumn) =>
    found(column).filter(({ key, at }) => isFilled(at) || !isFilled(tab.columns.get(key) ?? -1));
  const unmarked = shown.filter(({ key }) => !tab.columns.has(key)).flatMap(found);
  return {
    moved: shown
      .filter(({ key }) => tab.columns.has(key) && (headers[tab.columns.get(key) ?? -1] ?? null) === null)
      .flatMap(withCells),
    unmarked,
    gone: shown
      .filter(({ key }) => !tab.columns.has(key) && !unmarked.some((one) => one.key === key))
      .map(({ header }) => header),
    isHeaderGone: row < 0 && isOurs(0),
  };
}

/** The tab without the marks that stayed behind: what stands there is not what they say. */
export const withoutMoved = (tab: TabSnapshot, { moved }: LayoutFaults): TabSnapshot =>
  moved.length === 0
    ? tab
    : {
        ...tab,
        columns: new Map([...tab.columns].filter(([key]) => !moved.some((one) => one.key === key))),
      };

const named = (columns: readonly FoundColumn[]): string => columns.map(({ header }) => header).join(', ');

/** Deleted columns are respected; one that is there misleads, and needs a person. */
export function layoutProblems(
  at: { place: string; connector: string },
  { moved, unmarked, gone, isHeaderGone }: LayoutFaults,
): Problem[] {
  return [
    ...(moved.length > 0 ? [need(said('columns_moved', { ...at, columns: named(moved) }))] : []),
    ...(unmarked.length > 0 ? [need(said('columns_unmarked', { ...at, columns: named(unmarked) }))] : []),
    ...(gone.length > 0
      ? [said('columns_gone', { ...at, count: gone.length, columns: gone.join(', ') })]
      : []),
    ...(isHeaderGone ? [need(said('header_gone', at))] : []),
  ];
}

/** Days and times may also be shown together. */
const alsoRight: Partial<Record<string, string>> = { DATE: 'DATE_TIME', TIME: 'DATE_TIME' };
const answers = ['ref', 'state', 'appointment', 'message', 'updated'];

/**
 * Columns of Bookings that look otherwise than in a new tab: inputs without their format, answers that anybody
 * overwrites unasked.
 */
export function unlikeNew(
  { columns }: Pick<TabSnapshot, 'columns'>,
  layout: readonly TabColumn[],
  { kinds, protections }: Looks,
): (TabColumn & FoundColumn)[] {
  const isProtected = (at: number) =>
    protections.some(
      ({ endRowIndex, startColumnIndex, endColumnIndex }) =>
        endRowIndex == null &&
        at >= (startColumnIndex ?? 0) &&
        at < (endColumnIndex ?? Number.POSITIVE_INFINITY),
    );
  return layout.flatMap((column) => {
    const at = columns.get(column.key);
    const wanted = columnFormatOf(column)?.type;
    if (at === undefined) return [];
    const isFormatted = [...(kinds[at] ?? [])].every(
      (kind) => kind === wanted || kind === alsoRight[wanted ?? ''],
    );
    const isRight = column.input
      ? wanted === undefined || isFormatted
      : !answers.includes(column.key) || isProtected(at);
    return isRight ? [] : [{ ...column, at }];
  });
}
