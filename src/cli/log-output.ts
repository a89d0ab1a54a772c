import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { type Instant, instant } from '../platform/clock.ts';
import { codeOf } from '../platform/failure.ts';
import type { LogOutput } from '../platform/log.ts';

/** What waits for a reader that stands still; further lines are dropped. */
const MOST_WAITING_BYTES = 2 * 1024 * 1024;
/** How soon a full pipe, and a full disk, is tried again. */
const AGAIN_MS = { EAGAIN: 50, other: 1_000 };
/** A process that ends waits this long for a reader that stands still. */
const LAST_FLUSH_MS = 500;

interface LineOutput extends LogOutput {
  /** Never waits and never throws. */
  write(line: string): void;
  /** Writes now what the reader takes. */
  flush(): void;
}

interface OutputOptions {
  fd: number;
  /** Called when lines are written again after some were dropped. */
  onResumed: (dropped: number, since: Instant) => void;
}

/**
 * Writes lines without ever waiting for their reader: Docker's blocking driver, journald or a collector may stand
 * still, and the disk under a redirected log may be full. The lines of one event-loop turn share one write, because a
 * write costs more than a line.
 */
export function createLineOutput({ fd, onResumed }: OutputOptions): LineOutput {
  const target = targetOf(fd);
  let waiting: string[] = [];
  let waitingBytes = 0;
  let current = Buffer.alloc(0);
  let isBusy = false;
  let isScheduled = false;
  let again: NodeJS.Timeout | undefined;
  let stalled: { since: Instant; code: string } | undefined;
  let dropping: { count: number; since: Instant } | undefined;
  let droppedInAll = 0;
  let droppedAt: Instant | null = null;

  const now = () => instant(Date.now());
  const next = (): boolean => {
    if (current.length === 0 && waiting.length > 0) {
      current = Buffer.from(waiting.join(''));
      waiting = [];
      waitingBytes = 0;
    }
    return current.length > 0;
  };
  const took = (bytes: number) => {
    current = current.subarray(bytes);
    if (current.length > 0 || waiting.length > 0) return;
    stalled = undefined;
    if (dropping === undefined) return;
    const { count, since } = dropping;
    dropping = undefined;
    onResumed(count, since);
  };
  const failed = (code = 'EIO') => {
    stalled ??= { since: now(), code };
    again ??= setTimeout(retry, code === 'EAGAIN' ? AGAIN_MS.EAGAIN : AGAIN_MS.other).unref();
  };
  const retry = () => {
    again = undefined;
    flush();
  };
  const flush = () => {
    if (isBusy || again !== undefined) return;
    if (!target.waits) return flushNow();
    if (!next()) return;
    isBusy = true;
    write(target.fd, current, (error, bytes) => {
      isBusy = false;
      if (error) return failed(error.code);
      took(bytes);
      flush();
    });
  };
  const flushNow = () => {
    try {
      while (next()) took(writeSync(target.fd, current));
    } catch (error) {
      failed(codeOf(error));
    }
  };
  process.once('exit', () => {
    const until = performance.now() + LAST_FLUSH_MS;
    // Node finishes a write that its thread has begun.
    if (isBusy) current = Buffer.alloc(0);
    do {
      stalled = undefined;
      flushNow();
    } while (isFull(stalled) && performance.now() < until && pause());
  });

  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      // Until all that waits is written, so that a slow reader gets long stretches and one line about the gap.
      if (dropping !== undefined || waitingBytes + current.length + bytes > MOST_WAITING_BYTES) {
        droppedAt = now();
        dropping ??= { count: 0, since: droppedAt };
        dropping.count += 1;
        droppedInAll += 1;
        return;
      }
      waiting.push(line);
      waitingBytes += bytes;
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        flush();
      });
    },
    flush,
    dropped: () => droppedInAll,
    droppedAt: () => droppedAt,
    stalled: () => stalled,
  };
}

const isFull = (stalled: { code: string } | undefined): boolean => stalled?.code === 'EAGAIN';

function pause(): true {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  return true;
}

interface Target {
  fd: number;
  /** Whether a write may wait, and therefore has to happen on another thread. */
  waits: boolean;
}

/**
 * A pipe or socket must be written without waiting, because a thread that waits for its reader would keep the process
 * from ending. Node makes it so for its own stream. A terminal is opened a second time, as its other users expect
 * writes to it to wait.
 */
function targetOf(fd: number): Target {
  try {
    const stat = fstatSync(fd);
    if (stat.isFIFO() || stat.isSocket()) {
      void (fd === 1 ? process.stdout : process.stderr);
      return { fd, waits: false };
    }
    if (stat.isCharacterDevice()) {
      const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
      return { fd: openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY), waits: false };
    }
  } catch {
    // A closed descriptor, or a system without /proc.
  }
  return { fd, waits: true };
}
