import { createHash } from 'node:crypto';
import type { Change } from '../domain/change.ts';

interface Identified {
  instance: string;
  connector: string;
  /** How often changes that had been taken were asked for again: under its old ids a replay would be dropped as known. */
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
