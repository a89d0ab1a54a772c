import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/clinic/clinic.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { lockDatabase } from '../store/sqlite/lock.ts';

let folder: string;
let config: string;
let sandbox: Sandbox;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
  config = join(folder, 'clinic-sync.yaml');
  sandbox = await startSandbox();
  writeFileSync(
    config,
    `version: 1
clinics:
  main: { base_url: "${sandbox.url}", app_key: ${sandbox.credentials.app_key}, secret_key: ${sandbox.credentials.secret_key}, timezone: Asia/Dhaka }
connectors:
  reports: { use: csv, directory: ${join(folder, 'csv')} }
store: { sqlite: ${join(folder, 'clinic.db')} }
`,
  );
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const run = (...argv: string[]) => runCommand(argv);
const on = (...argv: string[]) => run(...argv, '--config', config);

const commands = [
  ...readFileSync(join(import.meta.dirname, 'cli.ts'), 'utf8').matchAll(
    /^ {2}(\w+): async \(\) => \(await import/gm,
  ),
].map(([, name]) => name ?? '');

describe('the command line', () => {
  it.each(commands)('explains %s with an example', async (name) => {
    const { code, out } = await run(name, '--help');

    expect(code).toBe(0);
    expect(out).toContain(`clinic-sync ${name}`);
    expect(out).toContain('Examples:');
  });

  it('explains every command of a command with an example, too', async () => {
    const groups = ['config', 'bookings', 'appointments', 'deliveries', 'connectors', 'guards', 'report'];
    const helps = await Promise.all(groups.map(async (group) => (await run(group, '--help')).out));
    const all = helps.flatMap((help) =>
      [...help.matchAll(/^ {2}clinic-sync (\w+) (\w+)/gm)].map(([, group = '', name = '']) => [group, name]),
    );

    const without = [];
    for (const [group = '', name = ''] of all) {
      const { out } = await run(group, name, '--help');
      if (!out.includes(`clinic-sync ${group} ${name}`) || !out.includes('Examples:'))
        without.push(`${group} ${name}`);
    }

    expect(all.length).toBeGreaterThan(25);
    expect(without).toEqual([]);
  });

  it('answers a faulty configuration with 78, every fault, and starts nothing', async () => {
    writeFileSync(config, 'version: 1\nclinics: { main: { base_url: x, timezone: Nowhere } }\nstor: {}\n');

    const { code, err } = await on('run');

    expect(code).toBe(78);
    for (const path of ['clinics.main.base_url', 'clinics.main.timezone', 'stor'])
      expect(err).toContain(path);
    expect(existsSync(join(folder, 'clinic.db'))).toBe(false);
  });

  it('writes a starter file once, and never over another', async () => {
    const file = join(folder, 'new.yaml');

    const first = await run('config', 'init', file);
    const second = await run('config', 'init', file);
    const check = await run('config', 'check', '--config', file);

    expect([first.code, second.code, check.code]).toEqual([0, 78, 0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('counts connectors and notification targets separately', async () => {
    const told = 'notify: { phone: { use: ntfy, url: "https://ntfy.example/t" } }';
    const before = await on('config', 'check');
    writeFileSync(config, `${readFileSync(config, 'utf8')}${told}\n`);

    const { out } = await on('config', 'check');

    expect(before.out).toMatch(/ok \(1 clinic, \d+ connectors?\)/);
    expect(out.trimEnd()).toBe(before.out.trimEnd().replace(/\)$/, ', 1 notification target)'));
  });

  it('never shows a secret', async () => {
    const { out } = await on('config', 'show');

    expect(out).toContain(sandbox.url);
    expect(out).not.toContain(sandbox.credentials.app_key);
    expect(out).not.toContain(sandbox.credentials.secret_key);
  });
});

describe('sync', () => {
  it('fills mirror and files, then finds nothing more to do', async () => {
    const first = await on('sync');
    const second = await on('sync', '--json');

    expect([first.code, second.code]).toEqual([0, 0]);
    expect(first.out).toContain('main treatments: 14 rows, 14 changed');
    expect(existsSync(join(folder, 'csv', 'main', 'treatments.csv'))).toBe(true);
    const { polled } = JSON.parse(second.out) as { polled: { changes: number }[] };
    expect(polled.map(({ changes }) => changes)).toEqual([0, 0, 0, 0, 0]);
  });

  it('names with --dry-run what it would record, and records nothing', async () => {
    await on('sync');
    sandbox.control.editTreatment(1, { base_fee: '999.00' });

    const dry = await on('sync', 'treatments', '--dry-run');
    const changes = await on('changes', '--json');

    expect(dry.out).toContain('treatment.updated  1  (base_fee)  → reports');
    expect(changes.out).not.toContain('999.00');
  });

  it('can be rehearsed before the first start, and leaves nothing behind', async () => {
    const { code, out } = await on('sync', '--dry-run');

    expect(code).toBe(0);
    expect(out).toContain('treatment.created');
    expect(existsSync(join(folder, 'clinic.db'))).toBe(false);
  });

  it('names a connector that could not be started, and exits 1', async () => {
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace('connectors:', 'connectors:\n  mine: { use: ./absent }'),
    );

    const { code, out } = await on('sync');
    const { out: json } = await on('sync', '--json');

    expect(code).toBe(1);
    expect(out).toContain('✗ mine could not be started: ');
    expect(out).toContain('✓ reports: ');
    expect(JSON.parse(json)).toMatchObject({ quarantined: [{ connector: 'mine' }] });
  });

  it('exits 2 when the clinic cannot be read', async () => {
    await sandbox.close();

    const { code, out } = await on('sync', 'treatments');

    expect(code).toBe(2);
    expect(out).toContain('base_url');
  });
});

it('refuses a list of at most no bookings', async () => {
  const { code, err } = await on('bookings', 'list', '--limit', '0');

  expect(code).toBe(64);
  expect(err).toContain('--limit is a whole number above zero.');
});

describe('a decision that contradicts itself', () => {
  it.each([
    ['booked', '--appointment', '7', '--send-again'],
    ['booked-no-id', '--send-again'],
    ['booked-no-id', '--appointment', '7'],
    ['not-booked', '--appointment', '7'],
  ])('is refused: --as %s %s %s %s', async (...given) => {
    await on('sync');
    const { code, err } = await on('bookings', 'resolve', 'CS-7K3Q9F', '--as', ...given);

    expect(code).toBe(64);
    expect(err).toMatch(/--(send-again|appointment) belongs to --as (not-)?booked\b/);
  });
});

describe('status and doctor', () => {
  /** As a daemon would: for as long as the test runs, the database is taken. */
  const asIfRunning = () => {
    const lock = lockDatabase(realpathSync(join(folder, 'clinic.db')));
    onTestFinished(() => lock.release());
  };

  it('says that all is good after a sync, while a daemon runs', async () => {
    await on('sync');
    asIfRunning();

    const { code, out } = await on('status');

    expect(out).toContain('All good');
    expect(code).toBe(0);
  });

  it('says first that no daemon is running, and exits 2, however good the data is', async () => {
    await on('sync');

    const plain = await on('status');
    const json = await on('status', '--json');

    expect(plain.out).toMatch(/^No daemon is running/);
    expect(plain.out).not.toContain('All good');
    expect(plain.out).toContain('bookings are not sent: no daemon is running');
    expect(JSON.parse(json.out)).toMatchObject({ health: 'ok', running: false });
    expect([plain.code, json.code]).toEqual([2, 2]);
  });

  it('says first that the daemon hangs, and exits 2, while it accepts connections without an answer', async () => {
    await on('sync');
    asIfRunning();
    const hanging = createServer(() => {}).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    onTestFinished(() => void hanging.close());
    const { port } = hanging.address() as AddressInfo;
    appendFileSync(config, `http: { listen: "127.0.0.1:${port}" }\n`);

    const [plain, json] = await Promise.all([on('status'), on('status', '--json')]);

    const hangs = `The daemon hangs: http://127.0.0.1:${port}/readyz does not answer.`;
    expect(plain.out).toMatch(hangs);
    expect(plain.out.indexOf(hangs)).toBe(0);
    expect(plain.out).not.toContain('All good');
    expect(JSON.parse(json.out)).toMatchObject({ running: false, sentence: hangs });
    expect([plain.code, json.code]).toEqual([2, 2]);
  });

  it('says in status and doctor what a daemon that is not ready says of itself, and in doctor that it hangs', {
    tags: ['thorough'],
  }, async () => {
    await on('sync');
    asIfRunning();
    const trouble = { ok: false, message: 'The database was replaced. Restart.' };
    const answers = [() => JSON.stringify(trouble), () => JSON.stringify(trouble)];
    const daemon = createHttpServer((_, answer) => {
      const text = answers.shift();
      // Without one it hangs.
      if (text) answer.writeHead(503).end(text());
    }).listen(0, '127.0.0.1');
    await once(daemon, 'listening');
    onTestFinished(() => void daemon.close());
    const { port } = daemon.address() as AddressInfo;
    appendFileSync(config, `http: { listen: "127.0.0.1:${port}" }\n`);

    const [status, doctor] = [await on('status'), await on('doctor')];
    const hanging = await on('doctor');

    const told = 'The daemon is not ready: The database was replaced. Restart.';
    expect(status.out.indexOf(told)).toBe(0);
    expect(status.out).not.toMatch(/All good|bookings are sent/);
    expect(doctor.out).toContain(`FAIL  ${told}`);
    expect(hanging.out).toContain(`FAIL  The daemon hangs: http://127.0.0.1:${port}/readyz does not answer.`);
    expect([status.code, doctor.code, hanging.code]).toEqual([1, 1, 1]);
  });

  it('says in doctor that the marker is gone, or that it cannot be written', async () => {
    await on('sync');
    const good = await on('doctor');
    const marker = join(folder, 'clinic.db.marker');
    rmSync(marker);
    const gone = await on('doctor');
    mkdirSync(marker);

    const { code, out } = await on('doctor');

    expect(good.out).not.toContain('marker');
    expect(gone.out).toContain(`warn  The marker ${marker} is missing`);
    expect(out).toMatch(/FAIL {2}The marker .* cannot be (read|written)\./);
    expect(code).toBe(1);
  });

  it('exits 2 while there is no database: nothing is synchronized', async () => {
    const plain = await on('status');
    const json = await on('status', '--json');

    expect([plain.code, json.code]).toEqual([2, 2]);
    expect(plain.err).toContain('Start the daemon');
    expect(JSON.parse(json.out)).toMatchObject({ health: 'stale', running: false });
  });

  it('exits 1 when a booking needs a person', async () => {
    await on('sync');
    await on('bookings', 'add', '--name', 'Ann Lee', '--date', '2031-01-01', '--time', '10:00');
    asIfRunning();

    const { code, out } = await on('status', '--json');

    expect(code).toBe(1);
    expect(out).not.toContain('Ann Lee');
  });

  it('warns in doctor of a secret that everybody may write, and of none that others may only read', async () => {
    const [safe, open] = ['app', 'secret'].map((name) => join(folder, name));
    expect.assert(safe && open);
    writeFileSync(safe, sandbox.credentials.app_key);
    writeFileSync(open, sandbox.credentials.secret_key);
    chmodSync(safe, 0o644);
    chmodSync(open, 0o666);
    const inline = /app_key: .*, secret_key: [^,]+/;
    const files = `app_key_file: ${safe}, secret_key_file: ${open}`;
    writeFileSync(config, readFileSync(config, 'utf8').replace(inline, files));

    const { out } = await on('doctor');
    chmodSync(open, 0o600);
    const mended = await on('doctor');

    expect(out).toContain(`  warn  clinics.main.secret_key_file names ${open}, which every user may write`);
    expect(out).toContain(`chmod 600 ${open}`);
    expect(out).not.toContain(`names ${safe}`);
    expect(mended.out).not.toContain('every user may write');
  });

  it('says when the database used to be there and is not, as the daemon will', async () => {
    await on('sync');
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `clinic.db${suffix}`), { force: true });

    const { code, out } = await on('doctor');

    expect(code).toBe(1);
    expect(out).toContain('is missing, although it was there before');
  });

  it.each([
    ['', (port: number) => `"127.0.0.1:${port}"`],
    [' of the forms', (port: number) => `{ admin: "127.0.0.1:0", intake: "127.0.0.1:${port}" }`],
  ])('says in doctor that the port%s is taken, and that every page is sound', async (_, listen) => {
    await on('sync');
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    writeFileSync(config, `${readFileSync(config, 'utf8')}http: { listen: ${listen(port)} }\n`);

    const { code, out } = await on('doctor');

    expect(code).toBe(1);
    expect(out).toContain(`127.0.0.1:${port} is in use`);
    expect(out).toContain('every page is sound');
    expect(out).toContain('no answer is held');
  });

  it('prints in doctor what it knows while a clinic still hangs', async () => {
    const printed = Promise.withResolvers<void>();
    const hanging = createHttpServer(async (_, answer) => {
      await printed.promise;
      answer.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    onTestFinished(() => void hanging.close());
    const { port } = hanging.address() as AddressInfo;
    writeFileSync(config, readFileSync(config, 'utf8').replace(sandbox.url, `http://127.0.0.1:${port}`));

    const { out } = await runCommand(['doctor', '--config', config], (text) => {
      if (text.includes('connector reports')) printed.resolve();
    });

    expect(out.indexOf('clinic main')).toBeGreaterThan(out.indexOf('connector reports'));
  });

  it('says no time of a success for a connector that has none', async () => {
    await on('sync');
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace(
        /reports: .*/,
        'website: { use: web-form, token: lantern-river-otter-1 }',
      ),
    );

    const said = [await on('status'), await on('connectors', 'list')];

    for (const { out } of said) expect(out).toMatch(/^ *website +web-form +ok +0( +0)? +–/m);
  });

  it('checks everything, also before the first start', async () => {
    writeFileSync(config, readFileSync(config, 'utf8').replace('clinic.db', 'not/there/yet/clinic.db'));
    const good = await on('doctor');
    sandbox.control.script({ fault: 'status_401', times: 'always' });
    const bad = await on('doctor');

    expect(good.code, good.out).toBe(0);
    expect(good.out).toContain('does not exist yet and will be created');
    expect(bad.code).toBe(1);
    expect(bad.out).toContain('FAIL');
  });
});

describe('bookings', () => {
  const held = async () => {
    await on('sync');
    const added = await on(
      'bookings',
      'add',
      '--name',
      'Ann Lee',
      '--phone',
      '+8801712345678',
      '--date',
      '2031-01-01',
      '--time',
      '10:00',
      '--json',
    );
    return (JSON.parse(added.out) as { ref: string }).ref;
  };

  it('are added, listed without patient data, shown, edited and dropped', async () => {
    const ref = await held();

    const listed = await on('bookings', 'list', '--needs-me');
    const shown = await on('bookings', 'show', ref);
    const edited = await on('bookings', 'edit', ref, '--note', 'called back');
    const dropped = await on('bookings', 'drop', ref, '--why', 'wrong number', '--by', 'rita');
    const after = await on('bookings', 'show', ref, '--json');
    const reopened = await on('bookings', 'reopen', ref, '--by', 'mina');
    const again = await on('bookings', 'list', '--needs-me');

    expect(listed.out).toContain(ref);
    expect(listed.out).not.toContain('Ann Lee');
    expect(shown.out).toContain('Ann Lee');
    expect([edited.code, dropped.code]).toEqual([0, 0]);
    expect(JSON.parse(after.out)).toMatchObject({ booking: { state: 'dropped', note: 'called back' } });
    expect(after.out).toContain('rita');
    expect(reopened).toMatchObject({ code: 0, out: expect.stringContaining(`${ref} is held again`) });
    expect(again.out).toContain(ref);
  });

  it('are listed in portions that together are all that waits for a person, each once', async () => {
    await on('sync');
    const refs: string[] = [];
    for (const day of ['01', '02', '03', '04', '05']) {
      const lead = ['--name', `Ann Lee ${day}`, '--date', `2031-01-${day}`, '--time', '10:00'];
      const { out } = await on('bookings', 'add', ...lead, '--json');
      refs.push((JSON.parse(out) as { ref: string }).ref);
    }
    const list = async (...given: string[]) => {
      const { out, err } = await on('bookings', 'list', '--needs-me', '--json', ...given);
      return { refs: (JSON.parse(out) as { ref: string }[]).map(({ ref }) => ref), err };
    };

    const all = await list();
    const first = await list('--limit', '2');
    const second = await list('--limit', '2', '--after', first.refs.at(-1) ?? '');
    const last = await list('--limit', '2', '--after', second.refs.at(-1) ?? '');
    await on('bookings', 'drop', refs[0] ?? '', '--why', 'wrong number');
    const gone = await on('bookings', 'list', '--needs-me', '--after', refs[0] ?? '');

    expect([...all.refs].sort()).toEqual([...refs].sort());
    expect(all.err).toBe('');
    expect([...first.refs, ...second.refs, ...last.refs]).toEqual(all.refs);
    expect(first.err).toBe(`3 more wait. To see them, add: --after ${first.refs.at(-1)}\n`);
    expect(second.err).toContain('1 more waits.');
    expect(last.err).toBe('');
    expect(gone.code).toBe(1);
    expect(gone.err).toContain(`${refs[0]} no longer waits for a person`);
  });

  it('are settled by what the list and the booking itself say, with the reference as it was heard', async () => {
    await on('sync');
    const lead = ['--name', 'Ann Lee', '--phone', '01712345678', '--date', '2099-01-01', '--time', '10:00'];
    const added = await on('bookings', 'add', ...lead, '--dentist', 'Dr. Nobody', '--json');
    const { ref, message } = JSON.parse(added.out) as { ref: string; message: string };
    const number = /\((\d+)\)/.exec(message)?.[1] ?? '';

    const child = ['--name', 'Ben Lee', ...lead.slice(2)];
    const second = await on('bookings', 'add', ...child, '--json');
    const both = await on('bookings', 'show', (JSON.parse(second.out) as { ref: string }).ref);
    const shown = await on('bookings', 'show', ref.toLowerCase());
    await on('bookings', 'edit', ref.toLowerCase(), '--doctor-id', number);
    const approved = await on('bookings', 'approve', ref);

    expect(both.out).toMatch(new RegExp(`resembles +${ref}, held, Ann Lee`));
    expect(shown.out).toContain(`clinic-sync bookings edit ${ref}`);
    expect(approved.out).toContain(`${ref} is approved and goes to the clinic.`);
  });

  it('are tried from a file, which has to be there', async () => {
    await on('sync');
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace(
        'store:',
        '  door: { use: web-form, token: door-of-the-practice }\nstore:',
      ),
    );

    const { code, err } = await on(
      'bookings',
      'add',
      '--connector',
      'door',
      '--from-file',
      join(folder, 'no.json'),
    );

    expect(code).toBe(64);
    expect(err).toContain('no.json cannot be read (ENOENT)');
  });

  it('refuse what their state does not allow, in words', async () => {
    const ref = await held();

    const { code, err } = await on('bookings', 'resolve', ref, '--as', 'booked-no-id');

    expect(code).toBe(1);
    expect(err).toContain(ref);
  });
});

describe('the change log', () => {
  it('shows what changed since a sequence, and every value a field has had', async () => {
    await on('sync');
    sandbox.control.editTreatment(2, { base_fee: '777.00' });
    await on('sync', 'treatments');

    const changes = await on('changes', '--since', '20');
    const history = await on('history', 'treatment', '2', '--json');

    expect(changes.out).toContain('→ 777.00');
    const fees = (JSON.parse(history.out) as { field: string; value: string; to: string | null }[]).filter(
      ({ field }) => field === 'base_fee',
    );
    expect(fees).toHaveLength(2);
    expect(fees.map(({ to }) => to === null)).toEqual([false, true]);
  });

  it('follows appointments that were booked elsewhere', async () => {
    await on('sync');
    const id = sandbox.control.addAppointment({ name: 'Rafiq Islam', date: '2031-01-01', time: '10:00' });

    await on('appointments', 'track', String(id));
    await on('sync', 'appointments');
    const listed = await on('appointments', 'list');

    expect(listed.out).toContain(String(id));
    expect(listed.out).not.toContain('Rafiq');
  });
});

describe('deliveries', () => {
  it('are not replayed when there is nothing to replay', async () => {
    await on('sync');

    const { code, err } = await on('deliveries', 'replay', 'reports', '--from', '1');

    expect(code).toBe(1);
    expect(err).toContain('as events');
  });

  it('of a connector that is no longer configured are named, listed and given up', async () => {
    const settings = readFileSync(config, 'utf8');
    const crm =
      'crm: { use: webhook, url: "https://127.0.0.1:9/", secret: 0123456789abcdef0123456789abcdef }';
    writeFileSync(config, settings.replace('connectors:\n', `connectors:\n  ${crm}\n`));
    await on('sync');
    sandbox.control.editTreatment(2, { base_fee: '777.00' });
    await on('sync', 'treatments');
    writeFileSync(config, settings);

    const status = await on('status');
    const listed = await on('deliveries', 'list', '--connector', 'crm', '--state', 'pending');
    const retried = await on('deliveries', 'retry', 'crm');
    const skipped = await on('deliveries', 'skip', 'crm');
    const after = await on('status');

    expect(status.out).toMatch(/crm is no longer in the configuration.*clinic-sync deliveries skip crm/s);
    expect(listed.out).toContain('treatment.');
    expect(retried.err).toContain('There is no connector crm');
    expect(skipped.out).toMatch(/Skipped: [1-9]/);
    expect(after.out).not.toContain('crm');
  });
});

describe('erase', () => {
  it('removes a person by any notation of the phone number, and names what it cannot reach', async () => {
    const add = ['--date', '2031-01-01', '--phone', '01712-345678', '--name', 'Ann Lee'];
    await on('sync', 'treatments');
    await on('bookings', 'add', '--time', '10:00', ...add);
    // Only now is the clinic's country known.
    await on('sync');
    await on('bookings', 'add', '--time', '11:00', ...add);

    const erased = await on('erase', '--phone', '+880 1712 345678', '--yes');
    const left = await on('bookings', 'list', '--patient', '--json');
    const changes = await on('changes', '--patient', '--json');

    expect(erased.out).toContain('Erased: 2 bookings');
    expect(erased.out).toContain('the appointments at the clinic itself');
    expect(left.out + changes.out).not.toContain('Ann Lee');
  });

  it('offers bookings that only mention the number, takes them with --also, and names backups', async () => {
    await on('sync');
    const add = ['--date', '2031-01-01', '--time', '10:00', '--name', 'Bob Ray', '--phone', '01812-345679'];
    await on('bookings', 'add', ...add, '--note', 'mother: 01712 345678');
    await on('backup', join(folder, 'kept.db'));

    const offered = await on('erase', '--phone', '+880 1712 345678', '--yes');
    const [ref = ''] = /CS-[0-9A-Z]{6}(?=: note)/.exec(offered.out) ?? [];
    const taken = await on('erase', '--phone', '+880 1712 345678', '--also', ref.toLowerCase(), '--yes');
    const left = await on('bookings', 'list', '--patient', '--json');

    expect(offered.out).toContain('Erased: 0 bookings');
    expect(taken.out).toContain('Erased: 1 booking,');
    expect(taken.out).toContain(`the backup ${join(folder, 'kept.db')}`);
    expect(left.out).not.toContain('Bob Ray');
  });

  it('finds a booking by its reference in small letters, and says when there is none', async () => {
    await on('sync');
    await on('bookings', 'add', '--name', 'Ann Lee', '--phone', '01712-345678', '--submission-id', 'one');
    const { out } = await on('bookings', 'list', '--json');
    const [{ ref }] = JSON.parse(out) as [{ ref: string }];

    const none = await on('erase', '--booking', 'CS-000000');
    const erased = await on('erase', '--booking', ref.toLowerCase(), '--yes');
    const nobody = await on('erase', '--phone', '+880 1999 999999');

    expect([none.code, erased.code, nobody.code]).toEqual([1, 0, 0]);
    expect(none.err).toContain('no booking CS-000000');
    expect(erased.out).toContain('Erased: 1 booking,');
    expect(nobody.out).toContain('country code');
  });
});

describe('people export', () => {
  it('prints everything held about a person, and what may be about the same person', async () => {
    await on('sync');
    const add = ['--date', '2031-01-01', '--time', '10:00', '--name'];
    await on('bookings', 'add', ...add, 'Ann Lee', '--phone', '01712-345678', '--note', 'faints');
    await on('bookings', 'add', ...add, 'Bob Ray', '--phone', '01812-345679', '--note', 'for 01712 345678');

    const { out, code } = await on('people', 'export', '--phone', '+880 1712 345678');
    const stranger = await on('people', 'export', '--phone', '+880 1999 999999');

    const printed = JSON.parse(out);
    expect(code).toBe(0);
    expect(printed.bookings).toMatchObject([
      {
        patient_name: 'Ann Lee',
        note: 'faints',
        events: [{ to: 'received' }, { to: 'held' }],
        changes: [{ type: 'booking.received' }, { type: 'booking.held' }],
      },
    ]);
    expect(printed.mentions).toEqual([{ ref: expect.stringMatching(/^CS-/), fields: ['note'] }]);
    expect(stranger.code).toBe(1);
  });
});

describe('backup', () => {
  it('writes a copy once, and never over another file', async () => {
    await on('sync');
    const file = join(folder, 'copy.db');

    const first = await on('backup', file);
    const second = await on('backup', file);

    expect([first.code, second.code]).toEqual([0, 1]);
    expect(existsSync(file)).toBe(true);
  });
});
