import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { type SheetsSandbox, startSheetsSandbox } from './google-sheets.ts';

const clock = fakeClock();
let sandbox: SheetsSandbox;

const start = async (locale?: string) => {
  sandbox = await startSheetsSandbox({ clock, ...(locale !== undefined && { locale }) });
  onTestFinished(() => sandbox.close());
};
beforeEach(() => start());

const actions = () => sandbox.control.userActions;
const cell = (row: number, column: number) => sandbox.control.tab('Sheet1').rows[row]?.[column];
const formula = (row: number, column: number) => cell(row, column)?.value?.formulaValue;
const result = (row: number, column: number) =>
  sandbox.control.result(sandbox.control.tab('Sheet1'), cell(row, column));

describe('what refers to rows and columns', () => {
  it.each([
    ['before the first row, and moves', 1, '=SUM(A3:A5)'],
    ['inside, and grows', 2, '=SUM(A2:A5)'],
    ['before the last row, and grows', 3, '=SUM(A2:A5)'],
    ['after the last row, and does not grow', 4, '=SUM(A2:A4)'],
  ])('sees a row inserted %s', (_, at, expected) => {
    actions().type('Sheet1', 8, 1, { formula: '=SUM(A2:A4)' });

    actions().insertRow('Sheet1', at);

    expect(formula(9, 1)).toBe(expected);
  });

  it('moves with deleted rows and columns, and is lost with all of its cells', () => {
    actions().type('Sheet1', 8, 3, { formula: '=SUM(B2:B4)' });
    actions().type('Sheet1', 9, 3, { formula: '=$B$3' });

    actions().deleteRow('Sheet1', 2);
    actions().insertColumn('Sheet1', 0);

    expect([formula(7, 4), formula(8, 4)]).toEqual(['=SUM(C2:C3)', '=#REF!']);
  });

  it('follows cells that are cut and pasted, unless it refers to others as well', () => {
    actions().type('Sheet1', 1, 0, 7);
    actions().type('Sheet1', 2, 0, 8);
    const cut = { startRowIndex: 1, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: 1 };
    actions().nameRange('Sheet1', 'Fees', cut);
    for (const [row, text] of ['=SUM(A2:A3)', '=$A$2', '=SUM(A2:A9)', '=SUM(Fees)'].entries())
      actions().type('Sheet1', 10 + row, 5, { formula: text });

    actions().cutAndPaste('Sheet1', cut, { row: 4, column: 2 });

    expect([10, 11, 12].map((row) => formula(row, 5))).toEqual(['=SUM(C5:C6)', '=$C$5', '=SUM(A2:A9)']);
    expect([10, 11, 13].map((row) => result(row, 5))).toEqual(
      [15, 7, 15].map((numberValue) => ({ numberValue })),
    );
  });

  it('includes the source of a pivot table, and the column of a filter', () => {
    actions().pivot('Sheet1', { startRowIndex: 0, endRowIndex: 4, startColumnIndex: 1, endColumnIndex: 3 });
    actions().filter('Sheet1', 2, 'open');

    actions().insertRow('Sheet1', 3);
    actions().insertColumn('Sheet1', 0);

    const { pivotSources, filter } = sandbox.control.tab('Sheet1');
    expect(pivotSources).toEqual([
      { startRowIndex: 0, endRowIndex: 5, startColumnIndex: 2, endColumnIndex: 4 },
    ]);
    expect(filter).toEqual({ column: 3, text: 'open' });
    actions().deleteColumn('Sheet1', 3);
    expect(sandbox.control.tab('Sheet1').filter).toBeUndefined();
  });

  it('includes named ranges, protections, merges and tables', () => {
    const range = { startRowIndex: 1, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 2 };
    actions().nameRange('Sheet1', 'Fees', range);
    actions().protect('Sheet1', range);
    actions().merge('Sheet1', range);
    actions().convertToTable('Sheet1', [], range);

    actions().insertRow('Sheet1', 3);

    const { protections, merges, tables } = sandbox.control.tab('Sheet1');
    const { namedRanges } = sandbox.control.book;
    const grown = { startRowIndex: 1, endRowIndex: 5 };
    expect([...namedRanges, ...protections]).toMatchObject([{ range: grown }, { range: grown }]);
    expect([...merges, ...tables]).toMatchObject([grown, grown]);
  });
});

describe('what people type', () => {
  it.each([
    ['en_US', '05/01/2027', { numberValue: 46_508 }],
    ['en_GB', '05/01/2027', { numberValue: 46_392 }],
    ['de_DE', '5.1.2027', { numberValue: 46_392 }],
    ['de_DE', '1,5', { numberValue: 1.5 }],
    ['en_US', '1.5', { numberValue: 1.5 }],
    ['en_US', '50%', { numberValue: 0.5 }],
    ['de_DE', 'WAHR', { boolValue: true }],
    ['en_US', 'WAHR', { stringValue: 'WAHR' }],
    ['en_US', '10:30', { numberValue: 0.4375 }],
    ['en_US', '2:30 pm', { numberValue: 14.5 / 24 }],
    ['en_US', "'01712", { stringValue: '01712' }],
    ['en_US', '01712', { numberValue: 1712 }],
  ])('is read by the locale: in %s, %s', async (locale, text, value) => {
    await start(locale);

    actions().enter('Sheet1', 1, 1, text);

    expect(cell(1, 1)?.value).toEqual(value);
  });

  it('counts up when it is filled down, and moves without the marks of its column when it is cut', () => {
    actions().type('Sheet1', 1, 0, '01712345679');
    actions().enter('Sheet1', 1, 1, '2026-03-09');
    const row = { startRowIndex: 1, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 2 };

    actions().fillDown('Sheet1', row, 2);
    const filled = [cell(2, 0)?.value, cell(2, 1)?.value];
    actions().cutAndPaste('Sheet1', row, { row: 5, column: 3 });

    expect(filled).toEqual([{ stringValue: '01712345680' }, { numberValue: 46_091 }]);
    expect([cell(1, 0), cell(5, 3)?.value]).toEqual([undefined, { stringValue: '01712345679' }]);
  });

  it('comes back with a restored version', () => {
    actions().type('Sheet1', 1, 0, 'then');
    const restore = actions().version();
    actions().type('Sheet1', 1, 0, 'now');

    restore();

    expect(result(1, 0)).toEqual({ stringValue: 'then' });
  });

  it.each([
    ['=NA()', 'N_A'],
    ['=IMPORTRANGE("x";"A1")', 'LOADING'],
    ['=MISSPELT()', 'NAME'],
  ])('may come to an error: %s', (text, type) => {
    actions().enter('Sheet1', 1, 0, text);

    expect(result(1, 0)?.errorValue?.type).toBe(type);
  });
});
