import { fastify } from 'fastify';
import type { SheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { DAY } from '../platform/duration.ts';

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
<style>
:root{color-scheme:light dark;font:14px/1.4 system-ui,sans-serif}
body{margin:0;display:flex;flex-direction:column;height:100vh}
header{padding:.5rem 1rem;display:flex;gap:1rem;align-items:baseline}
h1{font-size:1rem;margin:0}
main{overflow:auto;flex:1;border-block:1px solid #8885}
table{border-collapse:collapse}
td,th{border:1px solid #8884;padding:.15rem .4rem;min-width:4rem;max-width:24rem;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
th,.frozen td{position:sticky;top:0;background:light-dark(#f1f3f4,#2a2d30);font-weight:600}
.frozen td{top:1.7rem}
td.removed{color:#888}
nav{display:flex;gap:.25rem;padding:.25rem 1rem;overflow:auto}
nav button[aria-current=true]{font-weight:700}
</style></head><body>
<header><h1 id="title"></h1><span>Double-click a cell to type; the sheet is read again every two seconds.</span></header>
<main><table id="grid"></table></main><nav id="tabs" aria-label="Tabs"></nav>
<script type="module">
let chosen, current, editing = false;
const $ = (id) => document.getElementById(id);
const letter = (n) => (n > 25 ? letter(Math.floor(n / 26) - 1) : '') + String.fromCharCode(65 + (n % 26));
const send = async (row, column, text) => {
  await fetch('/type', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tab: current, row, column, text }) });
  editing = false; await draw();
};
function edit(td, row, column, cell) {
  editing = true;
  const input = document.createElement(cell.choices ? 'select' : 'input');
  if (cell.choices) for (const one of ['', ...cell.choices]) input.add(new Option(one, one, false, one === cell.text));
  else input.value = cell.text;
  const done = () => send(row, column, input.value);
  input.onchange = done;
  input.onblur = () => { if (editing) { editing = false; draw(); } };
  input.onkeydown = (event) => { if (event.key === 'Escape') { editing = false; draw(); } };
  td.replaceChildren(input); input.focus();
}
async function draw() {
  if (editing) return;
  const book = await (await fetch('/book')).json();
  $('title').textContent = book.title;
  const filled = ({ rows }) => rows.some((cells) => cells.some(({ text }) => text !== ''));
  const tab = book.tabs.find(({ title }) => title === chosen) ?? book.tabs.find(filled) ?? book.tabs[0];
  current = tab?.title;
  $('tabs').replaceChildren(...book.tabs.map(({ title }) => {
    const button = document.createElement('button');
    button.textContent = title; button.ariaCurrent = title === current;
    button.onclick = () => { chosen = title; draw(); };
    return button;
  }));
  if (!tab) return;
  const shown = tab.hidden.map((hidden, index) => (hidden ? -1 : index)).filter((index) => index >= 0);
  const head = document.createElement('tr');
  head.append(document.createElement('th'), ...shown.map((index) => {
    const th = document.createElement('th'); th.textContent = letter(index); return th;
  }));
  const rows = tab.rows.map((cells, row) => {
    const tr = document.createElement('tr');
    if (row < tab.frozen) tr.className = 'frozen';
    const number = document.createElement('th'); number.textContent = row + 1; tr.append(number);
    for (const column of shown) {
      const cell = cells[column], td = document.createElement('td');
      if (cell.checkbox) {
        const box = document.createElement('input'); box.type = 'checkbox'; box.checked = cell.text === 'TRUE';
        box.onchange = () => send(row, column, String(box.checked)); td.append(box);
      } else {
        td.textContent = cell.text;
        if (cell.text.startsWith('STALE') || cells.some(({ text }) => text === 'Removed')) td.className = 'removed';
        td.ondblclick = () => edit(td, row, column, cell);
      }
      tr.append(td);
    }
    return tr;
  });
  $('grid').replaceChildren(head, ...rows);
}
setInterval(draw, 2000); draw();
</script></body></html>`;
