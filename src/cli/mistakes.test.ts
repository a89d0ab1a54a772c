import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from './cli.ts';
import { nodeFault } from './package.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mistakes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const code = await runCli(argv, {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    environment: {},
    terminal: false,
    columns: 100,
    async *typed() {},
    signal: AbortSignal.abort(),
  });
  return { code, ...said };
}

describe('a mistake on the command line', () => {
  it('is answered with 64 and what may have been meant', async () => {
    const { code, err } = await run('bookigns');

    expect(code).toBe(64);
    expect(err).toContain('bookings');
  });

  it.each([
    [
      'bookings approve',
      '<refs> is missing. For example: clinic-sync bookings approve CS-',
      'clinic-sync bookings approve --help',
    ],
    [
      'bookings resolve CS-7K3Q9F',
      '--as is missing. For example: clinic-sync bookings resolve CS-',
      'clinic-sync bookings resolve --help',
    ],
    [
      'changes --since yesterday',
      'yesterday is not a sequence, age, day or moment',
      'clinic-sync changes --help',
    ],
    ['status --config a --config b', '--config can be given only once.', 'clinic-sync status --help'],
    [
      'bookings list --after a --after b',
      '--after can be given only once.',
      'clinic-sync bookings list --help',
    ],
    ['sandbox --port 80800', 'from 0 to 65535', 'clinic-sync sandbox --help'],
    ['demo --port http', 'from 0 to 65535', 'clinic-sync demo --help'],
    ['sync treatment', 'treatments', 'clinic-sync sync --help'],
    ['frobnicate', 'There is no command frobnicate; there are: run, status, bookings,', 'clinic-sync --help'],
    ['guards xyzzy', 'There is no command xyzzy; there are: list, approve.', 'clinic-sync guards --help'],
    ['statsu', 'Did you mean status?', 'clinic-sync --help'],
    ['--hlep', 'Did you mean --help?', 'clinic-sync --help'],
    ['status --wach', 'Did you mean --watch?', 'clinic-sync status --help'],
    ['status extra', 'Unknown argument: extra', 'clinic-sync status --help'],
    ['bookings shwo X', 'Did you mean show?', 'clinic-sync bookings --help'],
    [
      'deliveries retry',
      '<name> is missing. For example: clinic-sync deliveries retry',
      'clinic-sync deliveries retry --help',
    ],
    ['bookings list --since soon', 'soon is not an age, day or moment', 'clinic-sync bookings list --help'],
    ['backup', '<file> is missing. For example: clinic-sync backup /backup/', 'clinic-sync backup --help'],
  ])('%s is answered with what is wrong and the help nearest to it', async (line, what, help) => {
    const { code, err } = await run(...line.split(' '));

    expect(code).toBe(64);
    expect(err).toContain(what);
    expect(err).toContain(`Try: ${help}\n`);
  });

  it('says what the system refused, and what to do, without a trace', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };

    const taken = await run('sandbox', '--port', String(port));
    const missing = await run('sandbox', '--port', '0', '--faults', join(folder, 'none.yaml'));
    other.close();

    expect([taken.code, missing.code]).toEqual([1, 1]);
    expect(taken.err).toMatch(new RegExp(`^Port ${port} is in use\\.\n  → .*\n$`));
    expect(missing.err).toMatch(/^.*none\.yaml does not exist\.\n {2}→ .*\n$/);
  });

  it('names the file of a connector that is not there', async () => {
    const config = join(folder, 'clinic-sync.yaml');
    writeFileSync(
      config,
      `version: 1
clinics: { main: { base_url: "http://127.0.0.1:1/api/v1", app_key: a, secret_key: s, timezone: UTC } }
connectors: { own: { use: ./my-connector.ts } }
`,
    );

    const { code, err } = await run('config', 'check', '--config', config);

    // The daemon starts without it, so that a package that went missing stops no booking.
    expect(code).toBe(0);
    expect(err).toContain('connectors.own.use The connector ./my-connector.ts does not exist');
    expect(err).toContain(join(process.cwd(), 'my-connector.ts'));
  });

  it('names the clinics and connectors there are when another is asked for', async () => {
    const config = join(folder, 'clinic-sync.yaml');
    writeFileSync(
      config,
      `version: 1
clinics: { main: { base_url: "http://127.0.0.1:1/api/v1", app_key: a, secret_key: s, timezone: UTC } }
connectors: { reports: { use: csv, directory: ${join(folder, 'csv')} } }
store: { sqlite: ${join(folder, 'clinic.db')} }
`,
    );
    await run('sync', '--config', config);
    const ask = (line: string) => run(...line.split(' '), '--config', config);

    const unknown = await Promise.all(
      [
        'changes --clinic north',
        'history treatment --clinic north',
        'status --after north',
        'bookings add --name Ann --clinic north',
        'erase --phone +8801712345678 --clinic north',
      ].map(ask),
    );
    const [elsewhere, configured] = await Promise.all(
      ['bookings list --source sheet', 'bookings list --source reports'].map(ask),
    );
    await ask('bookings add --name Ann');
    const former = await ask('bookings list --source command-line');

    expect(elsewhere?.err).toContain('There is no connector sheet; configured: reports.');
    expect([elsewhere?.code, configured?.code]).toEqual([64, 0]);
    expect(former.err).not.toContain('There is no connector');
    for (const { code, err } of unknown) {
      expect(code).toBe(64);
      expect(err).toContain('There is no clinic north; configured: main.');
    }
  });

  it('of http for https is found by doctor, whatever answers there', async () => {
    const config = join(folder, 'clinic-sync.yaml');
    const answers = [];
    for (const host of ['0.0.0.0', '127.0.0.1']) {
      writeFileSync(
        config,
        `version: 1
clinics: { main: { base_url: "http://${host}:1/api/v1", app_key: a, secret_key: s, timezone: UTC } }
store: { sqlite: ${join(folder, 'clinic.db')} }
`,
      );
      answers.push(await run('doctor', '--config', config));
    }

    expect(answers.map(({ out }) => out.includes('unencrypted'))).toEqual([true, false]);
  });

  it('is explained in one language, whatever the terminal’s', async () => {
    const { LC_ALL } = process.env;
    process.env.LC_ALL = 'de_DE.UTF-8';

    const { out } = await run('guards', '--help');

    if (LC_ALL === undefined) delete process.env.LC_ALL;
    else process.env.LC_ALL = LC_ALL;
    expect(out).toContain('Examples:');
  });
});

describe('a Node that is too old', () => {
  it('is refused with the way to the right one', () => {
    expect(nodeFault(process.versions.node)).toBeUndefined();
    expect(nodeFault('25.0.0')).toBeUndefined();
    expect(nodeFault('20.20.2')).toContain('npx clinic-sync');
    expect(nodeFault('24.2.0')).toContain('this is Node 24.2.0');
  });
});
