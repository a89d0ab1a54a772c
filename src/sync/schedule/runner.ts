import type { Alarm } from '../../domain/report.ts';
import type { Poll } from '../../domain/resource.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { parseCron } from '../../platform/cron.ts';
import { formatDuration } from '../../platform/duration.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { PollState, Store } from '../../store/store.ts';
import {
  firstSlot,
  isDue,
  jitter,
  leastGap,
  type Now,
  nextSlot,
  RETRY_MS,
  retrySlot,
  type Slot,
  slotAt,
  untilDue,
} from './slot.ts';

/** One poll of one clinic, again and again. */
export interface Job {
  clinic: string;
  poll: Poll;
  /** Five or six fields, UTC. */
  cron: string;
  /** A run that takes longer is aborted and reported. */
  deadlineMs: number;
  /** One run. What it reports as `failed` is tried again before the next regular slot; `nothing_due` is no success. */
  run(signal: AbortSignal): Promise<Outcome | undefined>;
}

interface Outcome {
  failed?: Failure;
  nothing_due?: boolean;
}

/** One job with its slot and at most one run. Nothing in here is ever waited for by another job. */
export interface Runner {
  readonly job: Job;
  /** Takes over what was stored before this process began; `delay` puts it behind others that are overdue too. */
  begin(stored: PollState | undefined, delay: number): void;
  /** Somebody else may have stored an earlier due time ("now"). True when that changed the slot. */
  adopt(stored: PollState): boolean;
  /** Runs after `delay` (milliseconds) when it was planned for later. Nothing for what runs already. */
  hasten(delay: number): void;
  /** Failures in a row, whether it runs now, and milliseconds until it is due. */
  standing(): { failures: number; isRunning: boolean; dueInMs: number };
  /** Starts, aborts or abandons a run if it is time. Returns the milliseconds until there may be something to do. */
  attend(): number;
  alarms(): Alarm[];
  /** Aborts the run in progress and resolves when it has ended. */
  stop(): Promise<void>;
}

interface Run {
  controller: AbortController;
  slot: Slot;
  startedAt: number;
  late: boolean;
  ended: Promise<void>;
}

const LEAST_OVERDUE = 30_000;
const LONG_RUN = 5 * 60_000;

const stuck = { action: 'If it lasts, restart clinic-sync: nothing is lost by that.', asksPerson: true };
const slow = { action: 'The clinic answers too slowly; it is asked again.', asksPerson: false };
export const brokenStore = { action: 'See what `clinic-sync doctor` says about the disk.', asksPerson: true };

/** After its deadline a run has this long to notice. */
const GRACE = 5_000;
/** So many runs of one job may be left behind; then no more are started: something is badly stuck. */
const MOST_ABANDONED = 3;

export function createRunner({
  job,
  store,
  clock,
  log,
  random,
  ended,
}: {
  job: Job;
  store: Pick<Store, 'runs'>;
  clock: Clock;
  log: Log;
  random: () => number;
  /** Called when a run has ended and the next slot is known. */
  ended: (runner: Runner, outcome: { hasRecovered: boolean }) => void;
}): Runner {
  const cron = parseCron(job.cron);
  const name = { clinic: job.clinic, resource: job.poll };
  const title = `${job.poll} of ${job.clinic}`;
  const now = (): Now => ({ wall: clock.now(), monotonic: clock.monotonic() });

  let slot: Slot = now();
  let run: Run | undefined;
  let lastStart = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let abandoned = 0;
  /** The last run had to be stopped at its deadline. */
  let stopped = false;
  let stopping = false;
  /** The due time as it stands in the store, as far as we know, and the oldest write that has not come back. */
  let stored: string | null = null;
  let writingSince: number | undefined;
  let writeProblem: string | undefined;

  function start(): void {
    const controller = new AbortController();
    const current: Run = {
      controller,
      slot,
      startedAt: clock.monotonic(),
      late: false,
      ended: Promise.resolve(),
    };
    lastStart = current.startedAt;
    run = current;
    current.ended = execute(current);
  }

  async function execute(current: Run): Promise<void> {
    let outcome: Outcome = {};
    try {
      outcome = (await job.run(current.controller.signal)) ?? {};
    } catch (error) {
      outcome = { failed: asFailure(error, `Polling ${job.poll}`) };
    }
    if (run !== current) {
      abandoned -= 1;
      return;
    }
    run = undefined;
    // Cut short by our own stop: it stays due, so that the next start makes up for it.
    if (stopping && outcome.failed) return;
    stopped = current.late;
    if (!current.late) settle(current, outcome);
    else await giveUp(current, `did not end within ${formatDuration(job.deadlineMs)} and was stopped`);
  }

  /** Finds the next slot after a run, however it went. */
  function settle(current: Run, { failed, nothing_due = false }: Outcome): void {
    const at = now();
    const hasRecovered = failures > 0 && failed === undefined && !nothing_due;
    if (failed) failures += 1;
    else if (!nothing_due) failures = 0;
    slot = nextSlot(cron, current.slot, at, jitter(cron.intervalMs, random()));
    if (failed)
      slot = retrySlot(cron, slot, at, { failures, kind: failed.kind, retryAfterMs: failed.retryAfterMs });
    void write();
    ended(runner, { hasRecovered });
  }

  async function giveUp(current: Run, problem: string): Promise<void> {
    stopped = true;
    settle(current, {});
    log.error('a run was given up at its deadline', { ...name, problem, ms: job.deadlineMs });
    try {
      const error = `The last run ${problem}.`;
      await store.runs.finished(job.clinic, job.poll, instant(clock.now()), { error });
    } catch {
      // The alarm says it anyway.
    }
  }

  /** Stores the due time. A store that hangs gets no second write on top of the first. */
  async function write(): Promise<void> {
    if (writingSince !== undefined) return;
    writingSince = clock.monotonic();
    const due = instant(slot.wall);
    try {
      await store.runs.due(job.clinic, job.poll, due);
      stored = due;
      writeProblem = undefined;
    } catch (error) {
      writeProblem = asFailure(error, 'Storing the next due time').message;
    }
    writingSince = undefined;
    if (writeProblem === undefined && due !== instant(slot.wall)) await write();
  }

  function watch(current: Run): number {
    const running = clock.monotonic() - current.startedAt;
    if (running < job.deadlineMs) return job.deadlineMs - running;
    if (!current.late) {
      current.late = true;
      current.controller.abort(new Error(`${title} took longer than ${formatDuration(job.deadlineMs)}`));
    }
    if (running < job.deadlineMs + GRACE) return job.deadlineMs + GRACE - running;
    abandoned += 1;
    run = undefined;
    void giveUp(current, `did not end within ${formatDuration(job.deadlineMs)}, nor when it was stopped`);
    return 0;
  }

  const runner: Runner = {
    job,
    begin(state, delay) {
      const at = now();
      stored = state?.next_due_at ?? null;
      slot = firstSlot(cron, stored === null ? null : Date.parse(stored), at);
      if (isDue(slot, at)) slot = slotAt(at.wall + delay, at);
      failures = state?.failures ?? 0;
    },
    adopt({ next_due_at }) {
      if (next_due_at === null || next_due_at === stored || writingSince !== undefined) return false;
      stored = next_due_at;
      const wanted = Date.parse(next_due_at);
      if (run !== undefined || wanted >= slot.wall) return false;
      slot = slotAt(wanted, now());
      // Somebody asked for it: the gap that guards against a jumping clock does not apply.
      lastStart = Number.NEGATIVE_INFINITY;
      return true;
    },
    hasten(delay) {
      if (run !== undefined) return;
      const at = now();
      if (untilDue(slot, at) <= delay) return;
      slot = slotAt(at.wall + delay, at);
      lastStart = Number.NEGATIVE_INFINITY;
      void write();
    },
    standing: () => ({ failures, isRunning: run !== undefined, dueInMs: untilDue(slot, now()) }),
    attend() {
      if (run) return watch(run);
      const at = now();
      const least = leastGap(cron.intervalMs);
      const gap = lastStart + (failures > 0 ? Math.min(least, RETRY_MS) : least) - at.monotonic;
      if (!isDue(slot, at)) return Math.max(untilDue(slot, at), gap);
      if (gap > 0) return gap;
      if (abandoned >= MOST_ABANDONED) return cron.intervalMs;
      start();
      return job.deadlineMs;
    },
    alarms() {
      const at = clock.monotonic();
      const alarms: Alarm[] = [];
      const alarm = (sentence: string, more: Omit<Alarm, 'sentence'>) =>
        void alarms.push({ sentence, ...more });
      const every = `every ${formatDuration(cron.intervalMs)}`;
      // Asked of the monotonic clock by whoever looks, so that it is true even when the schedule itself stands still.
      // What runs may take its time: a slow clinic is no reason to restart anything.
      const overdue = at - (run?.slot ?? slot).monotonic;
      if (overdue >= Math.max(cron.intervalMs * 1.5, run === undefined ? LEAST_OVERDUE : LONG_RUN))
        alarm(
          `Polling ${title} is ${formatDuration(overdue)} overdue (it should end ${every}).`,
          run === undefined ? stuck : slow,
        );
      else if (stopped)
        alarm(
          `The last run of ${title} did not end within ${formatDuration(job.deadlineMs)} and was given up.`,
          slow,
        );
      if (abandoned > 0)
        alarm(
          `${abandoned === 1 ? 'One run' : `${abandoned} runs`} of ${title} did not stop when asked.`,
          stuck,
        );
      if (writingSince !== undefined && at - writingSince >= Math.min(cron.intervalMs * 1.5, 60_000))
        alarm(`The database has not answered for ${formatDuration(at - writingSince)}.`, brokenStore);
      else if (writeProblem !== undefined)
        alarm(`When ${title} is due next could not be stored: ${writeProblem}`, brokenStore);
      return alarms;
    },
    async stop() {
      stopping = true;
      const current = run;
      current?.controller.abort(new Error('clinic-sync is stopping'));
      await current?.ended;
    },
  };
  return runner;
}
