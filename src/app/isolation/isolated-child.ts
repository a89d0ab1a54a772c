// The process of an isolated connector. It knows only its own settings and reaches the daemon only over the channel.

import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import os from 'node:os';
import v8 from 'node:v8';
import { findKind } from '../../../connectors/registry.ts';
import { faultsOf } from '../../config/faults.ts';
import { secretsFromFiles } from '../../config/json-schema.ts';
import type {
  BookingPort,
  Connector,
  ConnectorContext,
  ConnectorKind,
  IntakeRequest,
  Memory,
  MirrorView,
} from '../../connector.ts';
import { systemClock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { reachFarNetworks } from '../../platform/network/far-networks.ts';
import { type Ability, abilityFacts, allMethods, type IsolatedFacts, served } from './contract.ts';
import { createFrames } from './frames.ts';
import type { IsolatedStart, SentRequest, SentView } from './members.ts';
import { createWire, type Handler, type Wire } from './wire.ts';

// Before the call of lockDown, which takes them away.
const signals = ['kill', '_kill', '_debugProcess', '_debugEnd', 'ppid'] as const;
const localSockets = ['bind', 'bind2', 'connect', 'connect2', 'listen', 'open'] as const;

/** The pipe to the daemon, see isolation.ts. */
const CHANNEL_FD = 3;
const channel = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
// Ctrl-C and some supervisors signal the whole group; the daemon ends this process when it has no more work for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
lockDown(channel);
reachFarNetworks();
let connector: Connector | undefined;

const handlers: Record<string, Handler> = {
  create: async ([start]: [IsolatedStart]) => factsOf(await create(start)),
  stop: () => connector?.stop(),
  ...Object.fromEntries(allMethods.map((method) => [method.name, handlerOf(method)])),
};

/** What the connector does when the daemon calls this method. */
function handlerOf({ ability, name, takes, abortable }: (typeof allMethods)[number]): Handler {
  return (args: unknown[], signal) => {
    const part = abilityOf(connector, ability);
    const run = part?.[name];
    if (typeof run !== 'function')
      throw new Failure({ kind: 'refused', message: 'The connector cannot do that' });
    const given = takes.map((kind, at) =>
      args[at] === undefined ? undefined : arrivals[kind](args[at] as never),
    );
    return run.apply(part, abortable ? [...given, signal] : given);
  };
}

const abilityOf = (whole: Connector | undefined, ability: Ability) =>
  (ability === 'connector' ? whole : whole?.[ability]) as Record<string, unknown> | undefined;

const { send } = createFrames(
  channel,
  (message) => wire.receive(message),
  () => process.exit(1),
);
const wire: Wire = createWire(send, handlers);
// The daemon is gone, and nothing else would stop this process.
channel.on('close', () => process.exit(0));

async function create({ use, ...given }: IsolatedStart): Promise<Connector> {
  const kind = await findKind(use);
  if (kind === undefined)
    throw new Failure({ kind: 'refused', message: `There is no connector ${use}`, hint: 'Check `use`.' });
  const settings = await kind.settings.safeParseAsync(await withSecrets(kind, given.settings));
  if (!settings.success) {
    const faults = faultsOf({}, settings.error.issues, kind.settings);
    throw new Failure({
      kind: 'refused',
      message: `Its settings are not right: ${faults.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
      hint: 'Correct them in the configuration.',
    });
  }
  const context: ConnectorContext = {
    ...given,
    settings: settings.data,
    bookings: remote<BookingPort>('bookings'),
    memory: remote<Memory>('memory'),
    clock: systemClock,
    log: Object.fromEntries(
      (['debug', 'info', 'warn', 'error'] as const).map((level) => [
        level,
        (text: string, fields = {}) => void wire.call('log', [level, text, fields]).catch(() => {}),
      ]),
    ) as unknown as Log,
    wake: () => void wire.call('wake', []).catch(() => {}),
  };
  connector = await kind.create(context);
  return connector;
}

/** Only the kind knows which of its settings are secrets, and only the daemon may read the files that hold them. */
async function withSecrets(kind: ConnectorKind, given: unknown): Promise<unknown> {
  const settings: Record<string, unknown> = { ...Object(given) };
  for (const secret of secretsFromFiles(kind)) {
    const file = `${secret}_file`;
    if (typeof settings[file] !== 'string') continue;
    settings[secret] = await wire.call('secret', [secret]);
    delete settings[file];
  }
  return settings;
}

/** A proxy for an object of the daemon; its methods are calls over the channel. */
const remote = <T extends object>(name: keyof typeof served, first: unknown[] = []) =>
  Object.fromEntries(
    Object.keys(served[name]).map((method) => [
      method,
      (...args: unknown[]) => wire.call(`${name}.${method}`, [...first, ...args]),
    ]),
  ) as T;

const viewOf = ({ id, clinics }: SentView): MirrorView => ({
  ...remote<MirrorView>('view', [id]),
  clinics,
});

const requestOf = ({ query, body, ...request }: SentRequest): IntakeRequest => ({
  ...request,
  query: new URLSearchParams(query),
  body: Buffer.from(body),
});

const arrivals = { data: (value: unknown) => value, view: viewOf, request: requestOf };

/** What it says of itself, of each ability it has, and which of the methods it has that it may lack. */
function factsOf(whole: Connector): IsolatedFacts {
  const said = Object.entries(abilityFacts).map(([ability, { shape }]) => {
    const part = abilityOf(whole, ability as Ability);
    const known = Object.keys(shape).map((key) => [key, part?.[key]]);
    return [ability, part && Object.fromEntries(known.filter(([, value]) => value !== undefined))];
  });
  const has = allMethods.filter(
    ({ ability, name, optional }) => optional && abilityOf(whole, ability)?.[name],
  );
  return { ...Object.fromEntries(said), has: has.map(({ name }) => name) };
}

/**
 * Removes what Node's permission model leaves open. Call it before loading the connector's code. The permission model
 * itself refuses `process.binding`, the other way to these functions.
 * - Signals: `process.kill` could end the daemon, and SIGUSR1 would open its inspector.
 * - Priorities: `os.setPriority` takes any process of the same user.
 * - V8 flags: some write files of any name, even over the database, or lift the memory limit.
 * - Unix sockets: a database or Docker may trust every connection of this user, and listening creates a file. `channel`
 *   is one too, but already open.
 */
function lockDown(channel: Socket): void {
  const own = process as Partial<Record<(typeof signals)[number], unknown>>;
  for (const name of signals) delete own[name];
  Reflect.deleteProperty(os, 'setPriority');
  Reflect.deleteProperty(v8, 'setFlagsFromString');
  const { _handle } = channel as unknown as { _handle: object };
  for (const name of localSockets) Reflect.deleteProperty(Object.getPrototypeOf(_handle), name);
  syncBuiltinESMExports();
}
