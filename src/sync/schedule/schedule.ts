import type { Poll } from '../../domain/clinics/resource.ts';
import type { Alarm } from '../../domain/status/report.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { formatDuration, MINUTE } from '../../platform/duration.ts';
import { asFailure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import type { PollState } from '../../store/ports/polls.ts';
import type { Store } from '../../store/store.ts';
import { brokenStore } from './alarms.ts';
import type { Places } from './places.ts';
import { type Job, Runner } from './runner.ts';

/**
 * Runs jobs when they are due: cron says when, the stored due time survives restarts, and a monotonic clock covers
 * changes of the wall clock. After a start, a suspend or a clock set forward, overdue jobs run once; a job never
 * overlaps itself nor waits for another.
 */
export interface Schedule {
  /** Reads the stored due times again (a user may have set one to now) and runs what is due. */
  wake(): void;
  /** Runs the given poll, or all, at once; a run in progress is repeated. */
  runNow(poll?: Poll): void;
  /**
   * One poll of this clinic as soon as possible, to find out whether it is up: of this resource, or that with the most
   * consecutive failures, else the one due next. Does nothing while one of its runs is in progress.
   */
  ask(clinic: string, poll?: Poll): void;
  /** Some job has been due, or running since, for longer than usual. */
  isBehind(): boolean;
  /** Aborts runs in progress, gives them 5 s to end, and starts nothing more. Idempotent. */
  stop(): Promise<void>;
  /** What is not running as it should; empty when all is well. Never blocks. */
  alarms(): Alarm[];
}

export interface ScheduleParts {
  jobs: readonly Job[];
  store: Pick<Store, 'polls'>;
  clock: Clock;
  log: Log;
  /** A clinic answered again after a failed call. */
  onRecovered?: () => void;
  /** In [0, 1), stable across restarts: position of the job's run within its slot. */
  phase?: (job: Job) => number;
  /** Number of clinics in all schedules, which share each slot. */
  clinics?: number;
  /** Shared by all schedules. Unlimited if omitted. */
  places?: Places;
}

/** Upper bound, so that a changed clock or a stored "now" is noticed within this time. */
const LONGEST_NAP = MINUTE;
/** Distance between the overdue jobs of one clinic at a start. */
const STAGGER = 500;
const STOP_WITHIN = 5_000;
/** Early enough for others to hear of it before they call a resource late. */
const BEHIND_MS = 20_000;
/** Tolerated clock difference between members of a fleet. */
const TOLERATED_AHEAD = MINUTE;
/** With no appointment due, its run makes no call and tells nothing about the clinic. */
const MAY_CALL_NOTHING: Poll = 'appointments';

export function startSchedule({
  jobs,
  store,
  clock,
  log,
  onRecovered = () => {},
  phase = () => 0,
  clinics = 1,
  places,
}: ScheduleParts): Schedule {
  const runners = jobs.map(
    (job) =>
      new Runner({
        job,
        store,
        clock,
        log,
        phase: phase(job),
        clinics,
        places,
        ended(runner, { hasRecovered }) {
          if (hasRecovered) recovered(runner);
          loop.wake();
        },
        overtaken: () => loop.wake(),
      }),
  );
  const startedAt = clock.monotonic();
  let begun = false;
  let readSince: number | undefined;
  let isReadStale = false;
  let readProblem: string | undefined;
  let shown = new Set<string>();

  /** Never awaited by the loop: a hanging store must not keep runs from being watched. */
  async function read(): Promise<void> {
    // What this tick was woken for may be newer than the reading in progress.
    isReadStale = readSince !== undefined;
    if (isReadStale) return;
    readSince = clock.monotonic();
    try {
      const states = await store.polls.list();
      readProblem = undefined;
      if (begun ? adopt(runners, states) : begin(runners, states, phase)) loop.wake();
      begun = true;
      await capTimes(runners, states, { store, now: clock.now() });
    } catch (error) {
      readProblem = asFailure(error, 'Reading the due times').message;
    }
    readSince = undefined;
    if (isReadStale) loop.wake();
  }

  function alarms(): Alarm[] {
    const at = clock.monotonic();
    const found = begun ? runners.flatMap((runner) => runner.alarms()) : [];
    const reading = readingAlarm({
      silentMs: readSince === undefined ? 0 : at - readSince,
      problem: begun ? undefined : readProblem,
      waitingMs: at - startedAt,
    });
    if (reading !== undefined) found.unshift(reading);
    return [...new Map(found.map((alarm) => [alarm.sentence, alarm])).values()];
  }

  function report(): void {
    const current = alarms().map(({ sentence }) => sentence);
    for (const problem of current) {
      if (!shown.has(withoutFigures(problem))) log.error('schedule alarm', { problem });
    }
    shown = new Set(current.map(withoutFigures));
  }

  /** The clinic is up again: its other failed jobs need not wait for their own retries. */
  function recovered({ job: { clinic } }: Runner): void {
    const failed = runners.filter((one) => one.job.clinic === clinic && one.standing().failures > 0);
    for (const [place, other] of failed.entries()) other.hasten(place * STAGGER);
    onRecovered();
  }

  function ask(clinic: string, poll?: Poll): void {
    const known = runners
      .filter(({ job }) => job.clinic === clinic && job.poll !== MAY_CALL_NOTHING)
      .map((runner) => ({ runner, ...runner.standing() }));
    if (!begun || known.some(({ isRunning }) => isRunning)) return;
    known.sort((a, b) => b.failures - a.failures || a.dueInMs - b.dueInMs);
    (known.find(({ runner }) => runner.job.poll === poll) ?? known[0])?.runner.hasten(0);
    loop.wake();
  }

  const loop = startLoop({
    clock,
    log,
    name: 'schedule',
    async tick() {
      void read();
      report();
      if (!begun) return STAGGER * 10;
      return Math.min(LONGEST_NAP, ...runners.map((runner) => runner.attend()));
    },
  });

  return {
    wake: loop.wake,
    runNow(poll) {
      for (const runner of runners) if (poll === undefined || runner.job.poll === poll) runner.runNow();
      loop.wake();
    },
    ask,
    isBehind: () => begun && runners.some((runner) => runner.overdueMs > BEHIND_MS),
    async stop() {
      await loop.stop();
      await stopAll(runners, clock);
    },
    alarms,
  };
}

async function stopAll(runners: readonly Runner[], clock: Clock): Promise<void> {
  const patience = new AbortController();
  const ended = Promise.all(runners.map((runner) => runner.stop()));
  await Promise.race([ended, clock.sleep(STOP_WITHIN, patience.signal)]).catch(() => {});
  patience.abort();
}

function readingAlarm(state: {
  silentMs: number;
  problem: string | undefined;
  waitingMs: number;
}): Alarm | undefined {
  const { silentMs, problem, waitingMs } = state;
  if (silentMs >= LONGEST_NAP) {
    const silent = formatDuration(silentMs);
    return {
      sentence: `The database has not answered for ${silent}: nothing new is planned.`,
      ...brokenStore,
    };
  }
  if (problem === undefined) return undefined;
  const waiting = formatDuration(waitingMs);
  return { sentence: `Polling has not begun for ${waiting}: ${problem}`, ...brokenStore };
}

const stateOf = ({ job }: Pick<Runner, 'job'>, states: readonly PollState[]): PollState | undefined =>
  states.find(({ clinic, poll }) => clinic === job.clinic && poll === job.poll);

/** After the wall clock was set back, stored times lie in the future and data would look fresh too long. */
async function capTimes(
  runners: readonly Runner[],
  states: readonly PollState[],
  { store, now }: Pick<ScheduleParts, 'store'> & { now: number },
): Promise<void> {
  const ahead = instant(now + TOLERATED_AHEAD);
  for (const { job } of runners) {
    const state = stateOf({ job }, states);
    const times = [state?.last_success_at, state?.last_idle_at, state?.failing_since];
    if (times.some((time) => time != null && time > ahead))
      await store.polls.capTimes(job.clinic, job.poll, instant(now));
  }
}

const adopt = (runners: readonly Runner[], states: readonly PollState[]): boolean =>
  runners.filter((runner) => {
    const state = stateOf(runner, states);
    return state !== undefined && runner.adopt(state);
  }).length > 0;

/** Most overdue first and staggered per clinic, so that a restart causes no burst. */
function begin(
  runners: readonly Runner[],
  states: readonly PollState[],
  phase: (job: Job) => number,
): boolean {
  const behind = new Map<string, number>();
  const dueAt = (runner: Runner) => stateOf(runner, states)?.next_due_at ?? '';
  for (const runner of [...runners].sort((a, b) => dueAt(a).localeCompare(dueAt(b)))) {
    const { clinic } = runner.job;
    const place = behind.get(clinic) ?? 0;
    behind.set(clinic, place + 1);
    runner.begin(stateOf(runner, states), Math.floor((place + phase(runner.job)) * STAGGER));
  }
  return true;
}

/** The same alarm with other figures is not logged again. */
const withoutFigures = (sentence: string): string => sentence.replaceAll(/(?<!\d)\d+ (s|min|h|days)\b/g, '');
