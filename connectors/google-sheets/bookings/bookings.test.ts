import { describe, expect, it } from 'vitest';
import { desk } from '../../../test/support/csv/kit.ts';
import { sheetsRig } from '../../../test/support/sheets/kit.ts';
import { at, office } from '../../../test/support/sheets/office.ts';

/** Another installation that adopts the spreadsheet, as after the database was lost. */
const withoutItsDatabase = ({
  sandbox,
  clock,
}: Pick<Awaited<ReturnType<typeof office>>, 'sandbox' | 'clock'>) =>
  sheetsRig({
    sandbox,
    clock,
    settings: { tabs: ['bookings', 'sync'], adopt: 'here/accounts' },
    instance: 'restored',
    desk: desk(clock),
  });

describe('the Bookings tab', () => {
  it('books a ticked row that is unchanged at a second reading, and writes back the result', async () => {
    const { rig, fill, cell, tick } = await office();
    fill(1, { dentist: 'Dr. 1', note: 'Anxious' });

    const { nextInMs } = await tick();
    const claimed = [rig.desk.bookings.length, cell(1, 'ref'), cell(1, 'state')];
    await tick();
    rig.desk.move('CS-000001', { state: 'booked', appointment_id: 41 });
    await tick();

    expect(nextInMs).toBe(5_000);
    expect(claimed).toEqual([0, expect.stringMatching(/^wait-/), 'checking']);
    expect(rig.desk.submissions).toMatchObject([
      {
        source: 'accounts',
        fields: {
          patient_name: 'Rahim Uddin',
          patient_phone: '01712345678',
          appointment_date: '2026-03-19',
          appointment_time: '10:30',
          doctor: 'Dr. 1',
          note: 'Anxious',
        },
      },
    ]);
    expect([cell(1, 'ref'), cell(1, 'state'), cell(1, 'appointment')]).toEqual(['CS-000001', 'booked', 41]);
  });

  it('books nothing that is unticked or corrected before the second reading', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    fill(2, { patient: 'Krim Ali', phone: '01711111111' });
    await tick();
    userActions.type('Bookings', 1, at('send'), false);
    userActions.type('Bookings', 2, at('patient'), 'Karim Ali');

    await tick(2);

    expect(rig.desk.bookings.map(({ patient_name }) => patient_name)).toEqual(['Karim Ali']);
    expect([cell(1, 'ref'), cell(1, 'state')]).toEqual([null, null]);
  });

  it('says what is missing instead of booking half a row', async () => {
    const { rig, fill, cell, tick } = await office();
    fill(1, { date: '03/04/2026', phone: null });

    await tick(2);

    expect(rig.desk.submissions).toEqual([]);
    expect(cell(1, 'state')).toBe('incomplete');
    expect(cell(1, 'message')).toMatch(/Phone is missing.*|Date is not a date/);
  });

  it('never sends a phone that is a number: its zero is lost', async () => {
    const { rig, fill, cell, tick } = await office();
    fill(1, { phone: 1_712_345_678 });

    await tick(2);

    expect(rig.desk.submissions).toEqual([]);
    expect([cell(1, 'state'), cell(1, 'message')]).toEqual([
      'incomplete',
      expect.stringContaining('Phone is a number'),
    ]);
  });

  it('holds a row that repeats another, and books it on a second tick', async () => {
    const { clock, rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    await clock.advance(16 * 60_000);
    fill(2);
    await tick();
    const held = [rig.desk.bookings.length, cell(2, 'state'), cell(2, 'send'), cell(2, 'message')];
    await tick();
    userActions.type('Bookings', 2, at('send'), true);

    await tick();

    expect(held).toEqual([1, 'held', false, expect.stringContaining('The same as CS-000001')]);
    expect(rig.desk.bookings).toHaveLength(2);
  });

  it('merges a row with an equal recent one, says so once, and books it later', async () => {
    const { clock, rig, sandbox, fill, cell, tick, userActions } = await office();
    const tickAgain = async () => {
      userActions.type('Bookings', 2, at('send'), true);
      await tick(2);
    };
    const writes = () => sandbox.control.calls.filter(({ call }) => call === 'write').length;
    fill(1);
    await tick(2);
    fill(2);
    await tick(2);

    await tickAgain();
    const soon = [rig.desk.bookings.length, cell(2, 'state'), cell(2, 'send'), cell(2, 'message')];
    const before = writes();
    await tick(2);
    const restless = writes() - before;
    await clock.advance(16 * 60_000);
    await tickAgain();

    expect(soon).toEqual([1, 'held', false, expect.stringContaining('wait a quarter of an hour')]);
    expect(cell(1, 'ref')).toBe('CS-000001');
    expect(restless).toBe(0);
    expect(rig.desk.bookings).toHaveLength(2);
    expect(cell(2, 'ref')).toBe('CS-000002');
  });

  it('clears Ref and tick in a copied row, and says why', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    userActions.copyRow('Bookings', 1, 2);
    userActions.type('Bookings', 2, at('patient'), 'Somebody Else');

    await tick();

    expect([cell(1, 'ref'), cell(2, 'ref'), cell(2, 'send')]).toEqual(['CS-000001', null, false]);
    expect(cell(2, 'message')).toContain('A copy of CS-000001');
    expect(rig.desk.bookings).toHaveLength(1);
  });

  it('restores a Ref that was undone, and never books that row again', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    userActions.type('Bookings', 1, at('ref'), null);

    await tick(2);

    expect(cell(1, 'ref')).toBe('CS-000001');
    expect(rig.desk.bookings).toHaveLength(1);
  });

  it('never sends a row whose Ref it does not know', async () => {
    const { clock, sandbox, rig, fill, cell, tick } = await office();
    fill(1);
    await tick(2);
    const restored = await withoutItsDatabase({ sandbox, clock });

    await restored.converge();
    await clock.advance(60_000);
    await restored.converge();

    expect(rig.desk.bookings).toHaveLength(1);
    expect(restored.desk.submissions).toEqual([]);
    expect([cell(1, 'state'), cell(1, 'message')]).toEqual([
      'held',
      expect.stringContaining('not known here'),
    ]);
  });

  it('unticks a row with an unknown Ref before it claims anything else', async () => {
    const { clock, sandbox, fill, cell, tick } = await office();
    fill(1);
    await tick(2);
    fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    const restored = await withoutItsDatabase({ sandbox, clock });

    await restored.converge();
    const first = [cell(1, 'send'), cell(2, 'ref')];
    await restored.converge();

    expect(first).toEqual([false, null]);
    expect(cell(2, 'ref')).toMatch(/^wait-/);
  });

  it('books a copy of a row whose Ref it does not know only on a second tick', async () => {
    const { clock, sandbox, fill, cell, tick } = await office();
    fill(1);
    await tick(2);
    const restored = await withoutItsDatabase({ sandbox, clock });
    fill(2);

    for (let looks = 0; looks < 4; looks += 1) {
      await clock.advance(5_000);
      await restored.converge();
    }

    expect(restored.desk.submissions).toEqual([]);
    expect([cell(2, 'state'), cell(2, 'send'), cell(2, 'message')]).toEqual([
      'held',
      false,
      expect.stringContaining('The same as CS-000001'),
    ]);
  });

  it('never counts a tick that it failed to clear as a second one', async () => {
    const { sandbox, rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    fill(2);
    sandbox.control.beforeWrite(() => {
      sandbox.control.beforeWrite(undefined);
      userActions.insertColumn('Bookings', 8);
    });

    await tick(4);

    expect(rig.desk.submissions).toHaveLength(1);
    expect(rig.shown('Bookings')[2]?.[at('send') + 1]).toBe(false);
    expect(cell(1, 'note')).toBeNull();
  });

  it('calls a tick that it may not take away protected, and blames no script', async () => {
    const { fill, tick, userActions } = await office();
    const column = { startColumnIndex: at('send'), endColumnIndex: at('send') + 1 };
    userActions.protect('Bookings', { startRowIndex: 1, ...column });
    fill(1);
    fill(2);

    const { problems } = await tick(5);

    expect(problems).toEqual([expect.stringContaining('1 cell cannot be written because')]);
  });

  it('recognizes a booking accepted just before a crash, even if the row was unticked since', async () => {
    const { clock, sandbox, rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick();
    const { accept } = rig.desk.port;
    rig.desk.port.accept = async (submission) => {
      await accept(submission);
      throw new Error('killed');
    };
    await expect(tick()).rejects.toThrow('killed');
    rig.desk.port.accept = accept;
    userActions.type('Bookings', 1, at('send'), false);
    const settings = { tabs: ['bookings', 'sync'] };
    const again = await sheetsRig({ sandbox, clock, settings, desk: rig.desk });

    await again.converge();

    expect([cell(1, 'ref'), cell(1, 'state')]).toEqual(['CS-000001', 'queued']);
  });

  it('reads the results of formulas, names those without one, and leaves formulas as they are', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    fill(2, { phone: '01711111111', patient: null });
    userActions.type('Bookings', 2, at('patient'), { formula: '=A2' });
    userActions.type('Bookings', 2, at('date'), { formula: '=TODAY()+1' });
    fill(3, { phone: '01722222222' });
    userActions.type('Bookings', 3, at('time'), { formula: '=SOMETHING()' });

    await tick(2);

    expect(rig.desk.submissions.map(({ fields }) => fields)).toMatchObject([
      { patient_name: 'Rahim Uddin', appointment_date: '2026-03-19' },
      { patient_name: 'Rahim Uddin', appointment_date: '2026-03-03', appointment_time: '10:30' },
    ]);
    expect([cell(2, 'patient'), cell(2, 'date')]).toEqual(['=A2', '=TODAY()+1']);
    expect([cell(3, 'state'), cell(3, 'message')]).toEqual([
      'incomplete',
      expect.stringContaining('Time is a formula'),
    ]);
  });
});
