import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** What a process asked of the disk, in order, and what it said. */
export type Act =
  | { kind: 'write'; path: string; at: number; bytes: Buffer }
  | { kind: 'truncate'; path: string; size: number }
  | { kind: 'sync'; path: string }
  | { kind: 'rename'; from: string; to: string }
  | { kind: 'remove'; path: string }
  | { kind: 'said'; line: string };

const calls = 'openat,close,pwrite64,write,ftruncate,fsync,fdatasync,rename,unlink';
const LONGEST_WRITE = 1_000_000;
const STDOUT = 1;

/** Runs the command to its end and writes down its system calls; false where that cannot be done. */
export async function traced(command: readonly string[], into: string): Promise<boolean> {
  // Without -f: the database is used by the main thread alone, and so the order of the calls is the order of the file.
  const options = ['-o', into, '-xx', '-s', String(LONGEST_WRITE), '-e', `trace=${calls}`];
  try {
    await promisify(execFile)('strace', [...options, ...command], { maxBuffer: 100_000_000 });
    return true;
  } catch (error) {
    // No strace, or not allowed to look into other processes.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 1))
      return false;
    throw error;
  }
}

export async function readTrace(file: string): Promise<Act[]> {
  const acts: Act[] = [];
  const open = new Map<number, string>();
  const at = new Map<number, number>();

  for await (const line of createInterface({ input: createReadStream(file) })) {
    const match = /^(\w+)\((.*)\) += (-?\d+)/.exec(line);
    if (match === null) continue;
    const [, call = '', args = '', result = ''] = match;
    if (Number(result) < 0) continue;
    const [first = ''] = args.split(',', 1);
    const fd = Number(first);
    const path = open.get(fd);
    if (call === 'openat') {
      open.set(Number(result), text(args));
      at.set(Number(result), 0);
    } else if (call === 'close') open.delete(fd);
    else if (call === 'write' && fd === STDOUT) {
      for (const said of text(args).trim().split('\n')) acts.push({ kind: 'said', line: said });
    } else if (call === 'write' && path !== undefined) {
      const bytes = quoted(args);
      const offset = at.get(fd) ?? 0;
      acts.push({ kind: 'write', path, at: offset, bytes });
      at.set(fd, offset + bytes.length);
    } else
      acts.push(...namingItsPlace(call, args), ...(path === undefined ? [] : onOpenFile(call, args, path)));
  }
  return acts;
}

function namingItsPlace(call: string, args: string): Act[] {
  if (call === 'unlink') return [{ kind: 'remove', path: text(args) }];
  if (call !== 'rename') return [];
  const [from = '', to = ''] = [...args.matchAll(/"([^"]*)"/g)].map(([, hex = '']) =>
    bytesOf(hex).toString(),
  );
  return [{ kind: 'rename', from, to }];
}

function onOpenFile(call: string, args: string, path: string): Act[] {
  const last = Number(args.slice(args.lastIndexOf(',') + 1));
  switch (call) {
    case 'pwrite64':
      return [{ kind: 'write', path, at: last, bytes: quoted(args) }];
    case 'ftruncate':
      return [{ kind: 'truncate', path, size: last }];
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync', path }];
    default:
      return [];
  }
}

const quoted = (args: string): Buffer => bytesOf(/"([^"]*)"/.exec(args)?.[1] ?? '');
const text = (args: string): string => quoted(args).toString('utf8');
const bytesOf = (escaped: string): Buffer => Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
