import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { type Clock, type Instant, toMs } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';
import type { Log } from '../platform/log.ts';
import { alone, type FleetReport, type FleetVerbs } from '../store/ports/fleet.ts';
import { startMember } from './member.ts';
import type { OwnedUnit } from './owned-unit.ts';

export interface Fleet {
  /** Stops this process's work and gives its units back. Idempotent. */
  stop(): Promise<void>;
}

interface FleetOptions {
  /** Undefined: no other process shares the database, so this one does all the work. */
  verbs: FleetVerbs | undefined;
  units: readonly OwnedUnit[];
  version: string;
  config_hash: string;
  /** This process's host, as used by pins (`on`). */
  host: string;
  clock: Clock;
  log: Log;
}

/** Alone, starts every unit and rejects if one fails. As a member, resolves once it has received its share. */
export async function startFleet({ verbs, ...options }: FleetOptions): Promise<Fleet> {
  if (verbs !== undefined) return startMember({ ...options, verbs });
  const { units } = options;
  const stop = async () => {
    await Promise.allSettled(units.map((unit) => unit.stop()));
  };
  try {
    for (const unit of units) await unit.start(alone);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** Equal for members that should be configured alike: leaves out what is specific to a host. */
export function configHash({ clinics, connectors, http, retention }: Config): string {
  const { people, signInHeader, isPublic } = http;
  const ofConnectors = connectors.map(({ settings, on: _, ...connector }) => ({
    ...connector,
    settings: withoutFolders(settings),
  }));
  const text = JSON.stringify([clinics, ofConnectors, retention, people, signInHeader, isPublic]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

const folders = new Set(['directory', 'inbox']);

const withoutFolders = (settings: unknown): unknown =>
  typeof settings === 'object' && settings !== null
    ? Object.fromEntries(Object.entries(settings).filter(([name]) => !folders.has(name)))
    : settings;

/** For how long a clinic without a daemon may get one again, as during an upgrade. */
const BETWEEN_MS = 10 * MINUTE;

/** Clinics that a daemon of any configuration runs, or ran just now. */
export function clinicsRun({ at, members, left, units }: FleetReport): string[] {
  const isRecent = (then: Instant | null) => then !== null && toMs(at) - toMs(then) < BETWEEN_MS;
  const owners = new Set(
    [...members, ...left.filter(({ beat_at }) => isRecent(beat_at))].map(({ id }) => id),
  );
  const run = units.filter(({ owner, since }) => (owner === null ? isRecent(since) : owners.has(owner)));
  return run.flatMap(({ kind, unit }) => (kind === 'clinic' ? unit.slice('clinic/'.length) : []));
}
