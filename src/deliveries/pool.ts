import type { EventDelivery } from '../connector.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Clock } from '../platform/clock.ts';
import { asFailure, type Failure } from '../platform/failure.ts';
import { call } from './call.ts';

const DEADLINE_MS = 60_000;

/** One attempt that is over. `failure` undefined: the receiver has it. */
export interface Attempt {
  delivery: Delivery;
  failure: Failure | undefined;
  /** Call it once the outcome is stored: the thing's next delivery may follow. */
  release(): void;
}

/** Deliveries on their way, at most one per thing. */
export interface Pool {
  /** Slots taken, those of calls included that were given up but have not returned. */
  readonly taken: number;
  /** Attempts whose outcome is still to come. */
  readonly running: number;
  holds(delivery: Delivery): boolean;
  start(delivery: Delivery, signal: AbortSignal): void;
  /** Attempts that ended since the last call. An attempt cut off by its signal has no outcome and is not among them. */
  ended(): Attempt[];
  /** Resolves when an attempt ends. */
  change(): Promise<void>;
}

export function createPool({ events, clock }: { events: EventDelivery; clock: Clock }): Pool {
  const things = new Set<string>();
  const over: Attempt[] = [];
  let running = 0;
  let changed = () => {};

  return {
    get taken() {
      return things.size;
    },
    get running() {
      return running;
    },
    holds: (delivery) => things.has(keyOf(delivery)),

    start(delivery, signal) {
      const { id, clinic, sequence, type, body, attempts } = delivery;
      const key = keyOf(delivery);
      things.add(key);
      running += 1;
      const { outcome, ended } = call(
        { clock, deadlineMs: events.deadlineMs ?? DEADLINE_MS, signal, doing: 'The delivery' },
        (bounded) => events.deliver({ id, clinic, sequence, type, body, attempt: attempts + 1 }, bounded),
      );
      const release = () => void ended.then(() => things.delete(key));
      const finish = (attempt?: Attempt) => {
        running -= 1;
        if (attempt) over.push(attempt);
        else release();
        changed();
      };
      outcome.then(
        () => finish({ delivery, failure: undefined, release }),
        (error: unknown) =>
          signal.aborted
            ? finish()
            : finish({ delivery, failure: asFailure(error, 'The delivery'), release }),
      );
    },

    ended: () => over.splice(0),

    change: () =>
      new Promise((resolve) => {
        changed = resolve;
        if (over.length > 0 || running === 0) resolve();
      }),
  };
}

const keyOf = ({ clinic, thing }: Delivery) => `${clinic} ${thing}`;
