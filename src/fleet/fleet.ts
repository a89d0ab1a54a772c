import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { alone, type FleetVerbs } from '../store/ports/fleet.ts';
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
