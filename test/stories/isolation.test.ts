import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { startIsolated } from '../../src/app/isolation/isolation.ts';
import { createWire } from '../../src/app/isolation/wire.ts';
import type { Log, LogFields } from '../../src/platform/log.ts';
import { connectorContext } from '../conformance/connector/connector-context.ts';
import { fakeClock, settle } from '../support/fake-clock.ts';
import { intakeRequest, mirrorOf } from '../support/forms/web-form.ts';
import { openTestStore } from '../support/store/store-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILE = './test/support/isolated/misbehaving.js';
/** As it is shipped: it starts in half of the time. */
const CHILD = join(inject('bundle'), 'isolated-child.js');
const soon = () => AbortSignal.timeout(60_000);

async function start(settings: object = {}, kept: string[] = [], clock = fakeClock()) {
  const store = await openTestStore();
  const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
  const lines: [string, LogFields | undefined][] = [];
  const note = (text: string, fields?: LogFields) => void lines.push([text, fields]);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const context = { ...connectorContext({ settings, store, clinics, includePatient: false, clock }), log };
  const connector = await startIsolated(FILE, context, kept, CHILD);
  onTestFinished(() => connector.stop());
  const deliver = async (body: string, signal = soon()) =>
    connector.events?.deliver({ id: 'e', clinic: 'main', sequence: 1, type: 'x', body, attempt: 1 }, signal);
  /** What the connector reports about a trick. */
  const tell = async (trick: string) => {
    const result = await connector.intake?.receive(intakeRequest(trick));
    return result?.kind === 'ignored' ? result.message : result;
  };
  return { connector, deliver, tell, clock, lines, store };
}

it('takes nothing down when its process ends, and is started again after a pause', async () => {
  const { deliver, clock } = await start();

  await expect(deliver('crash')).rejects.toMatchObject({ kind: 'transient' });
  await expect(deliver('behave')).rejects.toMatchObject({ kind: 'transient' });
  await clock.advance(1_000);

  await expect(deliver('behave')).resolves.toBeUndefined();
});

it('is not started for every visitor when it can no longer start', { tags: ['thorough'] }, async () => {
  const starts = join(await temporaryFolder(), 'starts');
  const { deliver, clock } = await start({ other_file: starts });
  await expect(deliver('crash for good')).rejects.toMatchObject({ kind: 'transient' });
  await clock.advance(1_000);

  await expect(deliver('behave')).rejects.toMatchObject({ kind: 'transient' });
  await expect(deliver('behave')).rejects.toMatchObject({ kind: 'transient' });

  expect(readFileSync(starts, 'utf8')).toBe('.');
});

it('is ended when it does not let go of what was called off', { tags: ['thorough'] }, async () => {
  const { deliver, clock } = await start();
  const stopping = new AbortController();

  const hanging = expect(deliver('hang', stopping.signal)).rejects.toMatchObject({ kind: 'transient' });
  await settle();
  stopping.abort(new Error('stopping'));
  await clock.advance(5_000);

  await hanging;
  await clock.advance(1_000);
  await expect(deliver('behave')).resolves.toBeUndefined();
});

it('has nothing of our environment', { tags: ['thorough'] }, async () => {
  vi.stubEnv('CLINIC_APP_KEY', 'planted-key');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { tell } = await start();

  const said = await tell('environment');

  expect(said).toContain('PATH');
  expect(said).not.toContain('planted-key');
});

it('may not reach the daemon, its files and other programs', async () => {
  const { tell } = await start({ other_file: String(process.pid) });
  const debuggers: string[] = [];
  process.on('SIGUSR1', () => debuggers.push('asked'));
  onTestFinished(() => void process.removeAllListeners('SIGUSR1'));
  const priority = getPriority();
  const tricks = {
    'start a program': 'ERR_ACCESS_DENIED',
    'start a thread': 'ERR_ACCESS_DENIED',
    'load an addon': 'ERR_DLOPEN_DISABLED',
    'use WASI': 'ERR_ACCESS_DENIED',
    'open an inspector': 'ERR_ACCESS_DENIED',
    'reach the bindings': 'ERR_ACCESS_DENIED',
    'use the SQLite of Node': 'ERR_UNKNOWN_BUILTIN_MODULE',
    'read a file': 'ERR_ACCESS_DENIED',
    'read the daemon’s environment': 'ERR_ACCESS_DENIED',
    'read the daemon’s memory': 'ERR_ACCESS_DENIED',
    'read the daemon’s arguments': 'ERR_ACCESS_DENIED',
    'list the daemon’s files': 'ERR_ACCESS_DENIED',
    'end the daemon': 'TypeError',
    'open its inspector': 'TypeError',
    'slow the daemon down': 'TypeError',
    'have V8 write a file': 'TypeError',
    'connect to a local socket': 'TypeError',
    'listen on a local socket': 'TypeError',
  };

  const said: Record<string, unknown> = {};
  for (const trick of Object.keys(tricks)) said[trick] = await tell(trick);

  expect(said).toEqual(tricks);
  expect(debuggers).toEqual([]);
  expect(getPriority()).toBe(priority);
});

it('inherits no open file of the daemon', { tags: ['thorough'] }, async () => {
  const file = openSync('package.json', 'r');
  onTestFinished(() => closeSync(file));
  const { tell } = await start();

  expect(await tell('open files')).toBe('');
});

it.each([
  'send nothing',
  'send noise',
  'send without an end',
  'send a bomb',
  'send a prototype',
  'ask twice at once',
  'ask without an end',
])('is ended for what the channel is not for: %s', { tags: ['thorough'] }, async (trick) => {
  const { deliver, clock, lines } = await start();

  await expect(deliver(trick)).rejects.toMatchObject({ kind: 'transient' });
  await clock.advance(1_000);

  await expect(deliver('behave')).resolves.toBeUndefined();
  expect(lines[0]).toEqual(['isolated connector sent what cannot be read', { connector: 'tested' }]);
});

it('is ignored when it answers a call that was never made', { tags: ['thorough'] }, async () => {
  const { tell } = await start();

  expect(await tell('answer what nobody asked')).toBe('fine');
  expect(await tell('behave')).toBe('fine');
});

it('is ended when it does not answer a visitor', { tags: ['thorough'] }, async () => {
  const { tell, clock } = await start();

  const asking = expect(tell('answer nothing')).rejects.toMatchObject({ kind: 'transient' });
  await settle();
  await clock.advance(30_000);

  await asking;
});

it('does not keep the daemon from starting when it never becomes ready', { tags: ['thorough'] }, async () => {
  const clock = fakeClock();

  const starting = expect(start({ other_file: 'never' }, [], clock)).rejects.toMatchObject({
    kind: 'transient',
  });
  await settle();
  await clock.advance(30_000);

  await starting;
});

it('yields to the daemon when memory or processors are short', { tags: ['thorough'] }, async () => {
  const { tell } = await start();
  const pid = Number(await tell('its number'));

  expect(getPriority(pid)).toBeGreaterThan(getPriority());
  if (process.platform === 'linux') expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('1000\n');
});

it('goes on when its whole group is told to stop: the daemon ends it', { tags: ['thorough'] }, async () => {
  const { tell } = await start();
  const pid = Number(await tell('its number'));

  process.kill(pid, 'SIGTERM');
  process.kill(pid, 'SIGINT');

  expect(Number(await tell('its number'))).toBe(pid);
});

it('may keep notes of up to 1 MB', { tags: ['thorough'] }, async () => {
  const { tell } = await start();

  expect(await tell('remember')).toBe('fine');
  expect(await tell('remember too much')).toBe('Failure');
});

it('may keep 4 MB of notes', { tags: ['thorough'] }, async () => {
  const { tell } = await start();

  expect(await tell('remember 5 MB')).toBe('Failure');
});

it('is answered one read after the other, once it has taken the last answer', {
  tags: ['thorough'],
}, async () => {
  const sent: unknown[] = [];
  const taken = Promise.withResolvers<void>();
  const read = vi.fn(async () => 'rows');
  const { receive } = createWire(
    (message) => {
      sent.push(message);
      return taken.promise;
    },
    { 'view.rows': read, log: () => 'logged' },
    { inTurn: (name) => name === 'view.rows' },
  );

  for (const id of [1, 2]) receive({ kind: 'call', id, name: 'view.rows', args: [] });
  receive({ kind: 'call', id: 3, name: 'log', args: [] });
  await vi.waitFor(() => expect(sent).toHaveLength(2));

  expect(read).toHaveBeenCalledOnce();
  taken.resolve();
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
});

it('submits bookings under its own name alone', async () => {
  const { tell } = await start();

  expect(await tell('spoof')).toMatchObject({ submission: { source: 'tested' } });
});

it('reads a mirror of any size', { tags: ['thorough'] }, async () => {
  const { connector } = await start();
  const view = { ...mirrorOf(), rows: async () => [{ name: 'x'.repeat(17 * 1024 * 1024) }] };

  const converged = await connector.state?.converge(view, soon());

  expect(converged).toMatchObject({ written: { dentists: 1 } });
});

it('is ended before it keeps the daemon busy with a thousand calls at once', { tags: ['thorough'] }, () => {
  const { receive } = createWire(() => {}, { wait: () => new Promise(() => {}) });
  const call = (id: number) => () => receive({ kind: 'call', id, name: 'wait', args: [] });
  for (let id = 0; id < 1_000; id += 1) call(id)();

  expect(call(1_000)).toThrow('too many calls');
});

it.each(['one message of 5 MB', 'a flood of messages of 3 MB'])(
  'is ended by %s',
  { tags: ['thorough'] },
  async (trick) => {
    const { tell, lines } = await start();

    await expect(tell(trick)).rejects.toThrow('is not running');

    expect(lines.map(([text]) => text)).toContain('isolated connector sent what cannot be read');
  },
);

it('logs the words of its own code, short numbers and nothing else, at most 60 lines a minute', {
  tags: ['thorough'],
}, async () => {
  const { tell, lines } = await start();

  await tell('log');

  expect(lines).toHaveLength(60);
  const hint = 'the receiver said 0 \\u001b[31m\\u202e … … or (…';
  expect(lines[0]).toEqual(['isolated connector says', { connector: 'tested', hint }]);
});

it('shows none of its settings in the arguments of its process', { tags: ['thorough'] }, async () => {
  const { tell } = await start({ app_key: 'planted/secret+with/slash' });

  const said = await tell('arguments');

  expect(said).toContain('isolated-child');
  expect(said).not.toContain('planted');
});

it('may not read what the daemon keeps beside its file', { tags: ['thorough'] }, async () => {
  const { tell } = await start({}, [resolve('test/support/isolated/clinic-sync.yaml')]);

  expect(await tell('read beside')).toBe('ERR_ACCESS_DENIED');
});

it('is refused when its settings name the folder of another secret, and not for its own', {
  tags: ['thorough'],
}, async () => {
  const file = join(await temporaryFolder(), 'key');
  writeFileSync(file, 'planted-secret\n');

  await expect(start({ app_key_file: file }, [file])).resolves.toBeDefined();
  await expect(start({ app_key_file: file, other_file: dirname(file) }, [`${file}2`])).rejects.toMatchObject({
    message: `Its settings name ${dirname(file)}, where ${file}2 lies`,
  });
});

it('is refused when the configuration lies among the program’s own files', {
  tags: ['thorough'],
}, async () => {
  await expect(start({}, [resolve('connectors/clinic-sync.yaml')])).rejects.toMatchObject({
    message: expect.stringContaining('connectors/clinic-sync.yaml lies among the program’s own files'),
  });
});

it('is refused when its settings name the folder of the database', { tags: ['thorough'] }, async () => {
  const refused = start({ other_file: '/data' }, ['/data/clinic-sync.db']);

  await expect(refused).rejects.toMatchObject({
    kind: 'refused',
    message: 'Its settings name /data, where /data/clinic-sync.db lies',
  });
});

it('may read what its settings name', { tags: ['thorough'] }, async () => {
  const { tell } = await start({ other_file: '/etc/hostname' });

  expect(await tell('read a file')).not.toBe('ERR_ACCESS_DENIED');
});

it('is refused with its reason when its settings are wrong', { tags: ['thorough'] }, async () => {
  await expect(start({ no_such: 1 })).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('settings are not right: no_such is not a known setting'),
  });
});

it('is given its own secret out of the file that its settings name, and not the file’s name', {
  tags: ['thorough'],
}, async () => {
  const file = join(await temporaryFolder(), 'key');
  writeFileSync(file, 'planted-secret\n');
  const { tell } = await start({ app_key_file: file });

  expect(await tell('settings')).toBe('{"app_key":"planted-secret"}');
});

it.each([
  [
    'is missing',
    { app_key_file: '/dev/no-such-file' },
    'app_key_file names /dev/no-such-file, which cannot be read',
  ],
  ['is empty', { app_key_file: '/dev/null' }, 'app_key_file names /dev/null, which is empty'],
  ['is given twice', { app_key_file: '/dev/null', app_key: 'planted-secret' }, 'app_key is given twice'],
])('is refused with its reason when its secret %s', async (_fault, settings, message) => {
  const refused = start(settings);

  await expect(refused).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining(message) });
});

it('takes bookings, with the limits it sets for its visitors', async () => {
  const { connector } = await start();
  const { intake } = connector;

  const result = await intake?.receive(intakeRequest('{}'));

  expect(result).toEqual({ kind: 'ignored', message: 'thanks' });
  expect(intake).toMatchObject({
    visitors: { tenMinutes: 1, day: 2, everybodyHour: 3 },
    framedBy: ['https://www.clinic.example'],
  });
});

it('gives a refused visitor the form again', { tags: ['thorough'] }, async () => {
  const { intake } = (await start()).connector;

  const page = await intake?.again?.(intakeRequest('typed'), mirrorOf(), { why: 'too_many' });

  expect(page).toBe('Lakeside Dental: typed (too_many)');
  expect(intake?.phone).toBeUndefined();
});

it('reads the mirror while it synchronizes something', { tags: ['thorough'] }, async () => {
  const { connector } = await start();
  let reads = 0;
  const mirror = mirrorOf();
  const view = {
    ...mirror,
    rows: async () => {
      reads += 1;
      return [{ doctor_id: 1 }];
    },
  };

  const converged = await connector.state?.converge(view, soon());

  expect(converged).toMatchObject({ written: { dentists: 1 } });
  expect(reads).toBe(1);
});
