/** The result of a measurement, as a table for people. */
export interface Report {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  notes?: readonly string[];
}

export function printed({ title, columns, rows, notes = [] }: Report): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [title, line(columns), rule, ...rows.map(line), ...notes].join('\n');
}

export const ms = (value: number): string =>
  `${value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
export const times = (value: number): string => `${value.toFixed(2)} ×`;
