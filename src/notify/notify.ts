import { randomUUID } from 'node:crypto';
import { deliveriesTo, type NotifyTarget } from '../config/notify.ts';
import { type Delivery, notificationThing } from '../domain/delivery.ts';
import type { HealthReason, Need } from '../domain/report.ts';
import { instant, toMs } from '../platform/clock.ts';
import { DAY, SECOND } from '../platform/duration.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Store } from '../store/store.ts';
import { type Alert, alertsOf } from './alerts.ts';
import { announcer, type EventOptions } from './events.ts';
import { escalations, isEnd, messageOf, NO_DELIVERY, type Notice, plan } from './plan.ts';
import { type SilenceWatchOptions, silenceWatch } from './silence-watch.ts';
import { withoutDatabase } from './without-database.ts';
import { zoneIn } from './words.ts';

interface NotifierOptions extends SilenceWatchOptions {
  /** All needs, and why health is not `ok`. Throws while the database does not answer. */
  look: () => Promise<{ needs: readonly Need[]; reasons: readonly HealthReason[] }>;
  store: Pick<Store, 'keyValue' | 'deliveries' | 'bookings' | 'changes' | 'identity'>;
  /** Connectors that take events. */
  receivers: EventOptions['receivers'];
  /** Call when a connector has something to deliver. */
  wake: (connector: string) => void;
  log: Log;
}

const LOOK_EVERY_MS = 10 * SECOND;
const LOOK_AT_LEAST_EVERY_MS = 60 * SECOND;
/** Share of time spent on checks, because with thousands of held leads a check is a large read. */
const SHARE = 1 / 20;
/** Deliveries are kept for 30 days, so within this time a message that was never handed over is recognized. */
const HANDED_OVER_MS = 7 * DAY;

const SCOPE = 'notify';
const keyOf = (target: string, alert: string) => `${target} ${alert}`;

/** Compares the needs with what people were notified of, and enqueues missing messages. */
export function startNotifier(options: NotifierOptions): Loop {
  const { clock, log, look, targets } = options;
  const blind = withoutDatabase(options);
  const silences = silenceWatch(options);
  const announce = announcer(options);
  let notes: Notes | undefined;
  const waited: Waited = new Map();

  const tellAll = async (): Promise<void> => {
    notes ??= await readNotes(options, waited);
    const { needs, reasons } = await look();
    const at = instant(clock.now());
    const alerts = alertsOf({ needs, reasons, at, publicUrl: options.publicUrl });
    await announce(alerts);
    for (const alert of await silences()) alerts.set(alert.key, alert);
    // A failed step may or may not have been stored, so everything is read again.
    const before = notes;
    notes = undefined;
    for (const target of targets) await tell(target, alerts, { notes: before, waited }, options);
    notes = before;
  };

  return startLoop({
    clock,
    log,
    name: 'notifications',
    async tick(signal) {
      const began = clock.monotonic();
      try {
        await tellAll();
      } catch (error) {
        signal.throwIfAborted();
        await blind.failed(asFailure(error, 'Reading the database'), signal);
        throw error;
      }
      await blind.worked(signal);
      const rest = (clock.monotonic() - began) / SHARE;
      return Math.min(LOOK_AT_LEAST_EVERY_MS, Math.max(LOOK_EVERY_MS, rest));
    },
  });
}

/** The messages that each target was sent, by alert. */
type Notes = ReadonlyMap<string, Map<string, Notice>>;
/** When each target's deliveries last waited. */
type Waited = Map<string, Map<string, number>>;

/** Also hands over messages that a stop kept from the deliveries; their ids are known, so nothing is added twice. */
async function readNotes(options: NotifierOptions, waited: Waited): Promise<Notes> {
  const { store, targets, clock } = options;
  const notes = new Map(targets.map(({ name }) => [name, new Map<string, Notice>()]));
  const strangers: string[] = [];
  for (const [key, value] of Object.entries(await store.keyValue.list(SCOPE, ''))) {
    const [target = '', ...alert] = key.split(' ');
    const notices = notes.get(target);
    if (notices === undefined) strangers.push(key);
    else notices.set(alert.join(' '), JSON.parse(value) as Notice);
  }
  if (strangers.length > 0)
    await store.keyValue.set(SCOPE, Object.fromEntries(strangers.map((key) => [key, undefined])));
  for (const target of targets) {
    const recent = [...(notes.get(target.name)?.values() ?? [])].filter(
      ({ at, delivery }) => delivery !== NO_DELIVERY && clock.now() - toMs(at) < HANDED_OVER_MS,
    );
    await handOver(target, recent, options);
    await dropUnnoted(target, notes.get(target.name), options);
    if (!waited.has(target.name)) waited.set(target.name, await arrivalsOf(recent, options));
  }
  return notes;
}

/** When each of the deliveries arrived: it had waited until then. */
async function arrivalsOf(
  notices: readonly Notice[],
  { store }: NotifierOptions,
): Promise<Map<string, number>> {
  const arrivals = new Map<string, number>();
  for (const id of new Set(notices.map(({ delivery }) => delivery)))
    for (const { delivered_at } of await store.deliveries.of('', notificationThing(id)))
      if (delivered_at !== null) arrivals.set(id, toMs(delivered_at));
  return arrivals;
}

/** What was taken back when a step was cut short after its notes were stored. */
async function dropUnnoted(
  { name }: NotifyTarget,
  notices: ReadonlyMap<string, Notice> = new Map(),
  options: NotifierOptions,
): Promise<void> {
  const { store, clock } = options;
  const noted = new Set([...notices.values()].map(({ delivery }) => delivery));
  for (const { id, type } of await waitingFor(deliveriesTo(name), options))
    if (!noted.has(id) && !isEnd(type))
      await store.deliveries.decide(deliveriesTo(name), 'abandon', instant(clock.now()), id);
}

async function tell(
  target: NotifyTarget,
  alerts: ReadonlyMap<string, Alert>,
  { notes, waited }: { notes: Notes; waited: Waited },
  options: NotifierOptions,
): Promise<void> {
  const { store, clock, clinics, log } = options;
  const notices = notes.get(target.name) ?? new Map<string, Notice>();
  const connector = deliveriesTo(target.name);
  const waiting = new Set((await waitingFor(connector, options)).map(({ id }) => id));
  const waitedUntil = waitedOf(notices, waiting, { before: waited.get(target.name), now: clock.now() });
  waited.set(target.name, waitedUntil);
  const step = plan({
    target,
    alerts,
    notices,
    escalated: escalatedTo(target, notes, options),
    waiting,
    waitedUntil,
    underWay: (await store.keyValue.get(`connector:${connector}`, 'begun'))?.split(' ')[0],
    now: clock.now(),
    zoneOf: (clinic) => zoneIn(clinics, clinic),
    newId: () => `ntf_${randomUUID()}`,
  });
  if (step.notices.size === 0) return;
  const at = instant(clock.now());
  await store.keyValue.set(
    SCOPE,
    Object.fromEntries(
      [...step.notices].map(([key, one]) => [keyOf(target.name, key), one && JSON.stringify(one)]),
    ),
  );
  for (const id of step.takenBack) await store.deliveries.decide(connector, 'abandon', at, id);
  // What is over or taken back keeps or reverts to an earlier delivery, which was handed over already.
  const made = [...step.notices].flatMap(([key, one]) => {
    const before = notices.get(key);
    return one === undefined ||
      [NO_DELIVERY, before?.delivery, ...(before?.alone ?? [])].includes(one.delivery)
      ? []
      : [one];
  });
  for (const [key, one] of step.notices)
    if (one === undefined) notices.delete(key);
    else notices.set(key, one);
  const count = await handOver(target, made, options);
  if (count > 0) log.info('notifications to send', { connector, count });
}

/** Only of alerts that were reported and are not over. */
const waitedOf = (
  notices: ReadonlyMap<string, Notice>,
  waiting: ReadonlySet<string>,
  { before, now }: { before: ReadonlyMap<string, number> | undefined; now: number },
): Map<string, number> =>
  new Map(
    [...notices.values()].flatMap(({ delivery }) => {
      const ms = waiting.has(delivery) ? now : before?.get(delivery);
      return ms === undefined ? [] : [[delivery, ms] as const];
    }),
  );

const escalatedTo = (
  { name }: NotifyTarget,
  notes: Notes,
  { targets, clock }: NotifierOptions,
): Set<string> =>
  new Set(
    targets.flatMap((other) => {
      const passed = escalations(other, notes.get(other.name) ?? new Map(), clock.now());
      return passed?.to === name ? passed.keys : [];
    }),
  );

async function waitingFor(connector: string, { store }: NotifierOptions): Promise<Delivery[]> {
  const { pending } = await store.deliveries.counts(connector);
  return pending === 0 ? [] : store.deliveries.list({ connector, state: 'pending' });
}

/** Resolves to the number of messages. */
async function handOver(
  target: NotifyTarget,
  notices: readonly Notice[],
  { store, publicUrl, wake, clock }: NotifierOptions,
): Promise<number> {
  const messages = [...Map.groupBy(notices, ({ delivery }) => delivery)].flatMap(([id, all]) => {
    const message = messageOf(all, publicUrl === undefined ? null : `${publicUrl}/`);
    const { type } = message ?? {};
    return type === undefined
      ? []
      : [{ id, sequence: 0, type, thing: notificationThing(id), body: JSON.stringify(message) }];
  });
  if (messages.length === 0) return 0;
  const connector = deliveriesTo(target.name);
  await store.deliveries.enqueue(connector, '', null, messages, instant(clock.now()));
  wake(connector);
  return messages.length;
}
