import type { Poll } from '../../domain/clinics/resource.ts';
import type { Alarm } from '../../domain/status/report.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { type Cron, parseCron } from '../../platform/cron.ts';
import { formatDuration } from '../../platform/duration.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { PollState } from '../../store/ports/polls.ts';
import type { Store } from '../../store/store.ts';
import { alarmsOf } from './alarms.ts';
import {
  type DueSlot,
  dueSlotAt,
  firstSlot,
  isAhead,
  isDue,
  leastGap,
  type Now,
  nextSlot,
  offsetInSlot,
  RETRY_MS,
  retrySlot,
  untilDue,
} from './due-slot.ts';
import type { Places } from './places.ts';

/** A regular poll of one clinic. */
export interface Job {
  clinic: string;
  poll: Poll;
  /** Five or six fields, UTC. */
  cron: string;
  /** A longer run is aborted and reported. */
  deadlineMs: number;
  /** One run. `failed` is retried before the next regular slot; `nothing_due` is no success. */
  run(signal: AbortSignal): Promise<Outcome | undefined>;
}

interface Outcome {
  failed?: Failure;
  nothing_due?: boolean;
}

interface Run {
  controller: AbortController;
  slot: DueSlot;
  /** Undefined while waiting for a place. */
  startedAt: number | undefined;
  isLate: boolean;
  ended: Promise<void>;
}

interface Parts {
  job: Job;
  store: Pick<Store, 'polls'>;
  clock: Clock;
  log: Log;
  /** In [0, 1); position of the run within its slot. */
  phase: number;
  /** Number of clinics in all schedules. */
  clinics: number;
  places: Places | undefined;
  /** Called when a run has ended and the next slot is known. */
  ended: (runner: Runner, outcome: { hasRecovered: boolean }) => void;
  /** Called when another process has stored an earlier due time. */
  overtaken: () => void;
}

/** After its deadline, how long an aborted run may take to end. */
const GRACE_MS = 5_000;
/** Abandoned runs of one job after which no more are started: something is badly stuck. */
const MOST_ABANDONED = 3;

/** One job with its slot and at most one run. Never waits for another job. */
export class Runner {
  readonly job: Job;
  readonly #parts: Parts;
  readonly #cron: Cron;
  readonly #due: DueTime;
  readonly #offset: number;
  #slot: DueSlot;
  #run: Run | undefined;
  #lastStart = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #abandoned = 0;
  /** The last run was stopped at its deadline. */
  #wasStopped = false;
  #isStopping = false;
  #isAskedAgain = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.job = parts.job;
    this.#cron = parseCron(parts.job.cron);
    this.#due = new DueTime(parts);
    this.#offset = offsetInSlot(this.#cron.intervalMs, parts.phase, parts.clinics);
    this.#slot = this.#now();
  }

  /** Adopts what was stored before this process began; `delay` queues it behind others that are overdue. */
  begin(state: PollState | undefined, delay: number): void {
    const at = this.#now();
    const stored = state?.next_due_at ?? null;
    this.#due.stored = stored;
    this.#slot = firstSlot(this.#cron, stored === null ? null : Date.parse(stored), at, this.#offset);
    this.#failures = state?.failures ?? 0;
    // A start follows a repair more often than not: what failed last does not wait for its own next try.
    if (isDue(this.#slot, at) || this.#failures > 0) this.#slot = dueSlotAt(at.wall + delay, at);
  }

  /** Another process may have stored an earlier due time ("now"). True when that changed the slot. */
  adopt({ next_due_at }: PollState): boolean {
    if (next_due_at === null || next_due_at === this.#due.stored || this.#due.isWriting) return false;
    this.#due.stored = next_due_at;
    const wanted = Date.parse(next_due_at);
    if (this.#run !== undefined || wanted >= this.#slot.wall) return false;
    this.#planAt(wanted);
    return true;
  }

  /** Moves the next run forward to `delay` milliseconds from now. No effect on a run in progress. */
  hasten(delay: number): void {
    if (this.#run !== undefined) return;
    const at = this.#now();
    if (untilDue(this.#slot, at) <= delay) return;
    this.#planAt(at.wall + delay);
    void this.#due.write(this.#slot.wall);
  }

  /** Runs at once on a user's request; a run in progress is repeated, since it may have read too early. */
  runNow(): void {
    if (this.#run === undefined) this.hasten(0);
    else this.#isAskedAgain = true;
  }

  /** Consecutive failures, whether it is running, and milliseconds until it is due. */
  standing(): { failures: number; isRunning: boolean; dueInMs: number } {
    const dueInMs = untilDue(this.#slot, this.#now());
    return { failures: this.#failures, isRunning: this.#run !== undefined, dueInMs };
  }

  /** Milliseconds for which it has been due, or running since; negative before. */
  get overdueMs(): number {
    return this.#parts.clock.monotonic() - (this.#run?.slot ?? this.#slot).monotonic;
  }

  /** Starts, aborts or abandons a run as needed. Returns the milliseconds until its next call. */
  attend(): number {
    if (this.#run) return this.#watch(this.#run);
    const at = this.#now();
    if (isAhead(this.#slot, at)) {
      this.#slot = dueSlotAt(at.wall + untilDue(this.#slot, at), at);
      void this.#due.write(this.#slot.wall);
    }
    const least = leastGap(this.#cron.intervalMs);
    const gap = this.#lastStart + (this.#failures > 0 ? Math.min(least, RETRY_MS) : least) - at.monotonic;
    if (!isDue(this.#slot, at)) return Math.max(untilDue(this.#slot, at), gap);
    if (gap > 0) return gap;
    if (this.#abandoned >= MOST_ABANDONED) return this.#cron.intervalMs;
    this.#start();
    return this.job.deadlineMs;
  }

  /** By the monotonic clock, so that they are right even when the schedule itself is stuck. */
  alarms(): Alarm[] {
    const at = this.#parts.clock.monotonic();
    const { writingForMs, problem } = this.#due;
    const slot = this.#run?.slot ?? this.#slot;
    // Fast path: called five thousand times every ten seconds for a thousand clinics.
    const isWell = at < slot.monotonic && !this.#wasStopped && this.#abandoned === 0;
    if (isWell && writingForMs === 0 && problem === undefined) return [];
    return alarmsOf({
      title: this.#title,
      intervalMs: this.#cron.intervalMs,
      deadlineMs: this.job.deadlineMs,
      overdueMs: at - slot.monotonic,
      isRunning: this.#run !== undefined,
      wasStopped: this.#wasStopped,
      abandoned: this.#abandoned,
      writingForMs,
      writeProblem: problem,
    });
  }

  /** Aborts the run in progress; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const current = this.#run;
    current?.controller.abort(new Error('clinic-sync is stopping'));
    await current?.ended;
  }

  get #title(): string {
    return `${this.job.poll} of ${this.job.clinic}`;
  }

  #now(): Now {
    const { clock } = this.#parts;
    return { wall: clock.now(), monotonic: clock.monotonic() };
  }

  /** Requested by a user or a recovery, so the minimum gap between two starts does not apply. */
  #planAt(wall: number): void {
    this.#slot = dueSlotAt(wall, this.#now());
    this.#lastStart = Number.NEGATIVE_INFINITY;
  }

  #start(): void {
    const current: Run = {
      controller: new AbortController(),
      slot: this.#slot,
      startedAt: undefined,
      isLate: false,
      ended: Promise.resolve(),
    };
    this.#lastStart = this.#parts.clock.monotonic();
    this.#run = current;
    current.ended = this.#execute(current);
  }

  async #execute(current: Run): Promise<void> {
    const { places, clock } = this.#parts;
    const { signal } = current.controller;
    let outcome: Outcome = {};
    let leave = () => {};
    try {
      if (places !== undefined) leave = await places.take(this.job.clinic, signal);
      current.startedAt = clock.monotonic();
      outcome = (await this.job.run(signal)) ?? {};
    } catch (error) {
      outcome = { failed: asFailure(error, `Polling ${this.job.poll}`) };
    }
    leave();
    if (this.#run !== current) {
      this.#abandoned -= 1;
      return;
    }
    this.#run = undefined;
    // Aborted by our own stop: stays due for the next start.
    if (this.#isStopping && outcome.failed) return;
    this.#wasStopped = current.isLate;
    if (!current.isLate) this.#settle(current, outcome);
    else await this.#giveUp(current, `did not end within ${this.#deadline} and was stopped`);
  }

  get #deadline(): string {
    return formatDuration(this.job.deadlineMs);
  }

  /** Plans the next slot after a run, whatever its outcome. */
  #settle(current: Run, { failed, nothing_due = false }: Outcome): void {
    const { ended } = this.#parts;
    const cron = this.#cron;
    const at = this.#now();
    const hasRecovered = this.#failures > 0 && failed === undefined && !nothing_due;
    if (failed) this.#failures += 1;
    else if (!nothing_due) this.#failures = 0;
    const regular = nextSlot(cron, current.slot, at, this.#offset);
    this.#slot = failed
      ? retrySlot(cron, regular, at, {
          failures: this.#failures,
          kind: failed.kind,
          retryAfterMs: failed.retryAfterMs,
        })
      : regular;
    if (this.#isAskedAgain) this.#planAt(at.wall);
    this.#isAskedAgain = false;
    void this.#due.write(this.#slot.wall);
    ended(this, { hasRecovered });
  }

  async #giveUp(current: Run, problem: string): Promise<void> {
    const { store, clock, log } = this.#parts;
    const { clinic, poll, deadlineMs } = this.job;
    this.#wasStopped = true;
    this.#settle(current, {});
    log.error('a run was aborted at its deadline', { clinic, resource: poll, problem, ms: deadlineMs });
    try {
      await store.polls.finished(clinic, poll, instant(clock.now()), { error: `The last run ${problem}.` });
    } catch {
      // The alarm reports it anyway.
    }
  }

  #watch(current: Run): number {
    const { deadlineMs } = this.job;
    const now = this.#parts.clock.monotonic();
    const running = now - (current.startedAt ?? now);
    if (running < deadlineMs) return deadlineMs - running;
    if (!current.isLate) {
      current.isLate = true;
      current.controller.abort(new Error(`${this.#title} took longer than ${this.#deadline}`));
    }
    if (running < deadlineMs + GRACE_MS) return deadlineMs + GRACE_MS - running;
    this.#abandoned += 1;
    this.#run = undefined;
    void this.#giveUp(current, `did not end within ${this.#deadline}, nor when it was stopped`);
    return 0;
  }
}

/** The due time of one job in the store. While a write hangs, no second one is started. */
class DueTime {
  readonly #parts: Pick<Parts, 'job' | 'store' | 'clock' | 'overtaken'>;
  stored: string | null = null;
  problem: string | undefined;
  #wanted: string | undefined;
  #writingSince: number | undefined;

  constructor(parts: Pick<Parts, 'job' | 'store' | 'clock' | 'overtaken'>) {
    this.#parts = parts;
  }

  get isWriting(): boolean {
    return this.#writingSince !== undefined;
  }

  /** For how long the pending write has not returned; 0 without one. */
  get writingForMs(): number {
    return this.#writingSince === undefined ? 0 : this.#parts.clock.monotonic() - this.#writingSince;
  }

  async write(wall: number): Promise<void> {
    const { job, store, clock, overtaken } = this.#parts;
    this.#wanted = instant(wall);
    if (this.isWriting) return;
    this.#writingSince = clock.monotonic();
    const due = this.#wanted;
    try {
      if (await store.polls.plan(job.clinic, job.poll, due, this.stored)) this.stored = due;
      else overtaken();
      this.problem = undefined;
    } catch (error) {
      this.problem = asFailure(error, 'Storing the next due time').message;
    }
    this.#writingSince = undefined;
    if (this.problem === undefined && due !== this.#wanted) await this.write(Date.parse(this.#wanted));
  }
}
