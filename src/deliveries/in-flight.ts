import type { EventDelivery } from '../connector.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Clock } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import { asFailure, type Failure } from '../platform/failure.ts';
import { call, type ObserveCall } from './call.ts';

const DEADLINE_MS = MINUTE;
/** Outcomes are stored together: an fsync costs more than their rows. */
const MOST_TOGETHER = 128;
const LONGEST_WAIT_MS = 50;

/** A finished attempt. `failure` undefined: the receiver has it. */
export interface Attempt {
  delivery: Delivery;
  failure: Failure | undefined;
  /** Call once the outcome is stored: the next delivery of this record may follow. */
  release(): void;
}

/** Deliveries being sent, at most one per record, and outcomes to store. */
export class InFlight {
  readonly #events: EventDelivery;
  readonly #clock: Clock;
  readonly #observe: ObserveCall | undefined;
  readonly #records = new Set<string>();
  #running = 0;
  #outcomes: Attempt[] = [];
  #isRipe = false;
  #ageing = new AbortController();
  /** An attempt ended, or outcomes became ripe, since the last `take`. */
  #hasNews = false;
  #tell = () => {};

  constructor({
    events,
    clock,
    observe,
  }: { events: EventDelivery; clock: Clock; observe?: ObserveCall | undefined }) {
    this.#events = events;
    this.#clock = clock;
    this.#observe = observe;
  }

  /** Records with a call in progress, including timed-out calls that have not returned. */
  get size(): number {
    return this.#records.size;
  }

  /** Slots in use; an outcome to store needs none. */
  get slots(): number {
    return this.#records.size - this.#outcomes.length;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#outcomes.length;
  }

  holds(delivery: Delivery): boolean {
    return this.#records.has(keyOf(delivery));
  }

  start(delivery: Delivery, signal: AbortSignal): void {
    const { id, clinic, sequence, type, body, attempts } = delivery;
    const key = keyOf(delivery);
    this.#records.add(key);
    this.#running += 1;
    const deadlineMs = this.#events.deadlineMs ?? DEADLINE_MS;
    const { outcome, ended } = call(
      { clock: this.#clock, deadlineMs, signal, doing: 'The delivery', observe: this.#observe },
      (bounded) => this.#events.deliver({ id, clinic, sequence, type, body, attempt: attempts + 1 }, bounded),
    );
    const release = () => void ended.then(() => this.#records.delete(key));
    outcome.then(
      () => this.#end({ delivery, failure: undefined, release }),
      (error: unknown) => {
        if (!signal.aborted)
          return this.#end({ delivery, failure: asFailure(error, 'The delivery'), release });
        // Aborted by us: no outcome; it is sent again under the same id.
        release();
        this.#end();
      },
    );
  }

  /** Outcomes to store; with `now: false`, none until they are ripe. */
  take(now: boolean): Attempt[] {
    this.#hasNews = false;
    if (!now && !this.#isRipe) return [];
    this.#ageing.abort();
    this.#isRipe = false;
    return this.#outcomes.splice(0);
  }

  /** Resolves when an attempt has ended, or outcomes have waited long enough, since the last `take`. */
  change(): Promise<void> {
    return new Promise((resolve) => {
      this.#tell = resolve;
      if (this.#hasNews || this.#running === 0) resolve();
    });
  }

  #end(attempt?: Attempt): void {
    this.#running -= 1;
    if (attempt !== undefined) {
      this.#outcomes.push(attempt);
      if (this.#outcomes.length === 1) this.#age();
      // A failure affects what is sent next, so it is stored at once.
      if (attempt.failure !== undefined || this.#outcomes.length >= MOST_TOGETHER) this.#isRipe = true;
    }
    this.#announce();
  }

  #age(): void {
    this.#ageing = new AbortController();
    this.#clock.sleep(LONGEST_WAIT_MS, this.#ageing.signal).then(
      () => {
        this.#isRipe = true;
        this.#announce();
      },
      () => {},
    );
  }

  #announce(): void {
    this.#hasNews = true;
    this.#tell();
  }
}

const keyOf = ({ clinic, thing }: Delivery) => `${clinic} ${thing}`;
