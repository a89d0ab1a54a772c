import { randomUUID } from 'node:crypto';
import { deliveriesTo, type NotifyTarget } from '../config/notify.ts';
import { notificationThing } from '../domain/delivery.ts';
import type { HealthReason, Need } from '../domain/status/report.ts';
import { instant, toMs } from '../platform/clock.ts';
import { DAY, SECOND } from '../platform/duration.ts';
import { asFailure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Store } from '../store/store.ts';
import { type Alert, alertsOf } from './alerts.ts';
import { announcer, type EventOptions } from './events.ts';
import { forgetLost, memoryOf, NOTICES, type Outbox, outboxOf, reportProblems } from './outbox.ts';
import { escalations, isEnd, NO_DELIVERY, noticeMessageOf, plan, unreached } from './plan.ts';
import { type SilenceWatchOptions, silenceWatch } from './silence-watch.ts';
import type { Notice } from './situation.ts';
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

const keyOf = (target: string, alert: string) => `${target} ${alert}`;

/** Compares the needs with what people were notified of, and enqueues missing messages. */
export function startNotifier(options: NotifierOptions): Loop {
  const { clock, log, look, targets } = options;
  const blind = withoutDatabase(options);
  const silences = silenceWatch(options);
  const announce = announcer(options);
  let notes: Notes | undefined;
  const seen: Seen = new Map();

  const tellAll = async (): Promise<void> => {
    notes ??= await readNotes(options, seen);
    const { needs, reasons } = await look();
    const at = instant(clock.now());
    const alerts = alertsOf({ needs, reasons, at, publicUrl: options.publicUrl });
    await announce(alerts);
    for (const alert of await silences()) alerts.set(alert.key, alert);
    // A failed step may or may not have been stored, so everything is read again.
    const before = notes;
    notes = undefined;
    await lookAt(before, seen, options);
    for (const target of targets) await tell(target, alerts, { notes: before, seen }, options);
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

/** What this process saw of a target. */
interface Sight {
  outbox: Outbox;
  /** The delivery that was being sent. */
  begun: string;
  /** When its deliveries last waited. */
  waitedUntil: ReadonlyMap<string, number>;
  /** When anything last waited after an attempt. */
  troubledAt?: number | undefined;
  reported?: string;
}
type Seen = Map<string, Sight>;

const begunIn = (stored: string | undefined): string => stored?.split(' ')[0] ?? '';

/** Also hands over messages that a stop kept from the deliveries; their ids are known, so nothing is added twice. */
async function readNotes(options: NotifierOptions, seen: Seen): Promise<Notes> {
  const { store, targets, clock } = options;
  const notes = new Map(targets.map(({ name }) => [name, new Map<string, Notice>()]));
  const strangers: string[] = [];
  for (const [key, value] of Object.entries(await store.keyValue.list(NOTICES, ''))) {
    const [target = '', ...alert] = key.split(' ');
    const notices = notes.get(target);
    if (notices === undefined) strangers.push(key);
    else notices.set(alert.join(' '), JSON.parse(value) as Notice);
  }
  if (strangers.length > 0)
    await store.keyValue.set(NOTICES, Object.fromEntries(strangers.map((key) => [key, undefined])));
  for (const target of targets) {
    const recent = [...(notes.get(target.name)?.values() ?? [])].filter(
      ({ at, delivery }) => delivery !== NO_DELIVERY && clock.now() - toMs(at) < HANDED_OVER_MS,
    );
    await handOver(target, recent, options);
    const outbox = await outboxOf(target.name, store);
    await dropUnnoted(target, notes.get(target.name), outbox, options);
    if (seen.has(target.name)) continue;
    // What waited may leave before the first look.
    const waited = [...outbox.waiting].map((id) => [id, clock.now()] as const);
    const waitedUntil = new Map([...waited, ...(await arrivalsOf(recent, options))]);
    seen.set(target.name, { outbox, begun: '', waitedUntil });
    // The configuration may have been mended since.
    await store.deliveries.hasten(deliveriesTo(target.name), instant(clock.now()));
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
  { waiting }: Outbox,
  { store, clock }: NotifierOptions,
): Promise<void> {
  const noted = new Set([...notices.values()].map(({ delivery }) => delivery));
  const connector = deliveriesTo(name);
  const unnoted = [...waiting].filter((id) => !noted.has(id));
  if (unnoted.length === 0) return;
  for (const { id, type } of await store.deliveries.list({ connector, state: 'pending' }))
    if (unnoted.includes(id) && !isEnd(type))
      await store.deliveries.decide(connector, 'abandon', instant(clock.now()), id);
}

/** Looks at every target first, because one may have to be told for another. */
async function lookAt(notes: Notes, seen: Seen, { targets, store, clock }: NotifierOptions): Promise<void> {
  const now = clock.now();
  for (const { name } of targets) {
    // Read first: what is pending afterwards and was not begun has not left. Read again before anything is taken back.
    const { begun } = await store.keyValue.list(memoryOf(name), 'begun');
    const outbox = await outboxOf(name, store);
    const before = seen.get(name);
    const notices = notes.get(name) ?? new Map<string, Notice>();
    seen.set(name, {
      ...{ outbox, begun: begunIn(begun) },
      waitedUntil: waitedOf(notices, outbox.waiting, { before: before?.waitedUntil, now }),
      troubledAt: outbox.isFailing ? now : before?.troubledAt && Math.min(now, before.troubledAt),
      reported: await reportProblems(name, before?.reported, store, instant(now)),
    });
  }
}

async function tell(
  target: NotifyTarget,
  alerts: ReadonlyMap<string, Alert>,
  { notes, seen }: { notes: Notes; seen: Seen },
  options: NotifierOptions,
): Promise<void> {
  const { store, clock, clinics, log } = options;
  const notices = notes.get(target.name) ?? new Map<string, Notice>();
  const connector = deliveriesTo(target.name);
  const sight = seen.get(target.name);
  if (sight === undefined) return;
  const { waitedUntil, troubledAt } = sight;
  const begun = async () => begunIn(await store.keyValue.get(memoryOf(target.name), 'begun'));
  // Read again between two looks at what is being sent: what left meanwhile is not taken back.
  const before = await begun();
  const outbox = sight.outbox.waiting.size === 0 ? sight.outbox : await outboxOf(target.name, store);
  const step = plan({
    target,
    alerts,
    notices,
    ...{
      escalated: escalatedTo(target, notes, options),
      unreached: unreachedFor(target, notes, seen, options),
    },
    ...{ waiting: outbox.waiting, lost: outbox.lost, waitedUntil, troubledAt },
    underWay: new Set([sight.begun, before, outbox === sight.outbox ? before : await begun()]),
    now: clock.now(),
    zoneOf: (clinic) => zoneIn(clinics, clinic),
    newId: () => `ntf_${randomUUID()}`,
  });
  const at = instant(clock.now());
  if (step.notices.size > 0)
    await store.keyValue.set(
      NOTICES,
      Object.fromEntries(
        [...step.notices].map(([key, one]) => [keyOf(target.name, key), one && JSON.stringify(one)]),
      ),
    );
  await forgetLost(target.name, outbox, store, at);
  for (const id of step.takenBack) await store.deliveries.decide(connector, 'abandon', at, id);
  // What is over or taken back keeps or reverts to an earlier delivery, which was handed over already.
  const made = [...step.notices].flatMap(([key, one]) => {
    const former = notices.get(key);
    return one === undefined ||
      [NO_DELIVERY, former?.delivery, ...(former?.alone ?? [])].includes(one.delivery)
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
      return ms === undefined ? [] : [[delivery, Math.min(now, ms)] as const];
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

/** Urgent things that this target is told because another, named here, cannot be reached. */
function unreachedFor(
  { name }: NotifyTarget,
  notes: Notes,
  seen: Seen,
  { targets, clock }: NotifierOptions,
): Map<string, string> {
  const keysOf = (other: NotifyTarget) =>
    unreached(
      notes.get(other.name) ?? new Map(),
      seen.get(other.name)?.outbox.waiting ?? new Set(),
      clock.now(),
    );
  const working = targets.find((one) => one.on.includes('needs_you') && keysOf(one).length === 0);
  return new Map(
    targets.flatMap((other) =>
      (other.escalate?.to ?? working?.name) === name && other.name !== name
        ? keysOf(other).map((key) => [key, other.name] as const)
        : [],
    ),
  );
}

/** Resolves to the number of messages. */
async function handOver(
  target: NotifyTarget,
  notices: readonly Notice[],
  { store, publicUrl, wake, clock }: NotifierOptions,
): Promise<number> {
  const messages = [...Map.groupBy(notices, ({ delivery }) => delivery)].flatMap(([id, all]) => {
    const message = noticeMessageOf(all, publicUrl === undefined ? null : `${publicUrl}/`);
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
