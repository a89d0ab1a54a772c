import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectorContext } from '../../../test/conformance/connector/connector-context.ts';
import { fakeClock, settle } from '../../../test/support/fake-clock.ts';
import { intakeRequest, mirrorOf } from '../../../test/support/forms/web-form.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { Log, LogFields } from '../../platform/log.ts';
import { startIsolated } from './isolation.ts';
import { createWire } from './wire.ts';

const FILE = './test/support/isolated/misbehaving.js';
const soon = () => AbortSignal.timeout(10_000);

async function start(settings: object = {}, kept: string[] = []) {
  const clock = fakeClock();
  const store = await openTestStore();
  const clinics = [{ clinic: 'main', timezone: 'Asia/Dhaka' }];
  const lines: [string, LogFields | undefined][] = [];
  const note = (text: string, fields?: LogFields) => void lines.push([text, fields]);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const context = { ...connectorContext({ settings, store, clinics, includePatient: false, clock }), log };
  const connector = await startIsolated(FILE, context, kept);
  onTestFinished(() => connector.stop());
  const deliver = async (body: string, signal = soon()) =>
    connector.events?.deliver({ id: 'e', clinic: 'main', sequence: 1, type: 'x', body, attempt: 1 }, signal);
  return { connector, deliver, clock, lines };
}

it('takes nothing down when its process ends, and is started again after a pause', async () => {
  const { deliver, clock } = await start();

  await expect(deliver('crash')).rejects.toMatchObject({ kind: 'transient' });
  await expect(deliver('behave')).rejects.toMatchObject({ kind: 'transient' });
  await clock.advance(1_000);

  await expect(deliver('behave')).resolves.toBeUndefined();
});

it('is ended when it does not let go of what was called off', async () => {
  const { deliver, clock } = await start();
  const stopping = new AbortController();

  const hanging = deliver('hang', stopping.signal);
  await settle();
  stopping.abort(new Error('stopping'));
  await clock.advance(5_000);

  await expect(hanging).rejects.toMatchObject({ kind: 'transient' });
  await clock.advance(1_000);
  await expect(deliver('behave')).resolves.toBeUndefined();
});

it('has nothing of our environment', async () => {
  vi.stubEnv('CLINIC_APP_KEY', 'planted-key');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { deliver } = await start();

  const failure = await deliver('environment').catch((error: Error) => error);

  expect(String(failure)).toContain('PATH');
  expect(String(failure)).not.toContain('planted-key');
});

it.each(['spawn', 'read'])('may not %s what its settings do not name', async (trick) => {
  const { deliver } = await start();

  await expect(deliver(trick)).rejects.toThrow('ERR_ACCESS_DENIED');
});

it.each(['end the daemon', 'open its inspector'])('cannot %s', async (trick) => {
  const { deliver } = await start();
  const debuggers: string[] = [];
  process.on('SIGUSR1', () => debuggers.push('asked'));
  onTestFinished(() => void process.removeAllListeners('SIGUSR1'));

  await expect(deliver(trick)).rejects.toThrow('TypeError');

  expect(debuggers).toEqual([]);
});

it.each(['send nothing', 'send noise', 'send without an end'])(
  'is ended for what is no message: %s',
  async (trick) => {
    const { deliver, clock, lines } = await start();

    await expect(deliver(trick)).rejects.toMatchObject({ kind: 'transient' });
    await clock.advance(1_000);

    await expect(deliver('behave')).resolves.toBeUndefined();
    expect(lines[0]).toEqual(['isolated connector sent what cannot be read', { connector: 'tested' }]);
  },
);

it('reads a mirror of any size', async () => {
  const { connector } = await start();
  const view = { ...mirrorOf(), rows: async () => [{ name: 'x'.repeat(17 * 1024 * 1024) }] };

  const converged = await connector.state?.converge(view, soon());

  expect(converged).toMatchObject({ written: { dentists: 1 } });
});

it('is ended before it keeps the daemon busy with a thousand calls at once', () => {
  const { receive } = createWire(() => {}, { wait: () => new Promise(() => {}) });
  const call = (id: number) => () => receive({ kind: 'call', id, name: 'wait', args: [] });
  for (let id = 0; id < 1_000; id += 1) call(id)();

  expect(call(1_000)).toThrow('too many calls');
});

it('logs in a line that says whose words they are, escaped, and at most 60 a minute', async () => {
  const { deliver, lines } = await start();

  await deliver('log').catch(() => {});

  expect(lines).toHaveLength(60);
  const hint = 'line 0 \\u001b[31m\\u202e';
  expect(lines[0]).toEqual(['isolated connector says', { connector: 'tested', hint }]);
});

it('has no SQLite of Node to open the daemon’s database with', async () => {
  const { deliver } = await start();

  await expect(deliver('sqlite')).rejects.toThrow('ERR_UNKNOWN_BUILTIN_MODULE');
});

it('shows none of its settings in the arguments of its process', async () => {
  const { deliver } = await start({ app_key: 'planted/secret+with/slash' });

  const failure = await deliver('arguments').catch((error: Error) => error);

  expect(String(failure)).toContain('isolated-child');
  expect(String(failure)).not.toContain('planted');
});

it('may not read what the daemon keeps beside its file', async () => {
  const { deliver } = await start({}, [resolve('test/support/isolated/clinic-sync.yaml')]);

  await expect(deliver('read beside')).rejects.toThrow('ERR_ACCESS_DENIED');
});

it('is refused when its settings name the folder of another secret, and not for its own', async () => {
  const file = join(await temporaryFolder(), 'key');
  writeFileSync(file, 'planted-secret\n');

  await expect(start({ app_key_file: file }, [file])).resolves.toBeDefined();
  await expect(start({ app_key_file: file, other_file: dirname(file) }, [`${file}2`])).rejects.toMatchObject({
    message: `Its settings name ${dirname(file)}, where ${file}2 lies`,
  });
});

it('is refused when its settings name the folder of the database', async () => {
  const refused = start({ other_file: '/data' }, ['/data/clinic-sync.db']);

  await expect(refused).rejects.toMatchObject({
    kind: 'refused',
    message: 'Its settings name /data, where /data/clinic-sync.db lies',
  });
});

it('may read what its settings name', async () => {
  const { deliver } = await start({ other_file: '/etc/hostname' });

  const failure = await deliver('read').catch((error: Error) => error);

  expect(String(failure)).not.toContain('ERR_ACCESS_DENIED');
});

it('is refused with its reason when its settings are wrong', async () => {
  await expect(start({ no_such: 1 })).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('settings are not right'),
  });
});

it('is given its own secret out of the file that its settings name, and not the file’s name', async () => {
  const file = join(await temporaryFolder(), 'key');
  writeFileSync(file, 'planted-secret\n');
  const { deliver } = await start({ app_key_file: file });

  const failure = await deliver('settings').catch((error: { code?: string }) => error);

  expect(failure).toMatchObject({ message: expect.stringContaining('planted-secret') });
  expect(String(failure)).not.toContain(file);
});

it.each([
  ['is missing', { app_key_file: '/no/such/file' }, 'app_key_file names /no/such/file, which cannot be read'],
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

it('reads the mirror while it keeps something in step', async () => {
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
