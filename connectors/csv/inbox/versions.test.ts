import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/platform/duration.ts';
import { ann, bob, file, header, openInbox } from '../../../test/support/csv/inbox.ts';
import { familyOf, seriesOf } from './versions.ts';

const cy = 'Cy Das,01711000003,2026-04-01,11:30,Scaling';

it.each([
  'leads.csv',
  'LEADS.CSV',
  'leads.csv.csv',
  'leads (1).csv',
  'leads(2).csv',
  'leads - Copy.csv',
  'leads - Copy (2).csv',
  'leads - Kopie.csv',
  'leads – Copie (3).csv',
  'Copy of leads.csv',
  'Copy (2) of leads.csv',
  'Kopie von leads.csv',
  'Copia de leads.csv',
  'leads copy 2.csv',
  'leads - kopia.csv',
  'leads - Cópia.csv',
  'leads.sync-conflict-20261128-143110-ABCDEFG.csv',
  'leads.sync-conflict-20261128-143110.csv',
  'leads (Anna’s conflicted copy 2026-11-28).csv',
  'leads (conflicted copy 2026-11-28 143110).csv',
  'leads (In Konflikt stehende Kopie von Anna 2026-11-28).csv',
  'leads (Copie en conflit de Anna 2026-11-28).csv',
  'leads (SFConflict anna@clinic.example 2026-11-28-14-31-10).csv',
  'leads_conflict-20261128-143110.csv',
  'leads.conflict1.csv',
  'leads.Conflict.csv',
  'leads [conflicted].csv',
  'leads_FRONTDESK_Nov-28-143110-2026_Conflict.csv',
  'leads-DESKTOP-4F2K9QL.csv',
  'leads-FRONT-PC01.csv',
  'leads-Anna’s MacBook Pro.csv',
  ...['leads (copy).csv', 'leads (copy 2).csv', 'leads (another copy).csv', 'leads (3rd copy).csv'],
  ...['leads (Kopie).csv', 'leads (3. Kopie).csv', 'leads (copie).csv', 'leads [1].csv', 'LEADS~1.CSV'],
  ...['leads - Copy - Copy.csv', 'leads - Copy (2) (1).csv', 'leads — kopia.csv', 'leads - copia.csv'],
  ...[
    'leads - Kopya.csv',
    'leads kopyası.csv',
    'leads öğesinin kopyası.csv',
    'leads adlı dosyanın kopyası.csv',
  ],
  ...[
    'leads - نسخة.csv',
    'نسخة من leads.csv',
    'leads - प्रतिलिपि.csv',
    'leads की कॉपी.csv',
    'leads এর কপি.csv',
  ],
  ...['Kopie van leads.csv', 'Copia di leads.csv', 'Cópia de leads.csv', 'Kopia pliku leads.csv'],
  ...['leads (Case Conflict).csv', 'leads (Case Conflict 2).csv', 'leads (Unicode Encoding Conflict).csv'],
  ...['leads (copia en conflicto de Anna).csv', 'leads (cópia em conflito de Anna).csv'],
  ...['leads (copia in conflitto di Anna).csv', 'leads (conflicterende kopie van Anna).csv'],
  ...['leads (kopia powodująca konflikt, Anna).csv', 'leads (Anna çakışan kopyası).csv'],
  ...['leads (نسخة متعارضة).csv', 'leads (विरोधी प्रति).csv', 'leads (দ্বন্দ্বপূর্ণ কপি).csv'],
  ...['leads - Shortcut.csv', 'leads - Verknüpfung.csv', 'leads – Raccourci.csv', 'leads - Kısayol.csv'],
  ...['leads-RECEPTION.csv', 'leads-PRAXIS-SERVER.csv', 'leads-LAPTOP-9.csv', 'leads-PC7.csv'],
  ...['leads.csv 2026-11-28 143110.csv', 'leads~20261128-143110.csv', 'leads.variant-1a2b.csv'],
  ...['leads.results-2.csv', 'leads.2026-11-28-143140.results-2.csv', 'leads.results.csv'],
  'leads (1).sync-conflict-20261128-143110-ABCDEFG (2).csv',
  ...['leads-RECEPTION (1).csv', 'leads-RECEPTION - Copy.csv', 'leads-DESKTOP-4F2K9QL-2.csv'],
  ...['leads (Anna’s conflicted copy 2026-11-28 (1)).csv', 'leads [Conflict (1)].csv'],
  ...[
    'leads — копия.csv',
    'Копия leads.csv',
    'leads のコピー.csv',
    'leads - コピー (2).csv',
    'leads - 副本.csv',
  ],
  ...['leads (Annaの競合コピー 2026-11-28).csv', 'Kopia av leads.csv', 'leads dosyasının kopyası.csv'],
  ...[
    'leads – kopi.csv',
    'leads - Kopio.csv',
    'leads - Kópia (2).csv',
    'leads - másolat.csv',
    'leads 복사본.csv',
  ],
])('takes %s for a version of leads.csv', (name) => {
  expect(familyOf(name)).toBe('leads');
});

it.each([
  'leads-2.csv',
  'leads north.csv',
  'leads-2026-11-28.csv',
  'conflict.csv',
  '(1).csv',
  'copy.csv',
  'leads (copy shop).csv',
  'LEADS-NORTH.csv',
  'leads-MARCH.csv',
  'leads-MON.csv',
  'leads-2026.csv',
  'photocopy.csv',
  'leads hardcopy.csv',
  'copy of.csv',
  ...['leads-NORTH - SOUTH.csv', 'leads (Anna).csv', 'leads (2026 (1)).csv'],
])('takes %s for a file of its own', (name) => {
  expect(familyOf(name)).not.toBe('leads');
  expect(familyOf(name)).not.toBe('');
});

it.each([
  ['bookings-2026-11-27.csv', 'bookings-2026-11-28.csv'],
  ['bookings_20261127.csv', 'bookings_20261128 (1).csv'],
  ['2026-11-27 bookings.csv', '2026-11-28 bookings.csv'],
  ['bookings 27.11.2026.csv', 'bookings 5.12.2026.csv'],
  ['bookings-2026-11-27T06-00-00Z.csv', 'bookings-2026-11-28T18-30-00Z.csv'],
  ['bookings-1764223200.csv', 'bookings-1764309600.csv'],
  ['export_00041.csv', 'export_00042.csv'],
  ['2026-11-27.csv', '2026-11-28.csv'],
  ['leads-27-Nov-2026.csv', 'leads-1-Dec-2026.csv'],
  ['Termine 27. März 2026.csv', 'Termine 1. April 2026.csv'],
  ['leads.csv', 'leads 2.csv'],
  ['leads.csv', 'leads_20261128.csv'],
  ['3f2a9c10-leads.csv', '9b1c77e2-leads.csv'],
  ['leads_0d9c6a1e-2b3f-4c5d-8e9f-a0b1c2d3e4f5.csv', 'leads_11111111-2b3f-4c5d-8e9f-a0b1c2d3e4f5.csv'],
])('takes %s and %s for files of one series', (one, other) => {
  expect(familyOf(one)).not.toBe(familyOf(other));
  expect(seriesOf(familyOf(one))).toBe(seriesOf(familyOf(other)));
});

it.each([
  ['north 1.csv', 'south 1.csv'],
  ['march leads.csv', 'leads.csv'],
  ['decade.csv', 'facade.csv'],
])('takes %s and %s for files of two series', (one, other) => {
  expect(seriesOf(familyOf(one))).not.toBe(seriesOf(familyOf(other)));
});

describe('a daily export with its day in its name', () => {
  const friday = 'bookings-2026-03-06.csv';
  const saturday = 'bookings-2026-03-07.csv';

  it('books its new rows only and asks nothing about the others, when it holds all of them', async () => {
    const { take, clock, desk, results } = await openInbox();
    await take(friday, file(header, ann, bob));
    await clock.advance(26 * HOUR);

    await take(saturday, file(header, cy, bob, ann));

    expect(desk.submissions.map(({ fields }) => fields.patient_name)).toEqual([
      'Ann Lee',
      'Bob Roy',
      'Cy Das',
    ]);
    expect((await results('bookings-2026-03-07')).map(({ ref }) => ref)).toEqual([
      ...['CS-000003', 'CS-000002', 'CS-000001'],
    ]);
  });

  it('has the columns of the day before where it does not name them', async () => {
    const { take, desk } = await openInbox();
    await take(friday, file(header, ann));

    await take(saturday, `${bob}\n${cy}\n`);

    expect(desk.bookings).toMatchObject([
      ...[{ patient_name: 'Ann Lee' }, { patient_name: 'Bob Roy', state: 'queued' }],
      { patient_name: 'Cy Das', state: 'queued' },
    ]);
  });

  it.each([
    ['all of them', [bob, cy]],
    ['only the changed ones', []],
  ])(
    'sends a row with another time as a change of the booking that it had, when it holds %s',
    async (_, others) => {
      const { take, clock, desk } = await openInbox();
      await take(friday, file(header, ann, bob, cy));
      await clock.advance(26 * HOUR);

      await take(saturday, file(header, ann.replace('10:30', '12:30'), ...others));

      const ids = desk.submissions.map(({ submission_id }) => submission_id);
      expect(ids.slice(3)).toEqual([ids[0]]);
    },
  );

  it('is only its day’s list when it shares no rows: who comes again on another day is booked', async () => {
    const { take, clock, desk } = await openInbox();
    const wish = 'Wim Dee,01711000009,,,Scaling';
    await take(friday, file(header, ann, wish));
    await clock.advance(26 * HOUR);

    await take(saturday, file(header, ann.replace('04-01,10:30', '04-09,12:00'), wish, cy));

    expect(new Set(desk.bookings.map(({ submission_id }) => submission_id)).size).toBe(5);
  });

  it.each([
    ['queued', 2, undefined],
    ['rejected', 3, expect.stringContaining('ended without a visit')],
  ] as const)('takes one repeated row, whose booking is %s, for what it is', async (state, count, ask) => {
    const { take, clock, desk } = await openInbox();
    await take(friday, file(header, ann));
    desk.move('CS-000001', { state });
    await clock.advance(26 * HOUR);

    await take(saturday, file(header, ann, cy));

    expect(desk.submissions).toHaveLength(count);
    expect(desk.submissions[count - 2]?.ask).toEqual(ask);
  });

  it('knows its own copies, whatever else was taken since', async () => {
    const { take, clock, desk } = await openInbox();
    const wish = 'Wim Dee,01711000009,,,Scaling';
    await take(friday, file(header, wish));
    await take(saturday, file(header, ann, bob));
    await clock.advance(26 * HOUR);

    await take('bookings-2026-03-06 (1).csv', file(`${header},Agent`, `${wish},x`));

    expect(desk.submissions).toHaveLength(3);
  });
});

describe('another version of a file', () => {
  it.each([
    ['as a conflict copy', 'leads.sync-conflict-20261128-143110-ABCDEFG.csv', file(header, ann, bob)],
    ['with another order', 'leads.csv', file(header, bob, ann)],
    [
      'as a spreadsheet program saves it',
      'leads (1).csv',
      `\uFEFF${header.replaceAll(',', ';')};Ref\r\nann lee;1711000001;2026-04-01;10:30:00;Scaling;x\r\nBob ` +
        'Roy;1711000002;2026-04-01;11:00:00;scaling;\r\n',
    ],
  ])('books nothing again %s, weeks later', async (_, name, content) => {
    const { take, clock, desk, results } = await openInbox();
    await take('leads.csv', file(header, ann, bob));
    await clock.advance(20 * DAY);

    await take(name, content);

    expect(desk.submissions).toHaveLength(2);
    const refs = (await results(name.slice(0, -4))).map(({ ref }) => ref);
    expect(refs.toSorted()).toEqual(['CS-000001', 'CS-000002']);
  });

  it('asks nothing about the rows of a daily export that grows', async () => {
    const { take, clock, desk } = await openInbox();
    const rows = [ann, bob, cy];
    for (const day of [1, 2, 3]) {
      await take('month.csv', file(header, ...rows.slice(0, day)));
      await clock.advance(26 * HOUR);
    }

    expect(desk.submissions.map(({ fields }) => fields.patient_name)).toEqual([
      'Ann Lee',
      'Bob Roy',
      'Cy Das',
    ]);
  });

  it.each([
    ['phone', ann.replace('0001', '0009')],
    ['day', ann.replace('04-01', '04-02')],
    ['time', ann.replace('10:30', '12:30')],
    ['name', ann.replace('Ann Lee', 'Anna Leigh')],
    ['treatment', ann.replace('Scaling', 'Whitening')],
  ])('sends a row with another %s as a change of the booking that it had', async (_, changed) => {
    for (const name of ['leads.csv', 'leads (Anna’s conflicted copy 2026-03-03).csv', 'leads - Copy.csv']) {
      const { take, clock, desk } = await openInbox();
      await take('leads.csv', file(header, ann));
      await clock.advance(HOUR);

      await take(name, file(header, changed));
      await clock.advance(HOUR);
      await take('leads (3).csv', file(header, ann));

      const ids = desk.submissions.map(({ submission_id }) => submission_id);
      expect(ids).toEqual([ids[0], ids[0]]);
    }
  });

  it.each([
    ['day and time', ann.replace('04-01,10:30', '04-03,12:00')],
    ['phone and time', ann.replace('0001', '0009').replace('10:30', '12:00')],
    ['phone and day', ann.replace('0001', '0009').replace('04-01', '04-03')],
    ['name and time', ann.replace('Ann Lee', 'Anna Leigh').replace('10:30', '12:00')],
    ['name and day', ann.replace('Ann Lee', 'Anna Leigh').replace('04-01', '04-03')],
  ])('sends a row with another %s as a change, where the rest of the file stayed', async (_, changed) => {
    const { take, desk } = await openInbox();
    await take('leads.csv', file(header, ann, bob));

    await take('leads.csv', file(header, changed, bob));

    const ids = desk.submissions.map(({ submission_id }) => submission_id);
    expect(ids[2]).toBe(ids[0]);
  });

  it.each([
    ['of the same phone beside a row that stayed', [ann, ann.replace('Ann Lee', 'Tom Lee')]],
    ['of another person', [ann, bob]],
  ])('books a new row %s for itself', async (_, rows) => {
    const { take, desk } = await openInbox();
    await take('leads.csv', file(header, ann));

    await take('leads.csv', file(header, ...rows));

    expect(desk.bookings).toHaveLength(2);
    expect(desk.bookings[1]?.submission_id).not.toBe(desk.bookings[0]?.submission_id);
  });

  it('does not take a visit that comes after one that is over for a change of it', async () => {
    const { take, clock, desk } = await openInbox();
    await take('today.csv', file(header, ann));
    await clock.advance(60 * DAY);

    await take('today.csv', file(header, ann.replace('04-01', '06-01')));

    expect(new Set(desk.submissions.map(({ submission_id }) => submission_id)).size).toBe(2);
  });

  it('takes a row without a day for a new wish, unless it has stood in the file since', async () => {
    const { take, desk } = await openInbox();
    const wish = 'Ann Lee,01711000001,,,Scaling';
    await take('leads.csv', file(header, wish));
    await take('leads.csv', file(header, wish, bob));
    const stood = desk.submissions.length;
    await take('leads.csv', file(header, bob));

    await take('leads.csv', file(header, wish, cy));

    expect(stood).toBe(2);
    expect(desk.submissions.map(({ fields }) => fields.patient_name)).toEqual([
      ...['Ann Lee', 'Bob Roy', 'Ann Lee', 'Cy Das'],
    ]);
    expect(desk.submissions[2]?.submission_id).not.toBe(desk.submissions[0]?.submission_id);
  });

  it('knows the rows of files that were taken before rows were remembered', async () => {
    const { take, clock, desk } = await openInbox();
    await take('month.csv', file(header, ann, bob));
    // As an earlier version left it.
    const notes = Object.keys(await desk.memory.list(''));
    const unknown = notes.filter((key) => /^(?:family|latest|header|taken|salt|holder|answer)/.test(key));
    await desk.memory.set(Object.fromEntries(unknown.map((key) => [key, undefined])));
    await clock.advance(3 * DAY);

    await take('month (1).csv', file(header, bob, ann, cy));

    expect(desk.submissions.slice(2).map(({ fields }) => fields.patient_name)).toEqual(['Cy Das']);
  });

  it('no longer knows the row of a person who was erased', async () => {
    const { take, forget, clock, desk } = await openInbox();
    await take('leads.csv', file(header, ann, bob));
    await clock.advance(2 * DAY);
    await forget(['CS-000001']);

    await take('leads.csv', file(header, bob, ann, cy));

    expect(desk.submissions.slice(2).map(({ fields }) => fields.patient_name)).toEqual(['Ann Lee', 'Cy Das']);
    expect(JSON.stringify(await desk.memory.list(''))).not.toMatch(/Ann|1711000001/);
  });
});

describe('a file that ends in the middle of its last line', () => {
  const withPhoneLast = 'Date,Time,Treatment,Name,Phone';
  const whole = '2026-04-01,10:30,Scaling,Ann Lee,+8801711000001';

  it.each([
    ['the phone', withPhoneLast, whole, whole.slice(0, -3)],
    ['the name', header, ann, 'Ann L'],
    [
      'the time',
      'Name,Phone,Date,Time',
      'Ann Lee,01711000001,2026-04-01,10:30',
      'Ann Lee,01711000001,2026-04-01,1',
    ],
    [
      'a morning that may be an evening',
      'Name,Phone,Date,Time',
      'A B,01711000001,2026-04-01,10:30 PM',
      'A B,01711000001,2026-04-01,10:30',
    ],
    [
      'the day, which is written without zeros',
      'Name,Phone,Time,Date',
      'A B,01711000001,10:30,2026-4-16',
      'A B,01711000001,10:30,2026-4-1',
    ],
    [
      'a doubled quotation mark',
      'Phone,Date,Time,Name',
      '01711000001,2026-04-01,10:30,"Robert ""Bob"" Smith"',
      '01711000001,2026-04-01,10:30,"Robert "',
    ],
    ['nothing, by luck', withPhoneLast, whole, whole],
    ['nothing but the line end', header, ann, ann],
  ])('holds a row cut in %s, and books it when the whole file comes', async (_, head, row, cut) => {
    const { take, clock, desk } = await openInbox();
    await take('leads.csv', `${head}\n${cut}`);
    const held = desk.bookings.map(({ state, message }) => [state, message]);
    await clock.advance(20 * HOUR);

    await take('leads.csv', `${head}\n${row}\n`);

    expect(held).toEqual([['held', expect.stringContaining('ends in the middle of its last line')]]);
    expect(desk.bookings.map(({ state }) => state)).toEqual(['dropped', 'queued']);
  });

  it('waits for the end of a UTF-16 file whose last letter looks like half of a line end', async () => {
    const { take, desk } = await openInbox();
    const text = 'Phone\tDate\tTime\tName\n01711000001\t2026-04-01\t10:30\tരാജ';

    await take('leads.csv', Buffer.from(`\ufeff${text}`, 'utf16le'));

    expect(desk.bookings.map(({ state }) => state)).toEqual(['held']);
  });

  it('asks about the whole row when a person has released the cut one meanwhile', async () => {
    const { take, desk } = await openInbox();
    await take('leads.csv', `${withPhoneLast}\n${whole.slice(0, -1)}`);
    desk.move('CS-000001', { state: 'queued' });

    await take('leads.csv', `${withPhoneLast}\n${whole}\n`);

    const ids = desk.submissions.map(({ submission_id }) => submission_id);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it('holds a row cut in the middle of a letter as it began, and books the whole', async () => {
    const row = ann.replace('Ann Lee', 'Dr. O’Neil');
    for (const bytes of [1, 2]) {
      const { take, forget, desk, read } = await openInbox();
      const whole = Buffer.from(file(header, bob, row));
      const upTo = whole.indexOf('’') + bytes;
      await take('leads.csv', whole.subarray(0, upTo));
      const held = desk.bookings.map(({ patient_name, state }) => [patient_name, state]);

      await take('leads.csv', whole);
      await forget(['CS-000003']);

      expect(held).toEqual([
        ['Bob Roy', 'queued'],
        ['Dr. O', 'held'],
      ]);
      expect(desk.bookings.map(({ state }) => state)).toEqual(['queued', 'dropped', 'queued']);
      expect(await read('done/leads.csv')).not.toContain('Neil');
    }
  });

  it('leaves nothing of an erased row that was cut in the middle of a letter', async () => {
    const { take, forget, inbox } = await openInbox();
    const whole = Buffer.from(file(header, bob, ann.replace('Ann Lee', 'Dr. O’Neil')));
    await take('leads.csv', whole.subarray(0, whole.indexOf('’') + 2));

    await forget(['CS-000002']);

    const left = await readFile(join(inbox, 'done/leads.csv'));
    expect(left.toString('latin1').trimEnd()).toBe(file(header, bob).trimEnd());
  });

  it('keeps a cut lead until the whole of it comes, whoever else comes at that hour', async () => {
    const { take, desk } = await openInbox();
    const head = 'Date,Time,Treatment,Name,Phone';
    const other = '2026-04-01,10:15,Scaling,Cy Das,+8801711000003';
    await take('leads.csv', `${file(head, other)}2026-04-01,10`);
    await take(
      'leads.csv',
      file(head, other, '2026-04-01,10:45,Scaling,Bob Roy,+8801711000002').slice(0, -1),
    );
    const before = desk.bookings.map(({ state }) => state);

    await take('leads.csv', file(head, other, '2026-04-01,10:45,Scaling,Bob Roy,+8801711000002'));

    expect(before).toEqual(['queued', 'dropped', 'held']);
    expect(desk.bookings.map(({ state }) => state)).toEqual(['queued', 'dropped', 'dropped', 'queued']);
  });

  it('books two people of one hour whose rows were both cut before their phones', async () => {
    const { take, desk } = await openInbox();
    const head = 'Date,Time,Treatment,Name,Phone';
    const bob = '2026-04-01,10:45,Scaling,Bob Roy,+8801711000002';
    const cy = '2026-04-01,10:45,Scaling,Cy Das,+8801711000003';
    await take('leads.csv', file(head, bob));
    await take('leads.csv', `${head}\n${bob.slice(0, -13)}`);
    await take('leads.csv', `${head}\n${bob}\n${cy.slice(0, -15)}`);

    await take('leads.csv', file(head, bob, cy));

    const booked = desk.bookings.filter(({ state }) => state === 'queued');
    expect(booked.map(({ patient_name }) => patient_name)).toEqual(['Bob Roy', 'Cy Das']);
  });

  it.each([
    ['is closed by a quotation mark', header, ann.replace('Scaling', '"Scaling"')],
    ['is a name in quotation marks', 'Phone,Date,Time,Name', '01711000001,2026-04-01,10:30,"Li"'],
    ['is in a column that is not booked', `${header},Agent`, `${ann},Rim`],
    ['is a time in the afternoon', 'Name,Phone,Date,Time', 'Ann Lee,01711000001,2026-04-01,14:30'],
    ['is a time with its half of the day', 'Name,Phone,Date,Time', 'Ann Lee,01711000001,2026-04-01,10:30 am'],
  ])('books its last row when the last cell %s', async (_, head, row) => {
    const { take, desk } = await openInbox();

    await take('leads.csv', `${head}\n${row}`);

    expect(desk.bookings.map(({ state }) => state)).toEqual(['queued']);
  });

  it('books a last row whose day is written like those above it', async () => {
    const { take, desk } = await openInbox();

    await take(
      'leads.csv',
      'Name,Phone,Time,Date\nAnn Lee,01711000001,10:30,2026-04-01\nBob Roy,01711000002,11:00,2026-04-01',
    );

    expect(desk.bookings.map(({ state }) => state)).toEqual(['queued', 'queued']);
  });

  it('never books a value that nobody sent, wherever it is cut', { tags: ['thorough'] }, async () => {
    const content = file(
      withPhoneLast,
      whole,
      whole.replace('Ann Lee', 'Bob Roy-Bergmann').replace('0001', '0002'),
    );
    for (let end = withPhoneLast.length + 1; end < content.length; end += 1) {
      const { take, desk } = await openInbox();

      await take('leads.csv', content.slice(0, end));
      await take('leads.csv', content);

      const booked = desk.bookings.filter(({ state }) => state === 'queued');
      expect(
        booked.map(({ patient_name, patient_phone }) => `${patient_name} ${patient_phone}`).toSorted(),
      ).toEqual(['Ann Lee +8801711000001', 'Bob Roy-Bergmann +8801711000002']);
    }
  });
});
