import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../sandbox/clinic/clinic.ts';
import { builtDaemon } from './kit/built.ts';
import { writeConfiguration } from './kit/configuration.ts';
import { temporaryFolder } from './kit/folder.ts';
import { residentBytes, startProgram } from './kit/program.ts';
import { megabytes, ms, type Report, times } from './kit/report.ts';
import { interleaved, median, ratio } from './kit/rounds.ts';

const ROUNDS = 5;
const IDLE_MS = 10_000;
/** As in the container: most of the difference is room for garbage that an idle daemon does not make. */
const SMALL = '--max-semi-space-size=2';

/**
 * From `node dist/main.js run` to a 200 of /readyz, with a form and a CSV folder configured, and the idle daemon's
 * memory ten seconds later. The yardstick imports the same libraries and serves one route.
 */
export async function start(): Promise<Report> {
  const built = builtDaemon();
  using folder = temporaryFolder();
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const configured = (name: string) => {
    const own = join(folder.path, name);
    mkdirSync(own);
    const connectors = [
      'website: { use: web-form, preset: native, token: bench-token-bench-token }',
      `reports: { use: csv, directory: ${own}/csv }`,
    ];
    const config = writeConfiguration(own, { sandbox, connectors });
    return [built, 'run', '--config', config];
  };
  const libraries = [join(import.meta.dirname, 'kit/bare-imports.mjs')];
  const commands = {
    'libraries alone': libraries,
    'clinic-sync run': configured('plain'),
    [`libraries alone, ${SMALL}`]: [SMALL, ...libraries],
    [`clinic-sync run, ${SMALL}`]: [SMALL, ...configured('small')],
  };
  const names = Object.keys(commands);

  const ready = await interleaved(
    Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, () => untilReady(command)])),
    ROUNDS,
  );
  const idle = await Promise.all(Object.values(commands).map(idleBytes));
  const rows = names.map((name, index) => {
    const figures = ready[name] ?? [];
    const bytes = idle[index] ?? Number.NaN;
    const row = [name, ms(median(figures)), ms(Math.min(...figures))];
    const before = names[index - 1];
    if (index % 2 === 0 || before === undefined) return [...row, '', megabytes(bytes), ''];
    const memoryRatio = bytes / (idle[index - 1] ?? Number.NaN);
    return [...row, times(ratio(figures, ready[before] ?? [])), megabytes(bytes), times(memoryRatio)];
  });
  return {
    title: 'Start and idle memory',
    columns: ['', 'ready, median', 'best', 'ratio', 'idle', 'ratio'],
    rows,
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
