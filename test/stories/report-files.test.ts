import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { readSheets } from '../../connectors/csv/inbox/content/workbook-reader.ts';
import {
  leadColumns,
  openVisitColumns,
  priceColumns,
  type ReportColumns,
} from '../../src/domain/clinics/report-columns.ts';
import { localeOf } from '../../src/platform/text/locale.ts';
import { columnTitle } from '../../src/reports/figures.ts';
import { loadTexts } from '../../src/texts/texts.ts';
import { bearer } from '../support/http/http-kit.ts';
import { startedReports } from '../support/http/report-story.ts';
import { textOf } from '../support/http/report-tables.ts';
import { tier } from '../support/tiers.ts';

await loadTexts('de');

/** In files and JSON: all columns, then the figures of the period before. */
const fieldsIn = (columns: ReportColumns): string[] => [
  ...Object.keys(columns),
  ...Object.keys(columns).flatMap((name) => (columns[name]?.before ? [`${name}_before`] : [])),
];
const csvLines = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(','));

const sheetsOf = async (answer: Response): Promise<string[][][]> =>
  (await readSheets(Buffer.from(await answer.arrayBuffer()))).map(({ csv }) =>
    parse(csv, { relax_column_count: true }),
  );

it('has each column of a report in the command, on the page, in CSV, JSON, workbooks and the API', async () => {
  const { url, report } = await startedReports();
  const load = async (path: string) => (await fetch(url + path, { headers: bearer })).text();
  const { schemas } = JSON.parse(await load('/openapi.json')).components;
  const page = async (path: string) =>
    textOf(await (await fetch(url + path, { headers: { ...bearer, accept: 'text/html' } })).text());
  const { t } = localeOf('en');

  for (const [columns, row, path, command, rowsIn] of [
    [leadColumns, 'LeadsRow', '/reports?clinic=main&month=2026-03', 'leads --month 2026-03', 'leads'],
    [openVisitColumns, 'OpenVisits', '/reports?clinic=main&month=2026-03', '', 'visits'],
    [priceColumns, 'Price', '/fees?clinic=main&on=2026-03-02', 'fees --on 2026-03-02', ''],
  ] as const) {
    const names = fieldsIn(columns);
    const data = JSON.parse(await load(`${path}&format=json`));
    const [first] = rowsIn === '' ? data.prices : data.clinics[0][rowsIn];
    const html = await page(path);
    for (const [name, column] of Object.entries<ReportColumns[string]>(columns))
      if (!column.isData && column.type !== 'key' && column.type !== 'text')
        expect(html.toLowerCase()).toContain(columnTitle(name, column, { t }).toLowerCase());
    expect(Object.keys(first).sort()).toEqual([...names].sort());
    expect(Object.keys(schemas[row].properties).sort()).toEqual([...names].sort());
    if (command === '') continue;
    const argv = [...command.split(' '), '--clinic', 'main'];
    const csv = await report(...argv, '--csv');
    const table = await report(...argv);
    expect(csvLines(csv)[0]).toEqual(names);
    expect(await load(`${path}&format=csv`)).toBe(csv);
    for (const [name, column] of Object.entries<ReportColumns[string]>(columns))
      if (!column.isData && name !== 'group')
        expect(table).toContain(columnTitle(name, column, { t }).toUpperCase());
    const answer = await fetch(`${url}${path}&format=xlsx`, { headers: bearer });
    const [sheet = []] = await sheetsOf(answer);
    expect(sheet[0]).toHaveLength(names.length);
    expect(sheet).toHaveLength(csvLines(csv).length);
  }
});

it('gives a workbook the reader’s words and clock, and numbers that add up', async () => {
  const { url } = await startedReports();
  const load = async (path: string) => {
    const answer = await fetch(url + path, {
      headers: { ...bearer, accept: 'text/html', 'accept-language': 'de' },
    });
    return { answer, sheets: await sheetsOf(answer) };
  };

  const { answer, sheets } = await load('/fees?clinic=main&on=2026-03-02&format=xlsx');
  const month = await load('/reports/month.xlsx?clinic=main&month=2026-03');

  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="fees-2026-03-02.xlsx"');
  expect(sheets[0]).toEqual([
    ['Praxis', 'Art', 'Nummer', 'Name', 'Preis', 'Währung', 'Seit (Asia/Dhaka)', 'Bis (Asia/Dhaka)'],
    ['main', 'Behandlung', '3', 'Treatment 3', '9100.5', 'BDT', '2026-03-02 18:20'],
  ]);
  expect(month.sheets.map(([headings]) => headings?.[0])).toEqual([
    ...['Was', 'Art', 'Bemerkt (Asia/Dhaka)', 'Zustand', 'Quelle', 'Zahl', 'Bemerkt (Asia/Dhaka)'],
  ]);
  expect(month.sheets[4]?.at(-1)?.slice(0, 3)).toEqual(['Summe', '', '8']);
});

const listed = [
  '/fees?clinic=main',
  '/fees/main/treatment/3',
  '/reports',
  '/change-log',
  '/incidents',
  '/audit',
];
for (const path of [...listed, '/bookings'])
  it(
    `offers ${path} as JSON, CSV and workbook, and links to the files`,
    tier(path === listed[0]),
    async () => {
      const { url } = await startedReports();
      const ask = (headers: Record<string, string>, query = '') =>
        fetch(`${url}${path}${path.includes('?') ? '&' : '?'}${query}`, {
          headers: { ...bearer, ...headers },
        });

      const json = await ask({ accept: 'application/json' });
      const csv = await ask({ accept: 'text/csv' });
      const asked = await ask({ accept: 'text/html' }, 'format=csv');
      const page = await (await ask({ accept: 'text/html' })).text();
      const links = [...page.matchAll(/href="([^"]*format=(?:csv|xlsx))"/g)].map(([, href = '']) => href);

      expect(await json.json()).toMatchObject({ ok: true });
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(await asked.text()).toBe(await csv.text());
      expect(links).toHaveLength(2);
      for (const link of links) {
        const file = await fetch(url + link.replaceAll('&amp;', '&'), { headers: bearer });
        expect([file.status, file.headers.get('content-disposition')]).toEqual([
          200,
          expect.stringMatching(/^attachment; filename="[\w-]+\.(csv|xlsx)"$/),
        ]);
      }
    },
  );

it('refuses the prices of a day that has not come to a program', async () => {
  const { url } = await startedReports();

  const answer = await fetch(`${url}/fees?clinic=main&on=2999-01-01`, { headers: bearer });

  expect([answer.status, await answer.json()]).toMatchObject([400, { message: 'That day has not come yet' }]);
});

it('notes in the audit who took patients away as a file', async () => {
  const { url } = await startedReports();
  const ask = async (path: string) => (await fetch(url + path, { headers: bearer })).text();

  await ask('/bookings?format=json');
  await ask('/bookings?format=csv');

  const { audit } = JSON.parse(await ask('/audit'));
  expect(audit.map(({ action }: { action: string }) => action)).toEqual([
    ...['patients.export', 'patients.read'],
  ]);
});
