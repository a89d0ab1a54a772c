import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import { until } from '../until.ts';
import type { Asked } from './preload.ts';

const main = join(inject('bundle'), 'main.js');
const preload = join(import.meta.dirname, 'preload.ts');
/** Compiled once for all starts of a test run; a start then costs half. */
const compiled = join(inject('bundle'), 'compiled');
let isCompiled = false;
/** For a life of seconds a large nursery is cheaper: it is not collected during the start. */
const node = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** A process that outlives its tests would hold its port and its database. */
const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Everything it wrote. */
  output: string;
}

/** The real program, as a process of its own or as if it were one. */
export interface DaemonProcess {
  readonly pid: number;
  /** Where it listens; throws before it does. */
  readonly url: string;
  readonly exited: Promise<Exit>;
  output(): string;
  /** Saves the code compiled so far, so that the next start is faster. */
  keepCompiled(): Promise<void>;
  /** From now on passing this point ends it. */
  arm(failpoint: string, signal: Ending): Promise<void>;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<Exit>;
  signal(signal: NodeJS.Signals): void;
  /** SIGTERM; resolves when it is gone. */
  terminate(): Promise<Exit>;
}

/** Killed at that point, or asked to stop there. */
export type Ending = 'SIGKILL' | 'SIGTERM';

export interface DaemonOptions {
  /** Path of the configuration file. */
  config: string;
  cwd: string;
  environment?: Record<string, string>;
  /** The point that ends it while it starts. */
  endsAt?: { failpoint: string; signal: Ending };
}

const environmentOf = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  // It has our day, too (npm run verify:calendar).
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name === 'LD_PRELOAD' || name.includes('FAKE')),
  ),
  NODE_COMPILE_CACHE: compiled,
  NO_COLOR: '1',
  ...more,
});

/** Starts it and waits for nothing. */
export function launchDaemon({ config, cwd, environment, endsAt }: DaemonOptions): DaemonProcess {
  const ending = endsAt && { CLINIC_SYNC_CRASHPOINT: endsAt.failpoint, ENDING: endsAt.signal };
  const child = spawn(process.execPath, [...node, '--import', preload, main, 'run', '--config', config], {
    cwd,
    env: environmentOf({ ...environment, ...ending }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { exited, output } = follow(child);

  const ask = async (asked: Asked) => {
    const answered = once(child, 'message');
    child.send(asked);
    await Promise.race([answered, exited]);
  };
  return {
    get pid() {
      return child.pid ?? 0;
    },
    get url() {
      return urlIn(output());
    },
    exited,
    output,
    keepCompiled: () => ask({ do: 'keep_compiled' }),
    arm: (failpoint, signal) => ask({ do: 'arm', failpoint, signal }),
    kill() {
      child.kill('SIGKILL');
      return exited;
    },
    signal: (signal) => void child.kill(signal),
    terminate() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Where it says that it listens; throws before it does. */
export function urlIn(output: string): string {
  const port = /"port":(\d+),"msg":"http listening"/.exec(output)?.[1];
  if (port === undefined) throw new Error(`it does not listen\n${output}`);
  return `http://127.0.0.1:${port}`;
}

/** Resolves when it takes bookings. Throws with what it wrote when it ends instead. */
export async function untilReady(daemon: DaemonProcess): Promise<void> {
  let ended: Exit | undefined;
  void daemon.exited.then((exit) => {
    ended = exit;
  });
  await until(
    'the daemon takes bookings',
    async () => {
      if (ended !== undefined) return true;
      if (!daemon.output().includes('"msg":"daemon started"')) return false;
      return (await fetch(`${daemon.url}/readyz`)).ok;
    },
    { found: daemon.output },
  );
  if (ended !== undefined) throw new Error(`the daemon ended: ${JSON.stringify(ended)}`);
  if (isCompiled) return;
  isCompiled = true;
  await daemon.keepCompiled();
}

/** Runs one command beside the daemon. */
export const runCommand = (args: readonly string[], options: DaemonOptions) =>
  runBare([...args, '--config', options.config], options);

/** The same, exactly as given. */
export async function runBare(
  args: readonly string[],
  { cwd, environment }: Omit<DaemonOptions, 'config'>,
): Promise<Exit & { stdout: string }> {
  const child = spawn(process.execPath, [...node, main, ...args], {
    cwd,
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { exited, stdout } = follow(child);
  return { ...(await exited), stdout: stdout() };
}

function follow(child: ChildProcess): {
  exited: Promise<Exit>;
  output: () => string;
  stdout: () => string;
} {
  let all = '';
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    all += text;
  });
  living.add(child);
  const exited = once(child, 'close').then(([code, signal]): Exit => {
    living.delete(child);
    return { code, signal, output: all };
  });
  return { exited, output: () => all, stdout: () => out };
}
