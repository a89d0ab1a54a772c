import { appendFile, open, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/platform/duration.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { ann, bob, file, header, openInbox } from '../../../test/support/csv/inbox.ts';

const cy = 'Cy Das,01711000003,2026-04-01,11:30,Scaling';
const cut = ann.slice(0, -4);
const rest = ann.slice(-4);

describe('a writer that pauses', () => {
  it('loses no row, however often and long it pauses between rows', async () => {
    const { take, settle, clock, desk, inbox, names, results } = await openInbox();
    await take('leads.csv', file(header, ann));

    await appendFile(join(inbox, 'done/leads.csv'), `${bob}\n`);
    await settle();
    await clock.advance(20 * HOUR);
    await appendFile(join(inbox, 'done/leads.csv'), `${cy}\n`);
    await settle();

    expect(desk.submissions.map(({ fields }) => fields.patient_name)).toEqual([
      'Ann Lee',
      'Bob Roy',
      'Cy Das',
    ]);
    expect((await results('leads')).map(({ ref }) => ref)).toEqual(['CS-000001', 'CS-000002', 'CS-000003']);
    expect([await names('done'), await names('processing')]).toEqual([['leads.csv'], []]);
  });

  it('gets a minute to end its last line', async () => {
    const { drop, converge, clock, desk } = await openInbox();
    await drop('leads.csv', `${header}\n${ann}`);
    await converge();

    await clock.advance(59_000);
    const { nextInMs } = await converge();
    const early = desk.submissions.length;
    await clock.advance(1_000);
    await converge();

    expect([early, nextInMs]).toEqual([0, 2_000]);
    expect(desk.submissions).toHaveLength(1);
  });

  it.each([
    ['UTF-8 with old line ends', Buffer.from(`${header}\r${ann}\r`)],
    ['UTF-16', Buffer.from(`\uFEFF${header}\r\n${ann}\r\n`, 'utf16le')],
  ])('is done after two seconds when its last line ends, in %s', async (_, content) => {
    const { drop, converge, clock, desk } = await openInbox();
    await drop('leads.csv', content);
    await converge();

    await clock.advance(2_000);
    await converge();

    expect(desk.submissions).toHaveLength(1);
  });

  it.each([
    ['a line end', '\n\n'],
    ['separators', ',,,,\n,,,,\n'],
    ['blanks', '   \n\u00a0\t\n'],
    ['empty cells', '"","",""\r\n'],
    ['a byte order mark', '\uFEFF'],
    ['a byte order mark and a line end', '\uFEFF\r\n'],
    ['a UTF-16 mark', Buffer.from('fffe', 'hex')],
    ['UTF-16 separators', Buffer.from('\uFEFF;;;\r\n', 'utf16le')],
    ['the name of the separator', 'sep=;\r\n'],
    ['an end-of-file mark', '\x1a'],
    ['zeros', Buffer.alloc(600)],
    ['zeros behind the header', Buffer.concat([Buffer.from(`${header}\n`), Buffer.alloc(600)])],
  ])('gets a minute when there is nothing but %s yet', async (_, early) => {
    const { drop, converge, clock, desk, names, settle } = await openInbox();
    await drop('leads.csv', early);
    for (let second = 0; second < 59; second += 5) {
      await converge();
      await clock.advance(5_000);
    }
    const refused = [...(await names('failed')), ...(await names('done'))];

    await drop('leads.csv', file(header, ann));
    await settle();

    expect(refused).toEqual([]);
    expect(desk.bookings).toHaveLength(1);
    expect(await names('done')).toEqual(['leads.csv']);
  });

  it.each(['.~lock.leads.csv#', '~$leads.csv'])(
    'keeps a file that somebody has open (%s), for ten minutes',
    async (lock) => {
      const { drop, settle, converge, clock, desk, inbox } = await openInbox();
      await drop(lock, 'anna');
      await drop('leads.csv', file(header, ann));
      await settle();
      await drop('leads.csv', file(header, ann.replace('10:30', '10:45')));
      await settle();
      const early = desk.bookings.length;

      await rm(join(inbox, lock));
      await settle();
      await drop(lock.replace('leads', 'more'), 'left by a crash');
      await drop('more.csv', file(header, bob));
      await settle();
      await clock.advance(9 * MINUTE);
      const { problems } = await converge();

      expect(early).toBe(0);
      expect(desk.bookings.map((one) => one.appointment_time)).toEqual(['10:45', '11:00']);
      expect(problems).toEqual([]);
    },
  );

  it('takes back all that was refused of it when the whole comes as another version of its name', async () => {
    const { take, names, desk } = await openInbox();
    await take('leads.csv', `${header}\n"Ann Lee,01711`);
    await take('leads.csv', `${header}\n"Ann Lee","017110`);
    const early = await names('failed');

    await take('leads - Kopie.csv', file(header, '"Ann Lee","01711000001",2026-04-01,10:30,Scaling'));

    expect(early).toHaveLength(4);
    expect([await names('failed'), await names('results')]).toEqual([[], ['leads - Kopie.results.csv']]);
    expect(desk.bookings).toMatchObject([{ state: 'queued' }]);
  });

  it('leaves what was refused of it, in digits of any script, while a later file does not have it', async () => {
    const { take, names } = await openInbox();
    await take('leads.csv', 'নাম,ফোন\nরিমা দাস,০১৭১১০০০০০৯\n');

    await take('leads.csv', file(header, ann));

    expect(await names('failed')).toEqual(['leads.csv', 'leads.error.txt']);
  });

  it('books a row that was cut only when the rest of it has come, however often it pauses', async () => {
    const { take, settle, desk, inbox } = await openInbox();
    await take('leads.csv', file(header, bob) + cut);

    for (const more of [rest.slice(0, 2), rest.slice(2), `\n${cy}\n`]) {
      await appendFile(join(inbox, 'done/leads.csv'), more);
      await settle();
    }

    const became = desk.bookings.map(({ patient_name, treatment, state }) => [
      patient_name,
      treatment,
      state,
    ]);
    expect(became).toEqual([
      ['Bob Roy', 'Scaling', 'queued'],
      ['Ann Lee', 'Sca', 'dropped'],
      ['Ann Lee', 'Scali', 'dropped'],
      ['Ann Lee', 'Scaling', 'dropped'],
      ['Ann Lee', 'Scaling', 'queued'],
      ['Cy Das', 'Scaling', 'queued'],
    ]);
  });

  it('is read once more when its file had failed', async () => {
    const { take, settle, desk, inbox, names } = await openInbox();
    await take('leads.csv', 'Patient Name,Phone\n');
    const failed = await names('failed');

    await writeFile(join(inbox, 'failed/leads.csv'), file(header, ann));
    await settle();

    expect(failed).toEqual(['leads.csv', 'leads.error.txt']);
    expect(desk.submissions).toHaveLength(1);
    expect([await names('failed'), await names('done')]).toEqual([[], ['leads.csv']]);
  });

  it('may go on while its rows are being booked, also across a failure', async () => {
    const { drop, settle, converge, clock, desk, inbox, names } = await openInbox();
    const { accept } = desk.port;
    const path = join(inbox, 'processing/leads.csv');
    let calls = 0;
    desk.port.accept = async (submission) => {
      calls += 1;
      if (calls === 2) throw new Failure({ kind: 'transient', message: 'The disk is full' });
      return accept(submission);
    };
    await drop('leads.csv', file(header, ann, bob));
    await converge();
    await clock.advance(2_000);
    await expect(converge()).rejects.toThrow('The disk is full');

    await appendFile(path, `${cy}\n`);
    // A file system whose times are too coarse to tell.
    await utimes(path, 1, 1);
    await settle();
    await settle();

    const ids = desk.submissions.map(({ submission_id }) => submission_id);
    expect(desk.submissions.map(({ fields }) => fields.patient_name)).toEqual([
      'Ann Lee',
      'Ann Lee',
      'Bob Roy',
      'Cy Das',
    ]);
    expect(ids[1]).toBe(ids[0]);
    expect(desk.bookings.map(({ merged }) => merged)).toEqual([0, 0, 0]);
    expect(await names('done')).toEqual(['leads.csv']);
  });

  it('is followed beside other files of the same name', async () => {
    const { take, drop, settle, desk, inbox, names, read } = await openInbox();
    await take('leads.csv', file(header, ann));
    await take('leads.csv', 'hello 1\n');

    await appendFile(join(inbox, 'done/leads.csv'), `${bob}\n`);
    await drop('leads.csv', file(header, cy));
    await settle();
    await settle();

    expect(desk.bookings.map(({ patient_name }) => patient_name).sort()).toEqual([
      'Ann Lee',
      'Bob Roy',
      'Cy Das',
    ]);
    expect(await names('done')).toEqual(['leads-2.csv', 'leads.csv']);
    expect(await names('failed')).toEqual(['leads.csv', 'leads.error.txt']);
    expect(await read('done/leads.csv')).toBe(file(header, ann, bob));
  });

  it('is not waited for longer than a day', async () => {
    const { take, settle, converge, clock, desk, inbox } = await openInbox();
    await take('leads.csv', file(header, ann));
    await clock.advance(DAY + MINUTE);
    await converge();

    await appendFile(join(inbox, 'done/leads.csv'), `${bob}\n`);
    await settle();

    expect(desk.submissions).toHaveLength(1);
  });

  it('is not followed by an older copy of the database, which would book its rows twice', async () => {
    const { take, settle, desk, inbox } = await openInbox();
    await take('leads.csv', file(header, ann));
    const backup = await desk.memory.list('');
    await appendFile(join(inbox, 'done/leads.csv'), `${bob}\n`);
    await settle();

    const now = await desk.memory.list('');
    await desk.memory.set({
      ...Object.fromEntries(Object.keys(now).map((key) => [key, undefined])),
      ...backup,
    });
    await settle();

    expect(desk.submissions).toHaveLength(2);
  });

  it('keeps an erased person’s row only until the rest is read', async () => {
    const { take, settle, forget, inbox, read } = await openInbox();
    await take('leads.csv', file(header, ann));
    await appendFile(join(inbox, 'done/leads.csv'), `${bob}\n`);

    await expect(forget(['CS-000001'])).rejects.toMatchObject({ kind: 'transient' });
    await settle();
    await forget(['CS-000001']);

    expect(await read('done/leads.csv')).not.toContain('Ann');
  });

  it.each([
    ['beside others', [ann, bob], 'CS-000002'],
    ['alone', [ann], undefined],
  ])('loses no row when a person in its file, %s, is erased meanwhile', async (_, rows, ref) => {
    const { drop, settle, forget, desk, inbox, read, results } = await openInbox();
    await drop('leads.csv', '');
    const writer = await open(join(inbox, 'leads.csv'), 'r+');
    await writer.write(file(header, ...rows));
    await settle();

    await forget(['CS-000001']);
    const erased = await read('done/leads.csv');
    await writer.write(file(cy));
    await writer.close();
    await settle();

    expect(erased).not.toMatch(/Ann|01711000001/);
    expect(desk.submissions.map(({ fields }) => fields.patient_name)).toContain('Cy Das');
    expect(desk.submissions).toHaveLength(rows.length + 1);
    expect((await results('leads')).map((row) => row.ref).filter(Boolean)).toEqual(
      [ref, `CS-00000${rows.length + 1}`].filter(Boolean),
    );
    expect(await read('done/leads.csv')).not.toMatch(/Ann|01711000001/);
  });

  it('completes a row that was cut when a person before it is erased meanwhile', async () => {
    const { take, settle, forget, desk, inbox } = await openInbox();
    await take('leads.csv', file(header, bob) + cut);

    await forget(['CS-000001']);
    await appendFile(join(inbox, 'done/leads.csv'), `${rest}\n`);
    await settle();

    expect(desk.bookings.map(({ treatment, state }) => [treatment, state])).toEqual([
      ['Scaling', 'queued'],
      ['Sca', 'dropped'],
      ['Scaling', 'queued'],
    ]);
  });

  it.each([
    ['cannot be read', (path: string) => appendFile(path, '"Cy'), 'never closed'],
    ['is too much', (path: string) => truncate(path, 21 * 2 ** 20), 'larger than 20 MB'],
  ])('says which rows were booked when the rest %s', async (_, goOn, why) => {
    const { take, settle, converge, inbox, names, read } = await openInbox();
    await take('leads.csv', file(header, ann, bob));

    await goOn(join(inbox, 'done/leads.csv'));
    await settle();

    expect(await names('failed')).toEqual(['leads.csv', 'leads.error.txt']);
    const report = await read('failed/leads.error.txt');
    expect(report).toContain('Only the first rows were booked (2): see results/leads.results.csv.');
    expect(report).toContain(why);
    const { problems } = await converge();
    expect(problems).toMatchObject([{ sentence: expect.stringContaining('not booked, or not completely') }]);
  });
});

describe('a program that sets the time of a file back', () => {
  const keepingTimes = async (path: string, content: string) => {
    const { mtime } = await stat(path);
    await writeFile(path, content, { flag: 'r+' });
    await utimes(path, mtime, mtime);
  };

  it('has its file booked once the hole in it is filled', async () => {
    const { take, settle, desk, inbox, names } = await openInbox();
    const whole = file(header, ann, bob);
    await take('leads.csv', whole.replace(ann, '\0'.repeat(ann.length)));
    await settle();
    const failed = await names('failed');

    await keepingTimes(join(inbox, 'failed/leads.csv'), whole);
    await settle();

    expect(failed).toEqual(['leads.csv', 'leads.error.txt']);
    expect(desk.submissions).toHaveLength(2);
    expect([await names('failed'), await names('results')]).toEqual([[], ['leads.results.csv']]);
  });

  it('is asked about a row that it corrects after we took the file', async () => {
    const { take, settle, desk, inbox } = await openInbox();
    await take('leads.csv', file(header, ann, bob));
    await settle();

    await keepingTimes(join(inbox, 'done/leads.csv'), file(header, ann.replace('0001', '0009'), bob));
    await settle();

    const ids = desk.submissions.map(({ submission_id }) => submission_id);
    expect(ids.slice(2)).toEqual([ids[0]]);
  });

  it('has time to write until it rests', async () => {
    const { drop, converge, clock, desk, inbox } = await openInbox();
    await drop('leads.csv', file(header, ann));
    for (let n = 0; n < 5; n += 1) {
      await converge();
      await clock.advance(1_500);
      await keepingTimes(join(inbox, 'leads.csv'), file(header, ann));
    }

    expect(desk.submissions).toEqual([]);
  });
});

it('books nothing again when only the times of a file change', async () => {
  const { take, settle, desk, inbox, names } = await openInbox();
  await take('leads.csv', file(header, ann) + bob);

  await utimes(join(inbox, 'done/leads.csv'), 1, 1);
  await settle();

  expect(desk.submissions).toHaveLength(2);
  expect([await names('done'), await names('results')]).toEqual([['leads.csv'], ['leads.results.csv']]);
});

it('continues a file that is dropped again with further rows', async () => {
  const { take, clock, desk, names } = await openInbox();
  await take('leads.csv', file(header, ann));
  await clock.advance(HOUR);

  await take('leads.csv', file(header, ann, bob));

  expect(desk.submissions.map(({ fields }) => fields.patient_name)).toEqual(['Ann Lee', 'Bob Roy']);
  expect(await names('done')).toEqual(['leads.csv']);
});

it('books a refused file that somebody corrects where it lies, days later', async () => {
  const { take, settle, clock, desk, inbox, names } = await openInbox();
  await take('leads.csv', 'who,what\n1,2\n');
  clock.jump(3 * DAY);
  await settle();

  await writeFile(join(inbox, 'failed/leads.csv'), file(header, ann));
  await settle();

  expect(desk.submissions).toHaveLength(1);
  expect([await names('failed'), await names('done')]).toEqual([[], ['leads.csv']]);
});
