import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { sheetsRig, treatmentRow } from '../../../test/support/sheets/kit.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { googleSheets } from '../google-sheets.ts';
import { GoogleSheetsSettings } from '../settings.ts';

const person = 'ann@clinic.example';
const signal = new AbortController().signal;

async function clinic(settings: Record<string, unknown> = {}) {
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  control.share(person, 'writer');
  const folder = await temporaryFolder();
  const [client, file] = [join(folder, 'client.json'), join(folder, 'google.json')];
  await writeFile(client, JSON.stringify(control.addOAuthClient()));
  const own = { credentials: undefined, credentials_file: file, oauth_client_file: client, ...settings };
  const rig = await sheetsRig({ sandbox, clock, settings: own });
  rig.mirror.rows.treatments = [treatmentRow(1)];
  const browsed: string[] = [];
  const login = (
    browse: (address: string) => Promise<string>,
    { typed = [], until = signal }: { typed?: AsyncIterable<string> | string[]; until?: AbortSignal } = {},
  ) =>
    googleSheets.login?.(
      GoogleSheetsSettings.parse({ spreadsheet: sandbox.spreadsheetId, ...own }),
      {
        port: 0,
        show: (address) => void browse(address).then((text) => browsed.push(text)),
        typed: Readable.from(typed),
      },
      until,
    );
  const allow = (address: string) => control.browse(address, { person });
  return { control, rig, file, client, login, allow, browsed };
}

describe('the sign-in of a person', () => {
  it('maintains the spreadsheet in their name, from a file that only we can read', async () => {
    const { rig, file, login, allow, browsed } = await clinic();

    await login(allow);
    const { written } = await rig.converge();

    expect(written).toEqual({ Treatments: 2 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ type: 'authorized_user' });
    await expect.poll(() => browsed.join()).toContain('You may close this page');
    expect((await rig.connector.check(signal)).filter(({ level }) => level !== 'ok')).toEqual([]);
  });

  it('asks for spreadsheets alone, and ignores a browser that was not asked', async () => {
    const { login, control, allow } = await clinic();
    let strangers = 0;

    await login(async (address) => {
      const asked = new URL(address).searchParams;
      expect(asked.get('scope')).toBe('https://www.googleapis.com/auth/spreadsheets');
      const forged = await fetch(`${asked.get('redirect_uri')}/?code=forged&state=other`);
      strangers = forged.status;
      return allow(address);
    });

    expect(strangers).toBe(404);
    expect(control.calls.filter(({ call }) => call === 'token')).toHaveLength(1);
  });

  it('says which box was not ticked, and keeps nothing', async () => {
    const { login, control, file } = await clinic();

    const signedIn = login((address) => control.browse(address, { person, granted: 'openid' }));

    await expect(signedIn).rejects.toMatchObject({ kind: 'refused', hint: expect.stringContaining('tick') });
    await expect(stat(file)).rejects.toThrow();
  });

  it('says what to do when the person or the organization denies it', async () => {
    const { login } = await clinic();

    const signedIn = login(async (address) => {
      const asked = new URL(address).searchParams;
      const query = new URLSearchParams({ error: 'access_denied', state: asked.get('state') ?? '' });
      return (await fetch(`${asked.get('redirect_uri')}/?${query}`)).text();
    });

    await expect(signedIn).rejects.toMatchObject({
      message: expect.stringContaining('access_denied'),
      hint: expect.stringContaining('administrator'),
    });
  });

  it('ends with the command', async () => {
    const { login } = await clinic();
    const command = new AbortController();

    const signedIn = login(
      async () => {
        command.abort();
        return '';
      },
      { until: command.signal },
    );

    await expect(signedIn).rejects.toThrow('aborted');
  });

  it('is asked for again when it was revoked, and the new one is used without a restart', async () => {
    const { rig, control, login, allow } = await clinic();
    await login(allow);
    control.revokeSignIns();

    const failed = rig.converge();
    await expect(failed).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('Sign in again'),
    });
    await login(allow);

    await expect(rig.converge()).resolves.toMatchObject({ written: { Treatments: 2 } });
  });

  it('needs the client of a desktop app', async () => {
    const { login, client, allow } = await clinic();
    await writeFile(client, '{"web":{}}');

    await expect(login(allow)).rejects.toMatchObject({ hint: expect.stringContaining('Desktop app') });
  });
});

describe('Application Default Credentials', () => {
  const settings = { credentials_file: undefined, oauth_client_file: undefined, application_default: true };

  it('are the identity of a machine at Google, without any key', { tags: ['thorough'] }, async () => {
    const { rig, control } = await clinic(settings);
    const machine = 'machine@sandbox.iam.gserviceaccount.com';
    control.share(machine, 'writer');
    // The server that Google runs beside each machine.
    const metadata = createServer(({ url = '' }, response) =>
      response
        .writeHead(200, { 'metadata-flavor': 'Google', 'content-type': 'application/json' })
        .end(url.includes('/token') ? JSON.stringify(control.issueToken(machine)) : '"sandbox"'),
    );
    await new Promise<void>((listening) => metadata.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      metadata.close();
      vi.unstubAllEnvs();
    });
    vi.stubEnv('GCE_METADATA_HOST', `127.0.0.1:${(metadata.address() as AddressInfo).port}`);
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', undefined);
    vi.stubEnv('HOME', await temporaryFolder());

    await expect(rig.converge()).resolves.toMatchObject({ written: { Treatments: 2 } });
    expect((await rig.connector.check(signal)).filter(({ level }) => level !== 'ok')).toEqual([]);
  });

  it('are reported missing, with where they come from', async () => {
    const { rig } = await clinic(settings);
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '/nowhere/google.json');
    onTestFinished(() => void vi.unstubAllEnvs());

    await expect(rig.converge()).rejects.toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('gcloud auth application-default login'),
    });
  });
});
