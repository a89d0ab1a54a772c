import type { SheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import type { CellValue, Grid } from '../../../sandbox/google-sheets/workbook.ts';

export interface BookingLine {
  row: number;
  name: string;
  phone: string;
  complete: boolean;
  send: boolean;
  ref: string | null;
  state: string | null;
  message: string | null;
}

/** The spreadsheet as people see it: tabs and columns found wherever they went. */
export interface Eyes {
  grid(tab: string): Grid | undefined;
  /** -1 when there is none. */
  column(tab: string, key: string): number;
  value(tab: string, row: number, column: number): CellValue | undefined;
  isForeign(tab: string, column: number): boolean;
  /** The last row with anything in it; -1 in an empty tab. */
  lastFilled(tab: string): number;
  /** The filled-in rows of Bookings. */
  bookingRows(): BookingLine[];
}

export function createEyes({ control }: Pick<SheetsSandbox, 'control'>): Eyes {
  const grid = (tab: string) =>
    control.book.grids.find(({ metadata }) => metadata.some((one) => one.metadataValue === `tab:${tab}`));
  const column = (tab: string, key: string): number =>
    grid(tab)?.columns.findIndex(({ metadata }) =>
      metadata.some((one) => one.metadataValue === `tab:${tab}/col:${key}`),
    ) ?? -1;
  const value = (tab: string, row: number, at: number) => grid(tab)?.rows[row]?.[at]?.value;

  return {
    grid,
    column,
    value,
    isForeign: (tab, at) => grid(tab)?.columns[at]?.metadata.length === 0,
    lastFilled: (tab) =>
      (grid(tab)?.rows ?? []).findLastIndex((cells) => cells.some((cell) => cell?.value !== undefined)),
    bookingRows() {
      const there = grid('bookings');
      const columns = new Map(
        there?.columns.flatMap(({ metadata }, at) => metadata.map((one) => [one.metadataValue, at])),
      );
      return (there?.rows ?? []).flatMap((cells, row) => {
        const at = (key: string) => cells[columns.get(`tab:bookings/col:${key}`) ?? -1]?.value;
        const name = at('patient')?.stringValue ?? '';
        if (!/^Lead \d/.test(name)) return [];
        return [
          {
            row,
            name,
            phone: at('phone')?.stringValue ?? '',
            complete: ['phone', 'date', 'time'].every((key) => at(key) !== undefined),
            send: at('send')?.boolValue === true,
            ref: at('ref')?.stringValue ?? null,
            state: at('state')?.stringValue ?? null,
            message: at('message')?.stringValue ?? null,
          },
        ];
      });
    },
  };
}
