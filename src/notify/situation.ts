import type { NotifyTarget, Topic } from '../config/notify.ts';
import { type Instant, instant } from '../platform/clock.ts';
import type { Alert } from './alerts.ts';
import type { Item, LostReason, MessageType } from './message.ts';

/** The last notification to one target about one alert; stored before anything is sent. */
export interface Notice {
  item: Item;
  topics: Topic[];
  /** When this target was first notified, or should have been. */
  first: Instant;
  /** When it was last notified, by which type of message, and in which delivery. */
  at: Instant;
  type: MessageType;
  delivery: string;
  /** Deliveries of the newest messages about it alone, and whether a later one was about several alerts. */
  alone?: string[];
  toldTogether?: boolean;
  /** Not sent yet: the target took no messages, and perhaps quiet hours began before it did. */
  owed?: boolean | undefined;
  /**
   * Messages in a row that were lost; until when the next one waits; whether the last one may have arrived after all.
   */
  lost?: number | undefined;
  notBefore?: Instant | undefined;
  perhaps?: boolean | undefined;
  /** Its end is not sent yet: over `now`; over `before` it came back and is reported again; or over `again` since. */
  over?: 'now' | 'before' | 'again' | undefined;
}

export interface Situation {
  target: NotifyTarget;
  alerts: ReadonlyMap<string, Alert>;
  /** Notifications to this target so far, by key of the alert. */
  notices: ReadonlyMap<string, Notice>;
  /** Keys of alerts that another target escalates to this one. */
  escalated: ReadonlySet<string>;
  /** Urgent alerts of which another target, named here, cannot be told. */
  unreached?: ReadonlyMap<string, string>;
  /** Deliveries to this target that have not arrived. */
  waiting: ReadonlySet<string>;
  /** Deliveries that were given up, and whether they may have arrived. */
  lost?: ReadonlyMap<string, LostReason | undefined>;
  /** When something last waited after an attempt: the target took no messages. */
  troubledAt?: number | undefined;
  /** Those that were being sent, which may have arrived although no answer is stored yet. */
  underWay?: ReadonlySet<string>;
  /** When deliveries that had to wait last waited, shortly before they arrived. */
  waitedUntil?: ReadonlyMap<string, number>;
  now: number;
  zoneOf: (clinic: string | null) => string;
  newId: () => string;
}

export interface Plan {
  /** Notifications to store; undefined deletes one. */
  notices: Map<string, Notice | undefined>;
  /** Deliveries that need not be sent any longer. */
  takenBack: string[];
}

/** After the clock was set back, nothing waits until it is as late again. */
export function onThisClock(given: Situation, step: Plan, longestWaitMs: number): Situation {
  const at = instant(given.now);
  const latest = instant(given.now + longestWaitMs);
  const notices = new Map(given.notices);
  for (const [key, one] of given.notices) {
    const isAhead = one.at > at || one.first > at || (one.notBefore !== undefined && one.notBefore > latest);
    if (!isAhead) continue;
    const first = one.first > at ? at : one.first;
    const now = { ...one, at, first, ...(one.notBefore !== undefined && { notBefore: at }) };
    step.notices.set(key, now);
    notices.set(key, now);
  }
  return { ...given, notices };
}
