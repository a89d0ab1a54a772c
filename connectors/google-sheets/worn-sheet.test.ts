import { describe, expect, it, onTestFinished } from 'vitest';
import { type Behavior, harsh } from '../../sandbox/google-sheets/behavior.ts';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { feeChange, sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';
import { at, office } from '../../test/support/sheets/office.ts';

interface Place {
  clinic: string;
  timezone: string;
}

async function filled(
  settings: Record<string, unknown> = {},
  {
    behavior = {},
    currency = 'BDT',
    ...more
  }: { behavior?: Partial<Behavior>; currency?: string; clinics?: Place[] } = {},
) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock, behavior });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const rig = await sheetsRig({
    sandbox,
    clock,
    currency,
    ...more,
    settings: { tabs: ['treatments', 'sync'], ...settings },
  });
  rig.mirror.rows.treatments = [treatmentRow(1)];
  rig.mirror.changes = [feeChange(5)];
  await rig.converge();
  const writes = () => control.calls.filter(({ call }) => call === 'write').length;
  return { clock, control, rig, writes, userActions: control.userActions };
}

describe('the age of what a sheet shows', () => {
  it('turns STALE and red while nobody touches it', async () => {
    const { clock, control, rig } = await filled();
    const sync = () => control.tab('Sync');

    await clock.advance(24 * 60 * 60_000);

    expect(control.book.autoRecalc).toBe('MINUTE');
    expect(control.result(sync(), sync().rows[1]?.[rig.column('Sync', 'State')])?.stringValue).toBe(
      'STALE: not updated',
    );
    expect(JSON.stringify(sync().conditionalFormats)).toContain('TEXT_STARTS_WITH');
  });

  it('is recalculated as people choose, after being requested once', async () => {
    const { clock, control, rig } = await filled();
    control.book.autoRecalc = 'ON_CHANGE';
    await clock.advance(5 * 60_000);

    await rig.converge();

    expect(control.book.autoRecalc).toBe('ON_CHANGE');
    expect(control.tab('Sync').conditionalFormats).toHaveLength(2);
  });
});

it('has its age recalculated in the next spreadsheet, too', async () => {
  const { clock, rig } = await filled();
  const next = await startSheetsSandbox({ clock });
  onTestFinished(() => next.close());

  const { converge } = await sheetsRig({ sandbox: next, clock, desk: rig.desk, mirror: rig.mirror });
  await converge();

  expect(next.control.book.autoRecalc).toBe('MINUTE');
});

describe('the age of a tab', () => {
  const age = ({ control }: Pick<Awaited<ReturnType<typeof filled>>, 'control'>, title = 'Treatments') => {
    const tab = control.tab(title);
    const place = tab.columns.findIndex(({ metadata }) =>
      metadata.some(({ metadataValue }) => metadataValue.endsWith('/col:fresh')),
    );
    return { place, shown: control.result(tab, tab.rows[0]?.[place])?.stringValue };
  };

  it('is in its header with the clinic’s zone, moves on, and turns STALE and red without the daemon', async () => {
    const { clock, control, rig } = await filled({ tabs: ['treatments', 'bookings'] });
    const first = [age({ control }).shown, age({ control }, 'Bookings').shown];
    await clock.advance(15 * 60_000);
    rig.mirror.asOf = '2026-03-02T09:14:00.000Z';
    await rig.converge();
    const next = [age({ control }).shown, age({ control }, 'Bookings').shown];

    await clock.advance(60 * 60_000);

    expect(first).toEqual(['As of 2026-03-02 14:59 Asia/Dhaka', 'As of 2026-03-02 15:00 Asia/Dhaka']);
    expect(next).toEqual(['As of 2026-03-02 15:14 Asia/Dhaka', 'As of 2026-03-02 15:15 Asia/Dhaka']);
    expect(age({ control }).shown).toBe('STALE: As of 2026-03-02 15:14 Asia/Dhaka');
    expect(age({ control }, 'Bookings').shown).toBe('STALE: As of 2026-03-02 15:15 Asia/Dhaka');
    expect(JSON.stringify(control.tab('Treatments').conditionalFormats)).toContain('STALE');
  });

  it('is by the spreadsheet’s clock in every tab where clinics have different ones', async () => {
    const clinics = [
      { clinic: 'main', timezone: 'Europe/London' },
      { clinic: 'east', timezone: 'Asia/Tokyo' },
    ];

    const { control } = await filled({ tabs: ['treatments', 'bookings', 'sync'] }, { clinics });

    expect(['Treatments', 'Bookings', 'Sync'].map((title) => age({ control }, title).shown)).toEqual([
      'As of 2026-03-02 14:59 Asia/Dhaka',
      'As of 2026-03-02 15:00 Asia/Dhaka',
      'As of 2026-03-02 14:59 Asia/Dhaka',
    ]);
  });

  it('follows its column, and belongs to people once they have written over or deleted it', async () => {
    const { clock, control, rig, userActions } = await filled({ tabs: ['treatments', 'dentists'] });
    userActions.moveColumn('Treatments', age({ control }).place, 0);
    await clock.advance(15 * 60_000);
    rig.mirror.asOf = '2026-03-02T09:14:00.000Z';
    await rig.converge();
    const moved = age({ control });
    userActions.type('Treatments', 0, 0, 'Mine');
    userActions.deleteColumn('Dentists', age({ control }, 'Dentists').place);
    await clock.advance(15 * 60_000);
    rig.mirror.asOf = '2026-03-02T09:29:00.000Z';

    const { problems } = await rig.converge();

    expect(moved).toEqual({ place: 0, shown: 'As of 2026-03-02 15:14 Asia/Dhaka' });
    expect(age({ control }).shown).toBe('Mine');
    expect(age({ control }, 'Dentists').place).toBe(-1);
    expect(problems).toEqual([]);
  });

  it('comes to a tab of an earlier version, at its right end and once', async () => {
    const { clock, control, rig, userActions } = await filled({ tabs: ['treatments'] });
    userActions.deleteColumn('Treatments', age({ control }).place);
    userActions.insertColumn('Treatments', 9);
    userActions.type('Treatments', 1, 9, 'my note');
    await rig.desk.memory.set({ 'as-of': undefined });
    const advance = async () => {
      await clock.advance(15 * 60_000);
      await rig.converge();
    };

    await advance();
    await advance();

    expect(age({ control })).toEqual({ place: 10, shown: 'As of 2026-03-02 14:59 Asia/Dhaka' });
    expect(rig.shown('Treatments')[1]?.[9]).toBe('my note');
  });
});

describe('one of our rows', () => {
  it.each([
    ['ID', 77, '2'],
    ['ID', null, '2'],
    ['Clinic', 'elsewhere', '2'],
  ])(
    'is named in Sync once somebody changes its %s to %s, because its successor makes two',
    async (header, typed, row) => {
      const { clock, rig, userActions } = await filled();
      rig.mirror.rows.treatments = [treatmentRow(1), treatmentRow(2)];
      await rig.converge();
      // The one row that was there first is the last.
      userActions.moveRow('Treatments', 2, 1);
      userActions.type('Treatments', 1, rig.column('Treatments', header), typed);
      userActions.insertRow('Treatments', 2);
      userActions.type('Treatments', 2, rig.column('Treatments', 'Fee'), 'our own sum');
      await clock.advance(5 * 60_000);
      await rig.converge();

      const { problems, asks } = await rig.converge();
      userActions.deleteRow('Treatments', 1);
      await clock.advance(5 * 60_000);
      const cleared = await rig.converge();

      expect(problems).toEqual([
        `Treatments: row ${row} has no known ID or Clinic: it is not kept up to date, and sums may count it ` +
          'twice. Delete it.',
      ]);
      expect(asks).toEqual([]);
      expect(cleared.problems).toEqual([]);
    },
  );
});

describe('one of our columns', () => {
  it('is named as people see it when no booking can be taken without it', async () => {
    const { rig, userActions } = await office();
    const problemsWithout = async (header: string) => {
      userActions.deleteColumn('Bookings', rig.column('Bookings', header));
      return (await rig.converge()).problems;
    };

    const one = await problemsWithout('Phone *');
    const several = await problemsWithout('Ref');

    expect(one).toEqual([expect.stringContaining('Bookings: the column Phone was deleted, so no booking')]);
    expect(several).toEqual([expect.stringContaining('the columns Phone, Ref were deleted, so no booking')]);
  });

  it('is named with the others that are missing, and a row with the others that are there twice', async () => {
    const { clock, rig, userActions } = await filled();
    rig.mirror.rows.treatments = [treatmentRow(1), treatmentRow(2)];
    await rig.converge();
    userActions.copyRow('Treatments', 2, 3);
    await clock.advance(5 * 60_000);
    const one = await rig.converge();
    userActions.copyRow('Treatments', 1, 2);
    for (const header of ['Fee', 'Minutes'])
      userActions.deleteColumn('Treatments', rig.column('Treatments', header));
    await clock.advance(5 * 60_000);

    const several = await rig.converge();

    expect(one.problems).toEqual([
      'Treatments: 1 is in more than one row; sums count it twice. Delete the copy.',
    ]);
    expect(several.problems).toEqual([
      'Treatments: 1, 2 are in more than one row; sums count them twice. Delete the copies.',
      'Treatments: the columns Fee, Minutes are not kept up to date: deleted, or without our mark. To have ' +
        'them back: clinic-sync connectors repair accounts.',
    ]);
  });

  it.each([
    ['deleted', [], 'Note'],
    ['without its mark', [{ weight: 'need' }], 'Needs you'],
  ])(
    'is reported in Sync when it is %s, needs a person while still shown, and is dropped once it is back',
    async (how, asked, state) => {
      const { clock, control, rig, userActions } = await filled();
      const column = rig.column('Treatments', 'Fee');
      const { columns } = control.tab('Treatments');
      if (how === 'deleted') userActions.deleteColumn('Treatments', column);
      else columns[column] = { metadata: [] };
      await clock.advance(5 * 60_000);

      const { problems, asks } = await rig.converge();
      const said = JSON.stringify(rig.shown('Sync'));
      await rig.connector.repair(new AbortController().signal);
      const repaired = await rig.converge();

      expect(problems).toEqual([expect.stringMatching(/^Treatments: the column Fee (is not|has lost)/)]);
      expect(said).toMatch(/the column Fee (is not kept|has lost)/);
      expect(said).toContain(`"${state}"`);
      expect(asks).toMatchObject(asked);
      expect(asks).toHaveLength(asked.length);
      expect(repaired.problems).toEqual([]);
    },
  );

  it('is named when it is the State of Bookings', async () => {
    const { clock, rig, userActions } = await office();
    userActions.deleteColumn('Bookings', at('state'));
    await clock.advance(5 * 60_000);

    const { problems } = await rig.converge();

    expect(problems).toEqual([expect.stringMatching(/^Bookings: the column State is not kept/)]);
  });
});

describe('rows that people or the clinic took away', () => {
  it('come back below a header that is not frozen', async () => {
    const { clock, control, rig, userActions } = await filled();
    control.tab('Treatments').frozenRowCount = 0;
    while (control.tab('Treatments').rowCount > 1) userActions.deleteRow('Treatments', 1);
    await clock.advance(5 * 60_000);

    const { problems } = await rig.converge();

    expect(problems).toEqual([]);
    expect(rig.shown('Treatments').map(([id]) => id)).toEqual(['ID', 1]);
  });

  it('are deleted although they are the last', async () => {
    const { control, rig, userActions } = await filled({ on_remove: 'delete' });
    while (control.tab('Treatments').rowCount > 2) userActions.deleteRow('Treatments', 2);
    rig.mirror.rows.treatments = [treatmentRow(1, { removed_at: '2026-03-02T09:00:00.000Z' })];

    const { problems } = await rig.converge();

    expect(problems).toEqual([]);
    expect(rig.shown('Treatments').filter(([id]) => id === 1)).toEqual([]);
  });
});

it.each([
  ['KWD', '#,##0.000" KWD"'],
  ['JPY', '#,##0" JPY"'],
  ['EUR', '#,##0.00" EUR"'],
  ['', '#,##0.00'],
])('shows fees with the decimal places of %s', async (currency, pattern) => {
  const { control, rig } = await filled({}, { currency });

  const cell = control.tab('Treatments').rows[1]?.[rig.column('Treatments', 'Fee')];

  expect(cell?.format?.numberFormat).toEqual({ type: 'NUMBER', pattern });
});

it('has the same ID in Fee history as in Treatments, for lookups', async () => {
  const { rig } = await filled({ tabs: ['treatments', 'fee_history'] });

  const id = rig.shown('Fee history')[1]?.[rig.column('Fee history', 'Of ID')];

  expect(id).toBe(1);
});

it.each(['x', 'yes', 'TRUE', '✓', 1])(
  'answers a Send that was pasted as %j instead of ignoring the row',
  async (send) => {
    const { rig, fill, cell, tick } = await office();
    fill(1, { send });

    await tick(3);

    expect([cell(1, 'state'), cell(1, 'message'), cell(1, 'send')]).toEqual([
      'incomplete',
      expect.stringContaining('tick its checkbox'),
      send,
    ]);
    expect(rig.desk.submissions).toEqual([]);
  },
);

it('removes a misplaced drop-down, although people inserted a row above it', async () => {
  const { rig, sandbox, tick, userActions } = await office();
  rig.mirror.rows.treatments = [treatmentRow(1)];
  sandbox.control.beforeWrite(() => {
    sandbox.control.beforeWrite(undefined);
    userActions.insertColumn('Bookings', 0);
  });
  await tick();
  userActions.insertRow('Bookings', 1);
  // Its rules were cleared, or it came from elsewhere.
  sandbox.control.tab('Bookings').rows[1] = [];

  await tick();

  const rules = (sandbox.control.tab('Bookings').rows[6] ?? []).map(
    (one) => (one?.validation?.condition as { type?: string } | undefined)?.type ?? null,
  );
  expect(rules.flatMap((type, column) => (type === null ? [] : [column]))).toEqual([
    at('dentist') + 1,
    at('treatment') + 1,
    at('send') + 1,
  ]);
});

describe('a value that Google stores differently', () => {
  it('is reported once instead of written forever: merged cells', async () => {
    const { clock, rig, userActions, writes } = await filled({}, { behavior: harsh });
    rig.mirror.rows.treatments = [treatmentRow(1), treatmentRow(2)];
    await rig.converge();
    const column = rig.column('Treatments', 'Fee');
    userActions.merge('Treatments', {
      startRowIndex: 1,
      endRowIndex: 3,
      startColumnIndex: column,
      endColumnIndex: column + 1,
    });
    await clock.advance(5 * 60_000);
    const { problems } = await rig.converge();
    const before = writes();

    await clock.advance(5 * 60_000);
    await rig.converge();

    expect(problems).toEqual([
      expect.stringMatching(/^Treatments: 1 cell of ours is hidden in merged cells/),
    ]);
    expect(writes()).toBe(before);
  });

  it.each([
    ['Treatments', 'ID', 1],
    ['Bookings', 'Patient *', 1],
  ])(
    'is named where it is hidden in %s, and not where people merged cells of their own: %s',
    async (tab, header, cells) => {
      const { clock, rig, userActions } = await filled({ tabs: ['treatments', 'bookings', 'sync'] });
      rig.mirror.rows.treatments = [treatmentRow(1), treatmentRow(2)];
      await rig.converge();
      const column = rig.column(tab, header);
      const over = (startRowIndex: number, startColumnIndex: number, wide = 1) => ({
        ...{ startRowIndex, endRowIndex: startRowIndex + 2, startColumnIndex },
        endColumnIndex: startColumnIndex + wide,
      });
      userActions.type('Bookings', 1, rig.column('Bookings', 'Patient *'), 'Ann');
      userActions.insertColumn(tab, 0);
      userActions.merge(tab, over(1, 0));
      userActions.merge(tab, over(20, 0, 3));
      await clock.advance(5 * 60_000);
      const own = await rig.converge();
      userActions.merge(tab, over(1, column + 1));
      await clock.advance(5 * 60_000);

      const { asks } = await rig.converge();

      expect(own.asks).toEqual([]);
      expect(asks.map(({ sentence }) => sentence)).toEqual([
        expect.stringMatching(new RegExp(`^${tab}: ${cells} cell of ours is hidden in merged cells`)),
      ]);
      expect(JSON.stringify(rig.shown('Sync'))).toContain('hidden in merged cells');
    },
  );

  it('is written in a form that stays: line breaks', async () => {
    const { clock, rig, writes } = await filled({}, { behavior: harsh });
    rig.mirror.rows.treatments = [treatmentRow(1, { description: 'one\r\ntwo\rthree' })];
    await rig.converge();
    const before = writes();

    await clock.advance(5 * 60_000);
    await rig.converge();

    expect(rig.shown('Treatments')[1]?.[rig.column('Treatments', 'Description')]).toBe('one\ntwo\nthree');
    expect(writes()).toBe(before);
  });

  it('causes no standstill: a misplaced checkbox that refuses Ref', async () => {
    const { rig, sandbox, fill, cell, tick } = await office({ checkboxesTakeAnything: false });
    const place = (validation: Record<string, unknown>) => {
      const { rows } = sandbox.control.tab('Bookings');
      const ref = { ...rows[1]?.[at('ref')], validation };
      rows[1] = (rows[1] ?? []).with(at('ref'), ref);
    };
    fill(1);
    place({ condition: { type: 'BOOLEAN' }, strict: true });

    const { problems } = await tick(2);
    place({});
    await tick(4);

    expect(problems).toEqual([expect.stringContaining('Bookings: not up to date')]);
    expect(cell(1, 'ref')).toMatch(/^CS-/);
    expect(rig.desk.bookings).toHaveLength(1);
  });
});
