import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nock from 'nock';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createClient } from './client.ts';
import { type GoogleCredentials, googleTokenUrl } from './credentials.ts';

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
const client = (credentials: GoogleCredentials = serviceAccount) =>
  createClient({
    connector: 'accounts',
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
const oneTab = { spreadsheetId: id, sheets: [{ properties: { sheetId: 0, title: 'Sheet1' } }] };
const webPage = '<!doctype html><html><body>Sign in to the guest network</body></html>';
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
      .reply(200, oneTab);

    const answer = await (await client()).structure(signal);

    expect(answer).toEqual(oneTab);
    const claims = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({
      iss: email,
      aud: googleTokenUrl,
      scope:
        'https://www.googleapis.com/auth/spreadsheets https://www.googleapis.com/auth/drive.metadata.readonly',
    });
  });

  it('signs in with the machine’s credentials when configured', { tags: ['thorough'] }, async () => {
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
      .reply(200, oneTab);

    const machine = await client({ kind: 'default', address: 'the machine' });

    await expect(machine.structure(signal)).resolves.toEqual(oneTab);
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

describe('an answer in Google’s place', () => {
  const html = { 'content-type': 'text/html' };
  const answers: [string, number, string | object, Record<string, string>][] = [
    ['a portal’s page', 200, webPage, html],
    ['a page that claims to be JSON', 200, webPage, { 'content-type': 'application/json' }],
    ['an empty object', 200, {}, {}],
    ['nothing', 200, '', {}],
    ['no content', 204, '', {}],
    ['null', 200, 'null', { 'content-type': 'application/json' }],
    ['a list', 200, [], {}],
    ['another spreadsheet', 200, { ...oneTab, spreadsheetId: 'other' }, {}],
    ['half of the JSON', 200, JSON.stringify(oneTab).slice(0, -9), { 'content-type': 'application/json' }],
    ['a proxy’s own JSON', 200, { status: 'ok', spreadsheetId: null }, {}],
  ];

  it.each([...answers, ['a spreadsheet without tabs', 200, { spreadsheetId: id, sheets: [] }, {}]] as const)(
    'is no reading: %s',
    async (_name, status, body, headers) => {
      token();
      nock(base).get(path()).reply(status, body, headers);

      const read = (await client()).structure(signal);

      await expect(read).rejects.toMatchObject({
        kind: 'transient',
        message: expect.stringMatching(/in Google’s place/),
      });
    },
  );

  it.each(answers)('is no reading of a tab: %s', async (_name, status, body, headers) => {
    token();
    nock(base).post(path(':getByDataFilter')).query(true).reply(status, body, headers);

    const read = (await client()).tabs([7], { results: false }, signal);

    await expect(read).rejects.toMatchObject({ kind: 'transient' });
  });

  it.each([
    ...answers,
    ['as many replies as none', 200, { spreadsheetId: id }, {}],
    ['fewer replies than requests', 200, { spreadsheetId: id, replies: [{}] }, {}],
  ] as const)('proves no write: %s', async (_name, status, body, headers) => {
    token();
    nock(base).post(path(':batchUpdate')).reply(status, body, headers);

    const write = (await client()).write(
      [{ deleteSheet: { sheetId: 3 } }, { deleteSheet: { sheetId: 4 } }],
      signal,
    );

    await expect(write).rejects.toMatchObject({ kind: 'transient', status: undefined });
  });

  it('accepts a write with a reply to each request', async () => {
    token();
    nock(base)
      .post(path(':batchUpdate'))
      .reply(200, { spreadsheetId: id, replies: [{}, {}] });

    const write = (await client()).write(
      [{ deleteSheet: { sheetId: 3 } }, { deleteSheet: { sheetId: 4 } }],
      signal,
    );

    await expect(write).resolves.toBeUndefined();
  });

  const person = {
    kind: 'user',
    address: 'the person',
    clientId: 'c',
    clientSecret: 's',
    refreshToken: 'r',
    tokenUrl: googleTokenUrl,
  } as const;

  it.each([
    ['a web page with success', 200, webPage, 'A web page (200)'],
    ['a web page that refuses', 403, webPage, 'A web page (403)'],
    ['JSON without a token', 200, '{}', 'is not what was asked for'],
  ])(
    'is no sign-in, and is told apart from a network that is down: %s',
    async (_name, status, body, words) => {
      for (const credentials of [serviceAccount, person]) {
        // The library tries a sign-in without an answer of Google's again.
        nock('https://oauth2.googleapis.com').post('/token').times(3).reply(status, body, html);

        const read = (await client(credentials)).structure(signal);

        await expect(read).rejects.toMatchObject({
          kind: 'transient',
          message: expect.stringContaining(words),
        });
      }
    },
  );

  it.each([200, 400, 403, 404, 429, 502])(
    'never says that nothing is shared: a web page with %i',
    async (status) => {
      token();
      nock(base).post(path(':batchUpdate')).reply(status, webPage, html);

      const probe = (await client()).probeWrite(signal);

      await expect(probe).rejects.toMatchObject({
        kind: 'transient',
        message: `A web page (${status}) came back in Google’s place.`,
      });
    },
  );
});

describe('what goes wrong', () => {
  it.each([
    ...['userRateLimitExceeded', 'rateLimitExceeded', 'dailyLimitExceeded', 'quotaExceeded'].map((reason) => [
      reason,
      { error: { code: 403, message: 'X', errors: [{ domain: 'usageLimits', reason }] } },
    ]),
    ['RATE_LIMIT_EXCEEDED', refusal(403, 'X', 'RATE_LIMIT_EXCEEDED')],
    ['a status', { error: { code: 403, message: 'X', status: 'RESOURCE_EXHAUSTED' } }],
    ['a message', refusal(403, "Quota exceeded for quota metric 'Read requests'")],
    ['another message', refusal(403, 'User Rate Limit Exceeded')],
  ] as [string, object][])('slows down, whatever the status, for %s', async (_name, body) => {
    for (const status of [400, 403, 503]) {
      token();
      nock(base).post(path(':batchUpdate')).reply(status, body);

      const failure = await (await client()).write([], signal).catch((error: unknown) => error);

      expect(failure).toMatchObject({
        kind: 'transient',
        retryAfterMs: expect.any(Number),
        message: `Google asks us to slow down (${status}).`,
      });
    }
  });

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
          'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check ' +
          'your iat and exp values in the JWT claim.',
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
    ...(
      [
        ['invalid_grant', 'reauth related error (invalid_rapt)', 'to sign in again'],
        ['interaction_required', '', 'to sign in again'],
        ['deleted_client', 'The OAuth client was deleted.', 'does not know the OAuth client'],
        [
          'unauthorized_client',
          'Client is unauthorized to retrieve access tokens using this method.',
          'does not let this client',
        ],
        [
          'org_internal',
          'This client is restricted to users within its organization.',
          'rules of your organization',
        ],
        ['admin_policy_enforced', '', 'rules of your organization'],
        ['access_denied', 'Account restricted', 'rules of your organization'],
        ['something_new', 'Nobody knows.', 'something_new, Nobody knows'],
      ] as const
    ).flatMap(([error, error_description, sentence]) =>
      [400, 401, 403].map(
        (status) => [`${error} (${status})`, status, { error, error_description }, sentence] as const,
      ),
    ),
  ] as [string, number, object, string][])(
    'is explained plainly at sign-in: %s',
    async (_name, status, body, sentence) => {
      nock('https://oauth2.googleapis.com').post('/token').reply(status, body);

      const read = (await client()).structure(signal);

      await expect(read).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringContaining(sentence),
        hint: expect.not.stringMatching(/connectors login(?! accounts)/),
      });
    },
  );

  it.each([
    [
      'CONSUMER_SUSPENDED',
      "Permission denied: Consumer 'project:1' has been suspended.",
      'has suspended the Cloud project',
    ],
    ['', "Project 'projects/1' has been suspended.", 'has suspended the Cloud project'],
    [
      'CONSUMER_INVALID',
      'Project 1 has been deleted.',
      'Cloud project of robot@project.iam.gserviceaccount.com is deleted',
    ],
    ['BILLING_DISABLED', 'This API method requires billing to be enabled.', 'Billing is switched off'],
    [
      'API_KEY_IP_ADDRESS_BLOCKED',
      'The provided API key has an IP address restriction.',
      'network address of this machine',
    ],
    ['SOME_NEW_REASON', 'X', 'SOME_NEW_REASON'],
  ])('is said by its name, and never as a missing share: %s', async (reason, message, sentence) => {
    token();
    nock(base)
      .post(path(':batchUpdate'))
      .reply(403, refusal(403, message, reason));

    const failure = await (await client()).write([], signal).catch((error: unknown) => error);

    expect(failure).toMatchObject({ kind: 'refused', message: expect.stringContaining(sentence) });
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
        'Your application is authenticating by using local Application Default Credentials. The ' +
          'sheets.googleapis.com API requires a quota project, which is not set by default.',
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
    [400, refusal(400, 'Something new'), 'refused', 'writes there: Something new.'],
    [400, refusal(400, 'Invalid JSON payload received. Unknown name "rows"'), 'refused', 'please report it'],
    [401, refusal(401, 'Request had invalid authentication credentials.'), 'transient', 'token'],
    [401, refusal(401, 'Invalid credentials.', 'ACCOUNT_STATE_INVALID'), 'refused', 'has disabled robot@'],
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
