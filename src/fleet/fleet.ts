import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { alone, type FleetVerbs, type Tenure, type UnitKind } from '../store/ports/fleet.ts';
import { startMember } from './member.ts';

/** What one process at a time does, and how this process begins and ends it. */
export interface OwnedUnit {
  /** `clinic/main`, `connector/accounts`, `upkeep`. */
  readonly unit: string;
  readonly kind: UnitKind;
  /** The only host whose processes do it. Such units come on top of an even share. */
  readonly on?: string | undefined;
  /** After a failure, `stop` is called. */
  start(tenure: Tenure): Promise<void>;
  /** Finishes or records what is in flight. Nothing for what does not run. */
  stop(): Promise<void>;
  /** It should not be stopped now if that can wait. */
  isBusy(): boolean;
}

export interface Fleet {
  /** Ends what this process does, and gives it back. Idempotent. */
  stop(): Promise<void>;
}

interface FleetOptions {
  /** Missing: the database is this process's alone, and so is all work. */
  verbs: FleetVerbs | undefined;
  units: readonly OwnedUnit[];
  version: string;
  config_hash: string;
  /** Of this process, as pins name it. */
  host: string;
  clock: Clock;
  log: Log;
}

/** Rejects when a process that does everything cannot start a part of it. A member resolves once it has been given its share. */
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

/** Equal on all members that should be: what belongs to a host is left out. */
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
