import { expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { startSpreadsheetPage } from './spreadsheet-page.ts';

it('shows the spreadsheet and takes what people type as a spreadsheet would', async () => {
  const sandbox = await startSheetsSandbox();
  onTestFinished(() => sandbox.close());
  const { url, close } = await startSpreadsheetPage(sandbox.control);
  onTestFinished(close);
  const type = (text: string, column: number, site = 'same-origin') =>
    fetch(`${url}type`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': site },
      body: JSON.stringify({ tab: 'Sheet1', row: 0, column, text }),
    });
  for (const [column, text] of ['12.5', 'true', '2026-03-09', '10:30', "'017", 'Ann', '=F1'].entries())
    await type(text, column);
  const elsewhere = await type('x', 9, 'cross-site');

  const html = await (await fetch(url)).text();
  const book = (await (await fetch(`${url}book`)).json()) as { tabs: { rows: { text: string }[][] }[] };

  expect(html).toContain('<table id="grid">');
  expect(elsewhere.status).toBe(403);
  expect(sandbox.control.tab('Sheet1').rows[0]?.map((cell) => Object.values(cell?.value ?? {})[0])).toEqual([
    12.5,
    true,
    46_090,
    0.4375,
    '017',
    'Ann',
    '=F1',
  ]);
  expect(book.tabs[0]?.rows[0]?.slice(4, 8).map(({ text }) => text)).toEqual(['017', 'Ann', 'Ann', '']);
});
