import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Story, startStory } from '../support/daemon/clinic-story.ts';
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

/** Through every door there is: eight bookings of one person. */
async function everyWayIn(story: Story): Promise<{ mentioned: string }> {
  const send = async (fields: Record<string, unknown>) => {
    const lead = { ...story.lead(), ...person, ...fields } as ReturnType<Story['lead']>;
    return (await story.submit(lead))?.body.ref ?? '';
  };
  await story.untilBooking(await send({}), 'booked');
  await send({ appointment_date: 'on Zerafina’s birthday', appointment_time: 'after Peregrinewharf tea' });
  await send({ doctor: 'Dr. Quornthwaite', treatment: 'xylocainoid' });
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
  return { mentioned };
}

it('leaves no byte of an erased patient in any file', { timeout: 180_000 }, async () => {
  await using story = await startStory({
    name: 'erased',
    connectors: {
      reports: {
        use: 'csv',
        directory: 'csv',
        inbox: 'inbox',
        include: ['patient'],
        archive: 'monthly',
      },
    },
  });
  await story.start();
  const { mentioned } = await everyWayIn(story);
  await until('the files have the patient', () =>
    ['csv/main/bookings.csv', 'csv/main/changes.csv'].every((name) =>
      filesWith(story, traces).includes(name),
    ),
  );

  const offered = await story.run(['erase', '--phone', '+880 1798-123456', '--json']);
  const { mentions } = JSON.parse(offered.stdout) as { mentions: { ref: string }[] };
  const erased = await story.run(['erase', '--phone', '01798123456', '--also', mentioned]);

  expect(mentions.map(({ ref }) => ref)).toEqual([mentioned]);
  expect(erased.code, erased.output).toBe(0);
  await until('no file has the patient', () => filesWith(story, traces).length === 0, {
    withinMs: 20_000,
    found: () => filesWith(story, traces),
  });
  await story.daemon.terminate();
  expect(filesWith(story, traces)).toEqual([]);
});
