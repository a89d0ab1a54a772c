import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { asFailure } from '../../src/platform/failure.ts';
import { type Log, silentLog } from '../../src/platform/log.ts';
import { type Credentials, createApi, type UnknownIdPolicy } from './api.ts';
import { createControl, type SandboxControl } from './control.ts';
import { startControlServer } from './control-server.ts';
import { createCounters } from './counters.ts';
import { openSandboxDatabase } from './database.ts';
import type { FaultName } from './faults/catalog.ts';
import type { World } from './faults/kind.ts';
import { createFaultScript, readFaultScript, type ScriptedFault } from './faults/script.ts';
import type { SandboxGate } from './gate.ts';
import type { IdPolicy } from './ids.ts';
import type { LimiterOptions, SandboxLimiter } from './limiter.ts';
import { openPractice, type Practice } from './practice.ts';
import { seededRandom } from './random.ts';
import { basePath } from './routes.ts';
import { startServer, type TlsMaterial } from './server.ts';
import { createSimulation, SimulationOptions, startSimulation } from './simulation.ts';
import { createSandboxTokens, type SandboxTokens } from './tokens.ts';

export interface SandboxOptions {
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: 0, which lets the operating system choose. */
  port?: number;
  controlPort?: number;
  /** SQLite file that keeps practice, appointments and ledger across restarts. Default: in memory. */
  data?: string;
  faults?: readonly (FaultName | ScriptedFault)[];
  /** Default: no limit. */
  limiter?: LimiterOptions;
  /** Default: random. */
  credentials?: Credentials;
  /** Default: 3600, as in section 5. */
  tokenLifetimeSeconds?: number;
  /** Answer for an id that does not exist. Default: 404. */
  unknownId?: UnknownIdPolicy;
  /** How appointments are numbered. Default: contiguous. */
  ids?: IdPolicy;
  /** Numbers begin after this one. Default: the total in the organization's statistics. */
  lastId?: number;
  /** Simulates the practice's daily life. Off by default. */
  life?: boolean | SimulationOptions;
  /** Serves https with this certificate. */
  tls?: TlsMaterial;
  /** The same seed gives the same events and ids. */
  seed?: number;
  clock?: Clock;
  log?: Log;
}

export interface Sandbox {
  /** Base address of the API; ends in /api/v1. */
  readonly url: string;
  readonly controlUrl: string;
  readonly credentials: Credentials;
  /** Certificate authority that clients must trust; only with `tls`. */
  readonly ca?: string;
  /** The control channel's verbs, in process. */
  readonly control: SandboxControl;
  /** Drops every connection and releases ports and file. Idempotent. */
  close(): Promise<void>;
}

/**
 * Reads a fault script for `faults` from the text of a YAML or JSON file; `file` is its name in messages. Throws
 * `Failure` refused that lists all errors with their lines.
 */
export const parseFaults = (text: string, file: string): ScriptedFault[] => readFaultScript(text, file);

/** Starts the reference server of the Clinic Practice API. Rejects if a port is taken or the file cannot be opened. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    host = '127.0.0.1',
    port = 0,
    controlPort = 0,
    tokenLifetimeSeconds = 3600,
    unknownId = '404',
    ids = 'contiguous',
    seed = 1,
    clock = systemClock,
    log = silentLog,
    tls,
  } = options;
  const credentials = options.credentials ?? {
    app_key: `app_${randomBytes(12).toString('hex')}`,
    secret_key: `secret_${randomBytes(24).toString('hex')}`,
  };

  const undo: (() => unknown)[] = [];
  const closing = new AbortController();
  const undoAll = async () => {
    closing.abort(new Error('the sandbox is closing'));
    for (const step of undo.reverse()) await step();
  };
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= undoAll();
    return closed;
  };

  try {
    const random = seededRandom(seed);
    const database = openSandboxDatabase(options.data);
    undo.push(() => database.close());
    const practice = openPractice({ database, clock, ids, lastId: options.lastId, random });
    const tokens = createSandboxTokens({ clock, lifetimeSeconds: tokenLifetimeSeconds });
    const limiter: { current: SandboxLimiter | undefined } = { current: undefined };
    const script = createFaultScript();
    const counters = createCounters(clock);
    const simulation = createSimulation({ practice, random });

    const api = createApi({ practice, tokens, limiter: () => limiter.current, credentials, unknownId });
    const scheme = tls === undefined ? 'http' : 'https';
    const { gate, world } = await startServer({
      host,
      port,
      tls,
      api,
      script,
      counters,
      clock,
      log,
      world: (gate) =>
        createWorld({ gate, tokens, practice, clock, scheme, host, closing: closing.signal, log }),
      closing: closing.signal,
    });
    undo.push(() => gate.shut('all'));

    const parts = { practice, tokens, script, counters, simulation, gate, world, clock, limiter };
    const control = createControl(parts);
    control.setLimiter(options.limiter);
    control.script(...(options.faults ?? []));
    const channel = await startControlServer({ control, host, port: controlPort });
    undo.push(channel.close);
    if (options.life !== undefined && options.life !== false) {
      const settings = SimulationOptions.parse(options.life === true ? {} : options.life);
      const living = startSimulation({ simulation, clock, log, ...settings });
      undo.push(() => living.stop());
    }

    return {
      url: `${world.origin('same')}${basePath}`,
      controlUrl: channel.url,
      credentials,
      ...(tls === undefined ? {} : { ca: tls.ca ?? tls.cert }),
      control,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  gate: SandboxGate;
  tokens: SandboxTokens;
  practice: Practice;
  clock: Clock;
  scheme: 'http' | 'https';
  host: string;
  closing: AbortSignal;
  log: Log;
}

function createWorld({ gate, tokens, practice, clock, scheme, host, closing, log }: Parts): World {
  const openAfter = async (ms: number) => {
    try {
      await clock.sleep(ms, closing);
      closing.throwIfAborted();
      await gate.open();
    } catch (error) {
      // Another process may have taken the port meanwhile; without this line the sandbox would silently stop serving.
      if (!closing.aborted)
        log.error('sandbox cannot listen again', { problem: asFailure(error, 'Listening').message });
    }
  };

  const hostInUrl = host.includes(':') ? `[${host}]` : host;
  return {
    clock,
    tokens,
    origin: (which) => `${scheme}://${which === 'same' ? hostInUrl : 'localhost'}:${gate.port}`,
    restart(ms) {
      tokens.revokeAll();
      gate.shut('all');
      void openAfter(ms);
    },
    refuse(ms) {
      gate.shut('idle');
      if (ms !== undefined) void openAfter(ms);
    },
    earlierAppointment: () => practice.appointments.ledger()[0]?.appointment_id,
  };
}
