import { fastify } from 'fastify';
import type { SheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { DAY } from '../platform/duration.ts';
import { assetOf } from '../platform/text/asset.ts';

type Control = SheetsSandbox['control'];
type Grid = ReturnType<Control['tab']>;
type Cell = Grid['rows'][number][number];
type Typed = Parameters<Control['userActions']['type']>[3];

interface SpreadsheetPage {
  url: string;
  close(): Promise<void>;
}

/** Serves the sandbox's spreadsheet on 127.0.0.1 as a page to view and type into. */
export async function startSpreadsheetPage(control: Control): Promise<SpreadsheetPage> {
  const app = fastify({ forceCloseConnections: true });
  app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  app.get('/book', () => ({
    title: control.book.title,
    tabs: control.book.grids.map((grid) => shownGrid(grid, control)),
  }));
  app.post<{ Body: { tab: string; row: number; column: number; text: string } }>(
    '/type',
    (request, reply) => {
      // No other site in the same browser may type here.
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin') return reply.code(403).send({});
      const { tab, row, column, text } = request.body;
      control.userActions.type(tab, row, column, fromKeyboard(text, control.tab(tab).rows[row]?.[column]));
      return {};
    },
  );
  return { url: `${await app.listen({ host: '127.0.0.1', port: 0 })}/`, close: () => app.close() };
}

/** What each cell of a tab shows, and its type. */
function shownGrid(grid: Grid, control: Control) {
  const rowCount = Math.min(grid.rowCount, Math.max(grid.rows.length, 1) + 3);
  const shown = (cell: Cell) => {
    const rule = cell?.validation?.condition as
      | { type?: string; values?: { userEnteredValue: string }[] }
      | undefined;
    return {
      text: shownText(control.result(grid, cell), cell),
      ...(rule?.type === 'BOOLEAN' && { checkbox: true }),
      ...(rule?.type === 'ONE_OF_LIST' && { choices: rule.values?.map((one) => one.userEnteredValue) }),
    };
  };
  return {
    title: grid.title,
    frozen: grid.frozenRowCount,
    hidden: grid.columns.map(({ hidden }) => hidden === true),
    rows: Array.from({ length: rowCount }, (_, row) =>
      grid.columns.map((_column, column) => shown(grid.rows[row]?.[column])),
    ),
  };
}

const EPOCH = Date.UTC(1899, 11, 30);

function shownText(result: ReturnType<Control['result']>, cell: Cell): string {
  const { numberValue, stringValue, boolValue, errorValue } = result ?? {};
  if (errorValue) return `#${errorValue.type}`;
  if (boolValue !== undefined) return boolValue ? 'TRUE' : 'FALSE';
  if (numberValue === undefined) return stringValue ?? '';
  const { type, pattern = '' } = (cell?.format?.numberFormat ?? {}) as { type?: string; pattern?: string };
  const instant = () => new Date(Math.round(EPOCH + numberValue * DAY)).toISOString();
  if (type === 'DATE') return instant().slice(0, 10);
  if (type === 'TIME') return instant().slice(11, 16);
  if (type === 'DATE_TIME') return instant().slice(0, 16).replace('T', ' ');
  const decimals = /0\.(0+)/.exec(pattern)?.[1]?.length;
  if (decimals === undefined) return String(numberValue);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return numberValue.toLocaleString('en-US', digits);
}

/** Typed text as a spreadsheet reads it: numbers, dates, times, TRUE and FALSE; a leading `'` keeps it as text. */
function fromKeyboard(text: string, cell: Cell): Typed {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (trimmed.startsWith("'")) return trimmed.slice(1);
  if (trimmed.startsWith('=')) return { formula: trimmed };
  if (/^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  const isText = (cell?.format?.numberFormat as { type?: string } | undefined)?.type === 'TEXT';
  if (isText) return trimmed;
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (/^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return (Date.parse(trimmed) - EPOCH) / DAY;
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(trimmed) ?? [];
  if (hour !== undefined) return (Number(hour) * 60 + Number(minute)) / 1_440;
  return trimmed;
}

/** Tabs, a grid and editable cells; loads nothing from elsewhere. */
const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Spreadsheet</title>
<style>${assetOf(new URL('./assets/spreadsheet.css', import.meta.url))}</style></head><body>
<header><h1 id="title"></h1>
<span>Double-click a cell to type; the sheet is read again every two seconds.</span></header>
<main><table id="grid"></table></main><nav id="tabs" aria-label="Tabs"></nav>
<script type="module">${assetOf(new URL('./assets/spreadsheet.js', import.meta.url))}</script></body></html>`;
