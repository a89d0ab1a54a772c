import { type Clock, systemClock } from '../platform/clock.ts';
import { SECOND } from '../platform/duration.ts';
import { clearLine, type Io } from './io.ts';

const FIRST_MS = 2_000;

/**
 * Reports progress of work that takes two seconds or more, on a terminal in one line. A new `stage` is reported at
 * once.
 */
export function progressTeller(io: Io): (text: string, stage?: string) => void {
  const every = io.terminal ? 200 : 10_000;
  const first = systemClock.monotonic() + FIRST_MS;
  let next = first;
  let last: string | undefined;
  return (text, stage) => {
    const now = systemClock.monotonic();
    if (now < first || (now < next && stage === last)) return;
    next = now + every;
    last = stage;
    io.err(io.terminal ? `${clearLine}${text}` : `${text}\n`);
  };
}

/**
 * Shows what is being done and for how many seconds, in one line of the terminal. Shows it at once, because work that
 * reads a whole file blocks the event loop.
 */
export async function whileWorking<T>(
  io: Pick<Io, 'terminal' | 'err'>,
  doing: string,
  work: () => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  if (!io.terminal) return await work();
  const began = clock.monotonic();
  const ended = new AbortController();
  const tell = async () => {
    for (;;) {
      const seconds = Math.floor((clock.monotonic() - began) / SECOND);
      io.err(`${clearLine}${doing} …${seconds > 0 ? ` ${seconds} s` : ''}`);
      await clock.sleep(SECOND, ended.signal);
    }
  };
  const telling = tell().catch(() => {});
  try {
    return await work();
  } finally {
    ended.abort();
    await telling;
    io.err(clearLine);
  }
}
