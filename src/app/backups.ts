import type { Config } from '../config/config.ts';
import { conditionNeed } from '../domain/status/need-words.ts';
import type { BackupReport, Need } from '../domain/status/report.ts';
import { type Clock, type Instant, instant, toMs } from '../platform/clock.ts';
import { DAY, HOUR, MINUTE } from '../platform/duration.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import type { Log } from '../platform/log.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { sentences } from '../platform/text/sentences.ts';
import { waitFor, within } from '../platform/wait-for.ts';
import type { Store } from '../store/store.ts';
import type { Parts } from './parts.ts';

const SCOPE = 'backup';
/** Ten gigabytes at the pace of a slow share; one that hangs never ends. */
const PATIENCE_MS = 30 * MINUTE;
/** A single failure may have met a share that slept. */
const MISSES = 2;
const DOUBTED_MS = MINUTE;

interface BackupOptions {
  config: Pick<Config, 'backup'>;
  store: Pick<Store, 'keyValue' | 'backUpInto'>;
  trust: Parts['trust'];
  clock: Clock;
  log: Log;
}

/** Copies the database into the configured directory, at the start if it is due. Nothing else waits for it. */
export const startBackups = ({ config: { backup }, store, trust, clock, log }: BackupOptions): Loop => {
  /** The process of one that hangs can outlive its kill. */
  let hanging = false;
  const copy = async (into: { path: string; keep: number }, signal: AbortSignal) => {
    if (hanging || store.backUpInto === undefined) throw stillHangs(into.path);
    const late = new AbortController();
    hanging = true;
    const writing = store.backUpInto(into, AbortSignal.any([signal, late.signal])).finally(() => {
      hanging = false;
    });
    writing.catch(() => {});
    const giveUp = (): never => {
      late.abort();
      throw stillHangs(into.path);
    };
    return within({ clock, ms: PATIENCE_MS, late: giveUp }, waitFor(writing, signal));
  };

  return startLoop({
    clock,
    log,
    name: 'backups',
    async tick(signal) {
      if (backup === undefined || store.backUpInto === undefined) return DAY;
      // Its name and what is removed depend on the time.
      if (!trust.isTrusted()) return DOUBTED_MS;
      const known = await noted(store);
      const dueMs = nextMs(known, backup.every, clock.now());
      if (dueMs > clock.now()) return Math.min(HOUR, dueMs - clock.now());
      const from = clock.monotonic();
      try {
        const made = await copy({ path: backup.directory, keep: backup.keep }, signal);
        const ms = Math.round(clock.monotonic() - from);
        log.info('backup written and verified', { path: backup.directory, bytes: made.bytes, ms });
        await note(store, { ...made, failures: 0 });
      } catch (error) {
        signal.throwIfAborted();
        const failure = asFailure(error, `The backup to ${backup.directory}`);
        log.error('no backup was written', { problem: failure.message, hint: failure.hint ?? '' });
        await note(store, failedAfter(known, failure, instant(clock.now())));
      }
      return MINUTE;
    },
  });
};

const stillHangs = (directory: string) =>
  new Failure({
    kind: 'transient',
    message: `No backup was written: ${directory} has not taken it within half an hour.`,
    hint: 'Check the volume that it is on, and whether a network share hangs.',
  });

interface Noted {
  /** Of the newest copy. */
  at?: Instant;
  bytes?: number;
  count?: number;
  failures: number;
  failing_since?: Instant;
  tried_at?: Instant;
  problem?: string;
}

async function noted({ keyValue }: Pick<Store, 'keyValue'>): Promise<Noted> {
  const stored = await keyValue.get(SCOPE, 'state');
  return stored === undefined ? { failures: 0 } : (JSON.parse(stored) as Noted);
}

const note = ({ keyValue }: Pick<Store, 'keyValue'>, state: Noted): Promise<void> =>
  keyValue.set(SCOPE, { state: JSON.stringify(state) });

const failedAfter = (before: Noted, { message, hint }: Failure, now: Instant): Noted => ({
  ...before,
  failures: before.failures + 1,
  failing_since: before.failing_since ?? now,
  tried_at: now,
  problem: sentences(message, hint),
});

/** Pure. What was noted by a clock that was ahead does not count. */
function nextMs({ at, tried_at, failures }: Noted, every: number, now: number): number {
  const after = (then: Instant | undefined, ms: number) =>
    then === undefined || toMs(then) > now ? now : toMs(then) + ms;
  return failures > 0 ? after(tried_at, Math.min(every, HOUR)) : after(at, every);
}

/** Undefined where no backups are configured. */
export async function backupReport(
  { backup }: Pick<Config, 'backup'>,
  store: Pick<Store, 'keyValue'>,
): Promise<BackupReport | undefined> {
  if (backup === undefined) return undefined;
  const { at, bytes, count, failures, problem } = await noted(store);
  return {
    last_success_at: at ?? null,
    bytes: bytes ?? null,
    count: count ?? 0,
    failures,
    last_error: failures > 0 ? (problem ?? null) : null,
  };
}

/** What a person must mend: two tries in a row wrote none. */
export async function backupNeeds(
  { backup }: Pick<Config, 'backup'>,
  store: Pick<Store, 'keyValue'>,
): Promise<Need[]> {
  const { failures, failing_since, tried_at, at, problem } = await noted(store);
  const since = failing_since ?? tried_at;
  if (backup === undefined || failures < MISSES || since === undefined) return [];
  const last =
    at === undefined ? 'There is none yet.' : `The newest is from ${at.slice(0, 16).replace('T', ' ')} UTC.`;
  return [conditionNeed('backup', { since, detail: sentences(problem, last) })];
}
