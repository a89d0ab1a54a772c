import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import type { AuditEntry } from '../domain/audit.ts';
import { codeOf, Failure } from '../platform/failure.ts';
import { printable } from '../platform/text/printable.ts';
import type { Store } from '../store/store.ts';

/** Exit codes; users rely on them (64 and 78 as in sysexits.h). */
export const exit = { ok: 0, needsPerson: 1, notSyncing: 2, usage: 64, config: 78 } as const;

/** What a command's row in the audit says. */
export interface Audited {
  action: string;
  /** The argument that names the subject, or how to find it. Never one that may name a patient. */
  subject?: string | ((argv: Invocation['argv'], store: Store) => Promise<string | null>);
}

/** A parsed command line, and what its command declares. */
export interface Invocation {
  argv: Readonly<Record<string, unknown>>;
  needsSecrets: boolean;
  /** Undefined for a command that decides nothing and shows no patient. */
  audited: Audited | undefined;
  /** The row for the audit, written with the first change or when the command ends. */
  audit?: AuditEntry;
}

/** A command's surroundings; replaced in tests. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  environment: NodeJS.ProcessEnv;
  terminal: boolean;
  columns: number;
  /** Characters per line of the terminal that tables must fit; undefined when stdout is no terminal. */
  width?: number | undefined;
  /** Whether a person is there to answer: input and output are a terminal. */
  asks?: boolean;
  /** Input line by line; its end does not end a command. */
  typed(): AsyncIterable<string>;
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** The running command. */
  invocation?: Invocation;
}

/** Ends a command with a message and an exit code. */
export class Exit extends Error {
  readonly code: number;

  constructor(code: number, message = '') {
    super(message);
    this.code = code;
  }
}

type Style = Parameters<typeof styleText>[0];

export type Paint = (style: Style, text: string) => string;

const ESCAPE = String.fromCharCode(27);
/** Replaces the escape character of our own sequences until they are written; outsiders cannot guess it. */
const own = randomBytes(9).toString('base64url');
/** Foreign escape sequences could falsify the screen of the person who decides about bookings. */
const forScreen = (text: string): string => printable(text).replaceAll(own, ESCAPE);

/** An `Io` that writes no terminal sequences but our own. */
export const onScreen = (io: Io): Io => ({
  ...io,
  out: (text) => io.out(forScreen(text)),
  err: (text) => io.err(forScreen(text)),
});

/** Colours on a terminal, plain text otherwise. */
export const painter =
  (io: Pick<Io, 'terminal'>): Paint =>
  (style, text) =>
    io.terminal ? styleText(style, forScreen(text), { validateStream: false }).replaceAll(ESCAPE, own) : text;

export const clearScreen = `${own}[2J${own}[H`;
export const clearLine = `${own}[G${own}[K`;

export const print = (io: Io, text: string): void => io.out(`${text}\n`);
export const printJson = (io: Io, value: unknown): void => io.out(`${JSON.stringify(value, null, 2)}\n`);

export interface OutputOptions {
  json?: boolean | undefined;
}

/** Prints `data` for `--json`, `lines` otherwise. */
export function answer(io: Io, { json }: OutputOptions, data: unknown, ...lines: string[]): void {
  if (json) printJson(io, data);
  else for (const line of lines) print(io, line);
}

const painted = new RegExp(`${own}\\[[0-9;]*m`, 'g');
/** Characters of East Asian scripts and pictures, each as wide as two. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/gu;
const ascii = /^[ -~]*$/;

/** Columns that a text takes on a terminal, without its colour sequences. */
export function screenLength(text: string): number {
  const plain = text.replace(painted, '');
  if (ascii.test(plain)) return plain.length;
  const seen = [...plain.replace(/[\p{Mn}\p{Me}\p{Cf}]/gu, '')];
  return seen.length + (plain.match(wide)?.length ?? 0);
}

/** An error as text for a person at a terminal. */
export function failureText(error: unknown): string {
  if (error instanceof Failure) return error.hint ? `${error.message}\n  → ${error.hint}` : error.message;
  if (!(error instanceof Error)) return String(error);
  return 'syscall' in error ? refusedBySystem(error) : (error.stack ?? error.message);
}

/** An error of the system, without a stack: a used port or a missing file is no fault of the program. */
function refusedBySystem(error: Error): string {
  const { code = '', message, path, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use.\n  → Stop the other program, or choose another port.`;
  if (path !== undefined && code === 'ENOENT') return `${path} does not exist.\n  → Check the path.`;
  if (path !== undefined && ['EACCES', 'EPERM', 'EROFS'].includes(code))
    return `${path}: no permission (${code}).\n  → Choose another place, or give it to the user this runs as.`;
  return message;
}

/** Reads a file named on the command line, or ends the command with `code`. */
export function readNamed(
  file: string,
  { as = file, code = exit.usage }: { as?: string; code?: number } = {},
): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Exit(code, `${as} cannot be read (${codeOf(error) ?? 'unknown error'}).`);
  }
}

/** "1 row", "3 rows". */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
