import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nock from 'nock';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createClient } from './client.ts';
import { type Credentials, googleTokenUrl } from './credentials.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const email = 'robot@project.iam.gserviceaccount.com';
const signal = new AbortController().signal;
const base = 'https://sheets.googleapis.com';
const id = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs';
const path = (verb = '') => new RegExp(`^/v4/spreadsheets/${id}${verb}(\\?.*)?$`);

const serviceAccount = {
  kind: 'service_account',
  address: email,
  key,
  keyId: undefined,
  tokenUrl: googleTokenUrl,
} as const;
const client = (credentials: Credentials = serviceAccount) =>
  createClient({
    credentials,
    spreadsheetId: id,
    apiUrl: `${base}/`,
    clock: fakeClock(),
    random: () => 0,
  });

const token = () =>
  nock('https://oauth2.googleapis.com')
    .post('/token')
    .reply(200, { access_token: 'ya29.secret', expires_in: 3599, token_type: 'Bearer' });
const refusal = (code: number, message: string, reason?: string) => ({
  error: { code, message, status: 'X', ...(reason !== undefined && { details: [{ reason }] }) },
});

// Importing nock takes over every socket of this worker, other files' too: only while these tests run.
nock.restore();

beforeEach(() => {
  nock.activate();
  nock.disableNetConnect();
});
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
  nock.restore();
});

describe('the client', () => {
  it('signs in for spreadsheets and the bin alone, with a signed assertion, and reads with the token', async () => {
    let assertion = '';
    nock('https://oauth2.googleapis.com')
      .post('/token', (body: { assertion: string; grant_type: string }) => {
        assertion = body.assertion;
        return body.grant_type === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
      })
      .reply(200, { access_token: 'ya29.secret', expires_in: 3599, token_type: 'Bearer' });
    nock(base, { reqheaders: { authorization: 'Bearer ya29.secret' } })
      .get(path())
      .query(({ fields }) => typeof fields === 'string' && !fields.includes('rowData'))
      .reply(200, { spreadsheetId: id });

    const answer = await (await client()).structure(signal);

    expect(answer).toEqual({ spreadsheetId: id });
    const claims = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({
      iss: email,
      aud: googleTokenUrl,
      scope:
        'https://www.googleapis.com/auth/spreadsheets https://www.googleapis.com/auth/drive.metadata.readonly',
    });
  });

  it('signs in with the machine’s credentials when configured', async () => {
    const file = join(await temporaryFolder(), 'adc.json');
    const person = { client_id: 'c', client_secret: 's', refresh_token: 'r' };
    await writeFile(file, JSON.stringify({ type: 'authorized_user', ...person }));
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', file);
    onTestFinished(() => void vi.unstubAllEnvs());
    nock('https://oauth2.googleapis.com')
      .post('/token', (body: object) =>
        Object.entries(person).every(([key, value]) => body[key as never] === value),
      )
      .reply(200, { access_token: 'ya29.secret', expires_in: 3599, token_type: 'Bearer' });
    nock(base, { reqheaders: { authorization: 'Bearer ya29.secret' } })
      .get(path())
      .query(true)
      .reply(200, { spreadsheetId: id });

    const machine = await client({ kind: 'default', address: 'the machine' });

    await expect(machine.structure(signal)).resolves.toEqual({ spreadsheetId: id });
  });

  it('reads whole tabs by id, not by a name that people change', async () => {
    token();
    nock(base)
      .post(path(':getByDataFilter'), { dataFilters: [{ gridRange: { sheetId: 7 } }] })
      .query(({ fields }) => typeof fields === 'string' && fields.includes('rowData'))
      .reply(200, { spreadsheetId: id });

    await expect((await client()).tabs([7], { results: false }, signal)).resolves.toEqual({
      spreadsheetId: id,
    });
  });

  it('writes all requests in one call and never repeats it', async () => {
    token();
    const requests = [{ deleteSheet: { sheetId: 3 } }];
    nock(base).post(path(':batchUpdate'), { requests }).reply(503, 'busy');

    const write = (await client()).write(requests, signal);

    await expect(write).rejects.toMatchObject({ kind: 'transient', status: 503 });
    expect(nock.isDone()).toBe(true);
  });
});

describe('a redirect', () => {
  const elsewhere = 'https://elsewhere.example';
  const location = { location: `${elsewhere}/` };

  it('is not followed by the sign-in: no other server gets the assertion', async () => {
    nock('https://oauth2.googleapis.com').post('/token').reply(307, '', location);
    const other = nock(elsewhere).post('/').reply(200, { access_token: 'forged', expires_in: 3599 });

    const read = (await client()).structure(signal);

    await expect(read).rejects.toMatchObject({ kind: 'transient', status: 307 });
    expect(other.isDone()).toBe(false);
  });

  it.each([302, 307])('is not followed by a write: no other server gets cells (%i)', async (status) => {
    token();
    nock(base).post(path(':batchUpdate')).reply(status, '', location);
    const other = nock(elsewhere).get('/').reply(200, {}).post('/').reply(200, {});

    const write = (await client()).write([], signal);

    await expect(write).rejects.toMatchObject({ status, message: expect.stringContaining('redirect') });
    expect(other.pendingMocks()).toHaveLength(2);
  });
});

describe('what goes wrong', () => {
  it.each([
    [
      'a revoked key',
      400,
      { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
      'does not accept the key',
    ],
    [
      'a deleted account',
      400,
      { error: 'invalid_grant', error_description: 'Invalid grant: account not found' },
      'does not accept the key',
    ],
    [
      'a wrong clock',
      400,
      {
        error: 'invalid_grant',
        error_description:
          'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
      },
      'the clock of this machine is wrong',
    ],
    [
      'a disabled account',
      400,
      { error: 'account_disabled', error_description: 'Account disabled: 1' },
      'Google has disabled',
    ],
    [
      'a disabled client',
      401,
      { error: 'disabled_client', error_description: 'The OAuth client was disabled.' },
      'Google has disabled',
    ],
  ])('is explained plainly at sign-in: %s', async (_name, status, body, sentence) => {
    nock('https://oauth2.googleapis.com').post('/token').reply(status, body);

    const read = (await client()).structure(signal);

    await expect(read).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(sentence),
      hint: expect.any(String),
    });
  });

  it.each([
    [
      403,
      refusal(403, 'The caller does not have permission'),
      'refused',
      'may look at the spreadsheet but not change it',
    ],
    [
      403,
      refusal(
        403,
        'Google Sheets API has not been used in project 1 before or it is disabled.',
        'SERVICE_DISABLED',
      ),
      'refused',
      'API is switched off',
    ],
    [
      403,
      refusal(
        403,
        'Your application is authenticating by using local Application Default Credentials. The sheets.googleapis.com API requires a quota project, which is not set by default.',
        'SERVICE_DISABLED',
      ),
      'refused',
      'set-quota-project',
    ],
    [
      403,
      refusal(403, 'Request had insufficient authentication scopes.', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
      'refused',
      'does not include spreadsheets',
    ],
    [404, refusal(404, 'Requested entity was not found.'), 'refused', 'no spreadsheet with this id'],
    [429, refusal(429, 'Quota exceeded'), 'transient', 'slow down'],
    [
      400,
      refusal(400, 'Invalid requests[0].updateCells: You are trying to edit a protected cell or object.'),
      'transient',
      'is protected against',
    ],
    [
      400,
      refusal(
        400,
        'This action would increase the number of cells in the workbook above the limit of 10000000 cells.',
      ),
      'transient',
      'ten million cells',
    ],
    [
      400,
      refusal(400, 'Invalid requests[0].updateCells: No grid with id: 5'),
      'transient',
      'tab was deleted',
    ],
    [400, refusal(400, 'This operation is not supported for this document'), 'refused', 'Excel workbook'],
    [400, refusal(400, 'Range exceeds grid limits. Max rows: 5'), 'transient', 'changed at the same moment'],
    [
      400,
      refusal(400, 'Attempting to write column: 26, beyond the last requested column of: 25'),
      'transient',
      'changed at the same moment',
    ],
    [
      400,
      refusal(400, 'GridCoordinate.rowIndex[1] is after last row in grid[1]'),
      'transient',
      'changed at the same moment',
    ],
    [
      400,
      refusal(400, 'range.startIndex[9] must be less than the grid size[9]'),
      'transient',
      'changed at the same moment',
    ],
    [403, refusal(403, "The user's Drive storage quota has been exceeded."), 'refused', 'is full'],
    [
      403,
      refusal(403, "Request is prohibited by organization's policy.", 'ORG_RESTRICTION'),
      'refused',
      'rules of your organization',
    ],
    [
      400,
      refusal(
        400,
        'Invalid requests[0].setDataValidation: This operation is not allowed on cells in typed columns.',
      ),
      'refused',
      'table with typed columns',
    ],
    [400, refusal(400, 'Something new'), 'refused', 'fault of the connector'],
    [401, refusal(401, 'Request had invalid authentication credentials.'), 'transient', 'token'],
    [500, refusal(500, 'Internal error'), 'transient', 'answered 500'],
  ])('has its own sentence and behaviour: %i %o', async (status, body, kind, words) => {
    token();
    nock(base).post(path(':batchUpdate')).reply(status, body);

    const failure = await (await client()).write([], signal).catch((error: unknown) => error);

    expect(failure).toMatchObject({ kind, status });
    const { message, hint } = failure as { message: string; hint: string };
    expect(`${message} ${hint}`).toContain(words);
    expect(`${message} ${hint}`).not.toContain('ya29');
  });

  it('waits for the next full minute after a 429, then twice as long', async () => {
    token();
    nock(base).post(path(':batchUpdate')).reply(429, refusal(429, 'Quota exceeded'));

    const failure = await (await client()).write([], signal).catch((error: unknown) => error);

    expect(failure).toMatchObject({ retryAfterMs: 60_000 });
  });

  it('names the code when the network is gone, and nothing of what was sent', async () => {
    token();
    nock(base)
      .post(path(':batchUpdate'))
      .replyWithError(Object.assign(new Error('secret cell'), { code: 'ECONNRESET' }));

    const failure = await (await client()).write([], signal).catch((error: unknown) => error);

    expect(failure).toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('could not be reached'),
    });
    expect((failure as Error).message).not.toContain('secret');
  });
});
