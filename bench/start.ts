import { existsSync, globSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../src/sandbox/sandbox.ts';
import { temporaryFolder } from './kit/folder.ts';
import { residentBytes, startProgram } from './kit/program.ts';
import { megabytes, ms, type Report, times } from './kit/report.ts';
import { interleaved, median, ratio } from './kit/rounds.ts';

const ROUNDS = 7;
const IDLE_MS = 10_000;
const root = join(import.meta.dirname, '..');
const built = join(root, 'dist/src/main.js');

/**
 * From `node dist/src/main.js run` to a 200 of /readyz, with a form and a CSV folder configured, and the memory of the
 * idle daemon ten seconds later. The yardstick imports the same libraries and serves one route.
 */
export async function start(): Promise<Report> {
  requireBuild();
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const config = join(folder.path, 'clinic-sync.yaml');
  writeFileSync(config, configuration(folder.path, sandbox.url, sandbox.credentials));
  const commands = {
    yardstick: [join(import.meta.dirname, 'kit/bare-imports.ts')],
    ours: [built, 'run', '--config', config],
  };

  const { ours, yardstick } = await interleaved(
    { yardstick: () => untilReady(commands.yardstick), ours: () => untilReady(commands.ours) },
    ROUNDS,
  );
  const memory = {
    yardstick: await idleBytes(commands.yardstick),
    ours: await idleBytes(commands.ours),
  };
  return {
    title: 'Start and idle memory',
    columns: ['', 'ready, median', 'best', 'ratio', 'idle', 'ratio'],
    rows: [
      [
        'libraries alone',
        ms(median(yardstick)),
        ms(Math.min(...yardstick)),
        '',
        megabytes(memory.yardstick),
        '',
      ],
      [
        ...['clinic-sync run', ms(median(ours)), ms(Math.min(...ours)), times(ratio(ours, yardstick))],
        ...[megabytes(memory.ours), times(memory.ours / memory.yardstick)],
      ],
    ],
  };
}

async function untilReady(command: readonly string[]): Promise<number> {
  const began = performance.now();
  const program = startProgram(command);
  try {
    const [, port = ''] = await program.line(/"port":(\d+)/);
    const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (status !== 200) throw new Error(`/readyz answered ${status}`);
    return performance.now() - began;
  } finally {
    await program.stop();
  }
}

async function idleBytes(command: readonly string[]): Promise<number> {
  const program = startProgram(command);
  try {
    await program.line(/"port":(\d+)/);
    await wait(IDLE_MS);
    return residentBytes(program.pid) ?? Number.NaN;
  } finally {
    await program.stop();
  }
}

/** An old build would be measured without anybody noticing. */
function requireBuild(): void {
  const newest = Math.max(
    ...globSync('{src,connectors}/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).map(
      (file) => statSync(join(root, file)).mtimeMs,
    ),
  );
  if (existsSync(built) && statSync(built).mtimeMs >= newest) return;
  process.stderr.write('dist is missing or older than the sources: npm run build comes first.\n');
  process.exit(1);
}

const configuration = (
  folder: string,
  url: string,
  keys: { app_key: string; secret_key: string },
): string => `
version: 1
clinics:
  main:
    base_url: ${url}
    app_key: ${keys.app_key}
    secret_key: ${keys.secret_key}
    timezone: Asia/Dhaka
connectors:
  website: { use: web-form, preset: native, token: bench-token-bench-token }
  reports: { use: csv, directory: ${folder}/csv }
store: { sqlite: ${folder}/clinic-sync.db }
http: { listen: 127.0.0.1:0 }
`;
