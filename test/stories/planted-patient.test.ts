/** @module-tag thorough */
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type EchoingClinic, startEchoingClinic } from '../support/clinic/echoing-clinic.ts';
import { type Story, startStory, viewerToken } from '../support/daemon/clinic-story.ts';
import { runCommand as runProcess } from '../support/daemon/daemon-process.ts';
import type { Lead } from '../support/daemon/leads.ts';
import { runCommand } from '../support/run-cli.ts';
import { until } from '../support/until.ts';

/** Only the patient uses these words. */
const patient = {
  patient_name: 'Zerafina Quornthwaite',
  address: 'Peregrinewharf 77',
  note: 'xylocainoid makes her faint',
};
const traces = ['zerafina', 'quornthwaite', 'peregrinewharf', 'xylocainoid', '98123'];

/** Writes down what was shown, and where. */
type Show = (where: string, text: string) => void;
type Submit = (fields: Record<string, unknown>, init?: RequestInit) => Promise<string>;

function visitor(story: Story, show: Show): Submit {
  let calls = 100;
  return async (fields, init = {}) => {
    calls += 1;
    const lead = { ...story.lead(), ...patient, patient_phone: `01798123${calls}`, ...fields } as Lead;
    const answer = await story.submit(lead, init);
    show(`answer ${calls}`, `${JSON.stringify([...(answer?.headers ?? [])])} ${answer?.text ?? ''}`);
    return answer?.body.ref ?? '';
  };
}

/** Booked, held for every reason, not understood, not authentic. */
async function everyWayIn(story: Story, submit: Submit): Promise<string> {
  const booked = await submit({});
  await story.untilBooking(booked, 'booked');
  await submit({ appointment_date: 'on Zerafina’s birthday' });
  await submit({ appointment_time: '' });
  await submit({ doctor: 'Dr. Quornthwaite', treatment: 'xylocainoid' });
  await submit({ doctor_id: 'zerafina' });
  await submit({ patient_phone: 'ask Zerafina' });
  await submit({ patient_name: { zerafina: 'quornthwaite' } });
  await submit({ 'Zerafina Quornthwaite': 'x', 'my illness: xylocainoid': 'x' });
  await submit({ clinic: 'quornthwaite' });
  const patient_phone = '01798123999';
  const typed = {
    ...{
      utm_source: 'Zerafina Quornthwaite',
      utm_campaign: 'for ZERAFINA QUORNTHWAITE',
      utm_term: patient_phone,
    },
    ...{ utm_content: 'zerafina@quornthwaite.example', gclid: 'zerafina-quornthwaite' },
  };
  const landing_page =
    'https://c.example/zerafina-quornthwaite?name=Zerafina&note=xylocainoid&utm_source=ads';
  await submit({ ...typed, patient_phone, landing_page, referrer: landing_page });
  await submit({ utm_source: 'kept-source', utm_campaign: 'kept-campaign', gclid: 'Cj0kept' });
  await submit({}, { body: '{"patient_name":"Zerafina Quornthwaite"' });
  await submit({}, { body: JSON.stringify({ patient_name: 'Zerafina'.repeat(20_000) }) });
  const json = { 'content-type': 'application/json' };
  await submit({}, { headers: { authorization: `Bearer ${story.formToken}`, 'content-type': 'x/zerafina' } });
  await submit({}, { headers: { ...json, authorization: 'Bearer Zerafina Quornthwaite' } });
  return booked;
}

/** The clinic quotes everything back: it refuses, breaks, misunderstands, and does not accept the keys. */
async function everyWayOut(story: Story, clinic: EchoingClinic, submit: Submit, show: Show): Promise<void> {
  for (const [status, state] of [
    [422, 'rejected'],
    [500, 'unknown'],
    [403, 'queued'],
  ] as const) {
    clinic.refuse = ({ path }) => (path.endsWith('/appointments/book') ? status : undefined);
    const ref = await submit({});
    await story.untilBooking(ref, state);
    clinic.refuse = () => undefined;
    await story.act('/admin/clinics/main/resume-lane');
    const headers = { authorization: `Bearer ${story.formToken}` };
    show(`a booking that is ${state}`, (await story.ask(`/in/website/${ref}`, { headers })).text);
  }
  clinic.refuse = ({ method }) => (method === 'GET' ? 500 : undefined);
  await until('every list has failed', async () => {
    const [main] = (await story.status()).clinics;
    return main?.resources.every(({ poll, last_error }) => poll === 'appointments' || last_error !== null);
  });
  clinic.refuse = ({ path }) => (path.endsWith('/granttoken') ? 401 : undefined);
  await story.daemon.kill();
  show('log until it was killed', story.daemon.output());
  await story.start();
  await until('the keys are refused', async () =>
    JSON.stringify(await story.status()).includes('refused the app key'),
  );
  show('status', JSON.stringify(await story.status()));
  clinic.refuse = () => undefined;
  await story.daemon.terminate();
  show('log with wrong keys', story.daemon.output());
}

/** Files with the patient in their rows and in their names. */
async function droppedFiles({ folder }: Story): Promise<void> {
  const inbox = join(folder, 'inbox');
  await mkdir(inbox, { recursive: true });
  const row = `${patient.patient_name},01798123999,2031-01-06,11:00`;
  const columns = 'patient_name,patient_phone,appointment_date,appointment_time';
  await writeFile(join(inbox, 'Zerafina Quornthwaite.csv'), `${columns}\n${row}\n`);
  await writeFile(join(inbox, 'bad Zerafina.csv'), `who,what\n${row}\n`);
  await until(
    'both files were looked at',
    () => globSync('{done,failed}/*.csv', { cwd: inbox }).length === 2,
  );
}

/** What anybody may read, strangers and their guesses included. */
async function strangers(story: Story, booked: string, show: Show): Promise<void> {
  const open = ['/', '/status.json', '/metrics', '/livez', '/readyz', '/syncz'];
  const closed = ['/bookings', `/bookings/${booked}`, `/in/website/${booked}`];
  const guesses = ['/zerafina', '/in/website/Zerafina', '/in/quornthwaite'];
  for (const path of [...open, ...closed, ...guesses]) show(path, (await story.ask(path)).text);
  const body = new URLSearchParams({ token: 'Zerafina', name: 'Quornthwaite' });
  for (const path of ['/in/Zerafina', '/in/website', '/admin/bookings/Zerafina/drop', '/admin/sign-in'])
    show(`POST ${path}`, (await story.ask(path, { method: 'POST', body })).text);
}

/** What a person reads who may see everything but patients. */
async function viewers(story: Story, show: Show): Promise<void> {
  const by = ['source', 'campaign', 'channel', 'month'].map((one) => `/reports?by=${one}`);
  const pages = [
    '/',
    '/clinics/main',
    '/clinics/main/appointments',
    '/change-log',
    '/fees',
    '/incidents',
    '/sessions',
  ];
  const connectors = ['website', 'crm', 'reports'].map((name) => `/connectors/${name}`);
  const data = [
    '/changes',
    '/changes?after=30',
    '/status.json',
    '/metrics',
    '/reports/month.html',
    '/change-log?format=csv',
  ];
  const headers = { authorization: `Bearer ${viewerToken}`, accept: 'text/html' };
  for (const path of [...by, ...pages, ...connectors]) show(path, (await story.ask(path, { headers })).text);
  for (const path of data)
    show(
      `viewer ${path}`,
      (await story.ask(path, { headers: { authorization: headers.authorization } })).text,
    );
}

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;

/** Beside the daemon; in the long run in a process of its own. */
async function ran(story: Story, args: readonly string[], config = story.config) {
  if (isLongRun) return runProcess(args, { config, cwd: story.folder });
  const { code, out, err } = await runCommand([...args, '--config', config]);
  return { code, output: `${out}${err}` };
}

async function commands(story: Story, show: Show): Promise<void> {
  const lines = [
    'status',
    'status --json',
    'doctor',
    'config show',
    'config check',
    'connectors list',
    'connectors check',
    'deliveries list --json',
    'guards list',
    'appointments list',
    'bookings list',
    'changes',
    'bookings approve CS-000000',
  ];
  await Promise.all(lines.map(async (line) => show(line, (await ran(story, line.split(' '))).output)));

  const faulty = join(story.folder, 'faulty.yaml');
  const text = await readFile(story.config, 'utf8');
  await writeFile(faulty, text.replace('version: 1', 'version: 2').replace('secret_key:', 'secret_kee:'));
  for (const args of [['config', 'check'], ['run']]) {
    const exit = await ran(story, args, faulty);
    expect(exit.code, exit.output).toBe(78);
    show(`${args.join(' ')} of a faulty configuration`, exit.output);
  }
}

it('shows no patient and no secret anywhere but where patients belong', { timeout: 120_000 }, async () => {
  await using clinic = await startEchoingClinic();
  await using story = await startStory({
    name: 'planted',
    log: 'debug',
    sheet: true,
    clinic: { base_url: clinic.url },
  });
  clinic.inFrontOf(story.sandbox.url);
  const shown: [where: string, text: string][] = [];
  const show: Show = (where, text) => void shown.push([where, text]);
  const submit = visitor(story, show);
  story.hook.misbehave = (response, body) => {
    // Every third fails, and is quoted back with the secret it was signed with.
    if (story.hook.bodies.length % 3 !== 0) return false;
    response.writeHead(500, { 'content-type': 'text/plain' }).end(`${body} ${story.hook.secret}`);
    return true;
  };

  await story.start();
  const booked = await everyWayIn(story, submit);
  await everyWayOut(story, clinic, submit, show);
  await story.start();
  await droppedFiles(story);
  await strangers(story, booked, show);
  await viewers(story, show);
  await commands(story, show);
  await until('the sheet was updated', () =>
    JSON.stringify(story.sheet?.control.book).includes('tab:treatments'),
  );
  await story.daemon.terminate();
  show('log', story.daemon.output());
  show('sheet', JSON.stringify(story.sheet?.control.book));
  for (const file of globSync('csv/main/*.*', { cwd: story.folder }))
    show(file, readFileSync(join(story.folder, file), 'utf8'));
  for (const body of story.hook.bodies) show('webhook', body);

  const { app_key, secret_key } = story.sandbox.credentials;
  const { adminToken, formToken, hook } = story;
  const secrets = [app_key, secret_key, adminToken, formToken, hook.secret, ...clinic.tokens];
  const hits = shown.flatMap(([where, text]) =>
    [...traces, ...secrets].flatMap((trace) => {
      const at = text.toLowerCase().indexOf(trace.toLowerCase());
      return at < 0 ? [] : [`${where}: ${text.slice(Math.max(0, at - 120), at + 80)}`];
    }),
  );
  const where = (part: string) => shown.flatMap(([place, text]) => (text.includes(part) ? [place] : []));
  expect(where('kept-campaign')).toEqual(
    expect.arrayContaining(['/reports?by=campaign', 'csv/main/leads.csv']),
  );
  expect(clinic.tokens.size).toBeGreaterThan(0);
  expect(story.hook.bodies.length).toBeGreaterThan(20);
  const { files } = JSON.parse(readFileSync(join(story.folder, 'csv/main/manifest.json'), 'utf8'));
  const exported = [...Object.keys(files), 'manifest.json'].map((name) => join('csv/main', name));
  expect(shown.map(([where]) => where)).toEqual(expect.arrayContaining(exported));
  expect(hits).toEqual([]);
});
