import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { alone, type FleetVerbs, type Tenure, type UnitKind } from '../store/ports/fleet.ts';
import { startMember } from './member.ts';

/** Work that only one process does at a time, and how this process starts and stops it. */
export interface OwnedUnit {
  /** `clinic/main`, `connector/accounts`, `upkeep`. */
  readonly unit: string;
  readonly kind: UnitKind;
  /** The only host whose processes may do it. Such units do not count towards an even share. */
  readonly on?: string | undefined;
  /** If this fails, `stop` is called. */
  start(tenure: Tenure): Promise<void>;
  /** Finishes or records what is in flight. No effect unless started. */
  stop(): Promise<void>;
  /** True when stopping it should wait, if possible. */
  isBusy(): boolean;
}

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
