import { describe, expect, it } from 'vitest';
import { at, office } from '../../../test/support/sheets/office.ts';

type Office = Awaited<ReturnType<typeof office>>;

describe('rows that were filled down', () => {
  const fillDown = ({ userActions }: Office, to: number, from = 1) =>
    userActions.fillDown(
      'Bookings',
      { startRowIndex: from, endRowIndex: from + 1, startColumnIndex: 0, endColumnIndex: at('send') + 1 },
      to,
    );

  it('books the first and asks about those whose phones, days and hours count up from it', async () => {
    const there = await office();
    const { rig, fill, cell, tick } = there;
    fill(1);
    fillDown(there, 5);

    await tick(4);

    expect(rig.desk.bookings.map(({ patient_phone }) => patient_phone)).toEqual(['01712345678']);
    expect([2, 3, 4, 5].map((row) => [cell(row, 'state'), cell(row, 'send')])).toEqual(
      Array.from({ length: 4 }, () => ['held', false]),
    );
    expect(cell(2, 'message')).toContain('Filled down from the row beside it?');
  });

  it('asks about rows filled down from one that is booked already, and books one on a second tick', async () => {
    const there = await office();
    const { rig, fill, cell, tick, userActions } = there;
    fill(1);
    await tick(2);
    fillDown(there, 3);
    await tick(2);
    userActions.type('Bookings', 2, at('send'), true);

    await tick(2);

    expect(rig.desk.bookings.map(({ patient_phone }) => patient_phone)).toEqual([
      '01712345678',
      '01712345679',
    ]);
    expect(cell(3, 'state')).toBe('held');
  });

  it('asks about a row that was filled down unticked, wherever it is pasted', async () => {
    const there = await office();
    const { rig, fill, cell, tick, userActions } = there;
    fill(1, { send: null });
    fillDown(there, 2);
    await tick();
    userActions.type('Bookings', 1, at('send'), true);
    await tick(3);
    const row = { startRowIndex: 2, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: at('send') };
    userActions.cutAndPaste('Bookings', row, { row: 9, column: 0 });
    userActions.type('Bookings', 9, at('send'), true);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(1);
    expect(cell(9, 'state')).toBe('held');
  });

  it('asks again about a row whose question was lost with its Ref, wherever it is pasted', async () => {
    const there = await office();
    const { rig, fill, cell, tick, userActions } = there;
    fill(1);
    fillDown(there, 2);
    await tick(3);
    userActions.type('Bookings', 2, at('ref'), null);
    await tick();
    userActions.type('Bookings', 9, at('send'), true);
    const row = { startRowIndex: 2, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: at('send') };
    userActions.cutAndPaste('Bookings', row, { row: 9, column: 0 });

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(1);
    expect([cell(9, 'state'), cell(9, 'send')]).toEqual(['held', false]);
  });

  it.each([
    ['days', { date: 46_101 }],
    ['weeks', { date: 46_107 }],
    ['hours', { time: 0.4375 + 1 / 24 }],
    ['phones written with spaces', { phone: '01712 345 679' }],
    ['phones in Bengali digits', { phone: '০১৭১২৩৪৫৬৭৯' }],
    ['phones with a country code', { phone: '+880 1712-345679' }],
  ])('asks about a ladder of %s alone', async (_, step) => {
    const { rig, fill, cell, tick } = await office();
    fill(1);
    fill(2, step);

    await tick(3);

    expect(rig.desk.submissions).toHaveLength(1);
    expect(cell(2, 'state')).toBe('held');
  });

  it.each(['phone', 'date'])('asks about a ladder that was sorted by %s, the highest first', async (by) => {
    const there = await office();
    const { rig, fill, userActions, tick } = there;
    fill(1, { send: false });
    if (by === 'phone') fillDown(there, 4);
    else for (const row of [2, 3, 4]) fill(row, { send: false, date: 46_100 + row });
    userActions.sort('Bookings', at(by), true);
    for (const row of [1, 2, 3, 4]) userActions.type('Bookings', row, at('send'), true);

    await tick(4);

    expect(rig.desk.submissions).toMatchObject([
      { fields: { patient_phone: '01712345678', appointment_date: '2026-03-19' } },
    ]);
  });

  it.each([
    ['asks about', 'Baby 2', 'held'],
    ['books a row with the phone beside it and another number in', 'Baby 7', 'queued'],
  ])('%s a name that counts along with its phone: %s', async (_, name, state) => {
    const { fill, cell, tick } = await office();
    fill(1, { patient: 'Baby 1' });
    fill(2, { patient: name, phone: '01712345679' });

    await tick(3);

    expect([cell(1, 'state'), cell(2, 'state')]).toEqual(['queued', state]);
  });

  it('asks about rows that were filled upwards from one that is booked', async () => {
    const { rig, fill, cell, tick } = await office();
    fill(4);
    await tick(3);
    for (const row of [3, 2, 1]) fill(row, { phone: `0171234567${row + 4}`, date: 46_096 + row });

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(1);
    expect([1, 2, 3].map((row) => cell(row, 'state'))).toEqual(['held', 'held', 'held']);
  });

  it.each([
    ['another name', { patient: 'Karim Ali', phone: '01712345679' }],
    ['the same name with another phone', { phone: '01819998877', time: 0.5 }],
  ])('books the row below with %s', async (_, other) => {
    const { rig, fill, tick } = await office();
    fill(1);
    fill(2, other);

    await tick(3);

    expect(rig.desk.submissions).toHaveLength(2);
  });
});
