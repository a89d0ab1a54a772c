import { describe, expect, it } from 'vitest';
import { at, office } from '../../../test/support/sheets/office.ts';

const inputs = ['patient', 'phone', 'date', 'time', 'dentist', 'treatment', 'address', 'note'];

describe('erasing a person who was typed into the Bookings tab', () => {
  const booked = async () => {
    const site = await office();
    site.fill(1, { dentist: 'Dr. 1', address: 'Road 7', note: 'Anxious' });
    site.fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    await site.tick();
    await site.tick();
    site.rig.desk.move('CS-000001', { state: 'booked', appointment_id: 41 });
    await site.tick();
    const typed = (row: number) => inputs.map((name) => site.cell(row, name));
    const notes = async () => JSON.stringify(await site.rig.desk.memory.list('claim:'));
    return { ...site, typed, notes };
  };
  const nothing = inputs.map(() => null);

  it('empties what was typed into the row, keeps its Ref and state, and leaves every other cell', async () => {
    const { rig, cell, typed, tick, userActions } = await booked();
    userActions.insertColumn('Bookings', 14);
    userActions.type('Bookings', 1, 14, 'called back');
    const other = typed(2);

    await rig.forget(['CS-000001']);
    await tick();

    expect(typed(1)).toEqual(nothing);
    expect([cell(1, 'ref'), cell(1, 'state'), cell(1, 'appointment')]).toEqual(['CS-000001', 'booked', 41]);
    expect(cell(1, 'message')).toBe(
      'The person of this row was erased. To use the row for another person, clear Ref.',
    );
    expect(rig.shown('Bookings')[1]?.[14]).toBe('called back');
    expect(typed(2)).toEqual(other);
  });

  it('keeps nothing that could identify the person, and then changes nothing more', async () => {
    const { rig, sandbox, notes, tick } = await booked();
    const before = JSON.parse(Object.values(JSON.parse(await notes()) as Record<string, string>)[0] ?? '{}');

    await rig.forget(['CS-000001']);
    await rig.forget(['CS-000001']);
    await tick();
    const writes = sandbox.control.calls.filter(({ call }) => call === 'write').length;
    await tick();

    expect(before.content).not.toBe('');
    expect(await notes()).not.toContain(before.content);
    expect(sandbox.control.calls.filter(({ call }) => call === 'write')).toHaveLength(writes);
  });

  it('never books the row again, even when its former version is restored', async () => {
    const { rig, fill, cell, tick, userActions } = await booked();
    await rig.forget(['CS-000001']);
    await tick();

    fill(1);
    await tick(4);

    expect(rig.desk.submissions).toHaveLength(2);
    expect(cell(1, 'message')).toContain('Delete what this row still shows of them.');
    expect(rig.shown('Sync').flat()).toContainEqual(expect.stringContaining('its person was erased since'));
    userActions.type('Bookings', 1, at('ref'), null);
    await tick(2);
    expect(rig.desk.submissions).toHaveLength(3);
  });

  it('leaves a row that was typed over for another person, and says so', async () => {
    const { rig, cell, tick, userActions } = await booked();
    userActions.type('Bookings', 1, at('patient'), 'Salma Khatun');
    await tick();

    await rig.forget(['CS-000001']);
    const { problems } = await tick();

    expect(cell(1, 'patient')).toBe('Salma Khatun');
    expect(problems).toContainEqual(expect.stringMatching(/^Bookings: CS-000001: .*erased since/));
  });

  it('empties copies of the row and rows held as repeating it', async () => {
    const { rig, fill, typed, cell, tick, userActions } = await booked();
    userActions.copyRow('Bookings', 1, 3);
    await tick();
    fill(5, {});
    await tick();
    const held = cell(5, 'state');

    await rig.forget(['CS-000001']);
    await tick(3);

    expect(held).toBe('held');
    expect([typed(1), typed(3), typed(5)]).toEqual([nothing, nothing, nothing]);
    expect(rig.desk.submissions).toHaveLength(2);
  });

  it('empties rows that ask whether they are about the person, and rows filled down from theirs', async () => {
    const { rig, fill, typed, cell, tick, userActions } = await booked();
    const row = { startRowIndex: 1, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: at('send') + 1 };
    userActions.moveRow('Bookings', 2, 8);
    userActions.fillDown('Bookings', row, 2);
    await tick(2);
    userActions.deleteRow('Bookings', 1);
    fill(6, { time: 0.625 });
    await tick(2);
    const asked = [cell(1, 'message'), cell(6, 'message')];

    await rig.forget(['CS-000001']);
    await tick(3);

    expect(asked).toEqual([
      expect.stringContaining('Filled down from the row beside it?'),
      expect.stringContaining('Was this CS-000001?'),
    ]);
    expect([typed(1), typed(6)]).toEqual([nothing, nothing]);
    expect(JSON.stringify(rig.shown('Bookings'))).not.toMatch(/Rahim Uddin|0171234567/);
    expect(rig.desk.submissions).toHaveLength(2);
  });

  it('finds the row wherever it was sorted to, even while it is being written', async () => {
    const { rig, sandbox, userActions, tick } = await booked();
    let moved = false;
    sandbox.control.beforeWrite(() => {
      if (!moved) userActions.moveRow('Bookings', 2, 1);
      moved = true;
    });

    await rig.forget(['CS-000001']);
    await tick();

    const rows = rig.shown('Bookings').slice(1, 3);
    expect(moved).toBe(true);
    expect(rows.map((row) => row[at('patient')])).toEqual(['Karim Ali', null]);
    expect(rows.map((row) => row[at('phone')])).toEqual(['01711111111', null]);
    expect(rows.map((row) => row[at('ref')])).toEqual(['CS-000002', 'CS-000001']);
  });

  it('is incomplete while a cell is protected, and says whom to ask', async () => {
    const { rig, typed, userActions } = await booked();
    userActions.protect('Bookings', { startRowIndex: 1, endRowIndex: 2 }, { description: 'desk only' });

    const refused = await rig.forget(['CS-000001']).catch((error: unknown) => error);
    userActions.unprotect('Bookings');
    await rig.forget(['CS-000001']);

    expect(refused).toMatchObject({
      kind: 'refused',
      message: 'Erased people are still in Bookings CS-000001 (protected as “desk only”).',
    });
    expect(typed(1)).toEqual(nothing);
  });

  it('makes no call when no row of the spreadsheet is about them', async () => {
    const { rig, sandbox } = await booked();
    const calls = sandbox.control.calls.length;

    await rig.forget(['CS-ELSEWHERE']);

    expect(sandbox.control.calls).toHaveLength(calls);
  });
});
