import { describe, expect, it, onTestFinished } from 'vitest';
import { startSheetsSandbox } from '../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { newDesk } from '../../test/support/sheets/desk.ts';
import { sheetsRig, treatmentRow } from '../../test/support/sheets/kit.ts';
import { at, office } from '../../test/support/sheets/office.ts';

async function treatments() {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const rig = await sheetsRig({ sandbox, clock, settings: { tabs: ['treatments'] } });
  rig.mirror.rows.treatments = [1, 2, 3].map((id) => treatmentRow(id));
  await rig.converge();
  const { userActions } = sandbox.control;
  const tab = () => sandbox.control.tab('Treatments');
  const newFee = async (fee: string) => {
    rig.mirror.rows.treatments = [1, 2, 3].map((id) => treatmentRow(id, { base_fee: fee }));
    await clock.advance(5 * 60_000);
    return rig.converge();
  };
  /** Cuts a column, header and all, and pastes it at the right. */
  const moveCells = (header: string) => {
    const column = rig.column('Treatments', header);
    const right = tab().columns.length;
    userActions.insertColumn('Treatments', right);
    const range = { startRowIndex: 0, endRowIndex: 4, startColumnIndex: column, endColumnIndex: column + 1 };
    userActions.cutAndPaste('Treatments', range, { row: 0, column: right });
    return { column, right };
  };
  const values = (column: number) =>
    rig
      .shown('Treatments')
      .slice(0, 4)
      .map((row) => row[column] ?? null);
  const repair = () => rig.connector.repair(new AbortController().signal);
  return { clock, sandbox, rig, userActions, tab, newFee, moveCells, values, repair };
}

type Office = Awaited<ReturnType<typeof office>>;

/** To the right, into a column that is new. */
function cutColumn({ sandbox, userActions }: Office, name: string): void {
  const { columns, rowCount } = sandbox.control.tab('Bookings');
  const right = columns.length;
  userActions.insertColumn('Bookings', right);
  const range = { startColumnIndex: at(name), endColumnIndex: at(name) + 1 };
  userActions.cutAndPaste(
    'Bookings',
    { startRowIndex: 0, endRowIndex: rowCount, ...range },
    { row: 0, column: right },
  );
}

describe('a column that people cut and paste elsewhere', () => {
  it('is one need, is not written, and is kept up to date again once its mark is moved', async () => {
    const { newFee, moveCells, values, repair, rig } = await treatments();
    const { column, right } = moveCells('Fee');

    const { asks } = await newFee('1700.00');
    const waiting = [values(column), values(right)];
    await repair();
    const repaired = await rig.converge();

    expect(asks).toMatchObject([
      { weight: 'need', sentence: expect.stringContaining('Fee was cut and pasted') },
    ]);
    expect(waiting).toEqual([
      [null, null, null, null],
      ['Fee', 1500, 1500, 1500],
    ]);
    expect(values(right)).toEqual(['Fee', 1700, 1700, 1700]);
    expect(values(column)).toEqual([null, null, null, null]);
    expect(repaired.asks).toEqual([]);
  });

  it('stays where its cells are when only its header went elsewhere', async () => {
    const { sandbox, newFee, values, userActions, rig } = await treatments();
    const [id, right] = [rig.column('Treatments', 'ID'), sandbox.control.tab('Treatments').columns.length];
    userActions.insertColumn('Treatments', right);
    const header = { startRowIndex: 0, endRowIndex: 1, startColumnIndex: id, endColumnIndex: id + 1 };
    userActions.cutAndPaste('Treatments', header, { row: 0, column: right });

    const { asks } = await newFee('1700.00');

    expect(asks).toEqual([]);
    expect(values(rig.column('Treatments', 'Fee'))).toEqual(['Fee', 1700, 1700, 1700]);
  });

  it('adds no row again when it is the one with the IDs', async () => {
    const { newFee, moveCells, values, repair, rig } = await treatments();
    const { right } = moveCells('ID');

    const { asks } = await newFee('1700.00');
    await repair();
    await rig.converge();

    expect(asks).toMatchObject([
      { weight: 'trouble', sentence: expect.stringContaining('ID was cut and pasted') },
    ]);
    expect(values(right)).toEqual(['ID', 1, 2, 3]);
    expect(values(rig.column('Treatments', 'Fee'))).toEqual(['Fee', 1700, 1700, 1700]);
  });
});

describe('a column without its mark', () => {
  it('is not called deleted, and gets its mark back where it is', async () => {
    const { tab, newFee, values, repair, rig } = await treatments();
    const fee = rig.column('Treatments', 'Fee');
    const count = tab().columns.length;
    tab().columns[fee] = { metadata: [] };

    const { asks } = await newFee('1700.00');
    await repair();
    await rig.converge();

    expect(asks).toMatchObject([
      { sentence: expect.stringMatching(/Fee has lost our mark.*clinic-sync connectors repair accounts\./) },
    ]);
    expect(values(fee)).toEqual(['Fee', 1700, 1700, 1700]);
    expect(tab().columns).toHaveLength(count);
  });

  it('takes no booking, and the ticked row says so, until it is repaired', async () => {
    const { sandbox, rig, fill, cell, tick } = await office();
    sandbox.control.tab('Bookings').columns[at('phone')] = { metadata: [] };
    fill(1);

    const { asks } = await tick(2);
    const message = cell(1, 'message');
    await rig.connector.repair(new AbortController().signal);
    await tick(3);

    expect(asks).toMatchObject([
      { weight: 'trouble', sentence: expect.stringContaining('Phone has lost our mark') },
    ]);
    expect(message).toContain('NOT booked: the column Phone');
    expect(rig.desk.submissions).toHaveLength(1);
  });
});

describe('the line with the headers', () => {
  it('comes back once it was deleted', async () => {
    const { clock, userActions, repair, rig, values } = await treatments();
    userActions.deleteRow('Treatments', 0);
    await clock.advance(5 * 60_000);

    const { asks } = await rig.converge();
    await repair();
    await clock.advance(5 * 60_000);
    const repaired = await rig.converge();

    expect(asks).toMatchObject([{ sentence: expect.stringContaining('the headers was deleted') }]);
    expect(values(0)).toEqual(['ID', 1, 2, 3]);
    expect(repaired.asks).toEqual([]);
  });

  it('is not missed where people wrote it in their own words', async () => {
    const { clock, userActions, rig } = await treatments();
    for (const [column, word] of ['Nr.', 'Praxis', 'Leistung', 'Preis'].entries())
      userActions.type('Treatments', 0, column, word);
    for (const column of [4, 5, 6, 7, 8]) userActions.type('Treatments', 0, column, `Spalte ${column}`);
    await clock.advance(5 * 60_000);

    expect((await rig.converge()).asks).toEqual([]);
  });
});

it('says that nothing is booked while Ref is protected', async () => {
  const { rig, fill, tick, userActions } = await office();
  userActions.protect('Bookings', { startColumnIndex: at('ref'), endColumnIndex: at('message') + 2 });
  fill(1);

  const { asks } = await tick(2);

  expect(rig.desk.submissions).toEqual([]);
  expect(asks).toMatchObject([{ weight: 'trouble', sentence: expect.stringContaining('nothing is booked') }]);
});

describe('a script that ticks rows again and again', () => {
  const restarted = async ({ sandbox, clock }: Awaited<ReturnType<typeof office>>) =>
    sheetsRig({
      sandbox,
      clock,
      settings: { tabs: ['bookings', 'sync'], adopt: 'here/accounts' },
      instance: 'restored',
      desk: newDesk([], () => new Date(clock.now()).toISOString()),
    });

  it('does not keep other rows from being booked, and is named', async () => {
    const there = await office();
    there.fill(1);
    await there.tick(2);
    const rig = await restarted(there);
    there.fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    let asks: unknown[] = [];

    for (let looks = 0; looks < 6; looks += 1) {
      there.userActions.type('Bookings', 1, at('send'), true);
      await there.clock.advance(5_000);
      ({ asks } = await rig.converge());
    }

    expect(rig.desk.bookings.map(({ patient_name }) => patient_name)).toEqual(['Karim Ali']);
    expect(asks).toMatchObject([{ weight: 'need', sentence: expect.stringContaining('Send (CS-000001)') }]);
  });

  it('is forgotten once it stops', async () => {
    const there = await office();
    there.fill(1);
    await there.tick(2);
    const rig = await restarted(there);
    for (let looks = 0; looks < 4; looks += 1) {
      there.userActions.type('Bookings', 1, at('send'), true);
      await there.clock.advance(5_000);
      await rig.converge();
    }
    there.userActions.type('Bookings', 1, at('send'), false);
    await there.clock.advance(5_000);

    expect((await rig.converge()).asks).toEqual([]);
  });
});

describe('a new Bookings tab', () => {
  const formatIn = (sandbox: Awaited<ReturnType<typeof office>>['sandbox'], row: number, name: string) =>
    sandbox.control.tab('Bookings').rows[row]?.[at(name)]?.format?.numberFormat;

  it('shows dates and times as its spreadsheet does, keeps text as text, and warns before its answers are changed', async () => {
    const { sandbox, fill, tick, rig } = await office();
    const { protections } = sandbox.control.tab('Bookings');
    fill(1);

    await tick(2);

    expect(['phone', 'note', 'address', 'date', 'time'].map((name) => formatIn(sandbox, 200, name))).toEqual([
      { type: 'TEXT' },
      { type: 'TEXT' },
      { type: 'TEXT' },
      { type: 'DATE' },
      { type: 'TIME' },
    ]);
    expect(protections).toMatchObject([{ warningOnly: true, range: { startColumnIndex: at('ref') } }]);
    expect(rig.desk.bookings).toHaveLength(1);
  });

  it('is what an older or restyled tab can become: the check says so, and a repair does it', async () => {
    const { sandbox, rig, fill, cell, tick, userActions } = await office();
    const signal = new AbortController().signal;
    const looks = async () =>
      (await rig.connector.check(signal)).flatMap(({ what }) => (what.startsWith('formats:') ? what : []));
    const asNew = await looks();
    const tab = sandbox.control.tab('Bookings');
    for (const row of [1, 2, 3])
      for (const name of ['phone', 'date'])
        tab.rows[row] = (tab.rows[row] ?? []).with(at(name), {
          format: { numberFormat: { type: 'NUMBER' } },
        });
    tab.protections = [];
    const restyled = await looks();

    await rig.connector.repair(signal);
    userActions.enter('Bookings', 1, at('phone'), '01712345678');
    fill(1, { phone: '01712345678' });
    await tick(2);

    expect([asNew, await looks()]).toEqual([[], []]);
    expect(restyled).toEqual([
      expect.stringMatching(/for Phone \*, Date \*, Ref, State, Appointment, Message, Updated, so/),
    ]);
    expect(formatIn(sandbox, 3, 'date')).toEqual({ type: 'DATE' });
    expect(sandbox.control.tab('Bookings').protections).toMatchObject([
      { warningOnly: true, range: { startColumnIndex: at('ref'), endColumnIndex: at('ref') + 5 } },
    ]);
    expect(cell(1, 'phone')).toBe('01712345678');
  });

  it.each([
    ['an answer was deleted', (o) => o.userActions.deleteColumn('Bookings', at('message'))],
    ['an input was deleted', (o) => o.userActions.deleteColumn('Bookings', at('phone'))],
    ['an answer was cut and pasted', (o) => cutColumn(o, 'ref')],
    ['an input was cut and pasted', (o) => cutColumn(o, 'date')],
    ['the headers were deleted', (o) => o.userActions.deleteRow('Bookings', 0)],
  ] satisfies [string, (there: Office) => void][])('is repaired at once where %s', async (_, happens) => {
    const there = await office({ checkboxesTakeAnything: false });
    const signal = new AbortController().signal;
    there.fill(1);
    await there.tick(3);
    happens(there);

    const [first, second] = [
      await there.rig.connector.repair(signal),
      await there.rig.connector.repair(signal),
    ];

    expect([first.written, second.written]).toEqual([{ Bookings: 1 }, {}]);
  });

  it('is not odd below a title that people put above its headers', async () => {
    const { rig, userActions } = await office();
    userActions.insertRow('Bookings', 0);

    const { written } = await rig.connector.repair(new AbortController().signal);

    expect(written).toEqual({});
  });

  it('gives its formats to rows that people add below', async () => {
    const { sandbox, rig, fill, tick, userActions } = await office();
    const tab = sandbox.control.tab('Bookings');
    sandbox.control.tab('Bookings').rowCount += 10;
    await tick(2);
    fill(tab.rowCount - 1);
    userActions.enter('Bookings', tab.rowCount - 1, at('phone'), '01712345678');

    await tick(2);

    expect(formatIn(sandbox, tab.rowCount - 1, 'phone')).toEqual({ type: 'TEXT' });
    expect(rig.desk.submissions).toMatchObject([{ fields: { patient_phone: '01712345678' } }]);
  });
});

describe('what is said of a tab', () => {
  it('counts texts that a cell cannot hold', async () => {
    const { clock, rig } = await treatments();
    rig.mirror.rows.treatments = [treatmentRow(1, { description: 'x'.repeat(60_000) })];
    await clock.advance(5 * 60_000);

    const { problems } = await rig.converge();

    expect(problems).toContainEqual(expect.stringContaining('1 text is longer than a cell can hold'));
  });

  it.each([
    ['en_US', true],
    ['en_GB', false],
  ])('warns of a spreadsheet whose typed days read month first: %s', async (locale, isWarned) => {
    const { rig } = await office({}, { locale });

    const lines = await rig.connector.check(new AbortController().signal);

    expect(JSON.stringify(lines).includes('05/01/2027 as 1 May')).toBe(isWarned);
  });
});
