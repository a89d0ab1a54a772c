import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineConnector } from '../connector.ts';
import { environmentConfig } from './environment.ts';
import { configSchema } from './json-schema.ts';
import { fromText, type LoadOptions, loadConfig } from './load.ts';
import { masked } from './masking.ts';

const bell = defineConnector({
  name: 'bell',
  summary: 'Rings.',
  settings: z.strictObject({ tone: z.enum(['high', 'low']), key: z.string().default('k') }),
  secrets: ['key'],
  scriptHosts: ({ tone }) => (tone === 'low' ? ['bells.example'] : []),
  create: async () => ({ check: async () => [], stop: async () => {} }),
});

/** It reads the file of its secret itself. */
const siren = defineConnector({
  name: 'siren',
  summary: 'Howls.',
  settings: z.strictObject({ key_file: z.string() }),
  secrets: ['key'],
  create: async () => ({ check: async () => [], stop: async () => {} }),
});

const options = (environment: NodeJS.ProcessEnv = {}): LoadOptions => ({
  environment,
  findKind: async (use) => {
    if (use === './broken.js') throw new Error('syntax');
    return use === 'bell' ? bell : use === 'siren' ? siren : undefined;
  },
  knownKinds: ['bell', 'csv'],
});

const good = `
version: 1
clinics:
  main:
    base_url: https://clinic.example/api/v1
    app_key: \${KEY}
    secret_key: \${SECRET:-fallback}
    timezone: Asia/Dhaka
connectors:
  door: { use: bell, tone: high }
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('loading a configuration', () => {
  it('fills defaults, environment variables and the settings of each connector kind', async () => {
    const loaded = await fromText(good, 'test.yaml', options({ KEY: 'a: {odd} "key"' }));

    expect.assert(loaded.ok);
    const [clinic] = loaded.config.clinics;
    expect(clinic).toMatchObject({ key: 'main', app_key: 'a: {odd} "key"', secret_key: 'fallback' });
    expect(clinic?.schedule.treatments).toBe('*/15 * * * *');
    expect(clinic?.guards).toEqual({ removed_percent: 30, removed_over: 3, changed_percent: 60 });
    expect(loaded.config.connectors).toEqual([
      {
        name: 'door',
        use: 'bell',
        clinics: ['main'],
        includePatient: false,
        includeHashed: false,
        isolate: false,
        approval: 'none',
        settings: { tone: 'high', key: 'k' },
        scriptHosts: [],
      },
    ]);
    expect(loaded.config.http).toMatchObject({ host: '127.0.0.1', port: 8080 });
  });

  it('takes placeholders anywhere, also without quotes between braces and brackets', async () => {
    const text = `version: 1
clinics:
  main: { base_url: https://clinic.example/api/v1, app_key: \${KEY}, secret_key: \${SECRET:-fall:back}, timezone: \${ZONE:-UTC}, final_statuses: [\${DONE}, "\${OVER}", $\${DONE}] }
http: { listen: 127.0.0.1:8080, admin_token: \${ADMIN:-} } # \${COMMENT}
`;

    const loaded = await fromText(text, 'test.yaml', options({ KEY: 'a, }b', DONE: 'Done', OVER: 'Over' }));
    const faulty = await fromText(text, 'test.yaml', options({ KEY: 'k', OVER: 'Over' }));

    expect.assert(loaded.ok && !faulty.ok);
    expect(loaded.config.clinics[0]).toMatchObject({
      app_key: 'a, }b',
      secret_key: 'fall:back',
      timezone: 'UTC',
      final_statuses: ['Done', 'Over', `\${DONE}`],
    });
    expect(loaded.config.http.people).toEqual([]);
    expect(faulty.faults).toMatchObject([{ line: 3, hint: `Set DONE, or write \${DONE:-default}.` }]);
  });

  it('names every fault at once, each with its path, its line and what to do', async () => {
    const text = `version: 1
clinics:
  main:
    base_url: clinic.example
    app_key: \${MISSING_KEY}
    timezone: Mars/Olympus
    schedul: {}
    schedule: { dentists: "61 * * * *" }
    bookings: { horizon_days: "3", approval: maybe }
connectors:
  door: { use: bel }
  gate: { use: bell, tone: loud, tine: 3, clinics: [north] }
http: { listen: nowhere }
`;

    const loaded = await fromText(text, 'test.yaml', options());

    expect.assert(!loaded.ok);
    const byPath = new Map(loaded.faults.map((fault) => [fault.path, fault]));
    expect([...byPath.keys()].sort()).toEqual([
      'clinics.main.app_key',
      'clinics.main.base_url',
      'clinics.main.bookings.approval',
      'clinics.main.bookings.horizon_days',
      'clinics.main.schedul',
      'clinics.main.schedule.dentists',
      'clinics.main.secret_key',
      'clinics.main.timezone',
      'connectors.door.use',
      'connectors.gate.clinics',
      'connectors.gate.tine',
      'connectors.gate.tone',
      'http.listen',
    ]);
    expect(byPath.get('clinics.main.schedul')).toMatchObject({ line: 7, hint: 'Did you mean schedule?' });
    expect(byPath.get('clinics.main.app_key')).toMatchObject({
      line: 5,
      message: expect.stringContaining('MISSING_KEY'),
    });
    expect(byPath.get('clinics.main.bookings.horizon_days')).toMatchObject({
      line: 9,
      message: 'must be a number',
    });
    expect(byPath.get('connectors.door.use')).toMatchObject({ line: 11, hint: 'Did you mean bell?' });
    expect(byPath.get('connectors.gate.tine')).toMatchObject({ line: 12, hint: 'Did you mean tone?' });
  });

  it('asks for a missing secret, refuses one given twice and names a file that cannot be read', async () => {
    const text = `version: 1
clinics:
  a: { base_url: https://a.example, app_key: x, app_key_file: y, timezone: UTC }
  b: { base_url: https://b.example, app_key_file: ${join(folder, 'none')}, secret_key: s, timezone: UTC }
http: { listen: "127.0.0.1:99999" }
`;

    const loaded = await fromText(text, 'test.yaml', options());

    expect.assert(!loaded.ok);
    expect(loaded.faults.map(({ path, line }) => `${line} ${path}`).sort()).toEqual([
      '3 clinics.a.app_key',
      '3 clinics.a.secret_key',
      '4 clinics.b.app_key_file',
      '5 http.listen',
    ]);
  });

  it('names faults below a faulty name and beside a faulty common setting', async () => {
    const text = `version: 1
clinics:
  Main: { base_url: nowhere, app_key: a, timezone: Mars/Base, secret_keey: s }
connectors:
  Door: { use: 7 }
  gate: { use: bell, include: [patients], tone: loud, clinics: [north] }
http: { listen: 9999999 }
`;

    const loaded = await fromText(text, 'test.yaml', options());

    expect.assert(!loaded.ok);
    expect(loaded.faults.map(({ path, line }) => `${line} ${path}`).sort()).toEqual([
      '3 clinics.Main',
      '3 clinics.Main.base_url',
      '3 clinics.Main.secret_keey',
      '3 clinics.Main.secret_key',
      '3 clinics.Main.timezone',
      '5 connectors.Door',
      '5 connectors.Door.use',
      '6 connectors.gate.clinics',
      '6 connectors.gate.include[0]',
      '6 connectors.gate.tone',
      '7 http.listen',
    ]);
  });

  it('refuses aliases that lead nowhere, or unfold without end, as any other fault', async () => {
    const nowhere = await fromText('version: *none\n', 'test.yaml', options());
    const bomb = await fromText(
      `a: &a [${'x,'.repeat(30)}]\nb: &b [${'*a,'.repeat(30)}]\nc: [${'*b,'.repeat(30)}]\n`,
      'test.yaml',
      options(),
    );

    expect.assert(!nowhere.ok && !bomb.ok);
    expect(nowhere.faults).toMatchObject([
      { path: '(file)', message: expect.stringContaining('Unresolved alias') },
    ]);
    expect(bomb.faults).toMatchObject([{ path: '(file)', message: expect.stringContaining('alias') }]);
  });

  it('says where a file is not YAML and that a named file is missing', async () => {
    const cut = await fromText('version: 1\nclinics: {main: [', 'test.yaml', options());
    const quote = await fromText(
      'version: 1\nhttp: { listen: "a"b, c: d, e: [f] }\nlog: {}\n',
      'x',
      options(),
    );
    const missing = await loadConfig({ ...options(), file: join(folder, 'nothing.yaml') });

    expect.assert(!cut.ok && !missing.ok);
    expect(cut.faults[0]).toMatchObject({ line: 2 });
    expect.assert(!quote.ok);
    expect(quote.faults).toMatchObject([{ line: 2, hint: expect.stringContaining('quotes') }]);
    expect(missing.faults[0]?.hint).toContain('config init');
  });

  it.each(['*', '!', '|', '>'])(
    'does not quote a secret that begins with %s and has no quotes',
    async (sign) => {
      const secret = `${sign}PLANTEDabcdefghijklmn`;

      const loaded = await fromText(`version: 1\nhttp: { admin_token: ${secret} }\n`, 'x', options());
      const line = await fromText(`version: 1\nhttp:\n  admin_token: ${secret}\n`, 'x', options());

      expect.assert(!loaded.ok && !line.ok);
      expect(JSON.stringify([loaded.faults, line.faults])).not.toContain('PLANTED');
    },
  );

  it('refuses an address with a password in it, and does not show it', async () => {
    const withPassword = good.replace('https://clinic.example', 'https://u:PLANTED@clinic.example');

    const loaded = await fromText(
      `${withPassword}http: { public_url: "https://u:PLANTED@x.example/" }\n`,
      'x',
      options({ KEY: 'k' }),
    );

    expect.assert(!loaded.ok);
    expect(loaded.faults.map(({ path, message }) => [path, message])).toEqual([
      ['clinics.main.base_url', 'must not contain a user name or a password'],
      ['http.public_url', 'must not contain a user name or a password'],
    ]);
    expect(JSON.stringify(loaded.faults)).not.toContain('PLANTED');
  });

  it('keeps a foreign connector that does not load, for the daemon to quarantine', async () => {
    const loaded = await fromText(
      `${good}  own: { use: ./broken.js, anything: 1 }\n`,
      'test.yaml',
      options({ KEY: 'k' }),
    );

    expect.assert(loaded.ok);
    expect(loaded.config.connectors[1]).toMatchObject({ use: './broken.js', settings: { anything: 1 } });
  });

  it('accepts a server’s address instead of the file, from the setting, a file or a variable, and masks it', async () => {
    const address = 'postgres://me:planted@db.example:5432/clinic';
    const secret = join(folder, 'url');
    writeFileSync(secret, `${address}\n`);
    const environment = { KEY: 'k', CLINIC_SYNC_DATABASE_URL: address };

    const loaded = await Promise.all([
      fromText(`${good}store: { postgres: "${address}" }`, 'test.yaml', options(environment)),
      fromText(`${good}store: { postgres_file: ${secret} }`, 'test.yaml', options(environment)),
    ]);

    for (const one of loaded) {
      expect.assert(one.ok);
      expect(one.config.store.postgres).toBe(address);
      const shown = JSON.stringify(masked(one.shown, new Map([['bell', bell]])));
      expect(shown).not.toContain('planted');
      expect(shown).not.toContain('clinic-sync.db');
    }
    expect(environmentConfig(environment).value).toMatchObject({ store: { postgres: address } });
  });

  it('refuses two databases, and an address that is not PostgreSQL’s', async () => {
    const both = 'store: { sqlite: /data/x.db, postgres: "mysql://me:planted@x/y" }';

    const loaded = await fromText(`${good}${both}`, 'test.yaml', options({ KEY: 'k' }));

    expect.assert(!loaded.ok);
    const said = loaded.faults.map(({ path, message }) => `${path} ${message}`);
    expect(said).toEqual([
      'store.postgres is given beside sqlite',
      'store.postgres is not the address of a PostgreSQL database',
    ]);
    expect(JSON.stringify(loaded.faults)).not.toContain('planted');
  });

  it.each([
    'p@planted/planted@db.example',
    '1/planted@db.example',
    '1#planted@db.example',
    '1?planted@db.example',
    'planted@db.example/%zz',
  ])('refuses and does not show an address with characters that are not encoded: %s', async (rest) => {
    const store = `store: { postgres: "postgres://me:${rest}/clinic" }`;

    const loaded = await fromText(`${good}${store}`, 'test.yaml', options({ KEY: 'k' }));

    expect.assert(!loaded.ok);
    expect(loaded.faults).toMatchObject([
      { message: 'is not the address of a PostgreSQL database', hint: expect.stringContaining('as %XX') },
    ]);
    expect(JSON.stringify(loaded.faults)).not.toContain('planted');
  });

  it('reads secrets from files, trimmed', async () => {
    const file = join(folder, 'app_key');
    writeFileSync(file, 'from-file\n');

    const loaded = await fromText(
      good.replace(/app_key: .*/, `app_key_file: ${file}`),
      'test.yaml',
      options(),
    );

    expect.assert(loaded.ok);
    expect(loaded.config.clinics[0]?.app_key).toBe('from-file');
  });
});

it.each([
  ['two keys', 'app-key\nsecret-key\n', ['clinics.main.app_key_file', 'connectors.door.key_file']],
  ['a key in PEM', '-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n', []],
])('refuses several lines as a secret, unless they are one key: %s', async (_what, text, faulty) => {
  const file = join(folder, 'key');
  writeFileSync(file, text);
  const both = good.replace(/app_key: .*/, `app_key_file: ${file}`);

  const loaded = await fromText(
    both.replace('tone: high', `tone: high, key_file: ${file}`),
    'test.yaml',
    options(),
  );

  const faults = loaded.ok ? [] : loaded.faults;
  expect(faults.map(({ path }) => path)).toEqual(faulty);
  for (const { message, hint } of faults) {
    expect(message).toBe(`names ${file}, which has several lines`);
    expect(hint).toContain('in one line');
  }
});

const utf16 = Buffer.from('\ufefffrom-file\r\n', 'utf16le');
it.each<[string, string | Buffer, RegExp]>([
  ['UTF-16, as PowerShell writes it', utf16, /^names .*, which is UTF-16 or binary$/],
  ['UTF-16 of the other order', Buffer.from(utf16).swap16(), /^names .*, which is UTF-16 or binary$/],
])('calls a secret file what it is: %s', async (_what, content, message) => {
  const file = join(folder, 'key');
  writeFileSync(file, content);

  const loaded = await fromText(good.replace(/app_key: .*/, `app_key_file: ${file}`), 'test.yaml', options());

  expect(loaded.ok ? [] : loaded.faults).toMatchObject([{ message: expect.stringMatching(message) }]);
});

it('warns of quotes around a secret, and refuses a line break inside', async () => {
  const quoted = await fromText(good.replace(/app_key: .*/, `app_key: '"key"'`), 'test.yaml', options());
  const broken = await fromText(good.replace(/app_key: .*/, 'app_key: "k\\ney\\n"'), 'test.yaml', options());

  expect.assert(quoted.ok);
  expect(quoted.warnings.filter(({ path }) => path === 'clinics.main.app_key')).toMatchObject([
    { message: expect.stringContaining('quotes around it') },
  ]);
  expect(broken.ok ? [] : broken.faults).toMatchObject([{ message: 'has a line break in it' }]);
});

it('says that a proxy which is named cannot be used, without its address', async () => {
  const saidOf = async (HTTPS_PROXY: string) => {
    const { warnings } = await loaded({ KEY: 'key', HTTPS_PROXY });
    return warnings.filter(({ path }) => path === 'HTTPS_PROXY');
  };
  const loaded = async (environment: Record<string, string>) => {
    const found = await fromText(good, 'test.yaml', options(environment));
    expect.assert(found.ok);
    return found;
  };

  expect(await saidOf('http://me:secret@proxy:3128')).toEqual([]);
  expect(await saidOf('socks5://me:secret@proxy:1080')).toMatchObject([
    { message: 'is set in the environment and cannot be used: all calls go out directly' },
  ]);
  expect(JSON.stringify(await saidOf('socks5://me:secret@proxy:1080'))).not.toContain('secret');
});

describe('configuration by environment alone', () => {
  const environment = {
    CLINIC_BASE_URL: 'https://clinic.example/api/v1',
    CLINIC_APP_KEY: 'k',
    CLINIC_SECRET_KEY: 's',
    CLINIC_TIMEZONE: 'Europe/London',
  };
  const withCsv = (given: NodeJS.ProcessEnv): LoadOptions => ({
    ...options({ ...given, CLINIC_SYNC_CONFIG: undefined }),
    findKind: async () => ({ ...bell, settings: z.strictObject({ directory: z.string() }) }) as never,
  });

  it('makes one clinic with a csv connector', async () => {
    const loaded = await loadConfig(withCsv(environment));

    expect.assert(loaded.ok);
    expect(loaded.config.origin).toBe('environment');
    expect(loaded.config.clinics[0]).toMatchObject({ key: 'main', timezone: 'Europe/London', app_key: 'k' });
    expect(loaded.config.connectors).toMatchObject([{ name: 'csv', use: 'csv' }]);
  });

  it('takes each value from a file instead', async () => {
    const file = join(folder, 'zone');
    writeFileSync(file, 'Asia/Dhaka\n');

    const loaded = await loadConfig(
      withCsv({ ...environment, CLINIC_TIMEZONE: undefined, CLINIC_TIMEZONE_FILE: file }),
    );

    expect.assert(loaded.ok);
    expect(loaded.config.clinics[0]?.timezone).toBe('Asia/Dhaka');
  });

  it('names all the variables that are missing', async () => {
    const loaded = await loadConfig(withCsv({ CLINIC_APP_KEY: 'k' }));

    expect.assert(!loaded.ok);
    expect(loaded.faults.map(({ path }) => path)).toEqual([
      'CLINIC_BASE_URL',
      'CLINIC_SECRET_KEY',
      'CLINIC_TIMEZONE',
    ]);
  });

  it('names every other fault at the same time, by its variable', async () => {
    const loaded = await loadConfig(
      withCsv({
        ...environment,
        CLINIC_BASE_URL: 'nowhere',
        CLINIC_APP_KEY: undefined,
        CLINIC_SECRET_KEY: undefined,
        CLINIC_SECRET_KEY_FILE: join(folder, 'none'),
        CLINIC_TIMEZONE: 'Mars/Base',
      }),
    );

    expect.assert(!loaded.ok);
    expect(loaded.faults.map(({ path }) => path).sort()).toEqual([
      'CLINIC_APP_KEY',
      'CLINIC_BASE_URL',
      'CLINIC_SECRET_KEY_FILE',
      'CLINIC_TIMEZONE',
    ]);
  });

  it('lets a container say where to listen, unless the file says it', async () => {
    const elsewhere = { KEY: 'k', CLINIC_SYNC_LISTEN: '0.0.0.0:9000' };

    const silent = await fromText(good, 'test.yaml', options(elsewhere));
    const spoken = await fromText(
      `${good}http: { listen: "127.0.0.1:7000" }\n`,
      'test.yaml',
      options(elsewhere),
    );

    expect.assert(silent.ok && spoken.ok);
    expect(silent.config.http).toMatchObject({ host: '0.0.0.0', port: 9000 });
    expect(silent.shown.http.listen).toBe('0.0.0.0:9000');
    expect(spoken.config.http).toMatchObject({ host: '127.0.0.1', port: 7000 });
  });
});

describe('secrets in files', () => {
  it('are read for every secret of a connector, once', async () => {
    const file = join(folder, 'key');
    writeFileSync(file, 'from-a-file\n');
    const text = good.replace('tone: high', `tone: high, key_file: ${file}`);

    const read = await fromText(text, 'test.yaml', options({ KEY: 'k' }));
    const twice = await fromText(
      text.replace('tone: high', 'tone: high, key: x'),
      'test.yaml',
      options({ KEY: 'k' }),
    );
    const none = await fromText(text.replace(file, `${file}2`), 'test.yaml', options({ KEY: 'k' }));

    expect.assert(read.ok && !twice.ok && !none.ok);
    expect(read.config.connectors[0]?.settings).toEqual({ tone: 'high', key: 'from-a-file' });
    expect(twice.faults).toMatchObject([{ path: 'connectors.door.key' }]);
    expect(none.faults).toMatchObject([
      { path: 'connectors.door.key_file', message: expect.stringContaining('ENOENT') },
    ]);
  });

  it.each([
    ['of Base64', '/9j4AAQSkZJRg/ABAQEAYABgAAD', 'a file'],
    ['with a slash', 'planted/9j4AAQSkZJRg', 'a file'],
    ['of letters', 'planted0123456789', 'a file'],
    ['that is a path', '/dev/no-such-file', '/dev/no-such-file'],
    ['that is a name', 'app.key', 'app.key'],
  ])('are not shown when pasted in the place of the file: a text %s', async (_of, pasted, shown) => {
    const loaded = await fromText(
      good.replace('tone: high', `tone: high, key_file: ${pasted}`),
      'test.yaml',
      options({ KEY: 'k' }),
    );

    expect.assert(!loaded.ok);
    expect(loaded.faults.map(({ message }) => message)).toEqual([
      `names ${shown}, which cannot be read (ENOENT)`,
    ]);
  });

  it('need not be at hand for a command that only reads', async () => {
    const text = `${good.replace('tone: high', `tone: high, key: "\${DOOR}"`)}  gate: { use: bell, tone: high, key_file: /none }
  hook: { use: siren, key_file: /none }
http: { admin_token: "\${ADMIN}", users: [{ name: Rima, role: desk, token_file: /none }] }
`;

    const reading = await fromText(text, 'test.yaml', { ...options(), secrets: 'optional' });
    const running = await fromText(text, 'test.yaml', options());
    const broken = await fromText(
      text.replace('tone: high', 'tone: loud').replace('Asia/Dhaka', `"\${ZONE}"`),
      'test.yaml',
      {
        ...options(),
        secrets: 'optional',
      },
    );

    expect.assert(reading.ok && !running.ok && !broken.ok);
    expect(reading.config.connectors).toMatchObject([
      { name: 'door', incomplete: true },
      { name: 'gate', incomplete: true },
      { name: 'hook', incomplete: true },
    ]);
    expect(running.faults.map(({ path }) => path)).toEqual([
      'clinics.main.app_key',
      'connectors.door.key',
      'connectors.gate.key_file',
      'http.admin_token',
      'http.users[0].token_file',
    ]);
    expect(broken.faults.map(({ path }) => path)).toContain('clinics.main.timezone');
  });
});

describe('warnings', () => {
  it.each([
    [
      'the untouched starter',
      good,
      { KEY: 'paste-the-app-key' },
      ['clinics.main.base_url', 'clinics.main.app_key'],
    ],
    [
      'a connector that is not there',
      `${good.replace('clinic.example', 'c.example')}  own: { use: ./broken.js }\n`,
      { KEY: 'k' },
      ['connectors.own.use'],
    ],
    [
      'a clinic that is configured twice',
      good
        .replace('clinic.example', 'c.example')
        .replace(/ {2}main:.*(?=connectors)/s, (main) => `${main}${main.replace('main', 'again')}`),
      { KEY: 'k' },
      ['clinics.again'],
    ],
    [
      'an open page',
      `${good.replace('clinic.example', 'c.example')}http: { listen: 0.0.0.0:80 }\n`,
      { KEY: 'k' },
      ['http.listen'],
    ],
    [
      'tokens in the open',
      `${good.replace('clinic.example', 'c.example')}http: { listen: 0.0.0.0:80, admin_token: sixteen-letters! }\n`,
      { KEY: 'k' },
      ['http.listen'],
    ],
    [
      'a script of others beside the desk',
      good.replace('clinic.example', 'c.example').replace('high', 'low'),
      { KEY: 'k' },
      ['connectors.door'],
    ],
    [
      'nothing of a script under an address of its own',
      `${good.replace('clinic.example', 'c.example').replace('high', 'low')}http: { listen: { intake: ` +
        '127.0.0.1:81, admin: 127.0.0.1:80 } }\n',
      { KEY: 'k' },
      [],
    ],
    [
      'a proxy with TLS',
      `${good.replace('clinic.example', 'c.example')}http: { listen: 0.0.0.0:80, admin_token: ` +
        'sixteen-letters!, public_url: https://ops.example }\n',
      { KEY: 'k' },
      [],
    ],
  ])('name %s', async (_what, text, environment, paths) => {
    const loaded = await fromText(text, 'test.yaml', options(environment));

    expect.assert(loaded.ok);
    expect(loaded.warnings.map(({ path }) => path)).toEqual(paths);
  });
});

describe('showing a configuration', () => {
  it('masks every secret', async () => {
    const text = `${good.replace('tone: high', 'tone: high, key: hunter2, url: https://hooks.example/T01/pathsecret')}http: { admin_token: topsecret-of-the-admin, users: [{ name: Rima, role: desk, token: personalsecret-16 }] }\n`;
    const loaded = await fromText(text, 'test.yaml', {
      ...options({ KEY: 'appsecret', SECRET: 'clinicsecret' }),
      findKind: async () => ({ ...bell, settings: z.looseObject({ url: z.url() }) }) as never,
    });

    expect.assert(loaded.ok);
    const shown = JSON.stringify(masked(loaded.shown, new Map([['bell', bell as never]])));
    for (const secret of [
      'appsecret',
      'clinicsecret',
      'hunter2',
      'topsecret',
      'personalsecret',
      'pathsecret',
    ])
      expect(shown).not.toContain(secret);
    expect(shown).toContain('https://hooks.example/');
    expect(shown).toContain('"tone":"high"');
  });

  it('describes the settings of each connector kind in the JSON Schema', () => {
    const schema = JSON.stringify(configSchema([bell as never]));

    expect(schema).toContain('"const":"bell"');
    expect(schema).toContain('"tone"');
  });
});

describe('the proxies in front', () => {
  const trustOf = async (yaml: string, text?: string) => {
    const loaded = await fromText(
      'version: 1\nclinics: { main: { base_url: https://clinic.example/api/v1, app_key: a, secret_key: b, ' +
        `timezone: UTC } }\nhttp: { ${yaml} }\n`,
      'test.yaml',
      options({ CLINIC_SYNC_TRUST_PROXY: text }),
    );
    return loaded.ok ? loaded.config.http.trustProxy : loaded.faults.map(({ path }) => path);
  };

  it.each([
    ['', undefined, 0],
    ['trust_proxy: true', undefined, 1],
    ['trust_proxy: 2', undefined, 2],
    ['trust_proxy: [10.0.0.0/8, "::1"]', undefined, ['10.0.0.0/8', '::1']],
    ['', 'true', 1],
    ['', '2', 2],
    ['', '10.0.0.0/8, 192.168.1.2', ['10.0.0.0/8', '192.168.1.2']],
    ['trust_proxy: false', '2', 0],
    ['trust_proxy: [nginx]', undefined, ['http.trust_proxy[0]']],
    ['', 'nginx', ['http.trust_proxy[0]']],
  ])('{ %s } with CLINIC_SYNC_TRUST_PROXY=%s', async (yaml, text, expected) => {
    expect(await trustOf(yaml, text)).toEqual(expected);
  });
});
