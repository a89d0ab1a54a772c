import { describe, expect, it } from 'vitest';
import { sheetsRig } from '../../../test/support/sheets/kit.ts';
import { at, office } from '../../../test/support/sheets/office.ts';
import { tier } from '../../../test/support/tiers.ts';

type Office = Awaited<ReturnType<typeof office>>;

const inputs = ['patient', 'phone', 'date', 'time', 'dentist', 'treatment', 'address', 'note'];
/** Of four patients; sorting any column alone moves every cell of it. */
const patient = (index: number, more: Record<string, string | number | boolean | null> = {}) => ({
  patient: ['Delwar', 'Chandra', 'Bashir', 'Ayesha'][index] ?? '',
  phone: `0171111111${8 - index * 2}`,
  date: 46_110 - index,
  time: (14 - index) / 24,
  dentist: `Dr ${8 - index}`,
  treatment: `Filling ${8 - index}`,
  address: `Road ${8 - index}`,
  note: `allergy ${8 - index}`,
  ...more,
});

const sortAlone = ({ userActions }: Office, column: string, rows = 4) =>
  userActions.sortRange(
    'Bookings',
    {
      ...{ startRowIndex: 1, endRowIndex: 1 + rows },
      ...{ startColumnIndex: at(column), endColumnIndex: at(column) + 1 },
    },
    at(column),
  );
const tickAll = ({ userActions }: Office) => {
  for (const row of [1, 2, 3, 4]) userActions.type('Bookings', row, at('send'), true);
};

/** The daemon again, with what it stored; each run comes five seconds later. */
async function restarted({ sandbox, clock, rig: { desk, mirror } }: Office) {
  const rig = await sheetsRig({
    ...{ sandbox, clock, desk, mirror },
    settings: { tabs: ['bookings', 'sync'] },
  });
  return {
    async converge() {
      await clock.advance(5_000);
      await rig.converge();
    },
  };
}

const rowsSorted = (column: string) => {
  it.each([0, 2, 4])('are asked about unless they are booked already, as %i of them are', async (booked) => {
    const there = await office();
    const { rig, fill, cell, tick } = there;
    for (let index = 0; index < booked; index += 1) fill(1 + index, patient(index));
    await tick(3);
    for (let index = booked; index < 4; index += 1) fill(1 + index, patient(index));
    await tick();
    sortAlone(there, column);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(booked);
    const states = [1, 2, 3, 4].map((row) => cell(row, 'state'));
    expect(states).toEqual([0, 1, 2, 3].map((index) => (index < booked ? 'queued' : 'held')));
  });

  it('are asked about when they are ticked later, and booked on a second tick', async () => {
    const there = await office();
    const { rig, fill, cell, tick } = there;
    for (let index = 0; index < 4; index += 1) fill(1 + index, patient(index, { send: false }));
    await tick();
    sortAlone(there, column);
    await tick();
    tickAll(there);
    await tick(4);
    expect(rig.desk.submissions).toEqual([]);
    expect(cell(1, 'message')).toContain('sorted alone?');

    tickAll(there);
    await tick(2);

    expect(rig.desk.submissions).toHaveLength(4);
  });

  it('are booked without a question once that was undone', async () => {
    const there = await office();
    const { rig, fill, tick, userActions } = there;
    for (let index = 0; index < 4; index += 1) fill(1 + index, patient(index, { send: false }));
    await tick();
    sortAlone(there, column);
    await tick(2);
    for (let row = 1; row < 5; row += 1)
      userActions.type('Bookings', row, at(column), patient(row - 1)[column as 'note']);
    tickAll(there);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(4);
  });
};
for (const column of inputs)
  describe(`rows whose ${column} was sorted alone`, tier(column === 'date'), () => rowsSorted(column));

describe('a column that comes from other rows', () => {
  const drafts = async (send: boolean | null = false) => {
    const there = await office();
    for (let index = 0; index < 4; index += 1) there.fill(1 + index, patient(index, { send }));
    await there.tick();
    return there;
  };

  it.each([
    ['booked', 3],
    ['not booked yet', 0],
  ])(
    'is asked about where somebody also typed into the row it comes from, which is %s',
    async (_, booked) => {
      const there = await office();
      const { rig, fill, cell, tick, userActions } = there;
      for (let index = 0; index < 3; index += 1) fill(1 + index, patient(index, { send: booked > 0 }));
      await tick(3);
      fill(4, patient(3));
      await tick();
      userActions.type('Bookings', 1, at('note'), 'afraid of needles');
      sortAlone(there, 'date');

      await tick(4);

      expect(rig.desk.submissions).toHaveLength(booked);
      expect([cell(4, 'state'), cell(4, 'message')]).toEqual([
        'held',
        expect.stringContaining('sorted alone?'),
      ]);
    },
  );

  it('is asked about after a restart between sorting and ticking, too', async () => {
    const there = await drafts();
    const { sandbox, clock, rig } = there;
    sortAlone(there, 'date');
    await there.tick();
    const next = await sheetsRig({
      ...{ sandbox, clock, desk: rig.desk, mirror: rig.mirror },
      settings: { tabs: ['bookings', 'sync'] },
    });
    await next.converge();
    tickAll(there);

    for (let times = 0; times < 4; times += 1) {
      await clock.advance(5_000);
      await next.converge();
    }

    expect(rig.desk.submissions).toEqual([]);
  });

  it('is asked about in rows that are completed after a restart', async () => {
    const there = await office();
    const { rig, fill, tick, userActions } = there;
    for (let index = 0; index < 4; index += 1) fill(1 + index, patient(index, { send: false, time: null }));
    await tick();
    sortAlone(there, 'date');
    await tick();
    const { converge } = await restarted(there);
    await converge();
    for (const row of [1, 2, 3, 4]) userActions.type('Bookings', row, at('time'), 0.5);
    tickAll(there);

    for (let times = 0; times < 4; times += 1) await converge();

    expect(rig.desk.submissions).toEqual([]);
  });

  it('is asked about in rows that were away during a restart', async () => {
    const there = await office();
    const { rig, fill, tick, userActions } = there;
    const empty = userActions.version();
    for (let index = 0; index < 4; index += 1) fill(1 + index, patient(index, { send: false }));
    await tick();
    sortAlone(there, 'date');
    const sorted = userActions.version();
    await tick();
    empty();
    await tick();
    const { converge } = await restarted(there);
    await converge();
    sorted();
    tickAll(there);

    for (let times = 0; times < 4; times += 1) await converge();

    expect(rig.desk.submissions).toEqual([]);
  });

  it('is asked about when it was sorted while nothing ran, in rows that waited to be booked', async () => {
    const there = await drafts(true);
    const { sandbox, clock, rig } = there;
    sortAlone(there, 'dentist');
    const next = await sheetsRig({
      ...{ sandbox, clock, desk: rig.desk, mirror: rig.mirror },
      settings: { tabs: ['bookings', 'sync'] },
    });

    for (let times = 0; times < 4; times += 1) {
      await clock.advance(5_000);
      await next.converge();
    }

    expect(rig.desk.submissions).toEqual([]);
  });

  const whileNothingRan = (column: string) => {
    it.each([
      ['were ticked meanwhile', true],
      ['are ticked later', false],
    ])('is asked about in rows that %s', async (_, isMeanwhile) => {
      const there = await office();
      const { rig, fill, tick } = there;
      // Sorting Send moves the ticks of the booked rows to those below.
      const isSend = column === 'send';
      for (let index = 0; index < 4; index += 1)
        fill(1 + index, patient(index, { send: isSend && index < 2 }));
      await tick(3);
      sortAlone(there, column);
      if (isMeanwhile && !isSend) tickAll(there);
      const { converge } = await restarted(there);
      await converge();
      if (!isMeanwhile && !isSend) tickAll(there);

      for (let times = 0; times < 4; times += 1) await converge();

      expect(rig.desk.submissions).toHaveLength(isSend ? 2 : 0);
    });
  };
  for (const column of [...inputs, 'send'])
    describe(`while nothing ran: ${column}`, tier(column === 'date' || column === 'send'), () =>
      whileNothingRan(column),
    );

  it('is asked about while nothing ran where it is Send and the booked row was changed before', async () => {
    const there = await office();
    const { rig, fill, tick, userActions } = there;
    for (let index = 0; index < 2; index += 1) fill(1 + index, patient(index, { send: index < 1 }));
    await tick(3);
    userActions.type('Bookings', 1, at('time'), 0.75);
    await tick();
    sortAlone(there, 'send', 2);
    const { converge } = await restarted(there);

    for (let times = 0; times < 4; times += 1) await converge();

    expect(rig.desk.submissions).toHaveLength(1);
  });

  it.each([
    ['was read', false],
    ['was not read, because nothing ran', true],
  ])('is asked about where it is Send and the tick comes from an empty row, which %s', async (_, isDown) => {
    const there = await office();
    const { rig, fill, cell, tick, userActions } = there;
    fill(1, patient(0, { send: false }));
    userActions.type('Bookings', 2, at('send'), true);
    await tick();
    userActions.type('Bookings', 1, at('send'), true);
    userActions.type('Bookings', 2, at('send'), false);
    const { converge } = isDown ? await restarted(there) : { converge: tick };

    for (let times = 0; times < 4; times += 1) await converge();

    expect(rig.desk.submissions).toEqual([]);
    expect(cell(1, 'message')).toContain('Was Send sorted alone?');
  });

  it('is nothing to ask about where nothing was sorted while nothing ran', async () => {
    const there = await drafts();
    const { converge } = await restarted(there);
    tickAll(there);

    for (let times = 0; times < 4; times += 1) await converge();

    expect(there.rig.desk.submissions).toHaveLength(4);
  });

  it('is asked about in a row that is new, where the column is in order', async () => {
    const there = await office();
    const { rig, fill, cell, tick } = there;
    for (let index = 0; index < 3; index += 1) fill(1 + index, patient(index));
    await tick(3);
    fill(4, patient(3));
    sortAlone(there, 'time');

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(3);
    expect([cell(4, 'state'), cell(4, 'send')]).toEqual(['held', false]);
  });

  it('stays in doubt while the row is completed', async () => {
    const there = await drafts();
    const { rig, tick, userActions } = there;
    sortAlone(there, 'date');
    await tick();
    userActions.type('Bookings', 1, at('note'), 'has crutches');
    await tick();
    userActions.type('Bookings', 1, at('send'), true);

    await tick(4);

    expect(rig.desk.submissions).toEqual([]);
  });

  it('is asked about where it is Send, which books nobody whom nobody ticked', async () => {
    const there = await office();
    const { rig, fill, cell, tick } = there;
    for (let index = 0; index < 4; index += 1) fill(1 + index, patient(index, { send: index < 2 }));
    await tick(3);
    sortAlone(there, 'send');

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(2);
    expect(cell(3, 'message')).toContain('Was Send sorted alone?');
  });

  it('is no second tick where it is Send and the row is held', async () => {
    const there = await office();
    const { rig, fill, cell, tick } = there;
    fill(1, patient(0));
    await tick(3);
    fill(2, patient(0));
    await tick(3);
    expect(cell(2, 'state')).toBe('held');
    sortAlone(there, 'send', 2);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(1);
  });

  it('is no second tick of a held row, either, where it is Send and Google refuses our answer', async () => {
    const there = await office();
    const { rig, fill, tick, sandbox } = there;
    fill(1, patient(0));
    await tick(3);
    fill(2, patient(0));
    await tick(3);
    sortAlone(there, 'send', 2);
    sandbox.control.fault({ on: 'write', kind: 'status', status: 503 });
    await tick().catch(() => {});

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(1);
  });

  it('is no second tick of a held row where it is Send and somebody also ticked another', async () => {
    const there = await office();
    const { rig, fill, cell, tick, userActions } = there;
    fill(1, patient(0));
    await tick(3);
    fill(2, patient(0));
    fill(3, patient(1, { send: false }));
    await tick(3);
    expect(cell(2, 'state')).toBe('held');
    sortAlone(there, 'send', 3);
    userActions.type('Bookings', 2, at('send'), true);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(1);
    expect([2, 3].map((row) => [cell(row, 'state'), cell(row, 'message')])).toEqual([
      ['held', expect.stringContaining('The same as ')],
      ['held', expect.stringContaining('Was Send sorted alone?')],
    ]);

    for (const row of [2, 3]) userActions.type('Bookings', row, at('send'), true);
    await tick(4);

    expect(rig.desk.submissions).toHaveLength(3);
  });

  it('is asked about where it is Send and its tick was not read a second time', async () => {
    const there = await office();
    const { rig, fill, cell, tick } = there;
    fill(1, patient(0, { send: false }));
    fill(2, patient(1, { send: false }));
    await tick();
    there.userActions.type('Bookings', 1, at('send'), true);
    await tick();
    sortAlone(there, 'send', 2);

    await tick(4);

    expect(rig.desk.submissions).toEqual([]);
    expect([1, 2].map((row) => cell(row, 'state'))).toEqual([null, 'held']);
  });

  it('is no second tick where it is Send and another column of the held row was sorted alone before', async () => {
    const there = await drafts();
    const { rig, fill, cell, tick } = there;
    sortAlone(there, 'date');
    await tick();
    there.userActions.type('Bookings', 4, at('send'), true);
    fill(5, { patient: 'Rahima', phone: '01819998877' });
    await tick(3);
    expect([cell(4, 'state'), cell(5, 'state')]).toEqual(['held', 'queued']);
    there.userActions.moveRow('Bookings', 5, 1);
    there.userActions.sortRange(
      'Bookings',
      { startRowIndex: 1, endRowIndex: 6, startColumnIndex: at('send'), endColumnIndex: at('send') + 1 },
      at('send'),
    );

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(1);
    expect(cell(5, 'message')).toContain('Was Date sorted alone?');
  });

  it('is asked about where it is Send and somebody also typed into the row that got the tick', async () => {
    const there = await office();
    const { rig, fill, cell, tick, userActions } = there;
    for (let index = 0; index < 2; index += 1) fill(1 + index, patient(index, { send: index < 1 }));
    await tick(3);
    sortAlone(there, 'send', 2);
    userActions.type('Bookings', 2, at('note'), 'afraid of needles');

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(1);
    expect(cell(2, 'message')).toContain('Was Send sorted alone?');
  });

  it('is asked about where all inputs were sorted, and Send was not', async () => {
    const there = await office();
    const { rig, fill, cell, tick, userActions } = there;
    fill(1, patient(0, { time: null }));
    fill(2, patient(1, { send: false }));
    await tick();
    userActions.sortRange(
      'Bookings',
      { startRowIndex: 1, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: at('send') },
      at('date'),
    );

    await tick(4);

    expect(rig.desk.submissions).toEqual([]);
    expect(cell(1, 'patient')).toBe('Chandra');
    expect(cell(1, 'message')).toContain('Was Send sorted alone?');
  });

  it('is nothing to ask about in a row that is typed just as another loses its tick', async () => {
    const { rig, fill, tick, userActions } = await office();
    fill(1, patient(0));
    fill(3, patient(2, { send: false }));
    await tick(3);
    userActions.type('Bookings', 1, at('send'), false);
    fill(2, patient(1));

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(2);
  });

  it('is nothing to ask about where a row was ticked just as a held one lost its tick to us', async () => {
    const { rig, fill, tick, userActions } = await office();
    fill(1, patient(0));
    fill(3, patient(1, { send: false }));
    await tick(3);
    fill(2, patient(0));
    await tick();
    userActions.type('Bookings', 3, at('send'), true);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(2);
  });

  it('is nothing to ask about where several rows were ticked, one of them held, and none lost its tick', async () => {
    const { rig, fill, tick, userActions } = await office();
    for (let index = 0; index < 3; index += 1) fill(1 + index, patient(index, { send: index < 1 }));
    fill(4, patient(0));
    await tick(4);
    for (const row of [2, 3, 4]) userActions.type('Bookings', row, at('send'), true);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(4);
  });

  it('is nothing to ask about where whole rows were sorted, moved or inserted', async () => {
    const there = await drafts();
    const { rig, tick, userActions } = there;
    userActions.sort('Bookings', at('time'));
    userActions.insertRow('Bookings', 2);
    userActions.moveRow('Bookings', 1, 7);
    await tick();
    for (let row = 1; row < 9; row += 1)
      if (there.cell(row, 'patient')) userActions.type('Bookings', row, at('send'), true);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(4);
  });

  it('is nothing to ask about where one row was put right and a new one has the former hour', async () => {
    const there = await drafts(true);
    const { rig, fill, tick, userActions } = there;
    await tick(3);
    userActions.type('Bookings', 2, at('time'), 17 / 24);
    fill(6, { patient: 'Rahima', phone: '01819998877', time: 13 / 24 });

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(5);
  });

  it('is nothing to ask about where that came after a restart', async () => {
    const there = await office();
    const { rig, fill, tick, userActions } = there;
    for (let index = 0; index < 2; index += 1) fill(1 + index, patient(index));
    await tick(3);
    userActions.type('Bookings', 2, at('time'), 12 / 24);
    await tick();
    const { converge } = await restarted(there);
    fill(3, { patient: 'Rahima', phone: '01819998877', time: 13 / 24 });

    for (let times = 0; times < 4; times += 1) await converge();

    expect(rig.desk.submissions).toHaveLength(3);
  });

  it('is nothing to ask about where each row gets a value that none had before', async () => {
    const there = await drafts();
    const { rig, tick, userActions } = there;
    for (let row = 1; row < 5; row += 1) userActions.type('Bookings', row, at('date'), 46_200 + row);
    tickAll(there);

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(4);
  });
});
