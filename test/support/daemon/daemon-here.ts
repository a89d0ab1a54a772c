import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { cpSync, globSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findKind, kindNames } from '../../../connectors/registry.ts';
import { type Daemon, startDaemon } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { Log } from '../../../src/platform/log.ts';
import { readMarker, updateMarker } from '../../../src/store/sqlite/marker.ts';
import { type DaemonOptions, type DaemonProcess, type Exit, urlIn } from './daemon-process.ts';

/** One daemon among those in this process. */
interface Life {
  endsAt: DaemonOptions['endsAt'];
  isOver: boolean;
  readonly sockets: Set<Socket>;
  end(signal: NodeJS.Signals): void;
}

/** Whose code is running. */
const lives = new AsyncLocalStorage<Life>();

subscribe('clinic-sync:failpoint', (name) => {
  const life = lives.getStore();
  if (life?.endsAt !== undefined && life.endsAt.failpoint === name) life.end(life.endsAt.signal);
});

/** Connections accepted elsewhere in this process, by the caller's port. */
const accepted = new Map<number, Socket>();

/** Every connection of a daemon, so that they can break with it. */
function hold(message: unknown): void {
  const { socket } = message as { socket: Socket };
  const life = lives.getStore();
  if (life === undefined) {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    accepted.set(remotePort, socket);
    socket.once('close', () => accepted.delete(remotePort));
    return;
  }
  // What remains of a dead one can reach no one.
  if (life.isOver) process.nextTick(() => socket.destroy());
  life.sockets.add(socket);
  socket.once('close', () => life.sockets.delete(socket));
}

/** Breaks all connections; resolves when what was sent on them has arrived and was dealt with. */
async function breakOff(sockets: ReadonlySet<Socket>): Promise<void> {
  const others = [...sockets].flatMap(({ localPort = 0 }) => accepted.get(localPort) ?? []);
  for (const socket of sockets) socket.destroy();
  await Promise.all(
    others.map((other) => other.closed || new Promise((resolve) => other.once('close', resolve))),
  );
  await nextTurn();
}
subscribe('net.client.socket', hold);
subscribe('net.server.socket', hold);

interface HereOptions extends DaemonOptions {
  /** Where a killed one leaves what a killed process leaves: a folder that is not there yet. */
  remains: string;
  /** Called while it dies. */
  onKilled: () => void;
  clock: Clock;
}

export interface DaemonHere extends DaemonProcess {
  /** Resolves when nothing of it runs, even if it was killed. */
  readonly stopped: Promise<void>;
}

/** The copy stands for the very files, so its marker must not look like a copy. */
function passForWritten(path: string): void {
  const file = path.slice(0, -'.marker'.length);
  const marker = readMarker(file);
  if (marker !== undefined) updateMarker(file, marker);
}

/** Supervisors kill after ten seconds. */
const LONGEST_STOP_MS = 9_700;

/**
 * The daemon in this process: a start costs a quarter of a process's. Killed, it leaves behind what SIGKILL leaves, a
 * copy of its folder as it was at that instant and broken connections; what still runs of it works in the folder that
 * nobody looks at any more, reaches nobody and is stopped.
 */
export function launchHere({ config, cwd, endsAt, remains, onKilled, clock }: HereOptions): DaemonHere {
  const asked = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<Exit>();
  let text = '';
  const say =
    (level: string): Log['info'] =>
    (msg, fields) => {
      text += `${JSON.stringify({ level, ...fields, msg })}\n`;
    };
  const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  const end = (code: number) => {
    if (life.isOver) return;
    life.isOver = true;
    exited.resolve({ code, signal: null, output: text });
  };

  const life: Life = {
    endsAt,
    isOver: false,
    sockets: new Set(),
    end(signal) {
      life.endsAt = undefined;
      if (signal === 'SIGKILL') die();
      // A signal is heard when the code that runs has ended.
      else setImmediate(asked.resolve);
    },
  };
  function die(): void {
    if (life.isOver) return;
    life.isOver = true;
    cpSync(cwd, remains, { recursive: true });
    for (const name of globSync('**/*.marker', { cwd: remains })) passForWritten(join(remains, name));
    onKilled();
    asked.resolve();
    void breakOff(life.sockets).then(() => exited.resolve({ code: null, signal: 'SIGKILL', output: text }));
  }
  const run = async () => {
    try {
      const daemon = await start(config, log, clock);
      await asked.promise;
      const from = performance.now();
      log.info('stopping');
      await daemon.stop();
      log.info('stopped', { state: performance.now() - from < LONGEST_STOP_MS ? 'clean' : 'overdue' });
      end(0);
    } catch (error) {
      text += `${error}\n`;
      end(1);
    }
  };

  const stopped = lives.run(life, run);
  return {
    stopped,
    pid: process.pid,
    get url() {
      return urlIn(text);
    },
    exited: exited.promise,
    output: () => text,
    async keepCompiled() {},
    async arm(failpoint, signal) {
      life.endsAt = { failpoint, signal };
    },
    kill() {
      die();
      return exited.promise;
    },
    signal: (signal) => life.end(signal),
    terminate() {
      life.end('SIGTERM');
      return exited.promise;
    },
  };
}

async function start(file: string, log: Log, clock: Clock): Promise<Daemon> {
  const loaded = await loadConfig({ file, environment: {}, findKind, knownKinds: kindNames });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  // A separate clock: state per clock would outlive it.
  return startDaemon({ config: loaded.config, clock: { ...clock }, log, version: '0.0.0' });
}
