import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenKey } from '../domain/token.ts';
import { fromText } from './load.ts';

const clinics = `version: 1
clinics:
  main: { base_url: https://clinic.example/api/v1, app_key: a, secret_key: s, timezone: UTC }
`;
const load = (http: string, environment: NodeJS.ProcessEnv = {}) =>
  fromText(`${clinics}http: ${http}\n`, 'test.yaml', {
    environment,
    findKind: async () => undefined,
    knownKinds: [],
  });
const loadHttp = async (http: string, environment: NodeJS.ProcessEnv = {}) => {
  const loaded = await load(http, environment);
  expect.assert(loaded.ok, JSON.stringify(loaded));
  return loaded.config.http;
};
const faultsOf = async (http: string, environment: NodeJS.ProcessEnv = {}) => {
  const loaded = await load(http, environment);
  return loaded.ok ? [] : loaded.faults.map(({ path, message }) => `${path} ${message}`);
};

let folder: string;
const file = (text: string) => {
  const path = join(folder, 'token');
  writeFileSync(path, text);
  return path;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'http-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The rest of what `http.oidc` requires. */
const withClient = (oidc: string): string =>
  oidc
    .replace('SECRET', 'client_secret: of-the-client')
    .replace(/^\{/, oidc.includes('roles') ? '{ client_id: a,' : '{ client_id: a, roles: { all: desk },');

describe('people in the configuration', () => {
  it('are read from values and files, and stored as hashes', async () => {
    const http = await loadHttp(
      `{ admin_token_file: ${file('lantern-river-otter-3\n')}, users: [{ name: Rima, role: desk, token: ` +
        'the-token-of-rima }] }',
    );

    expect(http.people).toEqual([
      { name: '', role: 'admin', key: tokenKey('lantern-river-otter-3') },
      { name: 'Rima', role: 'desk', key: tokenKey('the-token-of-rima') },
    ]);
    expect(JSON.stringify(http)).not.toMatch(/lantern-river-otter-3|the-token-of-rima/);
  });

  it.each([
    ['{ admin_token: a }', 'http.admin_token must be at least 16 characters'],
    [
      '{ users: [{ name: Rima, role: desk, token: fifteen-letters }] }',
      'http.users[0].token must be at least 16 characters',
    ],
    ...[
      'adminadminadmin1',
      'passwordpassword',
      'aaaaaaaaaaaaaaaa',
      '"1234567890123456"',
      'Admin-Token-2026',
      'Sm1leD3ntalCl1nic2026',
      'P4ssw0rd-Cl1nic-26',
      'abcdefghijklmnop',
      'fedcba9876543210',
      'a1b2c3d4e5f6g7h8',
      '1q2w3e4r5t6y7u8i',
      'asdfghjklzxcvbnm',
      'typeformtypeform',
      'Summer2026Summer',
      '"00112233445566778899"',
      '"9876543210987654"',
    ].map((token): [string, string] => [`{ admin_token: ${token} }`, 'http.admin_token is easy to guess']),
    ['{ users: [{ name: Rima, role: desk }] }', 'http.users[0].token is required'],
    [
      '{ users: [{ name: Rima, role: boss, token: the-token-of-rima }] }',
      'http.users[0].role must be one of: viewer, desk, admin',
    ],
    [
      '{ users: [{ name: R, role: desk, token: the-token-of-rima }, { name: R, role: desk, token: ' +
        'the-token-of-xima }] }',
      'http.users[1].name is used twice',
    ],
    [
      '{ admin_token: the-token-of-rima, users: [{ name: R, role: desk, token: the-token-of-rima }] }',
      'http.users[0].token is also the token of another person',
    ],
    [
      '{ users: [{ name: admin (Rima), role: desk, token: the-token-of-rima }] }',
      'http.users[0].name must not begin with admin, link of or oidc, which are names of the admin token, links and a provider',
    ],
    [
      '{ sign_in_header: { name: Remote-User, from: [everywhere] } }',
      'http.sign_in_header.from[0] must be an address or a network such as 10.0.0.0/8',
    ],
    ...(
      [
        [
          '{ issuer: "http://login.example", SECRET }',
          'issuer must begin with https, except on this machine',
        ],
        [
          '{ issuer: "https://login.microsoftonline.com/common/v2.0", SECRET }',
          'issuer must name your tenant: anybody’s administrator decides who has which role otherwise',
        ],
        ['{ issuer: "https://login.example" }', 'client_secret is required'],
        ['{ issuer: "https://login.example", SECRET, roles: {} }', 'roles must name at least one value'],
      ] as const
    ).map(([oidc, fault]): [string, string] => [
      `{ public_url: "https://ops.example", oidc: ${withClient(oidc)} }`,
      `http.oidc.${fault}`,
    ]),
    [
      `{ oidc: ${withClient('{ issuer: "https://login.example", SECRET }')} }`,
      'http.oidc needs http.public_url, to which the provider sends people back',
    ],
    ['{ listen: { intake: "0.0.0.0:80" } }', 'http.listen.admin is required (a string)'],
    ['{ listen: nowhere }', 'http.listen must be ADDRESS:PORT with a port up to 65535'],
  ])('are refused: %s', async (http, fault) => {
    expect(await faultsOf(http)).toEqual([fault]);
  });

  it.each([
    ['{ listen: nowhere, admin_token: a }', ['http.listen must', 'http.admin_token must be at least 16']],
    [
      '{ admin_tokem: a, admin_token: b }',
      ['http.admin_tokem is not', 'http.admin_token must be at least 16'],
    ],
    [
      '{ users: [{ name: " ", role: desk, token: b }, { name: R, role: boss, token: c }] }',
      ['http.users[0].name must', 'users[0].token must be', 'users[1].role must', 'users[1].token must be'],
    ],
    ['{ admin_token: 1234567890123456 }', ['http.admin_token must be a string']],
    [
      '{ sign_in_header: { name: Remote-User, from: [] }, users: [{ name: R, role: desk }] }',
      ['http.sign_in_header.from must'],
    ],
  ])('are refused with all their faults at once: %s', async (http, faults) => {
    const found = await faultsOf(http);

    expect(found).toHaveLength(faults.length);
    for (const fault of faults) expect(found).toContainEqual(expect.stringContaining(fault));
  });

  it('need no token of their own where a proxy signs them in', async () => {
    const http = await loadHttp(
      '{ sign_in_header: { name: Remote-User, from: [10.0.0.0/8] }, users: [{ name: Rima, role: admin }] }',
    );

    expect(http.people).toEqual([{ name: 'Rima', role: 'admin', key: undefined }]);
    expect(http.signInHeader).toEqual({ name: 'Remote-User', from: ['10.0.0.0/8'], role: 'viewer' });
  });
});

describe('what strangers see', () => {
  it.each([
    ['{}', true],
    ['{ admin_token: lantern-river-otter-3 }', false],
    ['{ admin_token: lantern-river-otter-3, status: public }', true],
    ['{ status: signed_in }', false],
    ['{ sign_in_header: { name: Remote-User, from: [::1] } }', false],
  ])('with %s is counts: %s', async (http, isPublic) => {
    expect((await loadHttp(http)).isPublic).toBe(isPublic);
  });
});

describe('addresses', () => {
  it('may be one for bookings and one for the rest', async () => {
    const http = await loadHttp('{ listen: { intake: "[::]:8081", admin: "127.0.0.1:8080" } }');

    expect(http).toMatchObject({ host: '127.0.0.1', port: 8080, intake: { host: '::', port: 8081 } });
  });

  it('are taken from the environment where the file is silent', async () => {
    const environment = {
      CLINIC_SYNC_LISTEN: '0.0.0.0:8080',
      CLINIC_SYNC_PUBLIC_URL: 'https://ops.example/sync/',
      CLINIC_SYNC_ALLOWED_HOSTS: 'a.example, b.example',
      CLINIC_SYNC_STATUS: 'public',
      CLINIC_SYNC_ADMIN_TOKEN_FILE: file('lantern-river-otter-3'),
    };

    const silent = await loadHttp('{}', environment);
    const spoken = await loadHttp('{ admin_token: another-admin-token, status: signed_in }', environment);

    expect(silent).toMatchObject({
      host: '0.0.0.0',
      isPublic: true,
      allowedHosts: ['a.example', 'b.example'],
    });
    expect(silent.publicUrl?.href).toBe('https://ops.example/sync');
    expect(silent.people).toHaveLength(1);
    expect(spoken.people).toEqual([{ name: '', role: 'admin', key: tokenKey('another-admin-token') }]);
    expect(spoken.isPublic).toBe(false);
  });
});

it('a provider sends people back to the public address, below its path', async () => {
  const { oidc, isPublic } = await loadHttp(
    `{ public_url: "https://ops.example/desk/", oidc: ${withClient('{ issuer: "http://localhost:9000/", SECRET }')} }`,
  );

  expect(oidc).toEqual({
    ...{ issuer: 'http://localhost:9000/', clientId: 'a', clientSecret: 'of-the-client' },
    ...{ roleClaim: 'groups', roles: { all: 'desk' } },
    redirectUri: 'https://ops.example/desk/admin/sign-in/oidc/callback',
  });
  expect(isPublic).toBe(false);
});
