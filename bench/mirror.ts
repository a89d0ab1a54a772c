import { hash } from 'node:crypto';
import { join } from 'node:path';
import got from 'got';
import { createClinic } from '../src/clinic/client.ts';
import { ClinicConfig } from '../src/config/config.ts';
import { systemClock as clock } from '../src/platform/clock.ts';
import { silentLog as log } from '../src/platform/log.ts';
import { openFileStore } from '../src/store/sqlite.ts';
import { createMirror } from '../src/sync/mirror-poller.ts';
import { temporaryFolder } from './kit/folder.ts';
import { startProgram } from './kit/program.ts';
import { ms, perSecond, type Report, times } from './kit/report.ts';
import { elapsed, interleaved, median, ratio } from './kit/rounds.ts';

const SIZES = [10_000];
const ROUNDS = 5;

/**
 * One poll of a long list, end to end: over HTTP, validated, compared, recorded in a real file. The yardstick reads the
 * same bytes over the same wire, parses them and hashes each row, the least that any comparison needs.
 */
export async function mirror(): Promise<Report> {
  const rows: string[][] = [];
  for (const size of SIZES) rows.push(...(await measure(size)));
  return {
    title: 'Poll and compare a list',
    columns: ['', 'median', 'best', 'rows', 'ratio'],
    rows,
  };
}

async function measure(size: number): Promise<string[][]> {
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const server = startProgram([join(import.meta.dirname, 'kit/clinic-of-rows.ts'), String(size)]);
  cleanup.defer(() => server.stop());
  const [, port = ''] = await server.line(/"port":(\d+)/);
  const origin = `http://127.0.0.1:${port}`;

  const keys = { app_key: 'app', secret_key: 'secret' };
  const settings = {
    ...ClinicConfig.parse({ base_url: origin, timezone: 'UTC' }),
    ...keys,
    key: 'main',
  };
  const memory = { load: async () => undefined, save: async () => {} };
  const store = await openFileStore({
    file: join(folder.path, 'clinic-sync.db'),
    clock,
    log,
    mode: 'daemon',
  });
  cleanup.defer(() => store.close());
  // A client makes its first calls at once; later ones wait for what it has learned of the clinic's limit.
  const mirrorAnew = async () => {
    const clinic = await createClinic({ ...settings, clock, log, memory, version: 'bench' });
    cleanup.defer(() => clinic.close());
    return createMirror({ clinic, store, clock, log, settings });
  };
  let mirrored = await mirrorAnew();

  const poll = async (changes: number) => {
    const result = await mirrored.poll('treatments', new AbortController().signal);
    if (result.failed) throw result.failed;
    if (result.changes.length !== changes)
      throw new Error(`${result.changes.length} changes, not ${changes}`);
  };
  let version = 0;
  let order = 0;
  const first = await elapsed(() => poll(size));
  const yardstick = () => elapsed(() => parseAndHash(`${origin}/treatments`));
  const calm = await interleaved(
    {
      yardstick,
      unchanged: () => elapsed(() => poll(0)),
      stamped: async () => {
        version += 1;
        await got(`${origin}/stamp/${version}`);
        return elapsed(() => poll(0));
      },
      reordered: async () => {
        order += 1;
        await got(`${origin}/order/${order}`);
        return elapsed(() => poll(0));
      },
    },
    ROUNDS,
  );
  mirrored = await mirrorAnew();
  // Afterwards, because every answer is compared for some polls after a change: it may go to and fro.
  const changing = await interleaved(
    {
      yardstick,
      changed: async () => {
        version += 1;
        await got(`${origin}/version/${version}`);
        return elapsed(() => poll(size / 100));
      },
      after: () => elapsed(() => poll(0)),
    },
    ROUNDS,
  );

  const row = (name: string, measured: number[], beside?: number[]) => [
    `${size.toLocaleString('en')} rows, ${name}`,
    ms(median(measured)),
    ms(Math.min(...measured)),
    perSecond((size / median(measured)) * 1_000),
    beside === undefined ? '' : times(ratio(measured, beside)),
  ];
  return [
    row('parse + hash', calm.yardstick),
    row('the same bytes', calm.unchanged, calm.yardstick),
    row('with another time beside the list', calm.stamped, calm.yardstick),
    row('with its keys in another order', calm.reordered, calm.yardstick),
    row('1 % changed', changing.changed, changing.yardstick),
    row('the same bytes, soon after a change', changing.after, changing.yardstick),
    row('all new', [first]),
  ];
}

async function parseAndHash(url: string): Promise<void> {
  const { data } = JSON.parse(await got(url).text()) as { data: object[] };
  const hashes = new Map<number, string>();
  for (const [index, row] of data.entries())
    hashes.set(index, hash('sha256', JSON.stringify(row), 'base64url'));
}
