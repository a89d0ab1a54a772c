import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { startStory } from '../support/clinic-story.ts';
import { startEchoingClinic } from '../support/echoing-clinic.ts';
import { until } from '../support/until.ts';

/** Each of these words is said by the patient or is a secret, and by nobody else. */
const patient = {
  patient_name: 'Zerafina Quornthwaite',
  address: 'Peregrinewharf 77',
  note: 'xylocainoid makes her faint',
};
const traces = ['zerafina', 'quornthwaite', 'peregrinewharf', 'xylocainoid', '98123'];
let phones = 0;
const phone = () => `01798123${String(100 + phones++)}`;

it('shows no patient and no secret anywhere but where patients belong', { timeout: 120_000 }, async () => {
  await using sandbox = await disposable(startSandbox({ seed: 7 }));
  await using clinic = await startEchoingClinic(sandbox.it.url);
  await using story = await startStory({
    name: 'planted',
    log: 'debug',
    clinic: { base_url: clinic.url, ...sandbox.it.credentials },
  });
  const { credentials } = sandbox.it;
  const shown = new Map<string, string>();
  const show = (where: string, text: string) => shown.set(`${shown.size + 1} ${where}`, text);

  story.hook.misbehave = (response, body) => {
    if (Math.abs(hash(body)) % 3 !== 0) return false;
    response.writeHead(500, { 'content-type': 'text/plain' }).end(`${body} ${story.hook.secret}`);
    return true;
  };
  await story.start();
  const submit = async (fields: Record<string, unknown>, init: RequestInit = {}) => {
    const lead = { ...story.lead(), ...patient, patient_phone: phone(), ...fields };
    const answer = await story.submit(lead as never, init);
    show(
      `answer to ${Object.keys(fields)}`,
      `${JSON.stringify([...(answer?.headers ?? [])])} ${answer?.text ?? ''}`,
    );
    return answer?.body.ref ?? '';
  };

  // Booked, held for every reason, merged, refused.
  const booked = await submit({});
  await story.untilBooking(booked, 'booked');
  await submit({ appointment_date: 'on Zerafina’s birthday' });
  await submit({ appointment_time: '' });
  await submit({ doctor: 'Dr. Quornthwaite', treatment: 'xylocainoid' });
  await submit({ doctor_id: 'zerafina' });
  await submit({ patient_phone: 'ask Zerafina' });
  await submit({ patient_name: { zerafina: 'quornthwaite' } });
  await submit({ clinic: 'quornthwaite' });
  await submit({}, { body: '{"patient_name":"Zerafina Quornthwaite"' });
  await submit({}, { body: JSON.stringify({ patient_name: 'Zerafina'.repeat(20_000) }) });
  await submit(
    {},
    { headers: { authorization: `Bearer ${story.formToken}`, 'content-type': 'text/zerafina' } },
  );
  await submit(
    {},
    { headers: { authorization: 'Bearer Zerafina Quornthwaite', 'content-type': 'application/json' } },
  );

  // The clinic quotes everything back: refused, in doubt, misconfigured, wrong keys.
  const refusing = async (status: number, at: string, state: 'rejected' | 'unknown' | 'queued') => {
    clinic.refuse = ({ path }) => (path.endsWith(at) ? status : undefined);
    const ref = await submit({});
    await story.untilBooking(ref, state);
    clinic.refuse = () => undefined;
    await story.act('/admin/clinics/main/resume-lane');
    const { text } = await story.ask(`/in/website/${ref}`, {
      headers: { authorization: `Bearer ${story.formToken}` },
    });
    show(`state of ${state}`, text);
  };
  await refusing(422, '/appointments/book', 'rejected');
  await refusing(500, '/appointments/book', 'unknown');
  await refusing(403, '/appointments/book', 'queued');
  clinic.refuse = ({ method }) => (method === 'GET' ? 500 : undefined);
  await until('polls fail', async () =>
    (await story.status()).clinics[0]?.resources.every(({ last_error }) => last_error),
  );
  clinic.refuse = ({ path }) => (path.endsWith('/granttoken') ? 401 : undefined);
  await story.daemon.kill();
  show('killed', story.daemon.output());
  await story.start();
  await until('the keys are refused', async () =>
    JSON.stringify(await story.status()).includes('refused the app key'),
  );
  show('status', JSON.stringify(await story.status()));
  clinic.refuse = () => undefined;
  await story.daemon.terminate();
  show('wrong keys', story.daemon.output());

  // Files with the patient in their rows and in their names.
  const inbox = join(story.folder, 'inbox');
  await mkdir(inbox, { recursive: true });
  const row = `${patient.patient_name},${phone()},2031-01-06,11:00`;
  await writeFile(
    join(inbox, 'Zerafina Quornthwaite.csv'),
    `patient_name,patient_phone,appointment_date,appointment_time\n${row}\n`,
  );
  await writeFile(join(inbox, 'bad Zerafina.csv'), `who,what\n${row}\n`);
  await story.start();
  await until('both files were looked at', async () => {
    const files = globSync('{done,failed}/*.csv', { cwd: inbox });
    return files.length === 2;
  });

  // Pages and numbers that anybody may read, strangers and their guesses included.
  const anybody = ['/', '/status.json', '/metrics', '/livez', '/readyz', '/syncz', '/zerafina'];
  for (const path of [
    ...anybody,
    '/in/website/Zerafina',
    `/in/website/${booked}`,
    '/in/quornthwaite',
    '/bookings',
    `/bookings/${booked}`,
  ])
    show(path, (await story.ask(path)).text);
  for (const path of ['/in/Zerafina', '/in/website', '/admin/bookings/Zerafina/drop', '/admin/sign-in'])
    show(
      `POST ${path}`,
      (
        await story.ask(path, {
          method: 'POST',
          body: new URLSearchParams({ token: 'Zerafina', name: 'Quornthwaite' }),
        })
      ).text,
    );

  // Commands.
  const commands = [
    ['status'],
    ['status', '--json'],
    ['doctor'],
    ['config', 'show'],
    ['config', 'check'],
    ['connectors', 'list'],
    ['connectors', 'check'],
    ['deliveries', 'list', '--json'],
    ['guards', 'list'],
    ['appointments', 'list'],
    ['bookings', 'approve', 'CS-000000'],
  ];
  await Promise.all(
    commands.map(async (command) => show(command.join(' '), (await story.run(command)).output)),
  );
  const faulty = join(story.folder, 'faulty.yaml');
  await writeFile(
    faulty,
    `${(await readFile(story.config, 'utf8')).replace('version: 1', 'version: 2').replaceAll('secret_key:', 'secret_kee:')}\n`,
  );
  show('a faulty configuration', (await story.run(['config', 'check', '--config', faulty])).output);
  show('a start with it', (await story.run(['run', '--config', faulty])).output);

  await story.daemon.terminate();
  show('log', story.daemon.output());
  for (const file of globSync('csv/**/*', { cwd: story.folder }))
    if (!file.endsWith('/main') && file !== 'csv/main')
      show(file, readFileSync(join(story.folder, file), 'utf8'));
  for (const body of story.hook.bodies) show('webhook', body);

  const secrets = [
    credentials.app_key,
    credentials.secret_key,
    story.adminToken,
    story.formToken,
    story.hook.secret,
    ...clinic.tokens,
  ];
  const hits = [...shown].flatMap(([where, text]) => {
    const found = [...traces, ...secrets].filter((trace) => text.toLowerCase().includes(trace.toLowerCase()));
    return found.map((trace) => `${where}: ${trace}: ${around(text, trace)}`);
  });
  expect(clinic.tokens.size).toBeGreaterThan(0);
  expect(story.hook.bodies.length).toBeGreaterThan(20);
  expect(hits).toEqual([]);
});

const around = (text: string, trace: string) => {
  const at = text.toLowerCase().indexOf(trace.toLowerCase());
  return text.slice(Math.max(0, at - 120), at + 80);
};

const hash = (text: string) =>
  [...text].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) | 0, 7);

async function disposable<T extends { close(): Promise<void> }>(opening: Promise<T>) {
  const it = await opening;
  return { it, [Symbol.asyncDispose]: () => it.close() };
}
