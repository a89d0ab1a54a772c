import { describe, expect, it } from 'vitest';
import { at, office } from '../../../test/support/sheets/office.ts';

describe('what a row of the Bookings tab says about its booking', () => {
  it('says that a change after sending was not sent, and shows the result of a deleted row in Sync', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    await tick(2);
    userActions.type('Bookings', 1, at('time'), 0.5);
    userActions.deleteRow('Bookings', 2);

    await tick();

    expect(cell(1, 'message')).toContain('was NOT sent');
    expect(rig.shown('Sync').flat()).toContainEqual(
      expect.stringMatching(/^Booking CS-000002: queued; its row/),
    );
  });

  it.each([
    ['queued', 'NOT sent: the clinic gets what it said before'],
    ['unknown', 'NOT sent: the clinic gets what it said before'],
    ['booked', 'NOT sent: it is still booked as it was'],
    ['held', 'correct or drop CS-000001 on the status page'],
    ['rejected', 'clear Ref and tick Send'],
    ['expired', 'clear Ref and tick Send'],
    ['dropped', 'clear Ref and tick Send'],
  ] as const)('says what becomes of a change in the row of a booking that is %s', async (state, words) => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    rig.desk.move('CS-000001', { state, message: 'The clinic says so.' });
    userActions.type('Bookings', 1, at('time'), 0.5);

    await tick();

    expect(cell(1, 'message')).toContain(words);
    expect(cell(1, 'message')).toContain('The clinic says so.');
  });

  it('books a refused row again, as it is now, once its Ref is cleared', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    rig.desk.move('CS-000001', { state: 'rejected', message: 'No such slot.' });
    await tick();
    userActions.type('Bookings', 1, at('time'), 0.5);
    await tick();
    const before = [rig.desk.bookings.length, cell(1, 'ref')];

    userActions.type('Bookings', 1, at('ref'), null);
    await tick(2);

    expect(before).toEqual([1, 'CS-000001']);
    expect(rig.desk.bookings.map(({ appointment_time }) => appointment_time)).toEqual(['10:30', '12:00']);
    expect(cell(1, 'ref')).toBe('CS-000002');
  });

  it('says that a row is booked even after an undo to before its tick', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    userActions.type('Bookings', 1, at('ref'), null);
    userActions.type('Bookings', 1, at('send'), null);

    await tick(2);

    expect([cell(1, 'ref'), cell(1, 'state'), cell(1, 'send')]).toEqual(['CS-000001', 'queued', null]);
    expect(rig.desk.submissions).toHaveLength(1);
  });

  it('restores the Ref of a row that was changed after it was sent', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    userActions.type('Bookings', 1, at('patient'), 'Rahima Uddin');
    await tick();
    userActions.type('Bookings', 1, at('ref'), null);

    await tick(2);

    expect(cell(1, 'ref')).toBe('CS-000001');
    expect(rig.desk.submissions).toHaveLength(1);
  });
});
