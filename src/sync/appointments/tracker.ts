import type { AppointmentStatus } from '../../clinic/clinic.ts';
import { finalReader, outcomeReader, type StatusOutcome } from '../../domain/bookings/status-outcome.ts';
import type { Change, NewChange } from '../../domain/clinics/change.ts';
import { wallClockAt } from '../../domain/date-time.ts';
import { backoffMs } from '../../platform/backoff.ts';
import { type Instant, instant, toMs } from '../../platform/clock.ts';
import { parseCron } from '../../platform/cron.ts';
import { dueIn } from '../../platform/due-in.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../platform/duration.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import type { TrackedAppointment } from '../../store/ports/appointments.ts';
import type { NewUnreadable } from '../../store/ports/polls.ts';
import type { MirrorParts } from '../list-poller.ts';
import { nextFinalRead } from './after-final.ts';
import { rateAt, statusKey } from './change-rate.ts';
import { type ChangeRateStore, createChangeRateStore, visitStart } from './change-rate-store.ts';
import { afterMiss, MISSED_AGAIN_MS } from './missing.ts';
import { changesOfObservation, missingChange, observedIn } from './observation.ts';
import {
  callsPerMinute,
  isTooFarOff,
  longestGap,
  nextDue,
  type Rate,
  retryUnknown,
  stalenessCost,
  threshold,
} from './poll-priority.ts';
import { ReadBudget } from './read-budget.ts';
import { Survey } from './survey.ts';

/** Followed until this long after the visit, or after first seen when the visit's time is unknown. */
const FOLLOWED_AFTER = 30 * DAY;

/** Due appointments that a round chooses from; far more than it may read. */
const MOST_CONSIDERED = 300;
/** One unreadable appointment is its own problem; this many in a row are the clinic's. */
const FAILURES_THAT_STOP = 3;
/** Backoff of an unreadable appointment: first so short that trouble shows within a minute, then ever longer. */
const rests = { floor: 30 * SECOND, cap: 30 * MINUTE };
/**
 * Backoff while no other was readable since: it may be an outage, whose end should be noticed soon. None after the
 * first failure: the next round comes within 30 s, and if that fails, too, it is trouble.
 */
const outageRests = { floor: 30 * SECOND, cap: 2 * MINUTE };

/** What one round over the pending appointments did. */
interface Round {
  /** Pending appointments, due or not. */
  rows: number;
  changes: Change[];
  /** True when none was due, so none was read. */
  nothing_due: boolean;
  unreadable: NewUnreadable[];
}

/** When to read an appointment with this status and start (milliseconds since the epoch) again. */
type NextDue = (status: string, start: number) => number;

/** Milliseconds, monotonic. */
interface Rest {
  since: number;
  until: number;
  failures: number;
  mayBeOutage?: boolean;
}

type Dated = Pick<TrackedAppointment, 'date' | 'time' | 'first_seen_at'>;

interface Plan {
  pending: number;
  /** Appointments to read, the most urgent first. */
  round: TrackedAppointment[];
  next: NextDue;
}

/** Tracks pending appointments: reads those that are due, the most urgent first. */
export class Tracker {
  readonly #parts: MirrorParts;
  readonly #rates: ChangeRateStore;
  readonly #isFinal: (status: string) => boolean;
  readonly #outcomeOf: (status: string) => StatusOutcome;
  readonly #interval: number;
  readonly #budget: ReadBudget;
  readonly #survey = new Survey();
  /** Appointments whose own read failed: not retried before this monotonic time. */
  readonly #resting = new Map<number, Rest>();
  /** Monotonic time of the last successful status read. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** Reads that failed during an outage: due now, whatever their stored time. */
  readonly #missed = new Set<number>();
  #hasBegun = false;

  constructor(parts: MirrorParts) {
    const { clinic, settings } = parts;
    this.#parts = parts;
    this.#rates = createChangeRateStore({ ...parts, clinic: clinic.key, zone: settings.timezone });
    this.#outcomeOf = outcomeReader(settings.outcomes);
    this.#isFinal = finalReader(settings.final_statuses, this.#outcomeOf);
    this.#interval = parseCron(settings.schedule.appointments).intervalMs;
    this.#budget = new ReadBudget(this.#interval);
  }

  /**
   * One round. Throws the clinic's `Failure` if the round had to stop; what it read before is recorded. `stillCurrent`
   * throws when a newer round has begun; `all` reads every pending appointment, due or not.
   */
  async round(
    signal: AbortSignal,
    { stillCurrent, all }: { stillCurrent: () => void; all: boolean },
  ): Promise<Round> {
    const { clinic, clock, settings } = this.#parts;
    await this.#rates.refresh(zoneOffset(clock.now(), settings.timezone));
    const { pending, round, next } = await this.#plan(all);
    const changes: Change[] = [];
    const unreadable: NewUnreadable[] = [];
    let failedInARow = 0;
    for (const appointment of round) {
      signal.throwIfAborted();
      this.#budget.spend();
      let answer: AppointmentStatus | undefined;
      try {
        answer = await clinic.appointmentStatus(appointment.appointment_id, signal);
      } catch (error) {
        signal.throwIfAborted();
        const failure = asFailure(error, 'Reading an appointment');
        unreadable.push(await this.#noteUnread(appointment, failure));
        // An answer without a readable status still proves that the clinic is up, and the next one may be readable.
        if (failure.fault === undefined) failedInARow += 1;
        if (unreadable.length === round.length || failedInARow >= FAILURES_THAT_STOP) throw failure;
        continue;
      }
      if (isNews(appointment, answer)) await clinic.confirmIdentity(signal);
      signal.throwIfAborted();
      stillCurrent();
      changes.push(...(await this.#record(appointment, next, answer)));
      this.#noteRead(appointment);
      failedInARow = 0;
    }
    return { rows: pending, changes, unreadable, nothing_due: round.length === 0 };
  }

  #noteRead({ appointment_id: id }: TrackedAppointment): void {
    const wasOut = this.#resting.get(id)?.mayBeOutage === true;
    this.#resting.delete(id);
    this.#readAt = this.#parts.clock.monotonic();
    if (wasOut) this.noteReturn();
  }

  /** Call when the clinic is back after an outage: retries at once what could not be read meanwhile. */
  noteReturn(): void {
    for (const [id, { mayBeOutage }] of this.#resting)
      if (mayBeOutage === true && this.#resting.delete(id)) this.#missed.add(id);
  }

  /** The changes that a round would record now; stores nothing. */
  async preview(signal: AbortSignal): Promise<NewChange[]> {
    const { round } = await this.#plan(false);
    const changes: NewChange[] = [];
    for (const appointment of round) {
      const answer = await this.#parts.clinic.appointmentStatus(appointment.appointment_id, signal);
      if (answer) changes.push(...changesOfObservation(appointment, observedIn(answer, appointment)));
    }
    return changes;
  }

  async #plan(all: boolean): Promise<Plan> {
    const { clinic, store, clock, settings } = this.#parts;
    const { key } = clinic;
    const now = clock.now();
    const offset = zoneOffset(now, settings.timezone);
    await this.#refreshResting();
    await store.appointments.resume(key, instant(now));
    const rateOf =
      (status: string, start: number): Rate =>
      (at) =>
        rateAt(this.#rates.seen(), { status: statusKey(status), start }, at, offset);
    const rateOfAppointment = ({ status, date, time }: TrackedAppointment): Rate | undefined => {
      const start = this.#startOf(date, time);
      return status === null || start === undefined ? undefined : rateOf(status, start);
    };

    // Due by the stored time, or found by the survey with a stored time that cannot be trusted.
    const due = new Map<number, TrackedAppointment>();
    const consider = (appointment: TrackedAppointment) => {
      if (all || this.#isDue(appointment, now)) due.set(appointment.appointment_id, appointment);
    };
    await this.#survey.walk({
      read: (limit, after) => store.appointments.pending(key, limit, after),
      visit(appointment) {
        consider(appointment);
        return rateOfAppointment(appointment)?.(now);
      },
      now: clock.monotonic(),
      whole: all || this.#missed.size > 0,
    });
    this.#missed.clear();
    // Also of a whole round: a final status is read again, but its appointment is pending no more.
    for (const appointment of await store.appointments.due(key, this.#dueBy(now), MOST_CONSIDERED))
      consider(appointment);

    const { pending, roots } = this.#survey.demand;
    const perMinute = callsPerMinute(clinic.limiter().ceiling_per_minute, pending);
    const wanted = threshold(roots, perMinute);
    const longest = longestGap(pending, perMinute);
    const most = all ? due.size : this.#budget.allowance(perMinute, clock.monotonic());
    return {
      pending,
      round: mostUrgentFirst([...due.values()], rateOfAppointment, now).slice(0, most),
      next: (status, start) => nextDue(rateOf(status, start), clock.now(), wanted, longest),
    };
  }

  #isDue({ appointment_id, seen_at, next_due_at, first_seen_at }: TrackedAppointment, now: number): boolean {
    if (this.#missed.has(appointment_id)) return true;
    const rest = this.#resting.get(appointment_id);
    if (rest !== undefined && rest.until > this.#parts.clock.monotonic()) return false;
    if (next_due_at === null) return true;
    if (next_due_at <= this.#dueBy(now)) return true;
    return seen_at === null
      ? isTooFarOff(toMs(first_seen_at), toMs(next_due_at), now)
      : dueIn({ since: seen_at, until: next_due_at }, now) === 0;
  }

  /** Rounds run once per interval: reading half an interval early beats half an interval late. */
  #dueBy(now: number): Instant {
    return instant(now + this.#interval / 2);
  }

  async #record(
    before: TrackedAppointment,
    next: NextDue,
    answer: AppointmentStatus | undefined,
  ): Promise<Change[]> {
    if (answer === undefined) return this.#recordUnknown(before);
    const { clinic, store, clock } = this.#parts;
    const { appointment_id, first_seen_at } = before;
    const now = clock.now();
    const seen = observedIn(answer, before);
    const start = this.#startOf(seen.date, seen.time);
    const isFinal = this.#isFinal(seen.status);
    const again = isFinal
      ? this.#nextFinalRead(before, seen, now)
      : next(seen.status, start ?? toMs(first_seen_at));
    return store.appointments.observe({
      ...{ clinic: clinic.key, appointment_id, at: instant(now) },
      seen: { ...seen, outcome: this.#outcomeOf(seen.status), visit_at: this.#visitAt(seen.date, seen.time) },
      ...this.#nextRead({ ...seen, first_seen_at }, now, again, isFinal),
      changes: changesOfObservation(before, seen),
    });
  }

  #nextFinalRead(
    before: TrackedAppointment,
    { status, date }: { status: string; date: string | null },
    now: number,
  ): number | undefined {
    const { status: former, status_changed_at } = before;
    const since = status === former && status_changed_at !== null ? toMs(status_changed_at) : now;
    return nextFinalRead({ since, date }, now, this.#parts.settings.timezone);
  }

  /** When to read it again, if it is not long past. `again` undefined: never. */
  #nextRead(visit: Dated, now: number, again: number | undefined, isFinal = false) {
    const until = this.#followedUntil(visit);
    const next_due_at = again === undefined || until < now ? null : instant(again);
    if (isFinal) return { next_due_at, done: true };
    return next_due_at === null
      ? { next_due_at, done: true, followed_until: instant(until) }
      : { next_due_at, done: false };
  }

  /** The clinic has no appointment with this id: not yet, not for a moment, or no longer. */
  async #recordUnknown(before: TrackedAppointment): Promise<Change[]> {
    const { clinic, store, clock, log } = this.#parts;
    const { appointment_id, status, first_seen_at, removed_at } = before;
    const now = clock.now();
    const at = instant(now);
    const missed = status === null ? undefined : afterMiss(before, now);
    const isGone = missed?.missing === true && removed_at === null;
    const since = toMs(removed_at ?? (status === null ? first_seen_at : at));
    const again = missed?.missing === false ? now + MISSED_AGAIN_MS : retryUnknown(since, now);
    const isOver = now - since > FOLLOWED_AFTER || (before.done && missed?.missing === true);
    log.warn('the clinic does not know this appointment', {
      clinic: clinic.key,
      appointment_id,
      next: instant(again),
    });
    return store.appointments.observe({
      ...{ clinic: clinic.key, appointment_id, at, seen: null },
      ...(isOver ? { next_due_at: null, done: true } : this.#nextRead(before, now, again, before.done)),
      ...(missed !== undefined && { missed }),
      changes: isGone ? [missingChange(before, at)] : [],
    });
  }

  /** Records it as unreadable; past its time, ends following it. Rethrows failures that concern the whole clinic. */
  async #noteUnread(before: TrackedAppointment, failure: Failure): Promise<NewUnreadable> {
    const { clinic, store, clock, log } = this.#parts;
    const { appointment_id } = before;
    const now = clock.now();
    const again = isAboutLimits(failure) ? now : this.#rest(appointment_id, failure);
    if (concernsTheClinic(failure)) throw failure;
    const { field = null, problem = failure.message } = failure.fault ?? {};
    await store.appointments.unread({
      ...{ clinic: clinic.key, appointment_id, at: instant(now), field, problem },
      ...this.#nextRead(before, now, again, before.done),
    });
    log.warn('an appointment could not be read', {
      clinic: clinic.key,
      appointment_id,
      problem: failure.message,
    });
    return { id: String(appointment_id), position: null, field, problem };
  }

  /** When it may be retried, milliseconds since the epoch. */
  #rest(id: number, { kind }: Failure): number {
    const { clock } = this.#parts;
    const now = clock.monotonic();
    const { since, failures: before } = this.#resting.get(id) ?? { since: now, failures: 0 };
    const failures = before + 1;
    const mayBeOutage = kind === 'transient';
    const isOutage = mayBeOutage && this.#readAt < since;
    const doubling = isOutage ? before : failures;
    const wait = doubling === 0 ? 0 : backoffMs(doubling, isOutage ? outageRests : rests);
    this.#resting.set(id, { since, until: now + wait, failures, mayBeOutage });
    return clock.now() + wait;
  }

  /** At a start, unreadable appointments are retried at once. Also drops old entries. */
  async #refreshResting(): Promise<void> {
    const { store, clinic, clock } = this.#parts;
    const now = clock.monotonic();
    if (!this.#hasBegun) {
      await store.appointments.applyOutcomes({
        clinic: clinic.key,
        at: instant(clock.now()),
        outcomeOf: this.#outcomeOf,
        visitAt: (date, time) => this.#visitAt(date, time),
      });
      for (const { poll, id } of await store.polls.unreadable(clinic.key))
        if (poll === 'appointments') this.#resting.set(Number(id), { since: now, until: now, failures: 0 });
      this.#hasBegun = true;
    }
    for (const [id, { until }] of this.#resting) if (until < now - HOUR) this.#resting.delete(id);
  }

  #startOf(date: string | null, time: string | null): number | undefined {
    return visitStart(date, time, this.#parts.settings.timezone);
  }

  #visitAt(date: string | null, time: string | null): Instant | undefined {
    const start = this.#startOf(date, time);
    return start === undefined ? undefined : instant(start);
  }

  #followedUntil({ date, time, first_seen_at }: Dated): number {
    return (this.#startOf(date, time) ?? toMs(first_seen_at)) + FOLLOWED_AFTER;
  }
}

function mostUrgentFirst(
  due: readonly TrackedAppointment[],
  rateOf: (appointment: TrackedAppointment) => Rate | undefined,
  now: number,
): TrackedAppointment[] {
  const costOf = (appointment: TrackedAppointment) => {
    const rate = rateOf(appointment);
    const { seen_at } = appointment;
    return rate === undefined || seen_at === null ? Infinity : stalenessCost(rate, toMs(seen_at), now);
  };
  return due
    .map((appointment) => ({ appointment, cost: costOf(appointment) }))
    .sort((a, b) => (a.cost === b.cost ? 0 : b.cost - a.cost))
    .map(({ appointment }) => appointment);
}

/** True for a change, for which the clinic's identity must be confirmed: another clinic reuses the same numbers. */
const isNews = (before: TrackedAppointment, answer: AppointmentStatus | undefined): boolean =>
  answer === undefined
    ? before.status !== null
    : changesOfObservation(before, observedIn(answer, before)).length > 0;

const isAboutLimits = ({ status }: Failure): boolean => status === 429 || status === 401 || status === 403;

/** Without any answer, after a 429 or with refused credentials, every other read would fail too. */
const concernsTheClinic = (failure: Failure): boolean =>
  isAboutLimits(failure) || (failure.kind === 'transient' && failure.status === undefined);

/** The clinic's local time minus UTC, milliseconds. */
function zoneOffset(now: number, zone: string): number {
  const { date, time } = wallClockAt(now, zone);
  return Date.parse(`${date}T${time}Z`) - Math.floor(now / MINUTE) * MINUTE;
}
