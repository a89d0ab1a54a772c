import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MirrorTable, mirrorTables, type Row } from '../../src/connector.ts';
import { wallClockAt } from '../../src/domain/date-time.ts';
import { unguardText } from '../../src/platform/text/formula-guard.ts';
import { rig } from '../../test/support/csv/kit.ts';
import {
  inLibreOffice,
  inOpenpyxl,
  type OpenedCell,
  openpyxl,
  soffice,
} from '../../test/support/csv/opened-files.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { needing } from '../../test/support/program.ts';
import { type CsvColumn, tableColumns } from './export/tables.ts';

/** Thirteen files in six languages take half a minute. */
const isAsked = process.env.VERIFY_RUNS !== undefined;
const timezone = 'Asia/Dhaka';

/** Language numbers of LibreOffice’s import, and a country that writes as people there do. */
const languages = [
  ...[['en', 1033, 'GB'] as const, ['de', 1031, 'DE'] as const, ['fr', 1036, 'FR'] as const],
  ...[['tr', 1055, 'TR'] as const, ['pt-BR', 1046, 'BR'] as const, ['ar', 1025, 'SA'] as const],
];

const words = ['007', '1E5', 'MAR1', '=1+1', 'Zoë, “Ş” & <b>', '1.10', '3/4', 'two\nlines', '-', '٣'];
const phones = ['+8801712345678', '01712345679', '+49 30 1234567'];
const amounts = ['1500.00', '2.345', '12500.50', '1.10', '0.05', '1234.5', '100'];
const of = (all: readonly string[], n: number) => all[n % all.length] ?? '';

/** A value as the mirror has it, for the nth row. */
function sampleOf({ name, kind }: CsvColumn, n: number): string | number {
  const two = String(1 + (n % 28)).padStart(2, '0');
  if (name === 'clinic') return 'main';
  if (name === 'ref') return `CS-00000${n}`;
  if (name === 'currency') return 'BHD';
  if (name.endsWith('phone')) return of(phones, n);
  switch (kind) {
    case 'number':
      return n + 1;
    case 'decimal':
    case 'money':
      return of(amounts, n);
    case 'date':
      return `2026-12-${two}`;
    case 'time':
      return `${String(8 + (n % 12)).padStart(2, '0')}:05`;
    case 'instant':
      // In the evening, when it is the next day at the clinic.
      return `2026-10-${two}T19:31:40.011Z`;
    case 'text':
      return of(words, n);
  }
}

const ROWS = 10;
const rowsOf = (table: MirrorTable): Row[] =>
  Array.from({ length: ROWS }, (_, n) => ({
    ...{ n, seen_at: '2026-03-02T08:59:00.000Z', raw: '{}' },
    ...Object.fromEntries(tableColumns[table].map((column) => [column.name, sampleOf(column, n)])),
  }));

/** Every table as files, for this country. */
async function filesFor(country: string, settings: Record<string, unknown>) {
  const clinics = [{ clinic: 'main', timezone, country }];
  const { converge, mirror, directory } = await rig({
    ...{ clock: fakeClock(), clinics, includePatient: true },
    settings,
  });
  for (const table of mirrorTables) mirror.rows[table] = rowsOf(table);
  await converge();
  return { folder: join(directory, 'main'), names: await readdir(join(directory, 'main')) };
}

/** What a cell must be: the number, the day, the moment by the clinic’s clock, or the text. */
function opened(value: string | number, kind: CsvColumn['kind']): OpenedCell {
  if (typeof value === 'number' || kind === 'decimal' || kind === 'money') return Number(value);
  if (kind !== 'instant') return value;
  const { date, time } = wallClockAt(Date.parse(value), timezone);
  return `${date} ${time}:${value.slice(17, 19)}`;
}

const sum = (cells: readonly (OpenedCell | undefined)[]) =>
  cells.reduce<number>((all, one) => all + Number(one), 0);

function expectSame(table: MirrorTable, cells: OpenedCell[][] | undefined): void {
  const [, ...rows] = cells ?? [];
  for (const [at, { name, kind }] of tableColumns[table].entries()) {
    const shouldBe = rowsOf(table).map((row) => opened(row[name] as string | number, kind));
    const are = rows
      .slice(0, ROWS)
      .map((row) => (typeof row[at] === 'string' ? unguardText(row[at]) : row[at]));
    expect([table, name, are.toSorted()]).toEqual([table, name, shouldBe.toSorted()]);
    if (typeof shouldBe[0] === 'number') expect(sum(are)).toBeCloseTo(sum(shouldBe), 6);
  }
}

describe.skipIf(!isAsked || soffice === undefined)('LibreOffice', () => {
  it.each(languages)(
    `adds up the same sums and reads the same days and phones from every file in %s${needing('LibreOffice', soffice)}`,
    { timeout: 300_000 },
    async (_language, number, country) => {
      const { folder, names } = await filesFor(country, { profile: 'excel' });
      const delimiter = ['GB', 'SA'].includes(country) ? 44 : 59;
      const tables = mirrorTables.filter((table) => names.includes(`${table}.csv`));

      const sheets = await inLibreOffice(
        tables.map((table) => join(folder, `${table}.csv`)),
        `CSV:${delimiter},34,76,1,,${number},true,true`,
      );

      expect(tables).toEqual(mirrorTables);
      for (const [at, table] of tables.entries()) expectSame(table, sheets[at]);
    },
  );

  it('reads every workbook as it is', { timeout: 300_000 }, async () => {
    const { folder } = await filesFor('DE', { format: 'xlsx' });

    const sheets = await inLibreOffice(mirrorTables.map((table) => join(folder, `${table}.xlsx`)));

    for (const [at, table] of mirrorTables.entries()) expectSame(table, sheets[at]);
  });
});

describe.skipIf(openpyxl === undefined)('openpyxl', () => {
  it(`reads every workbook as it is, with its age and zone${needing('python3-openpyxl', openpyxl)}`, {
    timeout: 120_000,
  }, async () => {
    const { folder } = await filesFor('DE', { format: 'xlsx' });

    const books = await inOpenpyxl(mirrorTables.map((table) => join(folder, `${table}.xlsx`)));

    for (const [at, table] of mirrorTables.entries()) {
      expectSame(table, books[at]?.[table]);
      const about = new Map(books[at]?.About?.map(([label, value]) => [label, value]));
      expect([about.get('Table'), about.get('Rows'), about.get('Time zone')]).toEqual([
        table,
        ROWS,
        timezone,
      ]);
    }
  });
});
