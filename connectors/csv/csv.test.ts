import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/platform/duration.ts';
import { unguardText } from '../../src/platform/text/formula-guard.ts';
import { change, rig, treatment } from '../../test/support/csv/kit.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';

const runs = 10 * Number(process.env.VERIFY_RUNS ?? 1);
const read = (path: string) => readFile(path, 'utf8');
const table = async (path: string): Promise<Record<string, string>[]> =>
  parse(await read(path), { columns: true, bom: true });
const fileNames = [
  'appointments.csv',
  'bookings.csv',
  'changes.csv',
  'consultation_fees.csv',
  'conversions-google.csv',
  'conversions-meta.csv',
  'conversions-microsoft.csv',
  'conversions.csv',
  'dentists.csv',
  'fees.csv',
  'leads.csv',
  'manifest.json',
  'organization.csv',
  'organization_statistics.csv',
  'retractions-google.csv',
  'retractions-microsoft.csv',
  'retractions.csv',
  'treatments.csv',
  'website.csv',
];

const booking = {
  clinic: 'main',
  ref: 'CS-7K3Q9F',
  source: 'website',
  state: 'held',
  patient_name: 'Planted Patient',
  patient_phone: '01700000001',
  address: 'Planted Street',
  note: 'Planted note',
  appointment_date: '=cmd()',
  received_at: '2026-02-10T00:00:00.000Z',
  changed_at: '2026-02-11T00:00:00.000Z',
};

describe('the files', () => {
  it('holds every table, and a manifest that verifies each', async () => {
    const { converge, directory, mirror } = await rig({ clock: fakeClock() });
    mirror.rows.treatments = [treatment(1), treatment(2)];
    mirror.changes = [change(1)];

    const { written } = await converge();

    const folder = join(directory, 'main');
    expect((await readdir(folder)).sort()).toEqual(fileNames);
    expect(written).toMatchObject({ 'treatments.csv': 2, 'changes.csv': 1 });
    const manifest = JSON.parse(await read(join(folder, 'manifest.json')));
    expect(Object.keys(manifest.files).sort()).toEqual(fileNames.filter((name) => name !== 'manifest.json'));
    for (const [name, facts] of Object.entries<{ sha256: string; bytes: number }>(manifest.files)) {
      const bytes = await readFile(join(folder, name));
      expect(facts.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(facts.bytes).toBe(bytes.length);
    }
    expect(manifest.files['treatments.csv']).toMatchObject({ rows: 2, as_of: mirror.asOf });
    expect(manifest.files['changes.csv']).toMatchObject({ rows: 1, sequence: 1 });
  });

  it('names columns as the API does, then when each row was first seen, changed and removed', async () => {
    const { converge, directory, mirror } = await rig({ clock: fakeClock() });
    mirror.rows.treatments = [treatment(1)];

    await converge();

    const [header] = (await read(join(directory, 'main/treatments.csv'))).split('\n');
    expect(header).toBe(
      'clinic,treatment_id,treatment_name,description,base_fee,duration_minutes,image_url,first_seen_at,changed_at,removed_at',
    );
  });

  it('leaves files untouched when only the time of the last poll changed', async () => {
    const { converge, directory, mirror } = await rig({ clock: fakeClock() });
    mirror.rows.treatments = [treatment(1)];
    mirror.changes = [change(1)];
    await converge();
    const facts = async () =>
      Promise.all(
        fileNames
          .filter((name) => name !== 'manifest.json')
          .map(async (name) => {
            const { ino, mtimeMs } = await stat(join(directory, 'main', name));
            return { ino, mtimeMs };
          }),
      );
    const before = await facts();

    mirror.rows.treatments = [treatment(1, { seen_at: '2026-03-02T09:30:00.000Z' })];
    mirror.asOf = '2026-03-02T09:30:00.000Z';
    const { written } = await converge();

    expect(written).toEqual({});
    expect(await facts()).toEqual(before);
    expect(JSON.parse(await read(join(directory, 'main/manifest.json'))).files['treatments.csv'].as_of).toBe(
      mirror.asOf,
    );
  });

  it('leaves files of an earlier process untouched', async () => {
    const clock = fakeClock();
    const first = await rig({ clock });
    first.mirror.rows.treatments = [treatment(1)];
    first.mirror.changes = [change(1), change(2)];
    await first.converge();

    const second = await rig({ clock, root: join(first.directory, '..'), mirror: first.mirror });
    const { written } = await second.converge();

    expect(written).toEqual({});
  });

  it.each(['treatments.csv', 'changes.csv', 'manifest.json'])(
    'repairs %s after someone damaged it',
    async (name) => {
      const { converge, directory, mirror } = await rig({ clock: fakeClock() });
      mirror.rows.treatments = [treatment(1)];
      mirror.changes = [change(1)];
      await converge();
      const path = join(directory, 'main', name);
      const right = await read(path);

      await writeFile(path, `${right.replace('main', 'MAIN')}x`);
      await converge();
      const edited = await read(path);
      await rm(path);
      await converge();

      expect(edited).toBe(right);
      expect(await read(path)).toBe(right);
    },
  );

  it('replaces a changed file as a whole, and reuses the temporary file of a crash', async () => {
    const { converge, directory, mirror } = await rig({ clock: fakeClock() });
    mirror.rows.treatments = [treatment(1)];
    await converge();
    await writeFile(join(directory, 'main/.treatments.csv.tmp'), 'half');

    mirror.rows.treatments = [treatment(1, { base_fee: '2000.00' })];
    const { written } = await converge();

    expect(written).toEqual({ 'treatments.csv': 1 });
    expect((await table(join(directory, 'main/treatments.csv')))[0]?.base_fee).toBe('2000.00');
    expect((await readdir(join(directory, 'main'))).sort()).toEqual(fileNames);
  });

  it('separates clinics by folder', async () => {
    const clinics = ['east', 'west'].map((clinic) => ({ clinic, timezone: 'Asia/Dhaka' }));
    const { converge, directory, mirror } = await rig({ clock: fakeClock(), clinics });
    mirror.rows.treatments = [treatment(1, { clinic: 'east' }), treatment(2, { clinic: 'west' })];

    const { written } = await converge();

    expect(written).toMatchObject({ 'east/treatments.csv': 1, 'west/treatments.csv': 1 });
    expect((await table(join(directory, 'west/treatments.csv')))[0]?.treatment_id).toBe('2');
  });

  it('says which directory cannot be written and what to do', async () => {
    const { converge, directory } = await rig({ clock: fakeClock() });
    await writeFile(directory, 'a file in its place');

    const failing = converge();

    await expect(failing).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(directory),
      hint: expect.stringContaining('choose another directory'),
    });
  });

  it('are all current but the one that is held, which is named, asked about from the second time on, and caught up', async () => {
    const clock = fakeClock();
    const { converge, directory, mirror } = await rig({ clock });
    mirror.rows.treatments = [treatment(1)];
    await converge();
    const folder = join(directory, 'main');
    const held = join(folder, 'treatments.csv');
    const manifest = async () => JSON.parse(await read(join(folder, 'manifest.json'))).files;
    const before = (await manifest())['treatments.csv'];
    // A folder in its place cannot be replaced either, as a file that is open on a share.
    await rm(held);
    await mkdir(join(held, 'in it'), { recursive: true });
    mirror.rows.treatments = [treatment(1), treatment(2)];
    mirror.rows.dentists = [{ clinic: 'main', doctor_id: 7, doctor_name: 'Dr. Seven' }];
    mirror.changes = [change(1)];

    const first = await converge();
    await clock.advance(first.nextInMs ?? 0);
    const second = await converge();
    const meanwhile = await manifest();
    await rm(held, { recursive: true });
    await clock.advance(second.nextInMs ?? 0);
    const third = await converge();

    const named = expect.stringMatching(
      /^treatments\.csv: not up to date\. .*treatments\.csv could not be replaced/,
    );
    expect(first.problems).toMatchObject([{ sentence: named }]);
    expect(second.problems).toMatchObject([{ sentence: named, weight: 'trouble' }]);
    expect(first.nextInMs).toBeLessThanOrEqual(10_000);
    expect(await table(join(folder, 'dentists.csv'))).toMatchObject([{ doctor_id: '7' }]);
    expect(meanwhile['changes.csv']).toMatchObject({ rows: 1, sequence: 1 });
    expect(meanwhile['treatments.csv']).toEqual(before);
    expect(third.problems).toEqual([]);
    expect(await table(held)).toHaveLength(2);
    expect((await manifest())['treatments.csv']).toMatchObject({ rows: 2 });
  });

  it('stops between files when told to', async () => {
    const { converge } = await rig({ clock: fakeClock() });
    const reason = new Error('stopping');

    const stopped = converge(AbortSignal.abort(reason));

    await expect(stopped).rejects.toBe(reason);
  });
});

describe('patient data', () => {
  const planted = /Planted|01700000001/;
  const rows = {
    bookings: [booking],
    appointments: [{ clinic: 'main', appointment_id: 5, name: 'Planted Patient' }],
  };
  const log = [
    change(1, { type: 'booking.held', resource: 'booking', data: { ref: 'CS-7K3Q9F', note: 'Planted' } }),
  ];

  it('is in no file unless it was asked for', async () => {
    const { converge, directory, mirror } = await rig({ clock: fakeClock() });
    mirror.rows = rows;
    mirror.changes = log;

    await converge();

    for (const name of fileNames) expect(await read(join(directory, 'main', name))).not.toMatch(planted);
    expect((await read(join(directory, 'main/bookings.csv'))).split('\n')[0]).not.toContain('patient');
  });

  it('is in bookings, appointments and changes when it was', async () => {
    const { converge, directory, mirror } = await rig({ clock: fakeClock(), includePatient: true });
    mirror.rows = rows;
    mirror.changes = log;

    await converge();

    for (const name of ['bookings.csv', 'appointments.csv', 'changes.csv'])
      expect(await read(join(directory, 'main', name))).toMatch(planted);
  });

  it('leaves changes.csv within the hour after it was erased from the log', async () => {
    const clock = fakeClock();
    const { converge, directory, mirror } = await rig({ clock, includePatient: true });
    mirror.changes = log;
    await converge();

    mirror.changes = [change(1, { type: 'booking.held', resource: 'booking', data: { ref: 'CS-7K3Q9F' } })];
    await clock.advance(3_600_000);
    await converge();

    expect(await read(join(directory, 'main/changes.csv'))).not.toMatch(planted);
  });
});

describe('permissions', () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

  it('keep files and folders to the daemon’s own user, including those of an earlier version', async () => {
    const { converge, directory, mirror } = await rig({
      clock: fakeClock('2026-03-02T09:00:00Z'),
      settings: { archive: 'monthly' },
      includePatient: true,
    });
    mirror.rows.treatments = [treatment(1)];
    await converge();
    const folder = join(directory, 'main');
    await chmod(join(folder, 'bookings.csv'), 0o644);

    await converge();

    for (const name of [...fileNames, 'archive/2026-02/bookings.csv', 'archive/2026-02/manifest.json'])
      expect([name, await modeOf(join(folder, name))]).toEqual([name, '600']);
    for (const path of [directory, folder, join(folder, 'archive'), join(folder, 'archive/2026-02')])
      expect([path, await modeOf(path)]).toEqual([path, '700']);
  });

  it('let a group in when file_mode says so', async () => {
    const settings = { file_mode: '0640' };
    const { converge, directory } = await rig({ clock: fakeClock(), settings });

    await converge();

    expect(await modeOf(join(directory, 'main'))).toBe('750');
    expect(await modeOf(join(directory, 'main/bookings.csv'))).toBe('640');
  });
});

describe('a person who was erased', () => {
  const planted = /Planted|01700000001/;

  it('is in no file after the connector forgot them', async () => {
    const { converge, forget, directory, mirror } = await rig({ clock: fakeClock(), includePatient: true });
    mirror.rows.bookings = [booking];
    mirror.changes = [change(1, { resource: 'booking', id: booking.ref, data: { note: 'Planted' } })];
    await converge();
    const nobody = { patient_name: null, patient_phone: null, address: null, note: null };
    mirror.rows.bookings = [{ ...booking, ...nobody, appointment_date: null }];
    mirror.changes = [change(1, { resource: 'booking', id: booking.ref, data: {} })];

    await forget([booking.ref]);

    for (const name of fileNames) expect(await read(join(directory, 'main', name))).not.toMatch(planted);
  });
});

describe('profiles', () => {
  it('leave no formula that a visitor typed in any file, also for programs', async () => {
    const evil = '=HYPERLINK("http://x")';
    const { converge, directory, mirror } = await rig({ clock: fakeClock(), includePatient: true });
    const typed = {
      submission_id: evil,
      message: evil,
      patient_name: evil,
      patient_phone: '+8801712345678',
      address: '@x',
      appointment_date: '-1+1',
      doctor: '＝1+1',
      treatment: evil,
      note: "'=1",
    };
    mirror.rows.bookings = [{ ...booking, ...typed }];
    mirror.rows.appointments = [{ clinic: 'main', appointment_id: 5, name: '\t=1' }];
    mirror.rows.treatments = [treatment(1, { base_fee: '-12.50', treatment_name: '-10 %' })];

    await converge();

    const [row = {}] = await table(join(directory, 'main/bookings.csv'));
    const [seen] = await table(join(directory, 'main/appointments.csv'));
    const [fees] = await table(join(directory, 'main/treatments.csv'));
    expect(row).toMatchObject({ patient_phone: '+8801712345678', note: "''=1", patient_name: `'${evil}` });
    for (const [name, text] of Object.entries(typed)) expect(unguardText(row[name] ?? '')).toBe(text);
    expect(seen?.name).toBe("'\t'=1");
    expect(fees).toMatchObject({ base_fee: '-12.50', treatment_name: '-10 %' });
  });

  it('keeps every character in profile data', { timeout: 600_000, tags: ['thorough'] }, async () => {
    const { converge, directory, mirror } = await rig({
      clock: fakeClock(),
      settings: { line_ending: 'crlf' },
    });
    const anyCell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('"', ',', ';', '\n', '\r', '\t', '=', '+', "'", '0', ' ', '\u{1F9B7}'),
      }),
      fc.constantFrom('0017', '=1+1', '\uFEFFx', '', 'null', '\r', '"', '\u2028'),
    );

    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyCell, anyCell), { maxLength: 40 }), async (cells) => {
        mirror.rows.treatments = cells.map(([treatment_name, description], id) =>
          treatment(id, { treatment_name, description }),
        );

        await converge();

        const found = await table(join(directory, 'main/treatments.csv'));
        expect(found.map((row) => [row.treatment_name, row.description])).toEqual(cells);
      }),
      { numRuns: runs },
    );
  });

  it('distinguishes an empty text from no value', async () => {
    const { converge, directory, mirror } = await rig({ clock: fakeClock() });
    mirror.rows.treatments = [treatment(1, { treatment_name: '', description: null })];

    await converge();

    expect(await read(join(directory, 'main/treatments.csv'))).toContain('"main",1,"",,"1500.00"');
  });

  it('makes text harmless for Excel and leaves numbers alone', async () => {
    const { converge, directory, mirror } = await rig({ clock: fakeClock(), settings: { profile: 'excel' } });
    mirror.rows.treatments = [
      treatment(1, { treatment_name: '=HYPERLINK("http://x")', description: '＝1+1', base_fee: '-12.50' }),
      treatment(2, { treatment_name: '+8801712345678', description: '0017', base_fee: '=1' }),
    ];
    mirror.rows.bookings = [booking];

    await converge();

    const bytes = await readFile(join(directory, 'main/treatments.csv'));
    const [first, second] = await table(join(directory, 'main/treatments.csv'));
    const [held] = await table(join(directory, 'main/bookings.csv'));
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(first).toMatchObject({
      treatment_name: `'=HYPERLINK("http://x")`,
      description: "'＝1+1",
      base_fee: '-12.50',
    });
    expect(second).toMatchObject({ treatment_name: "'+8801712345678", description: '0017', base_fee: "'=1" });
    expect(held?.appointment_date).toBe("'=cmd()");
  });

  it('writes another delimiter and line ending when asked', async () => {
    const settings = { delimiter: 'semicolon', line_ending: 'crlf' };
    const { converge, directory, mirror } = await rig({ clock: fakeClock(), settings });
    mirror.rows.treatments = [treatment(1)];

    await converge();

    const text = await read(join(directory, 'main/treatments.csv'));
    expect(text).toMatch(/^clinic;treatment_id;.*\r\n"main";1;/);
  });

  it('leaves somebody’s own files under its names, names them, and writes there once they are gone', async () => {
    const clock = fakeClock();
    const { converge, directory, mirror } = await rig({ clock });
    mirror.rows.treatments = [treatment(1)];
    const folder = join(directory, 'main');
    await mkdir(folder, { recursive: true });
    for (const name of ['treatments.csv', 'changes.csv', 'manifest.json'])
      await writeFile(join(folder, name), 'mine');

    await converge();
    await clock.advance(MINUTE);
    const { problems } = await converge();
    const kept = await Promise.all(
      ['treatments.csv', 'changes.csv', 'manifest.json'].map((name) => read(join(folder, name))),
    );
    const names = await readdir(folder);
    for (const name of ['treatments.csv', 'changes.csv', 'manifest.json']) await rm(join(folder, name));
    await clock.advance(2 * MINUTE);
    const later = await converge();

    expect(kept).toEqual(['mine', 'mine', 'mine']);
    expect(names).toContain('dentists.csv');
    expect(problems).toContainEqual(
      expect.objectContaining({
        sentence: expect.stringMatching(/^treatments\.csv: .*not written by clinic-sync/),
      }),
    );
    expect(later.problems).toEqual([]);
    expect(await read(join(folder, 'treatments.csv'))).toMatch(/^clinic,treatment_id/);
  });

  it('takes back its names after a database is lost, and restores what somebody saved there', async () => {
    const clock = fakeClock();
    const before = await rig({ clock });
    before.mirror.rows.treatments = [treatment(1)];
    await before.converge();
    const path = join(before.directory, 'main/treatments.csv');
    const ours = await read(path);
    await writeFile(path, 'edited by somebody');

    const after = await rig({ clock, root: join(before.directory, '..'), mirror: before.mirror });
    await after.converge();

    expect(await read(path)).toBe(ours);
  });

  it('removes its own files when the format changes, and no others', async () => {
    const clock = fakeClock();
    const before = await rig({ clock });
    before.mirror.rows.treatments = [treatment(1)];
    await before.converge();
    const folder = join(before.directory, 'main');
    await writeFile(join(folder, 'dentists.csv'), 'edited by somebody');

    const after = await rig({
      clock,
      root: join(before.directory, '..'),
      mirror: before.mirror,
      settings: { format: 'xlsx' },
    });
    await after.converge();

    const names = await readdir(folder);
    expect(names).toContain('treatments.xlsx');
    expect(names).not.toContain('treatments.csv');
    expect(names).toContain('dentists.csv');
    expect(names).toContain('changes.csv');
  });
});

it('says when the clinic answered in a workbook, which is not written again on the same day for that alone', async () => {
  const clock = fakeClock();
  const settings = { format: 'xlsx' };
  const first = await rig({ clock, settings });
  const { mirror } = first;
  mirror.rows.treatments = [treatment(1)];
  mirror.asOf = '2026-03-02T09:00:00.000Z';
  await first.converge();
  const path = join(first.directory, 'main/treatments.xlsx');
  const early = await readFile(path);

  mirror.asOf = '2026-03-02T10:00:00.000Z';
  await clock.advance(2 * MINUTE);
  await first.converge();
  const restarted = await rig({
    clock,
    settings,
    root: join(first.directory, '..'),
    mirror,
    desk: first.desk,
  });
  await restarted.converge();
  const sameDay = await readFile(path);
  mirror.asOf = '2026-03-03T10:00:00.000Z';
  await clock.advance(2 * MINUTE);
  await restarted.converge();

  expect(sameDay.equals(early)).toBe(true);
  expect((await readFile(path)).equals(early)).toBe(false);
});

describe('the archive', () => {
  it('keeps the month that ended on the clinic’s wall clock, once, without patients', async () => {
    const clock = fakeClock('2026-02-28T17:59:00Z');
    const settings = { archive: 'monthly' };
    const { converge, directory, mirror } = await rig({ clock, settings, includePatient: true });
    mirror.rows.treatments = [treatment(1)];
    mirror.rows.bookings = [{ ...booking, message: 'Planted Patient is known here' }];
    const archive = join(directory, 'main/archive');

    await converge();
    const beforeMidnight = await readdir(archive).catch(() => []);
    await clock.advance(60_000);
    await converge();
    mirror.rows.treatments = [treatment(1, { base_fee: '9999.00' })];
    await converge();

    expect(beforeMidnight).toEqual([]);
    expect(await readdir(archive)).toEqual(['2026-02']);
    expect((await table(join(archive, '2026-02/treatments.csv')))[0]?.base_fee).toBe('1500.00');
    expect(await read(join(archive, '2026-02/bookings.csv'))).not.toContain('Planted');
    const manifest = JSON.parse(await read(join(archive, '2026-02/manifest.json')));
    expect(manifest).toMatchObject({ patient: false, taken_at: '2026-02-28T18:00:00.000Z' });
  });

  it('archives no month from before the mirror existed', async () => {
    const clock = fakeClock('2026-03-02T09:00:00Z');
    const { converge, directory, mirror } = await rig({ clock, settings: { archive: 'monthly' } });
    mirror.rows.treatments = [treatment(1, { first_seen_at: '2026-03-01T10:00:00.000Z' })];

    await converge();

    expect(await readdir(join(directory, 'main'))).not.toContain('archive');
  });

  it('rebuilds a month that a crash left half built', async () => {
    const clock = fakeClock('2026-03-02T09:00:00Z');
    const { converge, directory, mirror } = await rig({ clock, settings: { archive: 'monthly' } });
    mirror.rows.treatments = [treatment(1)];
    await mkdir(join(directory, 'main/archive/.2026-02.tmp'), { recursive: true });
    await writeFile(join(directory, 'main/archive/.2026-02.tmp/treatments.csv'), 'half');

    await converge();

    expect(await readdir(join(directory, 'main/archive'))).toEqual(['2026-02']);
    expect((await table(join(directory, 'main/archive/2026-02/treatments.csv'))).length).toBe(1);
  });
});
