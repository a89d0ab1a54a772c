import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Connector, ConnectorContext } from '../../connector.ts';
import { backoffMs } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { type IsolatedFacts, validAnswer } from './contract.ts';
import { createFrames } from './frames.ts';
import { checkedHandlers, connectorOver, type IsolatedStart, lending, servedTo } from './members.ts';
import { inOwnWords, type OwnWords, ownWords } from './own-words.ts';
import { permissionsFor } from './permissions.ts';
import { createWire, type Handler, type Wire } from './wire.ts';

const START_MS = 30_000;
/** An aborted call that takes longer to end has its process killed. */
const LET_GO_MS = 5_000;
/** Limit of one message to the daemon, far above any submission or page. The daemon's own messages have none. */
const LONGEST_BYTES = 4 * 1024 * 1024;
const LONGEST_PAUSE_MS = MINUTE;
/** A call without an answer for this long fails, and its process is killed. */
const LONGEST_CALL_MS = 30_000;
/** Messages, and their bytes, per second beyond which the process counts as out of control. */
const MOST_MESSAGES = 10_000;
const MOST_BYTES = 8 * LONGEST_BYTES;
const CHILD = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './isolated-child.ts' : './isolated-child.js', import.meta.url),
);

interface Running {
  wire: Wire;
  facts: IsolatedFacts;
  kill(): void;
  /** Stops it cleanly; resolves once it has exited. */
  end(): Promise<void>;
}

/**
 * Runs a connector in its own process, which has none of the daemon's environment, keys or other settings and cannot
 * take the daemon down. A process that exited is restarted on its next use, after a growing pause. It must not reach
 * the files in `kept`. Throws `Failure` when the first start fails.
 */
export async function startIsolated(
  use: string,
  context: ConnectorContext,
  kept: readonly string[],
  script = CHILD,
): Promise<Connector> {
  const { clock, log, name, clinics, settings } = context;
  const views = lending();
  const words = ownWords(use, [...clinics.map(({ clinic }) => clinic), ...namesIn(settings)]);
  const handlers = checkedHandlers({ ...servedTo(context, words), ...views.handlers });
  let running: Running | undefined;
  let starting: Promise<Running> | undefined;
  let failures = 0;
  let notBefore = 0;
  let startedAt = 0;
  let stopping: Promise<void> | undefined;

  const ended = (code: number | null) => {
    running = undefined;
    if (stopping !== undefined) return;
    failures = clock.monotonic() - startedAt > LONGEST_PAUSE_MS ? 1 : failures + 1;
    notBefore = clock.monotonic() + backoffMs(failures, { floor: 1_000, cap: LONGEST_PAUSE_MS });
    log.warn('process of a connector ended', { connector: name, code: code ?? -1, count: failures });
  };
  const ready = async (): Promise<Running> => {
    if (stopping !== undefined) throw gone(name);
    if (running !== undefined) return running;
    if (clock.monotonic() < notBefore) throw gone(name);
    starting ??= launch({ use, context, kept, script, handlers, words, ended }).finally(() => {
      starting = undefined;
    });
    startedAt = clock.monotonic();
    running = await starting;
    return running;
  };

  const call = async (method: string, args: unknown[], signal?: AbortSignal): Promise<unknown> => {
    signal?.throwIfAborted();
    const { wire, kill } = await ready();
    const done = new AbortController();
    const killIn = (ms: number) => void clock.sleep(ms, done.signal).then(kill, () => {});
    const letGo = () => killIn(LET_GO_MS);
    if (signal === undefined) killIn(LONGEST_CALL_MS);
    signal?.addEventListener('abort', letGo, { once: true });
    try {
      return validAnswer(method, await wire.call(method, args, signal));
    } finally {
      signal?.removeEventListener('abort', letGo);
      done.abort();
    }
  };

  const { facts } = await ready();
  return {
    ...connectorOver(name, call, facts, views.lend),
    async stop() {
      stopping ??= (async () => {
        await starting?.catch(() => {});
        await running?.end();
      })();
      return stopping;
    },
  };
}

const gone = (name: string) =>
  new Failure({
    kind: 'transient',
    message: `The process of ${name} is not running`,
    hint: 'It is started again on its own; its fault is in the connector.',
  });

interface Launch {
  use: string;
  context: ConnectorContext;
  kept: readonly string[];
  /** The script that runs in the process. */
  script: string;
  handlers: Readonly<Record<string, Handler>>;
  words: OwnWords;
  ended: (code: number | null) => void;
}

async function launch({ use, context, kept, script, handlers, words, ended }: Launch): Promise<Running> {
  const { name, settings, clinics, includePatient, includeHashed = false, instance, clock } = context;
  const child = spawn(
    process.execPath,
    // The permission model does not cover node:sqlite, which could open the daemon's database.
    ['--max-old-space-size=128', '--no-experimental-sqlite', script],
    {
      // Not the daemon's environment, which holds keys and tokens.
      env: {
        ...(process.env.TZ && { TZ: process.env.TZ }),
        PATH: '',
        NODE_OPTIONS: permissionsFor(use, settings, kept),
      },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const broken = () => {
    context.log.error('isolated connector sent what cannot be read', { connector: name });
    child.kill('SIGKILL');
  };
  const countMessage = perSecond(MOST_MESSAGES, clock);
  const countBytes = perSecond(MOST_BYTES, clock);
  const arrived = (bytes: number) => {
    countMessage(1);
    countBytes(bytes);
  };
  const receive = (message: unknown) => {
    assertPlain(message);
    wire.receive(message);
  };
  const limits = { longest: LONGEST_BYTES, arrived };
  const frames = createFrames(child.stdio[3] as Duplex, receive, broken, limits);
  const wire: Wire = createWire(frames.send, handlers, {
    heard: (failure) => inOwnWords(failure, words),
    // Their answers may be large.
    inTurn: (called) => /^(view|memory)\./.test(called),
  });
  child.on('error', () => wire.end(gone(name)));
  giveWay(child);
  const started = new AbortController();
  void clock.sleep(START_MS, started.signal).then(
    () => child.kill('SIGKILL'),
    () => {},
  );
  child.once('exit', (code) => {
    wire.end(gone(name));
    ended(code);
  });
  try {
    const start: IsolatedStart = { use, name, settings, clinics, includePatient, includeHashed, instance };
    const facts = validAnswer('create', await wire.call('create', [start])) as IsolatedFacts;
    return {
      wire,
      facts,
      kill: () => void child.kill('SIGKILL'),
      async end() {
        const late = setTimeout(() => child.kill('SIGKILL'), LET_GO_MS);
        await wire.call('stop', []).catch(() => {});
        child.kill('SIGKILL');
        await exited;
        clearTimeout(late);
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    // The pause before a restart begins only now.
    await exited;
    throw asFailure(error, `Starting the process of ${name}`);
  } finally {
    started.abort();
  }
}

/** When memory or processor time runs short, this process should lose before the daemon does. */
function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  // Exists on Linux only.
  writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => {});
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has exited.
  }
}

/** Throws when more than `most` units come within a second. */
function perSecond(most: number, clock: Clock): (units: number) => void {
  let second = 0;
  let count = 0;
  return (units) => {
    const now = Math.floor(clock.monotonic() / 1_000);
    count = now === second ? count + units : units;
    second = now;
    if (count > most) throw new RangeError('too much at once');
  };
}

/** Names of settings and the files they name; other values may be secrets. */
const namesIn = (settings: unknown): string[] =>
  Object.entries(Object(settings)).flatMap(([name, value]) =>
    name.endsWith('_file') ? [name, String(value)] : [name],
  );

const MOST_VALUES = 200_000;
const DEEPEST = 32;

/**
 * Throws unless a value from another process is plain data, as in JSON. A structured clone can also hold one value in
 * many places, which is small to send and endless to walk.
 */
function assertPlain(value: unknown): void {
  let left = MOST_VALUES;
  const walk = (one: unknown, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > DEEPEST) throw new RangeError('a message has too much in it');
    for (const inner of innerOf(one, left)) walk(inner, depth + 1);
  };
  walk(value, 0);
}

function innerOf(value: unknown, most: number): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    // A sparse array can claim a length far beyond its content.
    if (value.length > most) throw new RangeError('a list in a message is too long');
    return value;
  }
  const isData = Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, '__proto__');
  if (!isData) throw new TypeError('a message has something else than data in it');
  return Object.values(value);
}
