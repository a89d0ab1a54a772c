/** @typedef {{ text: string, checkbox?: boolean, choices?: string[] }} Cell */
/** @typedef {{ title: string, frozen: number, hidden: boolean[], rows: Cell[][] }} Tab */

/** @type {string | undefined} */
let chosen;
/** @type {string | undefined} */
let current;
let isEditing = false;

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {(n: number) => string} */
const letter = (n) => (n > 25 ? letter(Math.floor(n / 26) - 1) : '') + String.fromCharCode(65 + (n % 26));

/** @type {(row: number, column: number, text: string) => Promise<void>} */
async function send(row, column, text) {
  await fetch('/type', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tab: current, row, column, text }),
  });
  isEditing = false;
  await draw();
}

function leave() {
  if (!isEditing) return;
  isEditing = false;
  void draw();
}

/** @type {(td: HTMLElement, row: number, column: number, cell: Cell) => void} */
function edit(td, row, column, { text, choices }) {
  isEditing = true;
  const input = document.createElement(choices ? 'select' : 'input');
  if (choices)
    for (const choice of ['', ...choices]) input.append(new Option(choice, choice, false, choice === text));
  else input.value = text;
  input.onchange = () => send(row, column, input.value);
  input.onblur = leave;
  input.onkeydown = /** @param {KeyboardEvent} event */ ({ key }) => {
    if (key === 'Escape') leave();
  };
  td.replaceChildren(input);
  input.focus();
}

/** @type {(name: string, text: string) => HTMLElement} */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** @type {(tab: Tab, row: number, column: number) => HTMLElement} */
function cellOf({ rows }, row, column) {
  const cell = rows[row][column];
  if (!cell.checkbox) {
    const td = element('td', cell.text);
    if (cell.text.startsWith('STALE') || rows[row].some(({ text }) => text === 'Removed'))
      td.className = 'removed';
    td.ondblclick = () => edit(td, row, column, cell);
    return td;
  }
  const td = element('td', '');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = cell.text === 'TRUE';
  box.onchange = () => send(row, column, String(box.checked));
  td.append(box);
  return td;
}

async function draw() {
  if (isEditing) return;
  /** @type {{ title: string, tabs: Tab[] }} */
  const book = await (await fetch('/book')).json();
  part('title').textContent = book.title;
  const tab =
    book.tabs.find(({ title }) => title === chosen) ??
    book.tabs.find(({ rows }) => rows.some((cells) => cells.some(({ text }) => text !== ''))) ??
    book.tabs[0];
  current = tab?.title;
  part('tabs').replaceChildren(
    ...book.tabs.map(({ title }) => {
      const button = element('button', title);
      button.ariaCurrent = String(title === current);
      button.onclick = () => {
        chosen = title;
        void draw();
      };
      return button;
    }),
  );
  if (!tab) return;
  const columns = tab.hidden.flatMap((hidden, index) => (hidden ? [] : [index]));
  const head = document.createElement('tr');
  head.append(element('th', ''), ...columns.map((index) => element('th', letter(index))));
  const rows = tab.rows.map((_cells, row) => {
    const tr = document.createElement('tr');
    if (row < tab.frozen) tr.className = 'frozen';
    tr.append(element('th', String(row + 1)), ...columns.map((column) => cellOf(tab, row, column)));
    return tr;
  });
  part('grid').replaceChildren(head, ...rows);
}
setInterval(draw, 2_000);
void draw();
