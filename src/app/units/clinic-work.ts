import { createHash } from 'node:crypto';
import type { Bookings } from '../../bookings/bookings.ts';
import { createClinic } from '../../clinic/client.ts';
import type { Clinic, ClinicEvent, LimiterMemory } from '../../clinic/clinic.ts';
import { type sharedConnections, startReachability } from '../../clinic/reachability.ts';
import type { ClinicSettings } from '../../config/config.ts';
import { secretNow } from '../../config/secrets.ts';
import { type Poll, polls } from '../../domain/clinics/resource.ts';
import type { Alarm } from '../../domain/status/report.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import type { Log } from '../../platform/log.ts';
import type { NextTurn } from '../../platform/turns.ts';
import type { CallWatch } from '../../status/call-watch.ts';
import { alone, type Tenure } from '../../store/ports/fleet.ts';
import { ownedStore, type Store } from '../../store/store.ts';
import { createMirror, type Mirror } from '../../sync/mirror-poller.ts';
import type { Places } from '../../sync/schedule/places.ts';
import { type ScheduleParts, startSchedule } from '../../sync/schedule/schedule.ts';
import { createUnit, type Unit } from './unit.ts';

/** A configured clinic and its API client; nothing runs yet. */
export interface OpenClinic {
  settings: ClinicSettings;
  clinic: Clinic;
  mirror: Mirror;
}

interface OpenOptions {
  store: Store;
  clock: Clock;
  log: Log;
  version: string;
  onClinicEvent: (clinic: string, event: ClinicEvent) => void;
  /** As in `Parts`. */
  otherKeys: (careId: string) => Promise<string[]>;
  /** Shared by all clinics. */
  nextTurn: NextTurn;
}

/** Without a tenure, the learned rate limit is read but never written. */
export async function openClinic(
  settings: ClinicSettings,
  { clock, log, version, onClinicEvent, otherKeys, nextTurn, ...options }: OpenOptions,
  tenure?: Tenure,
): Promise<OpenClinic> {
  const store = tenure === undefined ? options.store : ownedStore(options.store, tenure);
  const { key, base_url, app_key, secret_key } = settings;
  const scope = `limiter:${key}`;
  const memory: LimiterMemory = {
    load: () => store.keyValue.get(scope, 'state'),
    save: async (state) => {
      if (tenure !== undefined) await store.keyValue.set(scope, { state });
    },
    isShared: tenure !== undefined && tenure !== alone,
  };
  const onEvent = (event: ClinicEvent) => onClinicEvent(key, event);
  const clinic = await createClinic({
    ...{ key, base_url, app_key, secret_key },
    rereadKeys: () => keysNow(settings.keyFiles),
    ...{ clock, log, version, memory, onEvent, nextTurn },
    accepts: (careId) => accepts(careId, { clinic: key, store, clock, otherKeys }),
  });
  return {
    settings,
    clinic,
    mirror: createMirror({ clinic, store, clock, log, settings, otherKeys }),
  };
}

function keysNow(files: ClinicSettings['keyFiles']): { app_key?: string; secret_key?: string } {
  const [app_key, secret_key] = [secretNow(files?.app_key), secretNow(files?.secret_key)];
  return { ...(app_key !== undefined && { app_key }), ...(secret_key !== undefined && { secret_key }) };
}

/**
 * Whether this is the mirrored organization, a new one, or one that a person approved instead. For any other, the
 * organization is polled at once and the guard of that poll asks a person.
 */
async function accepts(
  careId: string,
  {
    clinic,
    store,
    clock,
    otherKeys,
  }: Pick<OpenOptions, 'store' | 'clock' | 'otherKeys'> & { clinic: string },
): Promise<boolean> {
  const known = await store.mirror.hashes(clinic, 'organization');
  if (known.has(careId)) return true;
  if (known.size === 0 && (await otherKeys(careId)).length === 0) return true;
  const guard = await store.guards.current(clinic, 'organization');
  if (guard?.state === 'approved' && guard.things.some(({ id }) => id === careId)) return true;
  await store.polls.due(clinic, 'organization', instant(clock.now()));
  return false;
}

/**
 * While started, a clinic is polled, watched and sent bookings; otherwise people's actions can still read it. `stop`
 * takes at most 9 s.
 */
export interface ClinicWork extends Unit {
  /** Runs what is due. */
  wake(): void;
  /** Polls one resource, or all, in full: as soon as possible, or after the next start. */
  syncNow(poll?: Poll): Promise<void>;
  /** Polls that do not run as scheduled. */
  alarms(): Alarm[];
  /** A poll has been due or running for longer than usual. */
  isBehind(): boolean;
  /** A booking may be on the wire. */
  isBusy(): boolean;
  /** With its settings as they are now; what is in flight is finished or recorded. Does nothing while stopped. */
  restart(): Promise<void>;
}

interface UnitOptions {
  /** Open clinics by key. A unit reopens its clinic at each start and, for people's actions, at each stop. */
  clinics: Map<string, OpenClinic>;
  open: (settings: ClinicSettings, tenure?: Tenure) => Promise<OpenClinic>;
  /** Once aborted, nothing is opened again. */
  stopping: AbortSignal;
  store: Store;
  bookings: Pick<Bookings, 'startClinic' | 'stopClinic' | 'isSending'>;
  calls: CallWatch;
  /** Called after a poll that changed this clinic's mirror. */
  onChanged: (clinic: string) => void;
  /** Called when a call succeeds again. */
  onRecovered: () => void;
  /** Shared by all `count` clinics. */
  places: Places;
  connects: ReturnType<typeof sharedConnections>;
  count: number;
  clock: Clock;
  log: Log;
}

/** Enough for thousands of rows behind a slow limit; ends a hanging connection. */
const DEADLINE_MS = 5 * MINUTE;

export function createClinicWork(settings: ClinicSettings, options: UnitOptions): ClinicWork {
  const { clinics, open, store, bookings, calls, clock, stopping } = options;
  const { key } = settings;
  /** Polls requested by a person, which read everything. */
  const asked = new Set<Poll>();

  /** Replaces the open connection. */
  const exchange = async (opened: OpenClinic, use: () => Promise<void>): Promise<void> => {
    const before = clinics.get(key);
    try {
      await use();
    } catch (error) {
      await opened.clinic.close();
      throw error;
    }
    clinics.set(key, opened);
    await before?.clinic.close();
  };
  const unit = createUnit(async (tenure) => {
    const opened = await open(settings, tenure);
    await exchange(opened, () => bookings.startClinic(opened.clinic, tenure));
    calls.begin(key, tenure.owner);
    const { schedule, reachability } = poll(opened, asked, { ...options, store: ownedStore(store, tenure) });
    return {
      schedule,
      async stop() {
        await Promise.all([schedule.stop(), reachability.stop(), bookings.stopClinic(key)]);
        calls.end(key);
        if (stopping.aborted) return;
        const reader = await open(settings);
        await exchange(reader, () => bookings.stopClinic(key, reader.clinic));
      },
    };
  });

  return {
    start: unit.start,
    stop: unit.stop,
    restart: unit.restart,
    wake: () => unit.running?.schedule.wake(),
    alarms: () => unit.running?.schedule.alarms() ?? [],
    isBehind: () => unit.running?.schedule.isBehind() ?? false,
    isBusy: () => bookings.isSending(key),
    async syncNow(poll) {
      for (const one of poll ? [poll] : polls) {
        asked.add(one);
        await store.polls.due(key, one, instant(clock.now()));
        unit.running?.schedule.runNow(one);
      }
    },
  };
}

/** A hash in [0, 1), evenly distributed. */
const shareOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;

function poll(
  { settings, clinic, mirror }: OpenClinic,
  asked: Set<Poll>,
  { store, calls, onChanged, onRecovered, places, connects, count, clock, log }: UnitOptions,
) {
  const { key, base_url } = settings;
  const jobs = polls.map((poll): ScheduleParts['jobs'][number] => ({
    clinic: key,
    poll,
    cron: settings.schedule[poll],
    deadlineMs: DEADLINE_MS,
    async run(signal) {
      const result = await mirror.poll(poll, signal, { all: asked.delete(poll) });
      if (result.changes.length > 0) onChanged(key);
      return result;
    },
  }));
  const ownPolls = { ...store.polls, list: () => store.polls.list(key) };
  const { instance } = store.identity;
  const schedule = startSchedule({
    ...{ jobs, store: { polls: ownPolls }, clock, log, onRecovered, places },
    clinics: count,
    phase: ({ clinic, poll }) => shareOf(`${instance}/${clinic}/${poll}`),
  });
  const ask = (poll?: Poll) => schedule.ask(key, poll);
  const reachability = startReachability({
    ...{ base_url, clinic, clock, log, ask, connects },
    calls: () => calls.of(key),
    clinics: count,
  });
  return { schedule, reachability };
}
