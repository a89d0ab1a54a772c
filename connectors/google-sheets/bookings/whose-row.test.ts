import { describe, expect, it } from 'vitest';
import { at, office } from '../../../test/support/sheets/office.ts';

type Office = Awaited<ReturnType<typeof office>>;

/** An old version is restored after a row was booked; then the row is changed and ticked. */
async function restored(
  { sandbox, userActions, fill, tick }: Office,
  change: Record<string, string | number>,
) {
  fill(1, { send: false });
  const restore = userActions.version();
  userActions.type('Bookings', 1, at('send'), true);
  await tick(2);
  restore();
  for (const [name, value] of Object.entries(change)) userActions.type('Bookings', 1, at(name), value);
  userActions.type('Bookings', 1, at('send'), true);
  expect(sandbox.control.tab('Bookings').rows[1]?.[at('ref')]?.value).toBeUndefined();
  await tick(3);
}

describe('whose visit a row is', () => {
  it.each([
    ['another time', { time: 0.625 }],
    ['another day', { date: 46_107 }],
    ['another phone', { phone: '01819998877' }],
    ['the name in other letters, and another time', { patient: 'RAHIM  uddin', time: 0.625 }],
    ['another name and time, but the same phone', { patient: 'Rahima Begum', time: 0.625 }],
    [
      'the phone with the country code, another name and day',
      { patient: 'R. Uddin', phone: '+8801712345678', date: 46_107 },
    ],
    [
      'the phone in Bengali digits, another name and day',
      { patient: 'রহিম', phone: '০১৭১২৩৪৫৬৭৮', date: 46_107 },
    ],
  ])('asks whether a row of a restored version is the visit that no row shows now: %s', async (_, change) => {
    const there = await office();

    await restored(there, change);

    expect(there.rig.desk.submissions).toHaveLength(1);
    expect([there.cell(1, 'state'), there.cell(1, 'send')]).toEqual(['held', false]);
    expect(there.cell(1, 'message')).toContain('Was this CS-000001?');
  });

  it('asks also about a booking of an earlier version, whose claim did not know its person', async () => {
    const there = await office();
    const { memory } = there.rig.desk;
    const set = memory.set.bind(memory);
    const former = (text = '') => JSON.stringify({ ...JSON.parse(text), parts: undefined });
    memory.set = (notes) =>
      set(
        Object.fromEntries(
          Object.entries(notes).map(([key, text]) => [
            key,
            key.startsWith('claim:') && text ? former(text) : text,
          ]),
        ),
      );

    await restored(there, { time: 0.625 });

    expect(there.rig.desk.submissions).toHaveLength(1);
    expect(there.cell(1, 'message')).toContain('Was this CS-000001?');
  });

  it('books it as a second visit on a second tick, or shows the first when its Ref is typed', async () => {
    const [one, other] = [await office(), await office()];
    await restored(one, { time: 0.625 });
    await restored(other, { time: 0.625 });

    one.userActions.type('Bookings', 1, at('send'), true);
    await one.tick(2);
    other.userActions.type('Bookings', 1, at('ref'), 'CS-000001');
    await other.tick(2);

    expect(one.rig.desk.bookings).toHaveLength(2);
    expect(one.cell(1, 'ref')).toBe('CS-000002');
    expect(other.rig.desk.bookings).toHaveLength(1);
    expect(other.cell(1, 'message')).toContain('The change to this row (Time) was NOT sent');
  });

  it('asks when the answers of a booked row were cleared and its hour was changed', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    for (const name of ['ref', 'state', 'message']) userActions.type('Bookings', 1, at(name), null);
    userActions.type('Bookings', 1, at('time'), 0.625);

    await tick(3);

    expect(rig.desk.submissions).toHaveLength(1);
    expect(cell(1, 'message')).toContain('Was this CS-000001?');
  });

  it('books the next patient, and a relative whose row stands beside the booked one', async () => {
    const { rig, fill, tick, userActions } = await office();
    fill(1);
    await tick(2);
    fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    fill(3, { patient: 'Rahima Uddin', time: 0.5 });
    await tick(2);
    userActions.deleteRow('Bookings', 1);
    fill(6, { patient: 'Salma Khatun', phone: '01755555555' });

    await tick(2);

    expect(rig.desk.bookings.map(({ patient_name }) => patient_name)).toEqual([
      'Rahim Uddin',
      'Karim Ali',
      'Rahima Uddin',
      'Salma Khatun',
    ]);
  });

  it('does not ask about a visit that is over, or one that came to nothing', async () => {
    const { clock, rig, fill, tick, userActions } = await office();
    fill(1);
    fill(2, { patient: 'Karim Ali', phone: '01711111111', date: 46_200 });
    await tick(2);
    rig.desk.move('CS-000002', { state: 'rejected', message: 'No such slot.' });
    for (const _row of [1, 2]) userActions.deleteRow('Bookings', 1);
    await clock.advance(30 * 86_400_000);
    fill(1, { date: 46_200 });
    fill(2, { patient: 'Karim Ali', phone: '01711111111', date: 46_201 });

    await tick(3);

    expect(rig.desk.bookings).toHaveLength(4);
  });

  it('counts a waiting row of an older version as new once its person was booked', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick();
    const restore = userActions.version();
    for (const name of ['ref', 'state', 'message']) userActions.type('Bookings', 1, at(name), null);
    userActions.type('Bookings', 1, at('time'), 0.625);
    await tick(2);
    restore();

    await tick(4);

    expect(rig.desk.bookings.map(({ appointment_time }) => appointment_time)).toEqual(['15:00']);
    expect(cell(1, 'message')).toContain('Was this CS-000001?');
  });

  it('leaves a booking with its patient when a copy took its Ref', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    rig.desk.move('CS-000001', { state: 'booked', appointment_id: 7 });
    await tick();
    userActions.copyRow('Bookings', 1, 2);
    for (const name of ['ref', 'state', 'appointment', 'message'])
      userActions.type('Bookings', 1, at(name), null);
    userActions.type('Bookings', 2, at('patient'), 'Karim Ali');
    userActions.type('Bookings', 2, at('phone'), '01711111111');

    await tick(2);

    expect([cell(1, 'ref'), cell(1, 'appointment')]).toEqual(['CS-000001', 7]);
    expect([cell(2, 'ref'), cell(2, 'appointment'), cell(2, 'send')]).toEqual([null, null, false]);
    expect(cell(2, 'message')).toContain('A copy of CS-000001');
    expect(rig.desk.submissions).toHaveLength(1);
  });

  it('lets the answers follow their patients when only what people filled in was sorted', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    const patients = ['Delwar', 'Chandra', 'Bashir', 'Ayesha'];
    for (const [index, patient] of patients.entries())
      fill(1 + index, { patient, phone: `0171111111${index * 2}`, time: (9 + index) / 24 });
    await tick(2);
    for (const [index, { ref }] of rig.desk.bookings.entries())
      rig.desk.move(ref, { state: 'booked', appointment_id: 40 + index });
    await tick();
    userActions.sortRange(
      'Bookings',
      { startRowIndex: 1, endRowIndex: 5, startColumnIndex: 0, endColumnIndex: at('send') },
      0,
    );

    const { asks } = await tick();

    expect(
      [1, 2, 3, 4].map((row) => [cell(row, 'patient'), cell(row, 'ref'), cell(row, 'appointment')]),
    ).toEqual([
      ['Ayesha', 'CS-000004', 43],
      ['Bashir', 'CS-000003', 42],
      ['Chandra', 'CS-000002', 41],
      ['Delwar', 'CS-000001', 40],
    ]);
    expect(asks).toEqual([]);
    expect(rig.desk.submissions).toHaveLength(4);
  });

  it.each([
    ['patient', 4],
    ['phone', 4],
    ['patient', 3],
    ['patient', 0],
    ['phone', 2],
  ])(
    'books nobody with the phone of another where %s was sorted alone, %i rows booked',
    async (column, booked) => {
      const { rig, fill, cell, tick, userActions } = await office();
      const patients = ['Delwar', 'Chandra', 'Bashir', 'Ayesha'];
      const pairs = patients.map((patient, index) => [patient, `0171111111${8 - index * 2}`]);
      const enter = (rows: typeof pairs, from: number) => {
        for (const [index, [patient = '', phone = '']] of rows.entries())
          fill(from + index, { patient, phone, time: (14 - from - index) / 24 });
      };
      enter(pairs.slice(0, booked), 1);
      await tick(3);
      enter(pairs.slice(booked), 1 + booked);
      await tick();
      userActions.sortRange(
        'Bookings',
        { startRowIndex: 1, endRowIndex: 5, startColumnIndex: at(column), endColumnIndex: at(column) + 1 },
        at(column),
      );

      const { asks } = await tick(4);

      expect(rig.desk.bookings.map((one) => [one.patient_name, one.patient_phone])).toEqual(
        pairs.slice(0, booked),
      );
      expect([1, 2, 3, 4].map((row) => cell(row, 'state'))).toEqual(
        pairs.map((_, index) => (index < booked ? 'queued' : 'held')),
      );
      if (booked > 0)
        expect(asks).toMatchObject([{ sentence: expect.stringContaining('sorted alone, undo that') }]);
    },
  );

  it('books no patient again whose name was sorted into a row that was never read before', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    for (const [index, patient] of ['Delwar', 'Chandra'].entries())
      fill(1 + index, { patient, phone: `0171111111${index * 4}`, time: (14 - index) / 24 });
    await tick(3);
    fill(3, { patient: 'Ayesha', phone: '01711111118', time: 0.375 });
    const region = { startRowIndex: 1, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 1 };
    userActions.sortRange('Bookings', region, 0);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(2);
    expect([cell(3, 'patient'), cell(3, 'state')]).toEqual(['Delwar', 'held']);
  });

  it('lets a booking follow its patient into the row of another', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    await tick(2);
    userActions.cutAndPaste(
      'Bookings',
      { startRowIndex: 1, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: at('send') },
      { row: 2, column: 0 },
    );

    await tick(2);

    expect([cell(2, 'patient'), cell(2, 'ref')]).toEqual(['Rahim Uddin', 'CS-000001']);
    expect(rig.desk.submissions).toHaveLength(2);
    expect(rig.shown('Sync').flat()).toContainEqual(expect.stringMatching(/^Booking CS-000002: .* row/));
  });
});
