import { addressKey } from './allowance.ts';

/**
 * The memory of all bodies that are not read to their end. Without it, a stranger's unfinished bodies fill the memory
 * before anyone knows who sends them.
 */
export interface BodyBudget {
  /** Begins a body. `giveUp` is called once at most, when its memory is needed for others. */
  open(address: string, giveUp: () => void): HeldBody;
  /**
   * Calls `work` when it is its turn: one in each turn of the event loop, in their order. Node would read 2 MB of each
   * body first, and accepts one connection a turn: others would wait for many seconds.
   */
  turn(work: () => void): void;
}

interface HeldBody {
  /** The bytes of memory that the body now takes; may call the `giveUp` of this body or of another. */
  hold(bytes: number): void;
  /** Idempotent. */
  close(): void;
}

interface Body {
  bytes: number;
  giveUp: () => void;
}

/**
 * Beyond the limit, the largest body of the address that holds the most is given up: whoever sends little, as a genuine
 * lead does, is read whatever others send.
 */
export function createBodyBudget(limitBytes: number): BodyBudget {
  const senders = new Map<string, { bytes: number; bodies: Set<Body> }>();
  let held = 0;
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };

  const giveUpLargest = () => {
    const sender = largest([...senders.values()]);
    const body = sender && largest([...sender.bodies]);
    body?.giveUp();
  };

  return {
    turn(work) {
      if (waiting.push(work) === 1) setImmediate(next);
    },
    open(address, giveUp) {
      const key = addressKey(address);
      const sender = senders.get(key) ?? { bytes: 0, bodies: new Set() };
      senders.set(key, sender);
      const body: Body = { bytes: 0, giveUp };
      sender.bodies.add(body);
      const set = (bytes: number) => {
        held += bytes - body.bytes;
        sender.bytes += bytes - body.bytes;
        body.bytes = bytes;
      };
      const close = () => {
        set(0);
        sender.bodies.delete(body);
        if (sender.bodies.size === 0 && senders.get(key) === sender) senders.delete(key);
      };
      body.giveUp = () => {
        close();
        giveUp();
      };
      return {
        hold(bytes) {
          if (!sender.bodies.has(body)) return;
          set(bytes);
          while (held > limitBytes) giveUpLargest();
        },
        close,
      };
    },
  };
}

/** The first of the largest, which is the oldest. */
const largest = <T extends { bytes: number }>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>(
    (most, one) => (most === undefined || one.bytes > most.bytes ? one : most),
    undefined,
  );
