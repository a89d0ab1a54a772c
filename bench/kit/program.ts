import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A process started for a measurement. */
export interface Program {
  readonly pid: number;
  /** The first matching line of its output; rejects when it ends before. Call it once only. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Asks it to end and kills it after ten seconds or `patienceMs`. Idempotent. */
  stop(patienceMs?: number): Promise<void>;
}

/** Starts `node FILE …`; its stderr is shown. */
export function startProgram(nodeArguments: readonly string[], environment: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(process.execPath, nodeArguments, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) throw new Error(`cannot start node ${nodeArguments.join(' ')}`);
  let stopped: Promise<void> | undefined;

  return {
    pid,
    async line(pattern) {
      for await (const text of createInterface({ input: stdout })) {
        const found = pattern.exec(text);
        if (found === null) continue;
        // A full pipe would stop the program, and nothing reads its output from here on.
        stdout.resume();
        return found;
      }
      throw new Error(`node ${nodeArguments.join(' ')} ended before it was ready`);
    },
    stop(patienceMs) {
      stopped ??= ended(child, patienceMs);
      return stopped;
    },
  };
}

async function ended(child: ChildProcess, patienceMs = 10_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await exit;
  clearTimeout(patience);
}

/**
 * Resident memory of a process in bytes; undefined without /proc. `RssAnon` leaves out pages of files, mostly of the
 * program itself, which grow with every code path that runs and which the system may drop.
 */
export function residentBytes(pid: number, field: 'VmRSS' | 'RssAnon' = 'VmRSS'): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Processor seconds a process has used so far, in whole ticks of 10 ms; undefined without /proc. */
export function processorSeconds(pid: number): number | undefined {
  try {
    // The second field, the name, may contain spaces; fields are counted from its closing bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/**
 * The same to the nanosecond, for a process that does little, without its ended threads. At rest a daemon uses some four
 * ticks in twenty seconds, and one more would be a quarter.
 */
export function threadSeconds(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    );
    return threads.reduce((all, one) => all + one, 0) / 1e9;
  } catch {
    return undefined;
  }
}

/** `processorSeconds` of all processes it has started, including ended ones. */
export function childrensProcessorSeconds(pid: number): number | undefined {
  try {
    const fieldsOf = (one: string) =>
      readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ended = fieldsOf(String(pid))
      .slice(13, 15)
      .reduce((all, ticks) => all + Number(ticks), 0);
    const living = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const seconds = living.map((child) => processorSeconds(Number(child)) ?? 0);
    return ended / TICKS_PER_SECOND + seconds.reduce((all, one) => all + one, 0);
  } catch {
    return undefined;
  }
}

/** Open sockets of a process; 0 without /proc. */
export function openSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const isSocket = (name: string) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      return false;
    }
  };
  try {
    return readdirSync(folder).filter(isSocket).length;
  } catch {
    return 0;
  }
}

const TICKS_PER_SECOND = 100;
