import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { findProgram, needing } from '../../../test/support/program.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { Row } from '../../domain/clinics/tables.ts';
import type { ValueKind } from '../../domain/fields.ts';
import type { Instant } from '../../platform/clock.ts';
import { renderWorkbook, type SheetColumn } from './workbook.ts';

const soffice = findProgram('soffice');
const column = (name: string, kind: ValueKind): SheetColumn => ({ name, kind });
const columns = [
  column('id', 'number'),
  column('text', 'text'),
  column('fee', 'decimal'),
  column('date', 'date'),
  column('time', 'time'),
  column('at', 'instant'),
];
const row: Row = {
  id: 7,
  text: '0017',
  fee: '1500.50',
  date: '2026-03-02',
  time: '09:30',
  at: '2026-03-02T09:00:00.000Z',
};

/** The sheet's XML, found as a reader finds it: by the central directory. */
function sheetOf(zip: Buffer, part = 'worksheets/sheet1.xml'): string {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = zip.readUInt32LE(end + 16);
  for (let n = zip.readUInt16LE(end + 10); n > 0; n -= 1) {
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    if (name.endsWith(part))
      return inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20))).toString('utf8');
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error('the workbook has no sheet');
}

/** The whole file of these rows, which come in two pages, and how many texts were cut. */
async function workbook(
  rows: Row[],
  shown = columns,
  timezone = 'UTC',
): Promise<{ bytes: Buffer; cut: number }> {
  let cut = 0;
  async function* pages() {
    yield rows.slice(0, 1);
    yield rows.slice(1);
  }
  const onCut = () => {
    cut += 1;
  };
  const chunks: Buffer[] = [];
  for await (const chunk of renderWorkbook({
    name: 'treatments',
    columns: shown,
    pages: pages(),
    asOf: () => '2026-03-02T08:31:40.011Z' as Instant,
    timezone,
    currency: null,
    onCut,
  }))
    chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), cut };
}

const sheet = async (rows: Row[]) => sheetOf((await workbook(rows)).bytes);
const cellAt = (xml: string, address: string) =>
  new RegExp(`<c r="${address}"[^>]*>.*?</c>`, 's').exec(xml)?.[0];

describe('a workbook', () => {
  it('has real numbers, dates and times, and text that keeps its zeros', async () => {
    const xml = await sheet([row]);

    expect(cellAt(xml, 'A2')).toBe('<c r="A2"><v>7</v></c>');
    expect(cellAt(xml, 'B2')).toContain('t="inlineStr"><is><t xml:space="preserve">0017</t>');
    expect(cellAt(xml, 'C2')).toContain('<v>1500.5</v>');
    expect(cellAt(xml, 'D2')).toContain('<v>46083</v>');
    expect(cellAt(xml, 'E2')).toContain(`<v>${9.5 / 24}</v>`);
    expect(cellAt(xml, 'F2')).toContain('<v>46083.375</v>');
  });

  it.each([
    ['0.10', false],
    ['00.10', true],
    ['12345678901234567.89', true],
    ['1.123456', true],
    ['=1+1', true],
  ])('writes the decimal %s as text: %s', async (fee, asText) => {
    const xml = await sheet([{ ...row, fee }]);

    expect(cellAt(xml, 'C2')?.includes('inlineStr')).toBe(asText);
  });

  it('names the offset of times in the hour that autumn repeats', async () => {
    const rows = [0, 1, 2].map((hour) => ({ ...row, at: `2026-10-25T0${hour}:30:00.000Z` }));
    const xml = sheetOf((await workbook(rows, columns, 'Europe/Berlin')).bytes);

    expect(cellAt(xml, 'F2')).toContain('2026-10-25 02:30:00 +02:00</t>');
    expect(cellAt(xml, 'F3')).toContain('2026-10-25 02:30:00 +01:00</t>');
    expect(cellAt(xml, 'F4')).toContain('<v>46320.14583333333');
  });

  it('shows each header whole, beside the button of its filter', async () => {
    const names = ['duration_minutes', 'appointment_id', 'appointment_time'];
    const { bytes } = await workbook(
      [],
      [
        column('duration_minutes', 'number'),
        column('appointment_id', 'number'),
        column('appointment_time', 'time'),
      ],
    );

    const widths = [...sheetOf(bytes).matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width));

    expect(widths).toEqual(names.map((name) => name.length + 4));
  });

  it('has no formulas, whatever the text', async () => {
    const xml = await sheet([{ ...row, text: '=1+1', date: '=cmd()', time: '+1' }]);

    expect(xml).not.toContain('<f>');
    expect(cellAt(xml, 'D2')).toContain('=cmd()');
  });

  it('carries text that XML cannot', async () => {
    const xml = await sheet([{ ...row, text: 'a\u0000<b>&\r\n_x0041_ constructor 🦷\uD800' }]);

    expect(cellAt(xml, 'B2')).toContain('a_x0000_&lt;b&gt;&amp;\n_x005F_x0041_ constructor 🦷\uFFFD');
  });

  it('cuts text that is too long for a cell, and says so', async () => {
    const { cut, bytes } = await workbook([{ ...row, text: 'x'.repeat(40_000) }]);

    expect(cut).toBe(1);
    expect(cellAt(sheetOf(bytes), 'B2')?.match(/x+…/)?.[0]).toHaveLength(32_767);
  });

  it.each([
    [0, 'A1:F2'],
    [2, 'A1:F3'],
  ])('is an Excel table over its header, which stays in sight, and %i rows', async (count, ref) => {
    const { bytes } = await workbook(Array.from({ length: count }, () => row));

    const table = sheetOf(bytes, 'tables/table1.xml');

    expect(table).toContain(`displayName="treatments" ref="${ref}"><autoFilter ref="${ref}"/>`);
    expect(table.match(/<tableColumn /g)).toHaveLength(columns.length);
    expect(sheetOf(bytes)).toContain('<tablePart r:id="rId1"/>');
    expect(sheetOf(bytes)).toContain('ySplit="1"');
  });

  it('shows on a second sheet its age, its number of rows, its newest entry and its zone', async () => {
    const { bytes } = await workbook([
      { ...row, at: '2026-03-01T09:00:00.000Z' },
      { ...row, at: null },
    ]);

    const about = sheetOf(bytes, 'worksheets/sheet2.xml');

    expect(cellAt(about, 'B2')).toContain('<v>46083.35532407407</v>');
    expect(cellAt(about, 'B3')).toContain('<v>2</v>');
    expect(cellAt(about, 'B4')).toContain('<v>46082.375</v>');
    expect(cellAt(about, 'B5')).toContain('UTC');
  });

  it('has the same bytes for the same rows', async () => {
    const first = await workbook([row]);
    const second = await workbook([{ ...row }]);

    expect(first.bytes.equals(second.bytes)).toBe(true);
  });

  it.skipIf(soffice === undefined)(
    `opens in LibreOffice with every value as it should be read${needing('LibreOffice', soffice)}`,
    { timeout: 120_000 },
    async () => {
      const folder = await temporaryFolder();
      const { bytes } = await workbook([{ ...row, text: '=1+1' }, row]);
      await writeFile(join(folder, 'treatments.xlsx'), bytes);

      await convert(folder, 'treatments.xlsx', asShown);

      const [first, second] = parse(await readFile(join(folder, 'treatments.csv'), 'utf8'), {
        columns: true,
      });
      expect(first).toMatchObject({
        id: '7',
        text: '=1+1',
        fee: '1500.50',
        date: '2026-03-02',
        time: '09:30',
      });
      expect(second).toMatchObject({ text: '0017', 'at (UTC)': '2026-03-02 09:00:00' });
    },
  );

  it.skipIf(soffice === undefined)(
    `is one page wide on paper${needing('LibreOffice', soffice)}`,
    { timeout: 120_000 },
    async () => {
      const folder = await temporaryFolder();
      const wide = Array.from({ length: 22 }, (_, at) => column(`column_${at}`, 'instant'));
      const { bytes } = await workbook([row, row], wide);
      await writeFile(join(folder, 'leads.xlsx'), bytes);

      await convert(folder, 'leads.xlsx', 'pdf');

      const paper = await readFile(join(folder, 'leads.pdf'), 'latin1');
      // The second is the sheet about the table.
      expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
    },
  );
});

// Comma, quote, UTF-8, and the cells as they are shown rather than as they are stored.
const asShown = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true';

async function convert(folder: string, name: string, to: string): Promise<void> {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const given = ['--headless', '--convert-to', to, '--outdir', folder, join(folder, name)];
  await promisify(execFile)(soffice ?? '', [profile, ...given]);
}
