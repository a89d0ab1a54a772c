import { createHash } from 'node:crypto';
import type { EventDelivery } from '../connector.ts';
import type { AnnouncedType, Change, NewChange } from '../domain/clinics/change.ts';
import { type Clock, type Instant, instant } from '../platform/clock.ts';
import type { JsonObject } from '../platform/json.ts';
import type { Store } from '../store/store.ts';
import type { Alert } from './alerts.ts';
import type { Item } from './message.ts';

/** A connector that takes events. */
interface EventReceiver {
  name: string;
  clinics: readonly string[];
  events: EventDelivery;
}

export interface EventOptions {
  store: Pick<Store, 'keyValue' | 'deliveries' | 'changes' | 'identity'>;
  /** The current receivers. */
  receivers: () => readonly EventReceiver[];
  wake: (connector: string) => void;
  clock: Clock;
}

const SCOPE = 'events';
/** Events recorded in one transaction. */
const TOGETHER = 200;

type Pair = [resource: 'need' | 'health', opening: AnnouncedType, closing: AnnouncedType];
const pairs: Record<string, Pair> = {
  needs_you: ['need', 'needs_you.opened', 'needs_you.settled'],
  trouble: ['health', 'health.trouble', 'health.recovered'],
};

/** A change that has no sequence yet. */
interface Announcement extends NewChange {
  clinic: string | null;
  /** When it began: with the alert and the type, this identifies one event, however often it is handed over. */
  since: Instant;
}

/**
 * Events about notifications: `needs_you.…` and `health.…`. Those of a clinic are changes in its log; all others go
 * directly to the connectors. Nothing is recorded while no connector wants them.
 */
export function announcer(options: EventOptions) {
  const { store, clock } = options;
  let open: Map<string, Item> | undefined;

  return async (alerts: ReadonlyMap<string, Alert>): Promise<void> => {
    const receivers = await wanting(options.receivers(), instant(clock.now()));
    if (receivers.length === 0) return;
    open ??= await readOpen(store);
    const before = open;
    const found = new Map([...alerts.values()].flatMap((alert) => entriesOf(alert)));
    const opened = [...found].filter(([key]) => !before.has(key));
    const settled = [...before].filter(([key]) => !found.has(key));
    if (opened.length + settled.length === 0) return;
    // A failed step may or may not have been stored, so it is read again.
    open = undefined;
    const all = [
      ...opened.map(([key, item]) => announcement(key, item, 'opening')),
      ...settled.map(([key, item]) => announcement(key, item, 'closing')),
    ];
    await record(all, receivers, options);
    await store.keyValue.set(SCOPE, {
      ...Object.fromEntries(opened.map(([key, item]) => [key, JSON.stringify(item)])),
      ...Object.fromEntries(settled.map(([key]) => [key, undefined])),
    });
    for (const [key, item] of opened) before.set(key, item);
    for (const [key] of settled) before.delete(key);
    open = before;
  };
}

async function readOpen(store: EventOptions['store']): Promise<Map<string, Item>> {
  const stored = Object.entries(await store.keyValue.list(SCOPE, ''));
  return new Map(stored.map(([key, item]) => [key, JSON.parse(item) as Item]));
}

/** An alert may need people and also be a cause of trouble, which makes two events. */
const entriesOf = ({ key, topics, ...item }: Alert): [string, Item][] =>
  Object.keys(pairs).flatMap((topic): [string, Item][] =>
    topics.some((one) => one === topic) ? [[`${topic} ${key}`, item]] : [],
  );

function announcement(key: string, item: Item, end: 'opening' | 'closing'): Announcement {
  const [topic = ''] = key.split(' ', 1);
  const [resource, opening, closing] = pairs[topic] ?? (pairs.needs_you as Pair);
  const { kind, clinic, subject, sentence, action, since, urgent, url } = item;
  const asks: JsonObject = resource === 'need' ? { action, urgent } : {};
  return {
    ...{ clinic, since, resource, previous: null },
    type: end === 'opening' ? opening : closing,
    id: key.slice(topic.length + 1),
    data: { kind, subject, sentence, ...asks, since, url },
  };
}

async function record(
  all: readonly Announcement[],
  receivers: readonly EventReceiver[],
  options: EventOptions,
): Promise<void> {
  for (const [clinic, some] of Map.groupBy(all, (one) => one.clinic))
    if (clinic === null) await direct(some, receivers, options);
    else if (receivers.some(({ clinics }) => clinics.includes(clinic))) await logged(clinic, some, options);
}

/** Receivers that want any of these events. */
async function wanting(receivers: readonly EventReceiver[], at: Instant): Promise<EventReceiver[]> {
  const found: EventReceiver[] = [];
  for (const receiver of receivers) {
    const samples = Object.values(pairs).flatMap(([resource, ...types]) =>
      types.map((type) => changeOf({ ...sample, resource, type }, at)),
    );
    for (const one of samples)
      if (await receiver.events.wants(one)) {
        found.push(receiver);
        break;
      }
  }
  return found;
}

const sample = { clinic: null, since: instant(0), id: '', data: {}, previous: null };

const changeOf = ({ since: _since, clinic, ...change }: Announcement, at: Instant): Change => ({
  ...change,
  clinic: clinic ?? '',
  sequence: 0,
  at,
});

async function logged(clinic: string, some: readonly Announcement[], { store, clock }: EventOptions) {
  for (let first = 0; first < some.length; first += TOGETHER) {
    const changes = some
      .slice(first, first + TOGETHER)
      .map(({ clinic: _clinic, since: _since, ...change }) => change);
    await store.changes.announce(clinic, instant(clock.now()), changes);
  }
}

async function direct(
  some: readonly Announcement[],
  receivers: readonly EventReceiver[],
  { store, wake, clock }: EventOptions,
): Promise<void> {
  const at = instant(clock.now());
  for (const { name, events } of receivers) {
    const deliveries = [];
    for (const one of some) {
      const change = changeOf(one, at);
      if (!(await events.wants(change))) continue;
      const { type, resource, id } = change;
      const named = JSON.stringify([store.identity.instance, name, type, resource, id, one.since]);
      deliveries.push({
        id: `evt_${createHash('sha256').update(named).digest('base64url').slice(0, 27)}`,
        ...{ sequence: 0, type, thing: `${resource}:${id}` },
        body: await events.encode(change),
      });
    }
    if (deliveries.length === 0) continue;
    await store.deliveries.enqueue(name, '', null, deliveries, at);
    wake(name);
  }
}
