import { describe, expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { feeChange, sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';

async function tabs(keys: string[] = ['treatments']) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs: keys } });
  rig.mirror.rows.treatments = [1, 2, 3].map((id) => treatmentRow(id, { base_fee: `${id}00.00` }));
  await rig.converge();
  const { userActions, book } = {
    userActions: sandbox.control.userActions,
    book: () => sandbox.control.book,
  };
  const add = (...ids: number[]) => {
    rig.mirror.rows.treatments = [
      ...(rig.mirror.rows.treatments ?? []),
      ...ids.map((id) => treatmentRow(id, { base_fee: `${id}00.00` })),
    ];
  };
  /** Runs as the daemon does: after a failure soon again. */
  const run = async (seconds: number) => {
    await clock.advance(seconds * 1_000);
    return rig.converge().catch((error: Error) => ({ problems: [error.message], asks: [] }));
  };
  const idsIn = (tab: string) => rig.shown(tab).flatMap(([id]) => (typeof id === 'number' ? [id] : []));
  const result = (tab: string, row: number, column: number) => {
    const grid = sandbox.control.tab(tab);
    return sandbox.control.result(grid, grid.rows[row]?.[column])?.numberValue;
  };
  return { clock, sandbox, rig, userActions, book, add, run, idsIn, result };
}

describe('new rows', () => {
  it('are inside of sums, named ranges, sums on other tabs and tables of people’s, in their order', async () => {
    const { sandbox, rig, userActions, book, add, run, idsIn, result } = await tabs();
    const fee = rig.column('Treatments', 'Fee');
    const letter = String.fromCharCode(65 + fee);
    userActions.insertRow('Treatments', 4);
    userActions.type('Treatments', 4, fee, { formula: `=SUM(${letter}2:${letter}4)` });
    const fees = { startRowIndex: 1, endRowIndex: 4, startColumnIndex: fee, endColumnIndex: fee + 1 };
    userActions.nameRange('Treatments', 'Fees', fees);
    userActions.convertToTable('Treatments', [], { ...fees, startRowIndex: 0, startColumnIndex: 0 });
    userActions.pivot('Treatments', { ...fees, startRowIndex: 0, startColumnIndex: 0 });
    userActions.type('Sheet1', 0, 0, { formula: '=SUM(Fees)' });
    userActions.type('Sheet1', 1, 0, { formula: `=SUM(Treatments!${letter}2:${letter}4)` });

    add(4, 5);
    await run(10);
    add(6);
    await run(10);

    expect(idsIn('Treatments')).toEqual([1, 2, 4, 5, 6, 3]);
    expect([result('Treatments', 7, fee), result('Sheet1', 0, 0), result('Sheet1', 1, 0)]).toEqual([
      2100, 2100, 2100,
    ]);
    expect(book().namedRanges).toMatchObject([{ range: { startRowIndex: 1, endRowIndex: 7 } }]);
    const { tables, pivotSources } = sandbox.control.tab('Treatments');
    expect([...tables, ...pivotSources]).toMatchObject([{ endRowIndex: 7 }, { endRowIndex: 7 }]);
    expect(sandbox.control.tab('Treatments').rows[3]?.[fee]?.format).toMatchObject({
      numberFormat: { type: 'NUMBER' },
    });
  });

  it('of the fee history are inside as well', async () => {
    const { rig, userActions, run, result } = await tabs(['fee_history']);
    rig.mirror.changes = [feeChange(1), feeChange(2)];
    await run(10);
    const column = rig.column('Fee history', 'New');
    const letter = String.fromCharCode(65 + column);
    userActions.type('Sheet1', 0, 0, { formula: `=SUM('Fee history'!${letter}2:${letter}3)` });
    const before = result('Sheet1', 0, 0) ?? 0;

    rig.mirror.changes = [...rig.mirror.changes, feeChange(3)];
    await run(10);

    expect(result('Sheet1', 0, 0)).toBeCloseTo(before * 1.5);
  });

  it.each([0, 2_000, 30_000, 50_000])(
    'are there once when Google answers 503 and applies them %i ms later',
    async (delayMs) => {
      const { sandbox, add, run, idsIn } = await tabs();
      add(4, 5);
      sandbox.control.fault({ on: 'write', kind: 'late', delayMs });

      await run(1);
      for (const seconds of [5, 10, 20, 30, 30, 30, 300]) await run(seconds);

      expect(idsIn('Treatments').toSorted()).toEqual([1, 2, 3, 4, 5]);
    },
  );

  it.each([0, 9_000, 50_000])(
    'are there once in the fee history, too, and in its sums, when it is applied %i ms after a 503',
    async (delayMs) => {
      const { sandbox, rig, userActions, run, idsIn, result } = await tabs(['fee_history']);
      rig.mirror.changes = [feeChange(1), feeChange(2)];
      await run(10);
      const letter = String.fromCharCode(65 + rig.column('Fee history', 'New'));
      userActions.type('Sheet1', 0, 0, { formula: `=SUM('Fee history'!${letter}2:${letter}3)` });
      const each = (result('Sheet1', 0, 0) ?? 0) / 2;
      rig.mirror.changes = [1, 2, 3, 4].map((sequence) => feeChange(sequence));
      sandbox.control.fault({ on: 'write', kind: 'late', delayMs });

      await run(1);
      for (const seconds of [5, 10, 20, 30, 30, 30, 300]) await run(seconds);

      expect(idsIn('Fee history').toSorted()).toEqual([1, 2, 3, 4]);
      expect(result('Sheet1', 0, 0)).toBeCloseTo(4 * each);
    },
  );

  it('are added when two readings a minute apart agree that they were not', async () => {
    const { sandbox, add, run, idsIn } = await tabs();
    add(4);
    sandbox.control.fault({ on: 'write', kind: 'reset-before' });

    await run(1);
    await run(5);
    await run(30);
    const early = idsIn('Treatments');
    await run(31);

    expect(early).toEqual([1, 2, 3]);
    expect(idsIn('Treatments')).toEqual([1, 2, 4, 3]);
  });

  it('that Google added after all are taken back, unless people wrote beside both', async () => {
    const { clock, sandbox, rig, userActions, add, run, idsIn } = await tabs();
    const beside = sandbox.control.tab('Treatments').columns.length;
    userActions.insertColumn('Treatments', beside);
    add(4, 5);
    sandbox.control.fault({ on: 'write', kind: 'late', delayMs: 90_000 });
    await run(1);
    for (const seconds of [5, 31, 31]) await run(seconds);
    await clock.advance(32_000);
    sandbox.control.applyLate();
    const doubled = idsIn('Treatments');
    for (const [row, cells] of rig.shown('Treatments').entries())
      if (cells[0] === 5) userActions.type('Treatments', row, beside, `note ${row}`);

    const { asks } = await run(300);

    expect(doubled.toSorted()).toEqual([1, 2, 3, 4, 4, 5, 5]);
    expect(idsIn('Treatments').toSorted()).toEqual([1, 2, 3, 4, 5, 5]);
    expect(asks).toMatchObject([
      { weight: 'need', sentence: expect.stringContaining('5 is in more than one row') },
    ]);
  });

  it('are not added blindly by a process that replaces a killed one', async () => {
    const { clock, sandbox, rig, add, run, idsIn } = await tabs();
    add(4);
    sandbox.control.fault({ on: 'write', kind: 'late', delayMs: 20_000 });
    const dying = new AbortController();
    sandbox.control.beforeWrite(() => dying.abort(new Error('killed')));
    await rig.converge(dying.signal).catch(() => {});
    sandbox.control.beforeWrite(undefined);
    const next = await sheetsRig({
      ...{ sandbox, clock, mirror: rig.mirror, desk: rig.desk },
      settings: { tabs: ['treatments'] },
    });

    await next.converge();
    await clock.advance(30_000);
    await next.converge();
    await run(300);

    expect(idsIn('Treatments').toSorted()).toEqual([1, 2, 3, 4]);
  });
});
