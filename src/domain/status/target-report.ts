import { type Instant, toMs } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';

/** What a notification target has been told and what not. */
export interface Told {
  /** When it last proved that a message arrived, also one of `notify test`. */
  last_proof_at: Instant | null;
  /** When a message was last tried, in vain or not. */
  last_tried_at: Instant | null;
  /** Things that it has not been told yet, or not proven that it was. */
  owed: number;
  owed_since: Instant | null;
}

export const untold: Told = { last_proof_at: null, last_tried_at: null, owed: 0, owed_since: null };

/** Silent for so long, a target may have stopped working without anybody noticing. */
const IDLE_MS = 7 * DAY;

/** Nothing shows that it works, because nothing was due; `never`: nothing has arrived yet. */
export function idleness({ last_proof_at: at, owed }: Told, now: number): 'idle' | 'never' | undefined {
  if (at === null) return 'never';
  return owed === 0 && now - toMs(at) >= IDLE_MS ? 'idle' : undefined;
}
