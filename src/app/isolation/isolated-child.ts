// The process of an isolated connector. It knows only its own settings and reaches the daemon only over the channel.
import { Socket } from 'node:net';
import { findKind } from '../../../connectors/registry.ts';
import { faultsOf } from '../../config/faults.ts';
import { secretsFromFiles } from '../../config/json-schema.ts';
import type {
  BookingPort,
  Connector,
  ConnectorContext,
  ConnectorKind,
  ErasedPeople,
  IntakeRequest,
  Memory,
  MirrorView,
  OutgoingEvent,
  ProbeLead,
} from '../../connector.ts';
import type { Change } from '../../domain/clinics/change.ts';
import type { Instant } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { reachFarNetworks } from '../../platform/network/far-networks.ts';
import { createFrames } from './frames.ts';
import { lockDown } from './lock-down.ts';
import {
  type IsolatedFacts,
  type IsolatedStart,
  type SentRequest,
  type SentView,
  viewMethods,
} from './members.ts';
import { createWire, type Handler, type Wire } from './wire.ts';

/** The pipe to the daemon, see isolation.ts. */
const CHANNEL_FD = 3;
const channel = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
// Ctrl-C and some supervisors signal the whole group; the daemon ends this process when it has no more work for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
lockDown(channel);
reachFarNetworks();
let connector: Connector | undefined;

const required = <T>(ability: T | undefined): T => {
  if (ability === undefined) throw new Failure({ kind: 'refused', message: 'The connector cannot do that' });
  return ability;
};

const handlers: Record<string, Handler> = {
  create: async ([start]: [IsolatedStart]) => factsOf(await create(start)),
  wants: ([change]: [Change]) => required(connector?.events).wants(change),
  encode: ([change]: [Change]) => required(connector?.events).encode(change),
  deliver: ([event]: [OutgoingEvent], signal) => required(connector?.events).deliver(event, signal),
  converge: ([view]: [SentView], signal) => required(connector?.state).converge(viewOf(view), signal),
  authorize: ([request]: [SentRequest]) => required(connector?.intake).authorize(requestOf(request)),
  receive: ([request, view]: [SentRequest, SentView?]) =>
    required(connector?.intake).receive(requestOf(request), view && viewOf(view)),
  accepted: ([receipt, ref]: [string, string]) => required(connector?.intake?.accepted)(receipt, ref),
  sample: ([request]: [SentRequest]) => required(connector?.intake?.sample)(requestOf(request)),
  probe: ([lead]: [ProbeLead]) => required(connector?.intake?.probe)(lead),
  page: ([request, view]: [SentRequest, SentView]) =>
    required(connector?.intake?.page)(requestOf(request), viewOf(view)),
  check: (_args, signal) => required(connector).check(signal),
  repair: (_args, signal) => required(connector?.repair)(signal),
  forget: ([erased, view]: [ErasedPeople, SentView], signal) =>
    required(connector?.forget)(erased, viewOf(view), signal),
  tidy: ([before]: [Instant], signal) => required(connector?.tidy)(before, signal),
  stop: () => connector?.stop(),
};

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
    bookings: remote<BookingPort>('bookings', ['accept', 'validate', 'find', 'withdraw']),
    memory: remote<Memory>('memory', ['get', 'set', 'list']),
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
const remote = <T extends object>(
  name: string,
  methods: readonly (keyof T & string)[],
  first: unknown[] = [],
) =>
  Object.fromEntries(
    methods.map((method) => [
      method,
      (...args: unknown[]) => wire.call(`${name}.${method}`, [...first, ...args]),
    ]),
  ) as T;

const viewOf = ({ id, clinics }: SentView): MirrorView => ({
  ...remote<MirrorView>('view', viewMethods, [id]),
  clinics,
});

const requestOf = ({ query, body, ...request }: SentRequest): IntakeRequest => ({
  ...request,
  query: new URLSearchParams(query),
  body: Buffer.from(body),
});

function factsOf({ events, state, intake, repair, forget, holdsNothing, tidy }: Connector): IsolatedFacts {
  return {
    events:
      events &&
      withoutUndefined({
        schedule: events.schedule,
        snapshot: events.snapshot,
        concurrency: events.concurrency,
        deadlineMs: events.deadlineMs,
        coalesce: events.coalesce,
      }),
    state: state && withoutUndefined({ everyMs: state.everyMs, deadlineMs: state.deadlineMs }),
    intake: intake && {
      ...(intake.visitors && { visitors: intake.visitors }),
      ...(intake.framedBy && { framedBy: intake.framedBy }),
      accepted: intake.accepted !== undefined,
      sample: intake.sample !== undefined,
      probe: intake.probe !== undefined,
      page: intake.page !== undefined,
    },
    repair: repair !== undefined,
    forget: forget !== undefined,
    holdsNothing: holdsNothing === true,
    tidy: tidy !== undefined,
  };
}

const withoutUndefined = <T extends object>(facts: T) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
