/** The spreadsheet as a page: tabs, a grid, cells one can type into. Everything in one file, nothing from elsewhere. */
export const page = `<!doctype html>
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
  await fetch('/page/type', { method: 'POST', headers: { 'content-type': 'application/json' },
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
  const book = await (await fetch('/page/book')).json();
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
