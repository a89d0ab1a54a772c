import { describe, expect, it, onTestFinished } from 'vitest';
import type { Behavior } from '../../sandbox/google-sheets/behavior.ts';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { desk } from '../../test/support/csv/kit.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { dentistRow, type SheetsRig, sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';

const settings = { tabs: ['treatments', 'dentists', 'bookings', 'sync'] };

/** A filled spreadsheet; `book`: a user types a lead into a row of a tab and ticks it. */
async function filled(behavior: Partial<Behavior> = {}, treatment = 'Scaling') {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock, behavior });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  const rig = await sheetsRig({ sandbox, clock, settings });
  rig.mirror.rows = {
    treatments: [treatmentRow(1, { treatment_name: treatment })],
    dentists: [dentistRow(7)],
  };
  await rig.converge();
  await rig.converge();
  const run = async (times = 1) => {
    let last = await rig.converge();
    for (let left = times; left > 1; left -= 1) {
      await clock.advance(6_000);
      last = await rig.converge();
    }
    return last;
  };
  const book = (tab: string, row: number, patient: string) => {
    const at = (header: string) => rig.column(tab, header);
    control.userActions.type(tab, row, at('Patient *'), patient);
    control.userActions.type(tab, row, at('Phone *'), '01712345678');
    control.userActions.type(tab, row, at('Date *'), 46_100);
    control.userActions.type(tab, row, at('Time *'), 0.5);
    control.userActions.type(tab, row, at('Send'), true);
  };
  const calls = (call: string) => control.calls.filter((one) => one.call === call).length;
  return { clock, sandbox, control, rig, run, book, calls, userActions: control.userActions };
}

const fee = (rig: SheetsRig) => rig.shown('Treatments')[1]?.[rig.column('Treatments', 'Fee')];
const booked = ({ desk: { bookings } }: SheetsRig) => bookings.map(({ patient_name }) => patient_name);
const inSync = (rig: SheetsRig) => JSON.stringify(rig.shown('Sync'));

describe('what Google refuses of one tab', () => {
  it('stops only that tab, which Sync names: bookings and other tabs continue', async () => {
    const { clock, sandbox, control, rig, run, book, calls } = await filled();
    control.refuseTab(control.tab('Dentists').sheetId, 'Invalid requests[0].updateCells: No.');
    rig.mirror.rows.dentists = [dentistRow(7, { consultation_fee: '90.00' })];
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '9.00' })];
    book('Bookings', 1, 'Ann');

    const first = await run();
    const { problems, asks } = await run(4);
    const tried = calls('write');
    await run(3);

    expect(booked(rig)).toEqual(['Ann']);
    expect(fee(rig)).toBe(9);
    expect(problems).toEqual([expect.stringContaining('Dentists: not up to date')]);
    expect([first.problems, first.asks]).toEqual([problems, []]);
    expect(asks).toMatchObject([{ weight: 'trouble' }]);
    expect(inSync(rig)).toContain('Dentists: not up to date');
    expect(calls('write')).toBe(tried);
    expect(problems[0]).toContain('Google refuses what clinic-sync writes there (G2): No.');
    expect(await rig.connector.check(new AbortController().signal)).toContainEqual(
      expect.objectContaining({ level: 'fail', what: expect.stringContaining('(G2): No.') }),
    );
    const restarted = await sheetsRig({ sandbox, clock, settings, mirror: rig.mirror, desk: rig.desk });
    expect((await restarted.converge()).asks).toEqual(asks);
  });

  it('is written again within five minutes once Google takes it', async () => {
    const { clock, control, rig, run } = await filled();
    control.refuseTab(control.tab('Treatments').sheetId, 'No.');
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '9.00' })];
    await run(3);
    control.refuseTab(control.tab('Treatments').sheetId, undefined);

    await clock.advance(5 * 60_000);
    const { problems } = await run(2);

    expect(fee(rig)).toBe(9);
    expect(problems).toEqual([]);
    expect(inSync(rig)).not.toContain('not up to date');
  });

  it('is only the drop-downs where people made Bookings a table with typed columns', async () => {
    const { rig, run, book, userActions, calls } = await filled();
    userActions.convertToTable('Bookings', [
      rig.column('Bookings', 'Send'),
      rig.column('Bookings', 'Treatment'),
    ]);
    userActions.insertRow('Bookings', 1);
    book('Bookings', 1, 'Ann');
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '9.00' })];

    const { problems, asks } = await run(4);
    const tried = calls('write');
    await run(3);

    expect(booked(rig)).toEqual(['Ann']);
    expect(fee(rig)).toBe(9);
    expect(problems).toEqual([expect.stringContaining('table with typed columns')]);
    expect(asks).toEqual([]);
    expect(calls('write')).toBe(tried);
  });
});

it.each(['=HYPERLINK("https://clinic.example")', '+1 visit', '3/4', '2026', 'TRUE', '5 May'])(
  'offers no choice that Google would read as a formula, number or date (%s), and makes every tab',
  async (name) => {
    const { control, rig, run, book } = await filled({ listsTakeFormulas: false }, name);
    book('Bookings', 1, 'Ann');

    const { problems } = await run(3);

    const rules = JSON.stringify(
      control.tab('Bookings').rows.map((row) => row.map((cell) => cell?.validation)),
    );
    expect(rules).not.toContain(JSON.stringify(name).slice(1, -1));
    expect(problems).toEqual([]);
    expect(booked(rig)).toEqual(['Ann']);
  },
);

describe('cells that Google refuses', () => {
  type There = Awaited<ReturnType<typeof filled>>;
  const below = (column: number, endRowIndex = 9) => ({
    ...{ startRowIndex: 1, endRowIndex },
    ...{ startColumnIndex: column, endColumnIndex: column + 1 },
  });
  const shown = ({ rig }: There, header: string) =>
    rig
      .shown('Treatments')
      .slice(1)
      .filter((row) => row[rig.column('Treatments', 'ID')])
      .map((row) => row[rig.column('Treatments', header)] ?? null);

  it.each<[string, (there: There, fee: number) => void]>([
    ['a typed column', ({ userActions }, fee) => userActions.typeColumn('Treatments', fee, 'TEXT')],
    [
      'a strict range of numbers',
      ({ userActions }, fee) =>
        userActions.validate('Treatments', below(fee), {
          condition: { type: 'NUMBER_GREATER', values: [{ userEnteredValue: '5000' }] },
          strict: true,
        }),
    ],
    [
      'a strict list',
      ({ userActions }, fee) =>
        userActions.validate('Treatments', below(fee), {
          condition: { type: 'ONE_OF_LIST', values: [{ userEnteredValue: '1' }] },
          strict: true,
        }),
    ],
  ])('are named with its words, and stop no other cell of the tab: %s', async (_, place) => {
    const there = await filled({ checkboxesTakeAnything: false });
    const { rig, run, book, calls } = there;
    place(there, rig.column('Treatments', 'Fee'));
    const before = shown(there, 'Fee');
    rig.mirror.rows.treatments = [
      treatmentRow(1, { base_fee: '9.00', treatment_name: 'Whitening' }),
      treatmentRow(2, { base_fee: '12.00' }),
    ];
    book('Bookings', 1, 'Ann');

    const { problems } = await run(4);
    const tried = calls('write');
    await run(3);

    expect(shown(there, 'Fee')).toEqual([null, ...before]);
    expect(shown(there, 'Treatment')).toEqual([expect.any(String), 'Whitening']);
    expect(problems).toEqual([
      expect.stringMatching(/^Treatments: not up to date.*\([A-Z]\d\): .*data validation rules/s),
    ]);
    expect(booked(rig)).toEqual(['Ann']);
    expect(calls('write')).toBe(tried);
  });

  it('are written within five minutes of the rule being taken away, and a rule that only warns stops nothing', async () => {
    const there = await filled({ checkboxesTakeAnything: false });
    const { clock, rig, run, userActions } = there;
    const fee = rig.column('Treatments', 'Fee');
    const rule = { condition: { type: 'NUMBER_GREATER', values: [{ userEnteredValue: '5000' }] } };
    userActions.validate('Treatments', below(fee), { ...rule, strict: true });
    rig.mirror.rows.treatments = [treatmentRow(1, { base_fee: '9.00' })];
    await run(3);
    userActions.validate('Treatments', below(fee), { ...rule, strict: false });
    await clock.advance(5 * 60_000);

    const { problems } = await run(2);

    expect(shown(there, 'Fee')).toEqual([9]);
    expect(problems).toEqual([]);
  });

  it('are the State of a booking: it is booked once, and the other answers are written', async () => {
    const there = await filled({ checkboxesTakeAnything: false });
    const { rig, run, book, userActions, calls } = there;
    userActions.typeColumn('Bookings', rig.column('Bookings', 'State'), 'DATE');
    book('Bookings', 1, 'Ann');

    const { problems } = await run(4);
    const tried = calls('write');
    await run(5);

    expect(booked(rig)).toEqual(['Ann']);
    expect(rig.shown('Bookings')[1]?.[rig.column('Bookings', 'Ref')]).toMatch(/^CS-/);
    expect(problems).toEqual([expect.stringMatching(/^Bookings: not up to date/)]);
    expect(calls('write') - tried).toBeLessThanOrEqual(5);
  });
});

describe('the owner of the spreadsheet', () => {
  it('is found even when a reading of some tabs omits it: a second installation books nothing', async () => {
    const { clock, sandbox, control, rig, run, book, calls } = await filled({
      filteredReadingsHaveOwners: false,
    });
    const marks = control.book.metadata.length;
    const [reads, writes] = [calls('read'), calls('write')];
    await run(10);
    const idle = [calls('read') - reads, calls('write') - writes];
    const other = await sheetsRig({ sandbox, clock, settings, instance: 'other', desk: desk(clock) });
    book('Bookings', 1, 'Ann');

    for (let times = 0; times < 3; times += 1) {
      await expect(other.converge()).rejects.toMatchObject({ hint: expect.stringContaining('adopt') });
      await clock.advance(6_000);
    }
    await run(3);

    expect(idle).toEqual([11, 0]);
    expect(control.book.metadata).toHaveLength(marks);
    expect(booked(other)).toEqual([]);
    expect(booked(rig)).toEqual(['Ann']);
  });

  it('can be taken over in a copy of the file whose mark cannot be changed, without a write in every run', async () => {
    const { clock, sandbox, calls, userActions } = await filled({ copiedOwnersCanBeChanged: false });
    userActions.copyFile();
    const heir = await sheetsRig({
      sandbox,
      clock,
      settings: { ...settings, adopt: 'here/accounts' },
      instance: 'other',
      desk: desk(clock),
    });
    heir.mirror.rows = { treatments: [treatmentRow(1)], dentists: [dentistRow(7)] };
    await heir.converge();
    await heir.converge();
    const writes = calls('write');

    await heir.converge();
    await heir.converge();

    expect(calls('write')).toBe(writes);
  });
});

it('asks within a minute about rows ticked in a copy of Bookings, and about no copy that is a record', async () => {
  const { clock, rig, run, book, userActions } = await filled();
  book('Bookings', 1, 'Bob');
  await run(4);
  userActions.duplicateTab('Bookings', 'March');
  await clock.advance(5 * 60_000);
  const record = await run(3);
  book('March', 2, 'Ann');
  await clock.advance(30_000);
  await run();
  await clock.advance(30_000);

  const { problems, asks } = await run();

  expect(booked(rig)).toEqual(['Bob']);
  expect(record.problems).toEqual([expect.stringMatching(/^March: .*NOT booked/)]);
  expect(record.asks).toEqual([]);
  expect(problems).toEqual([
    expect.stringMatching(/^1 row ticked in a copy of Bookings is NOT booked/),
    expect.stringMatching(/^March: /),
  ]);
  expect(asks).toMatchObject([{ weight: 'need', sentence: expect.not.stringContaining('March') }]);
  expect(inSync(rig)).toContain('1 row ticked in a copy of Bookings is NOT booked');
  expect(inSync(rig)).toContain('March: ');
});

it('reports a Bookings tab that lost its marks beside the new one', async () => {
  const { clock, control, rig, run } = await filled();
  const tab = control.tab('Bookings');
  tab.metadata = [];
  tab.columns = tab.columns.map(() => ({ metadata: [] }));
  await clock.advance(5 * 60_000);
  await run();

  const { problems } = await run(3);

  expect(control.book.grids.map(({ title }) => title)).toContain('Bookings 2');
  expect(problems).toEqual([
    expect.stringMatching(/^Bookings: no longer has the marks.*NOT booked\. Move them/),
  ]);
  expect(inSync(rig)).toContain('NOT booked');
});
