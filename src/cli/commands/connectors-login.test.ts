import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../sandbox/clinic/clinic.ts';
import { startSheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import { runCommand } from '../../../test/support/run-cli.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const person = 'ann@clinic.example';

/** A configuration whose daemon never ran: no database, and of Google's files only the OAuth client's. */
async function freshInstallation() {
  const [clinic, sheets] = [await startSandbox(), await startSheetsSandbox()];
  onTestFinished(() => Promise.all([clinic.close(), sheets.close()]).then(() => {}));
  sheets.control.share(person, 'writer');
  const folder = await temporaryFolder();
  const inFolder = (name: string) => join(folder, name);
  await mkdir(inFolder('google'));
  await writeFile(inFolder('client.json'), JSON.stringify(sheets.control.addOAuthClient()));
  const { app_key, secret_key } = clinic.credentials;
  await writeFile(
    inFolder('clinic-sync.yaml'),
    `version: 1
clinics: { main: { base_url: "${clinic.url}", app_key: "${app_key}", secret_key: "${secret_key}", timezone: Asia/Dhaka } }
connectors:
  accounts:
    use: google-sheets
    spreadsheet: ${sheets.spreadsheetId}
    api_url: ${sheets.url}/
    oauth_client_file: ${inFolder('client.json')}
    credentials_file: ${inFolder('google/sign-in.json')}
  website: { use: web-form, token: "\${FORM_TOKEN}" }
store: { sqlite: ${inFolder('data/clinic.db')} }
`,
  );
  await writeFile(inFolder('service.env'), 'FORM_TOKEN=door-of-the-practice');
  const environment = ['--env-file', inFolder('service.env')];
  const run = (...argv: string[]) => runCommand([...argv, '--config', inFolder('clinic-sync.yaml')]);
  /** `there`: the browser is on another machine, so that the person has to type where it ended. */
  async function login({ there = false, granted }: { there?: boolean; granted?: string } = {}) {
    const shown = Promise.withResolvers<string>();
    const asked = { person, ...(granted !== undefined && { granted }) };
    return runCommand(
      ['connectors', 'login', 'accounts', '--config', inFolder('clinic-sync.yaml')],
      (text) => {
        const [address] = /http\S+/.exec(text) ?? [];
        if (address === undefined) return;
        shown.resolve(address);
        if (!there) void sheets.control.browse(address, asked);
      },
      async function* typed() {
        if (!there) return;
        yield 'an empty line, or anything else';
        yield ` ${sheets.control.allow(await shown.promise, asked).href} `;
      },
    );
  }
  const browse = (address: string) => sheets.control.browse(address, { person });
  return { environment, inFolder, run, login, browse, signIn: inFolder('google/sign-in.json') };
}

it.each([
  ['a browser on this machine', false],
  ['an address that a browser elsewhere could not open', true],
])('signs in before the daemon’s first start, by %s', async (_how, there) => {
  const { environment, login, run, signIn, inFolder } = await freshInstallation();

  const { code, out } = await login({ there });

  expect([code, out]).toEqual([0, expect.stringContaining('Signed in.')]);
  expect((await stat(signIn)).mode & 0o777).toBe(0o600);
  await expect(readdir(inFolder('google'))).resolves.toEqual(['sign-in.json']);
  await expect(stat(inFolder('data'))).rejects.toThrow('ENOENT');
  await run('sync', ...environment);
  const checked = await run('connectors', 'check', 'accounts', ...environment);
  expect([checked.code, checked.out]).toEqual([0, expect.not.stringContaining('warn')]);
});

it('ends once the person has signed in, although its input stays open', { tags: ['thorough'] }, async () => {
  const { inFolder, browse } = await freshInstallation();
  const main = new URL('../../main.ts', import.meta.url).pathname;
  const args = [main, 'connectors', 'login', 'accounts', '--config', inFolder('clinic-sync.yaml')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const ended = once(child, 'close');

  for await (const text of child.stdout.setEncoding('utf8')) {
    const [address] = /http\S+/.exec(text) ?? [];
    if (address !== undefined) await browse(address);
  }

  expect(await ended).toEqual([0, null]);
});

it('leaves the former sign-in as it was when a new one fails', async () => {
  const { login, signIn, inFolder } = await freshInstallation();
  await writeFile(signIn, 'the former one', { mode: 0o600 });

  const { code, err } = await login({ granted: 'openid' });

  expect([code, err]).toEqual([1, expect.stringContaining('tick')]);
  await expect(readFile(signIn, 'utf8')).resolves.toBe('the former one');
  await expect(readdir(inFolder('google'))).resolves.toEqual(['sign-in.json']);
});

it('says before the browser opens that the file cannot be written', async () => {
  const { login, inFolder, signIn } = await freshInstallation();
  await rmdir(inFolder('google'));

  const { code, out, err } = await login();

  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(`The sign-in cannot be kept in ${signIn} (ENOENT)`);
});

it('is in the audit once there is a database', async () => {
  const { environment, login, run } = await freshInstallation();
  await run('sync', ...environment);

  await login();

  const { out } = await run('audit', '--json');
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({ action: 'connector.login', subject: 'accounts', result: 'ok' }),
  );
});

it('takes no sign-in for a connector that needs none', async () => {
  const { run } = await freshInstallation();

  const { code, err } = await run('connectors', 'login', 'website');

  expect([code, err]).toEqual([64, expect.stringContaining('does not use a sign-in')]);
});
