import { expect } from 'vitest';
import type { NotifyTarget, Topic } from '../../../src/config/notify.ts';
import { deliveriesTo } from '../../../src/config/notify.ts';
import { wallClockAt } from '../../../src/domain/date-time.ts';
import type { Alert } from '../../../src/notify/alerts.ts';
import type { MessageType } from '../../../src/notify/message.ts';
import { isEnd } from '../../../src/notify/plan.ts';
import type { Notice } from '../../../src/notify/situation.ts';
import { HOUR, MINUTE } from '../../../src/platform/duration.ts';
import type { Store } from '../../../src/store/store.ts';
import { zone } from '../bookings/world.ts';

export const QUIET = { from: 20 * 60, to: 7 * 60 };
export const REMIND = 4 * HOUR;
export const ESCALATE = 30 * MINUTE;

/** The time during which an alert is listed. */
export interface Episode {
  n: number;
  key: string;
  /** What was said of it, since when. */
  said: { ms: number; urgent: boolean; topics: readonly Topic[] }[];
  /** When it was first listed, and when it no longer was. */
  ms: number;
  endedMs?: number;
  /** A look that listed it went on to its end, or found it over: no stop cut that off. */
  isSeen: boolean;
  isOverSeen: boolean;
}

/** A message that the notifier made: exactly what it is about. */
export interface Made {
  id: string;
  target: string;
  type: MessageType;
  /** Its place in the order of looks, messages and arrivals. */
  seq: number;
  ms: number;
  count: number;
  episodes: readonly number[];
  isAllUrgent: boolean;
  /** When the target took it; or when a stop cut off its sending, which is not repeated. */
  arrived?: { seq: number; ms: number };
}

/** What the notifier saw of a target when it looked. */
export interface Look {
  target: string;
  seq: number;
  ms: number;
  /** Nothing waited for it. */
  isFree: boolean;
  /** The message being sent, which can no longer be held back. */
  begun: string | undefined;
  /** The target takes messages. */
  isPresent: boolean;
  /** False when a stop cut it off. */
  isDone: boolean;
}

export const isQuietAt = (ms: number): boolean => {
  const [hours = 0, minutes = 0] = wallClockAt(ms, zone).time.split(':').map(Number);
  const now = hours * 60 + minutes;
  return now >= QUIET.from || now < QUIET.to;
};

const saidOf = ({ said }: Episode, ms: number) => said.findLast((one) => one.ms <= ms);
export const isUrgentAt = (one: Episode, ms: number): boolean => saidOf(one, ms)?.urgent === true;
export const isAbout = (one: Episode, topic: Topic, ms = Number.POSITIVE_INFINITY): boolean =>
  saidOf(one, ms)?.topics.includes(topic) === true;

/** Everything that the notifier looked at and made, in order, and what of that arrived. */
export class MonthRecord {
  readonly episodes: Episode[] = [];
  readonly made = new Map<string, Made>();
  readonly looks: Look[] = [];
  private open = new Map<string, Episode>();
  private justOver: Episode[] = [];
  private seq = 0;
  private lookUnderWay: Look | undefined;
  private readonly now: () => number;
  private readonly isAway: (target: string) => boolean;

  constructor(now: () => number, isAway: (target: string) => boolean) {
    this.now = now;
    this.isAway = isAway;
  }

  get listed(): Episode[] {
    return [...this.open.values()];
  }

  see(alerts: ReadonlyMap<string, Alert>): void {
    const now = new Map<string, Episode>();
    for (const { key, topics, urgent } of alerts.values()) {
      const episode = this.open.get(key) ?? this.begin(key);
      episode.said.push({ ms: this.now(), urgent, topics });
      now.set(key, episode);
    }
    this.justOver = this.listed.filter(({ key }) => !now.has(key));
    for (const one of this.justOver) one.endedMs = this.now();
    this.open = now;
  }
  private begin(key: string): Episode {
    const n = this.episodes.length;
    const one = { n, key, said: [], ms: this.now(), isSeen: false, isOverSeen: false };
    this.episodes.push(one);
    return one;
  }

  /** The store as the notifier uses it. */
  around<S extends Pick<Store, 'keyValue' | 'deliveries'>>(store: S, targets: readonly NotifyTarget[]): S {
    const targetOf = (connector: string) =>
      targets.find(({ name }) => deliveriesTo(name) === connector)?.name;
    const free = new Map<string, boolean>();
    return {
      ...store,
      keyValue: {
        ...store.keyValue,
        get: async (scope: string, key: string) => {
          const value = await store.keyValue.get(scope, key);
          const target = targetOf(scope.slice('connector:'.length));
          if (key === 'begun' && target !== undefined)
            this.look(target, { begun: value?.split(' ')[0], isFree: free.get(target) === true });
          return value;
        },
        set: async (scope: string, entries: Record<string, string | undefined>) => {
          await store.keyValue.set(scope, entries);
          if (scope === 'notify') this.lookEnds();
        },
      },
      deliveries: {
        ...store.deliveries,
        counts: async (connector: string) => {
          const counts = await store.deliveries.counts(connector);
          const target = targetOf(connector);
          if (target !== undefined) free.set(target, counts.pending === 0);
          return counts;
        },
        enqueue: async (...given: Parameters<Store['deliveries']['enqueue']>) => {
          const target = targetOf(given[0]);
          if (target !== undefined) {
            const notes = Object.entries(await store.keyValue.list('notify', `${target} `));
            for (const { id, type, body } of given[3]) this.make(target, { id, type, body, notes });
          }
          return store.deliveries.enqueue(...given);
        },
      },
    };
  }

  private look(target: string, seen: Pick<Look, 'begun' | 'isFree'>): void {
    this.lookEnds();
    this.seq += 1;
    const isPresent = !this.isAway(target);
    const look = { target, seq: this.seq, ms: this.now(), ...seen, isPresent, isDone: false };
    this.looks.push(look);
    this.lookUnderWay = look;
    for (const one of this.listed) one.isSeen = true;
    for (const one of this.justOver) one.isOverSeen = true;
  }
  /** Its notes are stored, or it went on to the next target. */
  private lookEnds(): void {
    if (this.lookUnderWay !== undefined) this.lookUnderWay.isDone = true;
    this.lookUnderWay = undefined;
  }
  stopped(): void {
    this.lookUnderWay = undefined;
  }

  private make(
    target: string,
    message: { id: string; type: string; body: string; notes: [string, string][] },
  ): void {
    const { id, type, body } = message;
    // A restart hands over again what may not have been handed over.
    if (this.made.has(id)) return;
    const about = message.notes.flatMap(([key, value]) => {
      const { delivery, item } = JSON.parse(value) as Notice;
      return delivery === id ? [{ key: key.slice(target.length + 1), urgent: item.urgent }] : [];
    });
    const episodes = about.flatMap(({ key }) => this.episodeOf(key, type)?.n ?? []);
    this.seq += 1;
    this.made.set(id, {
      ...{ id, target, type: type as MessageType, seq: this.seq, ms: this.now(), episodes },
      count: JSON.parse(body).count,
      isAllUrgent: about.every(({ urgent }) => urgent),
    });
  }
  private episodeOf(key: string, type: string): Episode | undefined {
    const all = this.episodes.filter((one) => one.key === key);
    return isEnd(type) ? all.findLast(({ endedMs }) => endedMs !== undefined) : all.at(-1);
  }

  /** The target took it, or a stop cut off its sending. */
  arrive(id: string): Made {
    const message = this.made.get(id);
    expect.assert(message, `${id} was made by no one`);
    this.seq += 1;
    message.arrived ??= { seq: this.seq, ms: this.now() };
    return message;
  }

  /** Messages to a target of some kinds that it was sent. */
  told(target: string, ...types: MessageType[]): Made[] {
    return [...this.made.values()].filter(
      (one) => one.target === target && types.includes(one.type) && one.arrived !== undefined,
    );
  }
}
