import { describe, expect, it } from 'vitest';
import { localInstant } from '../../src/reports/workbook/local-instant.ts';
import { columnsFor, tableColumns } from './export/tables.ts';
import { dialectOf, encoded, renderHeader, renderRows } from './render-csv.ts';
import { CsvSettings } from './settings.ts';

const fees = columnsFor(tableColumns.fees, false);
const fee = (treatment_name: string, amount: string, currency = 'EUR') => ({
  ...{ clinic: 'main', treatment_id: 7, treatment_name, fee: amount, currency },
  ...{ valid_from: '2026-11-28T08:31:40.011Z', valid_to: null },
});

function written(
  settings: Record<string, unknown>,
  country: string | undefined,
  rows = [fee('=A;B', '1500.00')],
) {
  const dialect = dialectOf(CsvSettings.parse({ directory: '/x', ...settings }), {
    timezone: 'Asia/Dhaka',
    country,
  });
  return encoded(renderHeader(fees, dialect) + renderRows(fees, rows, dialect), dialect);
}
const lastLine = (bytes: Buffer) => bytes.toString('utf8').trimEnd().split('\n').at(-1);

describe('profile data', () => {
  it.each([undefined, 'DE', 'BD', 'TR'])('is the same in every country (%s)', (country) => {
    expect(lastLine(written({}, country))).toBe(
      '"main",7,"=A;B","1500.00","EUR","2026-11-28T08:31:40.011Z",',
    );
  });
});

describe('profile excel', () => {
  it.each([
    ['DE', `"main";7;"'=A;B";1500,00;"EUR";2026-11-28 14:31:40;`],
    ['FR', `"main";7;"'=A;B";1500,00;"EUR";2026-11-28 14:31:40;`],
    ['TR', `"main";7;"'=A;B";1500,00;"EUR";2026-11-28 14:31:40;`],
    ['BR', `"main";7;"'=A;B";1500,00;"EUR";2026-11-28 14:31:40;`],
    ['CH', `"main";7;"'=A;B";1500.00;"EUR";2026-11-28 14:31:40;`],
    ['GB', `"main",7,"'=A;B",1500.00,"EUR",2026-11-28 14:31:40,`],
    ['BD', `"main",7,"'=A;B",1500.00,"EUR",2026-11-28 14:31:40,`],
    ['EG', `"main",7,"'=A;B",1500.00,"EUR",2026-11-28 14:31:40,`],
    [undefined, `"main",7,"'=A;B",1500.00,"EUR",2026-11-28 14:31:40,`],
  ])('is written as programs in %s read it', (country, line) => {
    expect(lastLine(written({ profile: 'excel' }, country))).toBe(line);
  });

  it('names the zone of its times', () => {
    expect(written({ profile: 'excel' }, 'DE').toString()).toContain(
      'valid_from (Asia/Dhaka);valid_to (Asia/Dhaka)\n',
    );
  });

  it('tells the two hours apart that autumn repeats', () => {
    const at = (valid_from: string) => localInstant(valid_from, 'Europe/Berlin');

    expect(['2026-10-25T00:30:09.5Z', '2026-10-25T01:30:09.5Z', '2026-10-25T02:30:09.5Z'].map(at)).toEqual([
      '2026-10-25 02:30:09 +02:00',
      '2026-10-25 02:30:09 +01:00',
      '2026-10-25 03:30:09',
    ]);
  });

  it('writes three decimals so that no program takes them for thousands', () => {
    expect(lastLine(written({ profile: 'excel' }, 'GB', [fee('A', '2.345', 'BHD')]))).toContain(',2.3450,');
    expect(lastLine(written({ profile: 'excel' }, 'TN', [fee('A', '2.345', 'TND')]))).toContain(';2,3450;');
  });
});

it.each([
  [{ profile: 'excel', delimiter: 'semicolon' }, 'BD', `"main";7;"'=A;B";1500,00;"EUR";2026-11-28 14:31:40;`],
  [{ profile: 'excel', delimiter: 'comma' }, 'DE', `"main",7,"'=A;B",1500.00,"EUR",2026-11-28 14:31:40,`],
  [
    { profile: 'excel', delimiter: 'comma', decimal: 'comma' },
    'DE',
    `"main",7,"'=A;B","1500,00","EUR",2026-11-28 14:31:40,`,
  ],
  [
    { delimiter: 'semicolon', decimal: 'comma', quote: 'minimal' },
    'DE',
    'main;7;"=A;B";1500,00;EUR;2026-11-28T08:31:40.011Z;',
  ],
  [
    { delimiter: 'semicolon', decimal: 'comma' },
    'DE',
    '"main";7;"=A;B";1500,00;"EUR";"2026-11-28T08:31:40.011Z";',
  ],
  [{ quote: 'all' }, 'DE', '"main","7","=A;B","1500.00","EUR","2026-11-28T08:31:40.011Z",""'],
])('follows the settings %j', (settings, country, line) => {
  expect(lastLine(written(settings, country))).toBe(line);
});

it('writes a code page without losing more than it lacks', () => {
  const bytes = written({ output_encoding: 'windows-1252', profile: 'excel' }, 'DE', [
    fee('Zoë’s Füllung € ŁŐ 山', '1.00'),
  ]);

  expect(new TextDecoder('windows-1252').decode(bytes)).toContain('"Zoë’s Füllung € ?O ?"');
  expect(bytes[0]).not.toBe(0xef);
});
