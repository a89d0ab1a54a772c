import { describe, expect, it } from 'vitest';
import { at, office } from '../../../test/support/sheets/office.ts';

describe('the whole row', () => {
  it.each([
    ['note', 'allergic to penicillin', 'Note'],
    ['dentist', 'Dr. 1', 'Dentist'],
    ['treatment', 'Root canal', 'Treatment'],
    ['date', 46_107, 'Date'],
    ['phone', '01812345679', 'Phone'],
    ['patient', 'Rahim Uddin Khan', 'Patient'],
  ])(
    'says that a change of %s after sending was not sent, and has it as a need',
    async (name, value, label) => {
      const { rig, fill, cell, tick, userActions } = await office();
      fill(1);
      await tick(2);
      rig.desk.move('CS-000001', { state: 'booked', appointment_id: 7, message: 'The clinic confirmed it.' });
      userActions.type('Bookings', 1, at(name), value);

      const { asks } = await tick();

      expect(cell(1, 'message')).toContain(`The change to this row (${label}) was NOT sent`);
      expect(asks).toMatchObject([
        { weight: 'need', sentence: expect.stringContaining(`CS-000001 (${label})`) },
      ]);
    },
  );

  it('says it of the address in the row alone', async () => {
    const { fill, cell, tick, userActions } = await office();
    fill(1, { address: 'Road 4' });
    await tick(2);
    userActions.type('Bookings', 1, at('address'), 'Road 5');

    const { asks } = await tick();

    expect(cell(1, 'message')).toContain('(Address) was NOT sent');
    expect(asks).toEqual([]);
  });

  it('takes the need back when the row says again what was sent, and when the visit is over', async () => {
    const { clock, fill, tick, userActions } = await office();
    fill(1, { note: 'Anxious' });
    fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    await tick(2);
    userActions.type('Bookings', 1, at('note'), 'Calm');
    userActions.type('Bookings', 2, at('note'), 'Late');
    const both = await tick();
    userActions.type('Bookings', 1, at('note'), 'anxious');

    const one = await tick();
    await clock.advance(30 * 86_400_000);
    const over = await tick();

    expect(both.asks[0]?.sentence).toContain('CS-000001 (Note), CS-000002 (Note)');
    expect(one.asks[0]?.sentence).not.toContain('CS-000001');
    expect(over.asks).toEqual([]);
  });

  it('says nothing once the clinic has moved the visit to what the row says', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    rig.desk.move('CS-000001', { state: 'booked', appointment_id: 7, message: 'Confirmed.' });
    userActions.type('Bookings', 1, at('time'), 0.625);
    rig.mirror.rows.appointments = [
      { clinic: 'main', appointment_id: 7, status: 'Pending', name: 'x', date: '2026-03-19', time: '15:00' },
    ];

    const { asks } = await tick();

    expect(cell(1, 'message')).toBe('Thu 19 Mar 2026, 15:00. Confirmed.');
    expect(asks).toEqual([]);
  });

  it.each([
    ['dentist', 'Dr. 1', 'doctor'],
    ['note', 'allergic to penicillin', 'note'],
    ['address', 'Road 5', 'address'],
  ])('books a row as it is once it rests: %s typed between the two looks', async (name, value, field) => {
    const { rig, fill, tick, userActions } = await office();
    fill(1);
    await tick();
    userActions.type('Bookings', 1, at(name), value);

    await tick();
    const early = rig.desk.submissions.length;
    await tick(2);

    expect(early).toBe(0);
    expect(rig.desk.submissions).toMatchObject([{ fields: { [field]: value } }]);
  });

  it('books a row that was ticked before it was filled in, once it is complete and rests', async () => {
    const { rig, userActions, tick } = await office();
    const lead = {
      send: true,
      patient: 'Rahim Uddin',
      phone: '01712345678',
      date: 46_100,
      time: 0.4375,
      note: 'x',
    };
    for (const [name, value] of Object.entries(lead)) {
      userActions.type('Bookings', 1, at(name), value);
      await tick();
    }

    await tick(2);

    expect(rig.desk.submissions).toMatchObject([{ fields: { patient_name: 'Rahim Uddin', note: 'x' } }]);
  });

  it('reads the digits of any script: a changed phone is a change, the same number is not', async () => {
    const { fill, cell, tick, userActions } = await office();
    fill(1, { phone: '০১৭১২৩৪৫৬৭৮' });
    fill(2, { patient: 'Karim Ali', phone: '٠١٧١١١١١١١١' });
    await tick(2);
    userActions.type('Bookings', 1, at('phone'), '01712345678');
    userActions.type('Bookings', 2, at('phone'), '٠١٧١١١١١١١٢');

    await tick();

    expect(cell(1, 'message')).not.toContain('NOT sent');
    expect(cell(2, 'message')).toContain('(Phone) was NOT sent');
  });

  it('says that the next patient typed over a booked row is not booked, and has it as a need', async () => {
    const { rig, fill, cell, tick } = await office();
    fill(1);
    await tick(2);
    fill(1, { patient: 'Karim Ali', phone: '01711111111', time: 0.5 });

    const { asks } = await tick(2);

    expect(rig.desk.submissions).toHaveLength(1);
    expect(cell(1, 'message')).toContain('is NOT booked');
    expect(asks).toMatchObject([
      { weight: 'need', sentence: expect.stringContaining('typed over CS-000001') },
    ]);
  });

  it('says that unticking cancels nothing', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    await tick(2);
    rig.desk.move('CS-000001', { state: 'booked', appointment_id: 7 });
    userActions.type('Bookings', 1, at('send'), false);

    await tick();
    const unticked = cell(1, 'message');
    userActions.type('Bookings', 1, at('send'), true);
    await tick();

    expect(unticked).toContain('Unticking cancels nothing');
    expect(cell(1, 'message')).not.toContain('Unticking');
  });

  it('names the day in words before and after it is booked', async () => {
    const { rig, fill, cell, tick } = await office();
    fill(1, { date: 46_508, time: 0.4375 });

    await tick();
    const before = cell(1, 'message');
    await tick();
    rig.desk.move('CS-000001', { state: 'booked', appointment_id: 7, message: 'The clinic confirmed it.' });
    await tick();

    expect(before).toBe('Booked in a moment for Sat 1 May 2027, 10:30, if it stays as it is.');
    expect(cell(1, 'message')).toBe('Sat 1 May 2027, 10:30. The clinic confirmed it.');
  });
});

describe('what stands in Send', () => {
  it.each([
    ['WAHR', '“WAHR”'],
    ['Yes', '“Yes”'],
    ['No', '“No”'],
    ['👍', '“👍”'],
    ['please call', '“please call”'],
    [1, 'Send holds “1”'],
  ])('says what to do about %s in a complete row', async (send, shown) => {
    const { rig, fill, cell, tick } = await office();
    fill(1, { send });

    await tick(2);

    expect(rig.desk.submissions).toEqual([]);
    expect(cell(1, 'state')).toBe('incomplete');
    expect(cell(1, 'message')).toContain(`${shown} instead of a tick`);
  });

  it('says it of a formula, and leaves the formula', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    userActions.type('Bookings', 1, at('send'), { formula: '=AND(A2<>"",B2<>"")' });

    await tick(2);

    expect(rig.desk.submissions).toEqual([]);
    expect([cell(1, 'send'), cell(1, 'message')]).toEqual([
      '=AND(A2<>"",B2<>"")',
      expect.stringContaining('Send holds a formula'),
    ]);
  });

  it('writes nothing into a header, whatever people made of it, nor into a line that explains it', async () => {
    const { sandbox, rig, fill, tick, userActions } = await office();
    userActions.type('Bookings', 0, at('send'), '✓');
    userActions.type('Bookings', 0, at('ref'), null);
    userActions.insertRow('Bookings', 1);
    userActions.type('Bookings', 1, at('patient'), 'Full name');
    userActions.type('Bookings', 1, at('send'), 'x when complete');
    fill(2);
    const before = JSON.stringify(
      rig
        .shown('Bookings')
        .slice(0, 2)
        .map((row) => row.slice(0, 14)),
    );

    await tick(3);

    expect(
      JSON.stringify(
        rig
          .shown('Bookings')
          .slice(0, 2)
          .map((row) => row.slice(0, 14)),
      ),
    ).toBe(before);
    expect(rig.desk.submissions).toHaveLength(1);
    expect(sandbox.control.tab('Bookings').rows[0]?.[at('state')]?.value).toEqual({ stringValue: 'State' });
  });

  it('writes nothing into a header in another language, wherever it was moved', async () => {
    const { rig, fill, tick, userActions } = await office();
    const words = ['রোগী', 'ফোন', 'তারিখ', 'সময়', 'ডাক্তার', 'চিকিৎসা', 'ঠিকানা', 'নোট', '✔', 'সূত্র', 'অবস্থা'];
    for (const [column, word] of words.entries()) userActions.type('Bookings', 0, column, word);
    fill(1);
    userActions.moveRow('Bookings', 0, 3);

    await tick(3);

    expect(rig.shown('Bookings')[3]?.slice(0, words.length)).toEqual(words);
    expect(rig.desk.submissions).toHaveLength(1);
  });
});

describe('what a cell is', () => {
  it('takes an apostrophe that a program wrote before a phone for a sign of text', async () => {
    const { rig, fill, tick } = await office();
    fill(1, { phone: "'01712345678" });

    await tick(2);

    expect(rig.desk.submissions).toMatchObject([{ fields: { patient_phone: '01712345678' } }]);
  });

  it('reads what an address and a note show, although the spreadsheet made a date and a number of them', async () => {
    const { sandbox, rig, fill, tick, userActions } = await office();
    // Below the last formatted row, cells are read as they are typed.
    const plain = {
      startRowIndex: 1,
      endRowIndex: 2,
      startColumnIndex: at('address'),
      endColumnIndex: at('note') + 1,
    };
    userActions.cutAndPaste('Bookings', plain, { row: 150, column: at('address') });
    fill(1);
    userActions.enter('Bookings', 1, at('address'), '3/4');
    userActions.enter('Bookings', 1, at('note'), '50%');
    expect(sandbox.control.tab('Bookings').rows[1]?.[at('note')]?.value).toEqual({ numberValue: 0.5 });

    await tick(2);

    expect(rig.desk.submissions).toMatchObject([{ fields: { address: '03/04/2026', note: '50%' } }]);
  });

  it.each([
    ['treatment', 46_100, 'Treatment in F2 is a number or a date'],
    ['dentist', true, 'Dentist in E2 is a checkbox'],
    ['patient', 7, 'Patient in A2 is a number or a date'],
  ])('names a %s that is no text', async (name, value, words) => {
    const { rig, fill, cell, tick } = await office();
    fill(1, { [name]: value });

    await tick(2);

    expect(rig.desk.submissions).toEqual([]);
    expect(cell(1, 'message')).toContain(words);
  });

  it('waits for a formula that is loading, and names one that is an error', async () => {
    const { rig, fill, cell, tick, userActions } = await office();
    fill(1);
    fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    userActions.type('Bookings', 1, at('note'), { formula: '=IMPORTRANGE("x";"A1")' });
    userActions.type('Bookings', 2, at('dentist'), { formula: '=NA()' });

    await tick(2);

    expect(rig.desk.submissions).toEqual([]);
    expect(cell(1, 'message')).toContain('Note is a formula');
    expect(cell(2, 'message')).toContain('Dentist is a formula');
  });
});

describe('what the columns say together', () => {
  it('does not book a row whose status in a column of people says that it is off', async () => {
    const { rig, userActions, fill, cell, tick } = await office();
    const status = 14;
    userActions.insertColumn('Bookings', status);
    userActions.type('Bookings', 0, status, 'Status');
    fill(1);
    userActions.type('Bookings', 1, status, 'Abgesagt');
    fill(2, { patient: 'Karim Ali', phone: '01711111111' });
    userActions.type('Bookings', 2, status, 'confirmed');

    await tick(3);

    expect(rig.desk.submissions.map(({ fields }) => fields.patient_name)).toEqual(['Karim Ali']);
    expect(cell(1, 'message')).toMatch(/^Status says that it was cancelled/);
  });

  it('does not trust a day whose month may be exchanged, as a text beside it shows', async () => {
    const { rig, fill, cell, tick } = await office();
    const [april3, march19] = [46_115, 46_100];
    fill(1, { date: april3 });
    fill(2, { date: '25/03/2026', patient: 'Karim Ali', phone: '01711111111' });
    fill(3, { date: march19, patient: 'Lena Roy', phone: '01722222222' });

    await tick(3);

    expect(rig.desk.submissions.map(({ fields }) => fields.patient_name)).toEqual(['Lena Roy']);
    expect(cell(1, 'message')).toContain('could not read C3');
  });
});
