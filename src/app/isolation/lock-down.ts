import { syncBuiltinESMExports } from 'node:module';
import type { Socket } from 'node:net';
import os from 'node:os';
import v8 from 'node:v8';

const signals = ['kill', '_kill', '_debugProcess', '_debugEnd', 'ppid'] as const;
const localSockets = ['bind', 'bind2', 'connect', 'connect2', 'listen', 'open'] as const;

/**
 * Removes what Node's permission model leaves open. Call it before loading the connector's code. The permission model
 * itself refuses `process.binding`, the other way to these functions.
 * - Signals: `process.kill` could end the daemon, and SIGUSR1 would open its inspector.
 * - Priorities: `os.setPriority` takes any process of the same user.
 * - V8 flags: some write files of any name, even over the database, or lift the memory limit.
 * - Unix sockets: a database or Docker may trust every connection of this user, and listening creates a file. `channel`
 *   is one too, but already open.
 */
export function lockDown(channel: Socket): void {
  const own = process as Partial<Record<(typeof signals)[number], unknown>>;
  for (const name of signals) delete own[name];
  Reflect.deleteProperty(os, 'setPriority');
  Reflect.deleteProperty(v8, 'setFlagsFromString');
  const { _handle } = channel as unknown as { _handle: object };
  for (const name of localSockets) Reflect.deleteProperty(Object.getPrototypeOf(_handle), name);
  syncBuiltinESMExports();
}
