import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Connector, ConnectorContext } from '../../connector.ts';
import { backoffMs } from '../../platform/backoff.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { createFrames } from './frames.ts';
import { connectorOver, type IsolatedFacts, type IsolatedStart, lending, servedTo } from './members.ts';
import { permissionsFor } from './permissions.ts';
import { createWire, type Handler, type Wire } from './wire.ts';

const START_MS = 30_000;
/** What was called off and has not ended by then is ended with its process. */
const LET_GO_MS = 5_000;
/** Of one message to the daemon: far more than a submission or a page has. What the daemon sends has no limit. */
const LONGEST_BYTES = 16 * 1024 * 1024;
const LONGEST_PAUSE_MS = 60_000;
const CHILD = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './isolated-child.ts' : './isolated-child.js', import.meta.url),
);

interface Running {
  wire: Wire;
  facts: IsolatedFacts;
  kill(): void;
  /** Ends it in order; resolves when it is gone. */
  end(): Promise<void>;
}

/**
 * A connector in a process of its own: without the daemon's environment, keys and other settings, and unable to take the
 * daemon down. A process that ends is started again when it is needed next, after a pause that grows. `kept` are files
 * it must not reach. Throws `Failure` when it cannot be started the first time.
 */
export async function startIsolated(
  use: string,
  context: ConnectorContext,
  kept: readonly string[],
): Promise<Connector> {
  const { clock, log, name } = context;
  const views = lending();
  const handlers = { ...servedTo(context), ...views.handlers };
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
    starting ??= launch({ use, context, kept, handlers, ended }).finally(() => {
      starting = undefined;
    });
    startedAt = clock.monotonic();
    running = await starting;
    return running;
  };

  const call = async (method: string, args: unknown[], signal?: AbortSignal): Promise<unknown> => {
    signal?.throwIfAborted();
    const { wire, kill } = await ready();
    const answered = new AbortController();
    const letGo = () => void clock.sleep(LET_GO_MS, answered.signal).then(kill, () => {});
    signal?.addEventListener('abort', letGo, { once: true });
    try {
      return await wire.call(method, args, signal);
    } finally {
      signal?.removeEventListener('abort', letGo);
      answered.abort();
    }
  };

  const { facts } = await ready();
  return {
    ...connectorOver(call, facts, views.lend),
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
  handlers: Readonly<Record<string, Handler>>;
  ended: (code: number | null) => void;
}

async function launch({ use, context, kept, handlers, ended }: Launch): Promise<Running> {
  const { name, settings, clinics, includePatient, instance } = context;
  const child = spawn(
    process.execPath,
    // The permission model does not cover node:sqlite, which would open the daemon's database.
    ['--max-old-space-size=128', '--no-experimental-sqlite', CHILD],
    {
      // Nothing of the daemon's own environment: keys and tokens are in it.
      env: {
        ...(process.env.TZ && { TZ: process.env.TZ }),
        PATH: '',
        NODE_OPTIONS: permissionsFor(use, settings, kept),
      },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const broken = () => {
    context.log.error('isolated connector sent what cannot be read', { connector: name });
    child.kill('SIGKILL');
  };
  const frames = createFrames(
    child.stdio[3] as Duplex,
    (message) => wire.receive(message),
    broken,
    LONGEST_BYTES,
  );
  const wire: Wire = createWire(frames.send, handlers);
  child.on('error', () => {});
  let settled = false;
  child.once('exit', (code) => {
    wire.end(gone(name));
    if (settled) ended(code);
  });
  try {
    const start: IsolatedStart = { use, name, settings, clinics, includePatient, instance };
    const facts = (await wire.call('create', [start], AbortSignal.timeout(START_MS))) as IsolatedFacts;
    settled = true;
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
    throw asFailure(error, `Starting the process of ${name}`);
  }
}
