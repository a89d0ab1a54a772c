import { systemClock } from '../platform/clock.ts';
import { clearLine, type Io } from './io.ts';

const FIRST_MS = 2_000;

/** Says how far long work is once it has taken two seconds; on a terminal in one line. A new `stage` is said at once. */
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
