import { createHash } from 'node:crypto';
import type { Change } from '../model/change.ts';
import type { Store } from '../store/store.ts';

const SCOPE = 'deliveries';

/**
 * How often changes that had been taken were asked for again; part of the ids, because a replay under the old ids would
 * be "seen already" to the store and to the receiver. That the cursor is behind where it has been is all there is to
 * see of a replay: another process may have set it back. Noted before anything is taken, so that no crash hides one.
 */
export async function replaysBefore(
  store: Store,
  { connector, clinic, cursor, upTo }: { connector: string; clinic: string; cursor: number; upTo: number },
): Promise<number> {
  const key = `taken:${connector}:${clinic}`;
  const [highest = 0, replays = 0] = ((await store.memory.get(SCOPE, key)) ?? '').split(' ').map(Number);
  const now = cursor < highest ? replays + 1 : replays;
  await store.memory.set(SCOPE, { [key]: `${Math.max(highest, upTo)} ${now}` });
  return now;
}

interface Identified {
  instance: string;
  connector: string;
  replays: number;
  change: Change;
  /** The change's own time, or `snapshot`. */
  at: string;
}

/**
 * The id a receiver deduplicates by. A function of what is sent and to whom: the same after any crash, another for every
 * connector, replay and installation. The change's time is part of it because a database restored from a backup counts
 * its sequence again from an earlier number, and a new event under an old id would be dropped as known.
 */
export function eventId({ instance, connector, replays, change, at }: Identified): string {
  const { clinic, sequence, type, resource, id } = change;
  const named = JSON.stringify([instance, connector, replays, clinic, sequence, at, type, resource, id]);
  return `evt_${createHash('sha256').update(named).digest('base64url').slice(0, 27)}`;
}
