/** @module-tag thorough */
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Story, startStory } from '../support/daemon/clinic-story.ts';
import { at } from '../support/sheets/office.ts';
import { until } from '../support/until.ts';

const person = {
  patient_name: 'Zerafina Quornthwaite',
  patient_phone: '01798 123 456',
  address: 'Peregrinewharf 77',
  note: 'xylocainoid makes her faint',
};
const traces = ['zerafina', 'quornthwaite', 'peregrinewharf', 'xylocainoid', '798123456', '798 123 456'];

/** The files below the story's folder that have one of these words in their bytes. */
function filesWith({ folder }: Story, words: readonly string[]): string[] {
  return globSync('**/*', { cwd: folder })
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => {
      const bytes = readFileSync(join(folder, name)).toString('latin1').toLowerCase();
      return words.some((word) => bytes.includes(word));
    })
    .sort();
}

/** Through every other way in: eight bookings of one person. */
async function everyWayIn(story: Story): Promise<{ mentioned: string; dropped: string }> {
  const send = async (fields: Record<string, unknown>) => {
    const lead = { ...story.lead(), ...person, ...fields } as ReturnType<Story['lead']>;
    return (await story.submit(lead))?.body.ref ?? '';
  };
  await story.untilBooking(await send({ 'Zerafina Quornthwaite, 01798123456': 'x' }), 'booked');
  await send({ appointment_date: 'on Zerafina’s birthday', appointment_time: 'after Peregrinewharf tea' });
  const dropped = await send({ doctor: 'Dr. Quornthwaite', treatment: 'xylocainoid' });
  const drop = await story.run(['bookings', 'drop', dropped]);
  expect(drop.code, drop.output).toBe(0);
  await send({ doctor: 'Quornthwaite', doctor_id: 1, treatment: 'for Zerafina', treatment_id: 1 });
  await send({ submission_id: 'zerafina-01798123456' });
  const mentioned = await send({ patient_phone: '', note: 'ring Zerafina on 01798-123456' });
  const inbox = join(story.folder, 'inbox');
  mkdirSync(inbox, { recursive: true });
  const row = [person.patient_name, person.patient_phone, '2031-01-06', '11:00'].join(',');
  writeFileSync(
    join(inbox, 'leads.csv'),
    `patient_name,patient_phone,appointment_date,appointment_time\n${row}\n`,
  );
  await until('the file was booked', () => globSync('done/*.csv', { cwd: inbox }).length === 1);
  const typed = ['--name', person.patient_name, '--phone', '+8801798123456', '--note', person.note];
  const added = await story.run(['bookings', 'add', '--date', '2031-01-07', '--time', '11:00', ...typed]);
  expect(added.code, added.output).toBe(0);
  return { mentioned, dropped };
}

const cellsOf = ({ sheet }: Story): string =>
  JSON.stringify(sheet?.control.tab('Bookings').rows ?? []).toLowerCase();

/** Typed into the spreadsheet and ticked, beside another person's row. */
async function typeIntoTheSheet({ sheet }: Story): Promise<void> {
  await until('the spreadsheet has its tab', () =>
    sheet?.control.book.grids.some(({ title }) => title === 'Bookings'),
  );
  const { patient_name: patient, patient_phone: phone, address, note } = person;
  const rows = [
    { patient, phone, address, note, date: '2031-01-08', time: '11:00', send: true },
    { patient: 'Karim Ali', phone: '01711111111' },
  ];
  for (const [index, row] of rows.entries())
    for (const [name, value] of Object.entries(row))
      sheet?.control.userActions.type('Bookings', index + 1, at(name), value);
}

/** What `erase --json` prints. */
interface Erasure {
  refs: string[];
  files: { cleaned: string[]; cannot: string[] };
}

interface Exported {
  bookings: { ref: string; state: string; source: string; deliveries: { state: string; body?: string }[] }[];
}

/** What `people export` prints of the person. */
async function exported(story: Story, also: string): Promise<Exported & { text: string }> {
  const { code, stdout } = await story.run(['people', 'export', '--phone', '01798123456', '--also', also]);
  expect(code).toBe(0);
  return { ...(JSON.parse(stdout) as Exported), text: stdout.toLowerCase() };
}

it('leaves no byte of an erased patient where erase can reach', { timeout: 240_000 }, async () => {
  await using story = await startStory({
    name: 'erased',
    sheet: true,
    connectors: {
      reports: {
        use: 'csv',
        directory: 'csv',
        inbox: 'inbox',
        include: ['patient'],
        archive: 'monthly',
      },
    },
    webhook: { include: ['patient'] },
  });
  // The receiver is down all the while, so its queue holds the patient.
  story.hook.misbehave = (response) => {
    response.writeHead(503).end();
    return true;
  };
  await story.start();
  await typeIntoTheSheet(story);
  const { mentioned, dropped } = await everyWayIn(story);
  await until('the row was booked', () => /"cs-/.test(cellsOf(story)), {
    withinMs: 90_000,
    found: () => cellsOf(story),
  });
  await until('the files have the patient', () =>
    ['csv/main/bookings.csv', 'csv/main/changes.csv'].every((name) =>
      filesWith(story, traces).includes(name),
    ),
  );

  const offered = await story.run(['people', 'export', '--phone', '+880 1798-123456']);
  const before = await exported(story, mentioned);
  const erased = await story.run(['erase', '--phone', '01798123456', '--also', mentioned, '--yes', '--json']);

  const { mentions } = JSON.parse(offered.stdout) as { mentions: { ref: string }[] };
  expect(mentions.map(({ ref }) => ref)).toEqual([mentioned]);
  expect(erased.code, erased.output).toBe(0);
  const said = JSON.parse(erased.stdout) as Erasure;
  expect(said.files.cleaned.toSorted()).toEqual(['accounts', 'reports']);
  expect(said.files.cannot).toEqual(['crm']);

  // What is removed was handed over to the patient before: every booking, from every source, and what still waited.
  expect(said.refs.toSorted()).toEqual(before.bookings.map(({ ref }) => ref).toSorted());
  expect(new Set(before.bookings.map(({ source }) => source))).toEqual(
    new Set(['website', 'accounts', 'reports', 'command-line']),
  );
  expect(before.bookings.map(({ state }) => state)).toEqual(
    expect.arrayContaining(['booked', 'held', 'dropped']),
  );
  expect(before.bookings.find(({ ref }) => ref === dropped)?.state).toBe('dropped');
  for (const trace of traces) expect(before.text, trace).toContain(trace);
  const waiting = before.bookings.flatMap(({ deliveries }) => deliveries.flatMap(({ body }) => body ?? []));
  expect(waiting.join('').toLowerCase()).toContain('quornthwaite');

  await until('no file has the patient', () => filesWith(story, traces).length === 0, {
    withinMs: 20_000,
    found: () => filesWith(story, traces),
  });
  expect(traces.filter((trace) => cellsOf(story).includes(trace))).toEqual([]);
  expect(cellsOf(story)).toContain('karim ali');

  await story.daemon.terminate();
  expect(filesWith(story, traces)).toEqual([]);
});
