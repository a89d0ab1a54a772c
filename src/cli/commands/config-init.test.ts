import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { runCommand } from '../../../test/support/run-cli.ts';
import { runCli } from '../cli.ts';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sync-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'clinic-sync.yaml');
}

/** As at a terminal; each answer is typed once the question stands there. */
async function atTerminal(file: string, answers: readonly string[]) {
  let out = '';
  const add = (text: string) => {
    out += text;
  };
  const code = await runCli(['config', 'init', file], {
    out: add,
    err: add,
    environment: {},
    terminal: false,
    asks: true,
    columns: 100,
    async *typed() {
      yield* answers;
    },
    signal: new AbortController().signal,
  });
  return { code, out };
}

it('asks five things, tries the keys, and writes a file that is valid, with secrets in files beside it', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { app_key, secret_key } = sandbox.credentials;
  const file = newFile();
  const wrong = [sandbox.url, 'wrong', 'wrong', 'no'];
  const clinic = [sandbox.url, app_key, secret_key];

  const { code, out } = await atTerminal(file, [
    ...['clinic.example', ...wrong, ...clinic, 'Asia/Daka', 'Asia/Dhaka'],
    ...['form', 'Rima', 'it@clinic.example', 'smtp://127.0.0.1:2525'],
  ]);
  const check = await runCommand(['config', 'check', '--config', file]);

  expect(code).toBe(0);
  expect(out).toContain('refused the app key or the secret key');
  expect(out).toContain('calls itself Shapla Dental Care');
  expect(out).toContain('did you mean Asia/Dhaka?');
  expect(check).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 clinic, 2 connectors, 1 notification'),
  });
  const text = readFileSync(file, 'utf8');
  expect(text.split('\n').length).toBeLessThan(32);
  const { clinics, http } = parse(text);
  expect(text).not.toContain(secret_key);
  expect(readFileSync(clinics.main.secret_key_file, 'utf8')).toBe(`${secret_key}\n`);
  expect(out).toContain(`Rima signs in with the token in ${http.users[0].token_file}`);
  expect([file, http.users[0].token_file].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(JSON.parse(readFileSync(file.replace('.yaml', '.schema.json'), 'utf8'))).toHaveProperty('$schema');
});

it('takes what stands in brackets: the sandbox with its keys, and a form', async () => {
  const file = newFile();

  const { code } = await atTerminal(file, ['', '', '', '', '']);

  expect(code).toBe(0);
  expect((await runCommand(['config', 'check', '--config', file])).code).toBe(0);
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    clinics: { main: { app_key: 'app_sandbox', secret_key: 'secret_sandbox' } },
    connectors: { website: { preset: 'html-form' } },
  });
});

it('writes nothing when the answers end early', async () => {
  const file = newFile();

  const { code, out } = await atTerminal(file, ['sandbox', 'Asia/Dhaka']);

  expect(code).toBe(64);
  expect(out).toContain('Nothing was written.');
  expect(existsSync(file)).toBe(false);
});

it('writes every setting with --all, and placeholders where nobody can answer', async () => {
  const [all, short] = [newFile(), newFile()];

  await runCommand(['config', 'init', all, '--all']);
  await runCommand(['config', 'init', short]);
  const check = await runCommand(['config', 'check', '--config', short]);

  expect(readFileSync(all, 'utf8')).toContain('max_per_source_per_hour');
  expect(check).toMatchObject({ code: 0, err: expect.stringContaining('is still the starter file’s') });
});

it('says in one sentence that there is no configuration, and how to get one', async () => {
  const before = process.cwd();
  process.chdir(tmpdir());
  onTestFinished(() => process.chdir(before));

  const { code, err } = await runCommand(['doctor']);

  expect(code).toBe(1);
  expect(err).toContain('has 1 fault');
  expect(err).toContain('clinic-sync config init');
});
