import {
  appendFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { instant } from '../../../src/platform/clock.ts';
import { DAY, HOUR } from '../../../src/platform/duration.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { ann, bob, file, header, openInbox } from '../../../test/support/csv/inbox.ts';

/** A disk that can no longer read the file with this text in it. */
async function failToRead(text: string): Promise<void> {
  const handle = await open(import.meta.filename);
  const prototype: { readFile(): Promise<Buffer> } = Object.getPrototypeOf(handle);
  await handle.close();
  const { readFile } = prototype;
  const spy = vi.spyOn(prototype, 'readFile').mockImplementation(async function (this: unknown) {
    const bytes = await readFile.call(this);
    if (bytes.includes(text))
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'read' });
    return bytes;
  });
  onTestFinished(() => spy.mockRestore());
}

describe('a dropped file', () => {
  it('is booked row by row, moved to done/, and answered in results/', async () => {
    const { take, desk, results, names } = await openInbox();

    await take('leads.csv', file(header, ann, bob));

    expect(
      desk.submissions.map(({ source, clinic, by_hand, fields }) => ({ source, clinic, by_hand, fields })),
    ).toEqual([
      {
        source: 'reports',
        clinic: 'main',
        by_hand: true,
        fields: {
          patient_name: 'Ann Lee',
          patient_phone: '01711000001',
          appointment_date: '2026-04-01',
          appointment_time: '10:30',
          treatment: 'Scaling',
        },
      },
      {
        source: 'reports',
        clinic: 'main',
        by_hand: true,
        fields: expect.objectContaining({ patient_name: 'Bob Roy' }),
      },
    ]);
    expect(await names('done')).toEqual(['leads.csv']);
    expect((await results('leads'))[0]).toEqual({
      'Patient Name': 'Ann Lee',
      Phone: '01711000001',
      Date: '2026-04-01',
      Time: '10:30',
      Treatment: 'Scaling',
      ref: 'CS-000001',
      state: 'queued',
      appointment_id: '',
      message: '',
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  it('is left alone while it is still being written', async () => {
    const { drop, converge, clock, desk, inbox, names } = await openInbox();
    await drop('leads.csv', file(header, ann));
    await converge();

    await clock.advance(2_000);
    await appendFile(join(inbox, 'leads.csv'), `${bob}\n`);
    const { nextInMs } = await converge();
    const whileWritten = desk.bookings.length;
    await clock.advance(2_000);
    await converge();

    expect(whileWritten).toBe(0);
    expect(nextInMs).toBe(2_000);
    expect(desk.bookings).toHaveLength(2);
    expect(await names('done')).toEqual(['leads.csv']);
  });

  it('is not taken after two scans in quick succession', async () => {
    const { drop, converge, desk } = await openInbox();
    await drop('leads.csv', file(header, ann));

    await converge();
    await converge();

    expect(desk.submissions).toEqual([]);
  });

  it('gives the same refs when it is dropped again, long after and under another name', async () => {
    const { take, clock, desk, results, names } = await openInbox();
    const content = file(header, ann, bob);
    await take('leads.csv', content);

    await clock.advance(3_600_000);
    await take('leads.csv', content);
    await take('copy.csv', content);

    expect(desk.bookings).toHaveLength(2);
    expect((await results('copy')).map(({ ref }) => ref)).toEqual(['CS-000001', 'CS-000002']);
    expect(await names('done')).toEqual(['copy.csv', 'leads.csv']);
  });

  it('gets a new name when an earlier file had its name', async () => {
    const { take, results, names } = await openInbox();
    await take('leads.csv', file(header, ann));

    await take('leads.csv', file(header, bob));

    expect(await names('done')).toEqual(['leads-2.csv', 'leads.csv']);
    expect((await results('leads'))[0]?.ref).toBe('CS-000002');
    const [dated = ''] = await names('results');
    expect(dated).toMatch(/^leads\.2026-\d\d-\d\d-\d{6}\.results\.csv$/);
    expect((await results(dated.replace('.results.csv', '')))[0]?.ref).toBe('CS-000001');
  });

  it('has the newest results of its name, also when an earlier one comes again, and keeps the others current', async () => {
    const { take, clock, desk, converge, results, names } = await openInbox();
    await take('leads.csv', file(header, ann));
    await clock.advance(DAY);
    await take('leads.csv', file(header, bob));
    await clock.advance(DAY);
    desk.move('CS-000001', { state: 'booked', appointment_id: 9 });
    await converge();
    const [dated = ''] = await names('results');
    const earlier = await results(dated.replace('.results.csv', ''));
    await take('leads.csv', file(header, ann));

    expect(earlier).toMatchObject([{ ref: 'CS-000001', state: 'booked' }]);
    expect(await results('leads')).toMatchObject([{ ref: 'CS-000001' }]);
    const others = await names('results');
    expect(others).toHaveLength(2);
    expect(await results((others[0] ?? '').replace('.results.csv', ''))).toMatchObject([
      { ref: 'CS-000002' },
    ]);
  });

  it('is answered when it is refused, too, until it comes as it should be', async () => {
    const { take, converge, names, results } = await openInbox();
    await take('leads.csv', `Who,${header.slice(header.indexOf('Phone'))}\n${ann}\n`);
    const refused = await results('leads');

    await take('leads.csv', file(header, ann, bob));

    expect(refused).toMatchObject([
      { ref: '', state: 'refused', message: expect.stringContaining('patient_name') },
    ]);
    expect(await results('leads')).toHaveLength(2);
    expect([await names('failed'), (await converge()).problems]).toEqual([[], []]);
  });

  it.each([
    ['in a row', ann.replace('1711000', '\0'.repeat(7))],
    ['over the end of a line', `${ann.slice(0, 20)}${'\0'.repeat(40)}`],
  ])('takes back that it was refused for a hole %s when the whole of it comes', async (_, holed) => {
    const { take, names } = await openInbox();
    await take('leads.csv', file(header, holed, bob));
    const failed = await names('failed');

    await take('leads.csv', file(header, ann, bob));

    expect(failed).toEqual(['leads.csv', 'leads.error.txt']);
    expect([await names('failed'), await names('results')]).toEqual([[], ['leads.results.csv']]);
  });

  it('leaves a refused file of the same name alone while it holds other leads', async () => {
    const { take, names } = await openInbox();
    await take('leads.csv', `Who,${header.slice(header.indexOf('Phone'))}\n${ann}\n`);

    await take('leads.csv', file(header, bob));

    expect(await names('failed')).toEqual(['leads.csv', 'leads.error.txt']);
    expect(await names('results')).toEqual([expect.stringMatching(/^leads\.2026/), 'leads.results.csv']);
  });

  it('is done with results of no rows when it has column names only', async () => {
    const { take, converge, names, results } = await openInbox();

    await take('leads.csv', file(header));

    expect([await names('done'), await names('failed')]).toEqual([['leads.csv'], []]);
    expect([await results('leads'), (await converge()).problems]).toEqual([[], []]);
  });

  it('is answered line for line, below its title and between its blank lines', async () => {
    const { take, desk, read } = await openInbox();

    await take('leads.csv', `Bookings export 27 Nov\n\n${header}\n${ann}\n\n${header}\n${bob}\n`);

    const lines = (await read('results/leads.results.csv')).split('\n');
    expect(desk.bookings).toHaveLength(2);
    expect(lines.map((line) => line.slice(0, 14))).toEqual([
      ...[
        '"Bookings expo',
        '',
        '"Patient Name"',
        '"Ann Lee","017',
        '',
        '"Patient Name"',
        '"Bob Roy","017',
        '',
      ],
    ]);
  });

  it('takes the columns of an earlier version when it only goes on', async () => {
    const { take, desk, results, names } = await openInbox();
    await take('leads.csv', file(header, ann));

    await take('leads.csv', file(bob));

    expect(await names('failed')).toEqual([]);
    expect(desk.bookings.map(({ patient_name }) => patient_name)).toEqual(['Ann Lee', 'Bob Roy']);
    expect(await results('leads')).toMatchObject([{ 'Patient Name': 'Bob Roy', ref: 'CS-000002' }]);
  });

  it('books a repeated row once', async () => {
    const { take, desk, results } = await openInbox();

    await take('leads.csv', file(header, ann, bob, ann));

    expect(desk.bookings).toHaveLength(2);
    expect((await results('leads')).map(({ ref }) => ref)).toEqual(['CS-000001', 'CS-000002', 'CS-000001']);
  });

  it('shares the booking of a row that came in another file', async () => {
    const { take, desk, results } = await openInbox();
    await take('monday.csv', file(header, ann));

    await take('tuesday.csv', file(header, ann, bob));

    expect(desk.bookings.map(({ merged }) => merged)).toEqual([1, 0]);
    expect((await results('tuesday'))[0]?.ref).toBe('CS-000001');
  });

  it('keeps a faulty lead: it is submitted with its faults', async () => {
    const { take, desk, names } = await openInbox();

    await take(
      'leads.csv',
      file(
        header,
        'Ann,8.80171E+12,2026-04-01,10:30,',
        'Bob,01711000002,01/04/2026,25:00,',
        'Cy,,,,',
        'Dee,01711000004,2026-04-01,10:30,Scaling,polishing',
        ',,,,',
        '',
      ),
    );

    expect(desk.submissions.map(({ problems = [] }) => problems.map(({ field }) => field))).toEqual([
      // What is wrong with a phone number is found in every submission alike.
      [],
      ['appointment_date'],
      [],
      ['row'],
    ]);
    expect(JSON.stringify(desk.submissions.map(({ problems }) => problems))).not.toContain('01711000002');
    expect(await names('failed')).toEqual([]);
  });

  it('is booked by a row’s own submission_id and clinic', async () => {
    const clinics = ['east', 'west'].map((clinic) => ({ clinic, timezone: 'Asia/Dhaka' }));
    const { take, desk } = await openInbox({ clinics, settings: { inbox_clinic: 'east' } });

    await take(
      'leads.csv',
      file(`${header},submission_id,clinic`, `${ann},lead-7,west`, `${bob},,`, `${bob},,north`),
    );

    expect(desk.submissions.map(({ submission_id, clinic }) => [submission_id, clinic])).toEqual([
      ['lead-7', 'west'],
      [expect.stringMatching(/^csv:/), 'east'],
      [expect.stringMatching(/^csv:/), 'east'],
    ]);
    expect(desk.submissions[2]?.problems).toEqual([
      { field: 'clinic', message: 'The clinic is none of east, west.' },
    ]);
  });

  it('understands configured columns and dates, semicolons, a byte order mark and old line ends', async () => {
    const settings = {
      columns: { patient_name: 'Nom', appointment_date: ['Jour'] },
      date_format: 'DD/MM/YYYY',
    };
    const { take, desk, read } = await openInbox({ settings });

    await take(
      'leads.csv',
      '\uFEFFNom;Mobile;Jour;Heure;time\r\n"Zoé ""Z""";+8801711;1/4/2026;x;9:05 pm\r\n',
    );

    expect(desk.submissions[0]?.fields).toEqual({
      patient_name: 'Zoé "Z"',
      patient_phone: '+8801711',
      appointment_date: '2026-04-01',
      appointment_time: '21:05',
    });
    expect(await read('results/leads.results.csv')).toMatch(/^"?Nom"?;/);
  });

  it('understands the labels that form tools export', async () => {
    const { take, desk } = await openInbox();

    await take(
      'leads.csv',
      'Your full name*,Telephone number,Date of appointment,Preferred Appointment Time,Anything else?\n' +
        'Ann Lee,+8801711,2026-04-01,10:30,Nervous\n',
    );

    expect(desk.submissions[0]?.fields).toEqual({
      patient_name: 'Ann Lee',
      patient_phone: '+8801711',
      appointment_date: '2026-04-01',
      appointment_time: '10:30',
      note: 'Nervous',
    });
  });

  it('takes thousands of rows in batches and lets others work in between', async () => {
    const { take, desk, results } = await openInbox();
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 0);
    const rows = Array.from({ length: 2_000 }, (_, n) => `Lead ${n},0${1_700_000_000 + n},2026-04-01,10:00,`);

    await take('leads.csv', file(header, ...rows));
    clearInterval(ticking);

    expect(desk.submissions).toHaveLength(2_000);
    expect((await results('leads')).every(({ ref }) => ref !== '')).toBe(true);
    expect(turns).toBeGreaterThan(10);
  });
});

it('makes a dropped file readable to the daemon’s user alone', async () => {
  const { take, inbox } = await openInbox();

  await take('leads.csv', file(header, ann));

  expect((await stat(join(inbox, 'done/leads.csv'))).mode & 0o777).toBe(0o600);
});

describe('a file without a column for the day or the time', () => {
  it('is leads whom somebody calls, whatever times its program wrote', async () => {
    const { take, desk } = await openInbox();

    await take(
      'leads.csv',
      file('id,created_time,name,phone', 'l:1,2026-03-01T21:15:33+06:00,Ann,01712345678'),
    );

    expect(desk.submissions).toMatchObject([
      { fields: { patient_name: 'Ann', patient_phone: '01712345678' } },
    ]);
  });

  it('has both in one', async () => {
    const { take, desk } = await openInbox();

    await take('leads.csv', file('name,phone,Date and time', 'Ann,01712345678,2026-04-01 10:30'));

    expect(desk.submissions).toMatchObject([
      { fields: { appointment_date: '2026-04-01', appointment_time: '10:30' } },
    ]);
  });
});

describe('a file that cannot be read', () => {
  it.each([
    ['is empty of names', 'hello\nworld\n', /No column for the patient’s name \(patient_name\)/],
    [
      'has its times under another name',
      file('name,phone,date,Uhrzeit', 'Ann,017,2026-04-01,10:00'),
      /No column for the time.* Other names go under columns/,
    ],
    [
      'has its days under another name',
      file('name,phone,Termin,time', 'Ann,017,01.04.2026,10:00'),
      /No column for the date/,
    ],
    ['has an open quote', file(header, '"Ann,017,2026-04-01,10:00,'), /never closed/],
    ['has a quote inside', file(header, ann, 'An"n,017,2026-04-01,10:00,'), /Line 3/],
    [
      'is Windows-1251 (Cyrillic)',
      Buffer.from(file(header, 'Çîÿ,017,2026-04-01,10:00,'), 'latin1'),
      /byte 39 \(line 2\)/,
    ],
    ['is UTF-16 and cut', Buffer.from('\uFEFFabc', 'utf16le').subarray(0, 7), /byte 6/],
    ['is a workbook', Buffer.from('PK\x03\x04rest', 'latin1'), /workbook/],
    ['has a zero byte', Buffer.from(`${header}\nA\0nn`), /byte 40 \(line 2\) is zero/],
    ['is too large', Buffer.alloc(20 * 2 ** 20 + 1, 'a'), /larger than 20 MB/],
  ])('goes to failed/ with the reason when it %s', async (_, content, reason) => {
    const { take, desk, names, read, converge } = await openInbox();

    await take('leads.csv', content);

    expect(desk.submissions).toEqual([]);
    expect(await names('failed')).toEqual(['leads.csv', 'leads.error.txt']);
    expect(await read('failed/leads.error.txt')).toMatch(reason);
    expect((await converge()).problems).toMatchObject([
      { sentence: expect.stringContaining('1 file in'), weight: 'need' },
    ]);
  });

  it('never replaces another file that failed before it', async () => {
    const { take, names } = await openInbox();

    await take('leads.csv', 'one');
    await take('leads.csv', 'two');
    await take('leads.csv', 'two');

    expect(await names('failed')).toEqual([
      'leads-2.csv',
      'leads-2.error.txt',
      'leads.csv',
      'leads.error.txt',
    ]);
  });
});

describe('a foreign file', () => {
  it('is left alone: other names, hidden and half-copied files, folders, links', async () => {
    const { inbox, settle, desk, drop, names } = await openInbox();
    for (const name of ['notes.txt', 'leads.csv.tmp', '.hidden.csv', '~$leads.csv', 'leads.ods'])
      await drop(name, file(header, ann));
    await mkdir(join(inbox, 'folder.csv'));
    await writeFile(join(inbox, 'notes.txt'), file(header, ann));
    await symlink(join(inbox, 'notes.txt'), join(inbox, 'link.csv'));

    await settle();

    expect(desk.submissions).toEqual([]);
    expect(await names('done')).toEqual([]);
    expect(await names('.')).toContain('link.csv');
  });

  it('cannot lead writes elsewhere: a link in the place of a folder is refused', async () => {
    const { inbox, converge, drop } = await openInbox();
    await rm(join(inbox, 'done'), { recursive: true });
    await symlink('/tmp', join(inbox, 'done'));
    await drop('leads.csv', file(header, ann));

    const refused = converge();

    await expect(refused).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('not a file or a link'),
    });
  });

  it.each(['', '\uFEFF', '\r\n', '  \t', Buffer.from('\uFEFF', 'utf16le')])(
    'waits for a blank file to be filled, however long, and says so (%j)',
    async (blank) => {
      const { clock, converge, drop, names, settle, desk } = await openInbox();
      await drop('leads.csv', blank);
      await converge();
      await clock.advance(3 * HOUR);
      const { problems } = await converge();
      const untouched = await names('failed');

      await drop('leads.csv', file(header, ann));
      await settle();

      expect(untouched).toEqual([]);
      expect(problems).toMatchObject([
        { sentence: expect.stringMatching(/^leads\.csv in .*: not complete/) },
      ]);
      expect(desk.bookings).toHaveLength(1);
    },
  );
});

describe('trouble', () => {
  it('keeps the file and continues where it stopped when bookings cannot be stored', async () => {
    const { drop, converge, clock, desk, names, results } = await openInbox();
    const rows = Array.from({ length: 250 }, (_, n) => `Lead ${n},0170000${n + 1000},2026-04-01,10:00,`);
    const { accept } = desk.port;
    let calls = 0;
    desk.port.accept = async (submission) => {
      calls += 1;
      if (calls > 120 && calls < 300) throw new Failure({ kind: 'transient', message: 'The disk is full' });
      return accept(submission);
    };
    await drop('leads.csv', file(header, ...rows));
    await converge();
    await clock.advance(2_000);

    await expect(converge()).rejects.toThrow('The disk is full');
    const waiting = await names('processing');
    calls = 1_000;
    await converge();

    expect(waiting).toEqual(['leads.csv']);
    expect(desk.bookings).toHaveLength(250);
    expect(desk.bookings.every(({ merged }) => merged === 0)).toBe(true);
    const first = desk.submissions.filter(({ fields }) => fields.patient_name === 'Lead 0');
    expect(first).toHaveLength(1);
    const refOf = new Map(desk.bookings.map(({ patient_name, ref }) => [patient_name, ref]));
    for (const row of await results('leads')) expect(row.ref).toBe(refOf.get(row['Patient Name'] ?? ''));
    expect(await names('done')).toEqual(['leads.csv']);
  });

  it('keeps a long file until its last row is booked, however many scans that takes', async () => {
    const { drop, converge, clock, desk, names } = await openInbox();
    const rows = Array.from({ length: 250 }, (_, n) => `Lead ${n},0170000${n + 1000},2026-04-01,10:00,`);
    const { accept } = desk.port;
    desk.port.accept = async (submission) => {
      desk.port.accept = accept;
      await clock.advance(6_000);
      return accept(submission);
    };
    await drop('leads.csv', file(header, ...rows));
    await converge();
    await clock.advance(2_000);

    const { nextInMs } = await converge();
    const early = { booked: desk.bookings.length, done: await names('done') };
    await converge();

    expect(nextInMs).toBe(100);
    expect(early).toEqual({ booked: 100, done: [] });
    expect(desk.bookings).toHaveLength(250);
    expect(await names('done')).toEqual(['leads.csv']);
  });

  it('books the other files while one is unreadable on disk, and reports it', async () => {
    const { drop, settle, converge, desk, names } = await openInbox();
    await drop('a.csv', file(header, ann));
    await drop('b.csv', file(header, bob));
    await failToRead('Ann Lee');

    await settle();
    const { problems } = await converge();

    expect(desk.bookings.map(({ patient_name }) => patient_name)).toEqual(['Bob Roy']);
    expect(await names('processing')).toEqual(['a.csv']);
    expect(problems).toMatchObject([
      {
        sentence: expect.stringMatching(/inbox cannot be read \(EIO\): check the disk\.$/),
        weight: 'trouble',
      },
    ]);
  });

  it('waits while its share is away, keeps the results open, and goes on when it is back', async () => {
    const { take, settle, converge, desk, inbox, results } = await openInbox();
    await take('leads.csv', file(header, ann));
    await rename(inbox, `${inbox}-away`);
    const missing = await converge().catch((error: unknown) => error);
    await mkdir(inbox);
    desk.move('CS-000001', { state: 'booked', appointment_id: 7 });
    const unmounted = await converge().catch((error: unknown) => error);
    const left = await readdir(inbox);
    await rmdir(inbox);

    await rename(`${inbox}-away`, inbox);
    await settle();

    for (const failure of [missing, unmounted])
      expect(failure).toMatchObject({ kind: 'transient', hint: expect.stringContaining('Mount it again') });
    expect(left).toEqual([]);
    expect(await results('leads')).toMatchObject([{ state: 'booked', appointment_id: '7' }]);
  });

  it('books leads even when the files cannot be written', async () => {
    const { drop, converge, clock, desk, directory } = await openInbox();
    await rm(directory, { recursive: true });
    await writeFile(directory, 'a file in its place');
    await drop('leads.csv', file(header, ann));

    await expect(converge()).rejects.toThrow(directory);
    await clock.advance(2_000);
    await expect(converge()).rejects.toThrow(directory);

    expect(desk.bookings).toHaveLength(1);
  });
});

describe('old files', () => {
  it('are deleted with their results when we took them long ago, unless their bookings may still change', async () => {
    const { take, names, inbox, desk, connector, clock } = await openInbox();
    await take('over.csv', file(header, ann));
    await take('moving.csv', file(header, bob));
    await take('wrong.csv', 'who,what\n1,2\n');
    desk.move('CS-000001', { state: 'booked', appointment_id: 77 });
    const remove = () => connector.tidy?.(instant(clock.now() - 30 * DAY), new AbortController().signal);
    await clock.advance(29 * DAY);
    // As a copy that keeps the times of the original.
    await take('fresh.csv', file(header, ann.replace('10:30', '12:30')));
    for (const path of ['done/over.csv', 'done/fresh.csv', 'results/fresh.results.csv', 'failed/wrong.csv'])
      await utimes(join(inbox, path), 1, 1);
    desk.move('CS-000003', { state: 'booked', appointment_id: 78 });
    const early = await remove();
    await clock.advance(2 * DAY);

    const count = await remove();

    expect([early, count]).toEqual([0, 2]);
    expect(await names('done')).toEqual(['fresh.csv', 'moving.csv']);
    expect(await names('results')).toEqual(['fresh.results.csv', 'moving.results.csv', 'wrong.results.csv']);
    expect(await names('failed')).toEqual(['wrong.csv', 'wrong.error.txt']);
  });

  it('stay while somebody is asked about a row, also when the file was away for a while', async () => {
    const { take, drop, names, inbox, desk, connector, converge, clock, read } = await openInbox();
    await take('leads.csv', file(header, ann.replace('2026-04-01', 'soon')));
    desk.move('CS-000001', { state: 'held' });
    const content = await read('done/leads.csv');
    for (const path of ['done/leads.csv', 'results/leads.results.csv']) await rm(join(inbox, path));
    await clock.advance(5_000);
    await converge();
    await drop('done/leads.csv', content);
    await clock.advance(60 * DAY);
    const remove = () => connector.tidy?.(instant(clock.now() - 30 * DAY), new AbortController().signal);

    const early = await remove();
    desk.move('CS-000001', { state: 'dropped' });
    const count = await remove();

    expect([early, count]).toEqual([0, 1]);
    expect(await names('done')).toEqual([]);
  });

  it('do not exist without an inbox', async () => {
    const { inbox, connector } = await openInbox();
    await rm(inbox, { recursive: true });

    const count = await connector.tidy?.('2026-02-01T00:00:00.000Z', new AbortController().signal);

    expect(count).toBe(0);
  });
});
