import type { AppointmentStatus, Clinic } from '../../clinic/clinic.ts';
import type { ClinicSettings } from '../../config/config.ts';
import type { Change, NewChange } from '../../domain/change.ts';
import { wallClockAt } from '../../domain/date-time.ts';
import { type Clock, instant, toMs } from '../../platform/clock.ts';
import { parseCron } from '../../platform/cron.ts';
import { DAY, MINUTE } from '../../platform/duration.ts';
import { asFailure, type Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { NewUnreadable, Store, TrackedAppointment } from '../../store/store.ts';
import { rateAt, statusKey } from './change-rate.ts';
import { createHabits, visitStart } from './change-rate-store.ts';
import { changesOfSighting, sightingOf } from './observation.ts';
import {
  callsPerMinute,
  gain,
  isTooFarOff,
  longestGap,
  nextDue,
  retryUnknown,
  threshold,
} from './poll-priority.ts';

/** Not followed longer after the visit, or after it was last known where there is no visit. */
const FOLLOWED_AFTER = 30 * DAY;

/** Calls that were not needed are saved for so many intervals; a first round (or a single one) starts with as many. */
const SAVED_INTERVALS = 3;
const STARTS_REMEMBERED = 10_000;
/** One that cannot be read is its own trouble; this many in a row are the clinic's. */
const FAILURES_THAT_STOP = 3;
/** One that cannot be read is asked for again after this long, then twice as long, up to the longest. */
const FIRST_REST = MINUTE;
const LONGEST_REST = 30 * MINUTE;

/** What one round over the pending appointments did. */
export interface Round {
  /** Pending ones, due or not. */
  rows: number;
  changes: Change[];
  /** None was due, so none was read. */
  nothing_due: boolean;
  unreadable: NewUnreadable[];
}

/** Follows pending appointments: reads those that are due, the most telling first. */
export interface Follower {
  /**
   * One round. Throws the clinic's `Failure` when the round had to stop; what was read until then is recorded.
   * `stillCurrent` throws when a newer round has begun; `all` reads every pending one, due or not.
   */
  round(signal: AbortSignal, options: { stillCurrent: () => void; all: boolean }): Promise<Round>;
  /** The changes a round would record now; stores nothing. */
  preview(signal: AbortSignal): Promise<NewChange[]>;
}

interface Parts {
  clinic: Clinic;
  store: Store;
  clock: Clock;
  log: Log;
  settings: ClinicSettings;
}

export function createFollower({ clinic, store, clock, log, settings }: Parts): Follower {
  const zone = settings.timezone;
  const habits = createHabits({ store, clock, clinic: clinic.key, zone });
  const final = new Set(settings.final_statuses.map(statusKey));
  const interval = parseCron(settings.schedule.appointments).intervalMs;
  /** Appointments whose read failed by themselves: not before, and the wait that led there. */
  const resting = new Map<number, { until: number; wait: number }>();
  const starts = new Map<string, number | undefined>();
  let credit = 0;
  let creditedAt: number | undefined;

  /** Start of a visit; remembered, because zone arithmetic for thousands of them every minute would show. */
  function startOf(date: string | null, time: string | null): number | undefined {
    const key = `${date}T${time}`;
    if (starts.size > STARTS_REMEMBERED) starts.clear();
    if (!starts.has(key)) starts.set(key, visitStart(date, time, zone));
    return starts.get(key);
  }

  /** The plan of one round: which to read, in which order, and how to find each one's next due time. */
  async function plan(all: boolean) {
    const now = clock.now();
    const offset = zoneOffset(now, zone);
    const pending = await store.appointments.pending(clinic.key);
    const perMinute = callsPerMinute(clinic.limiter().ceiling_per_minute, pending.length);
    const rateOf = (status: string, start: number) => {
      const visit = { status: statusKey(status), start };
      return (at: number) => rateAt(habits.seen(), visit, at, offset);
    };

    const ids = new Set(pending.map(({ appointment_id }) => appointment_id));
    for (const id of resting.keys()) if (!ids.has(id)) resting.delete(id);

    const rates: number[] = [];
    const due: { appointment: TrackedAppointment; gain: number }[] = [];
    for (const appointment of pending) {
      const { status, seen_at, next_due_at, appointment_id, first_seen_at } = appointment;
      const start = startOf(appointment.date, appointment.time);
      const rate = status !== null && start !== undefined ? rateOf(status, start) : undefined;
      if (rate) rates.push(rate(now));
      // Rounds come once an interval: half of one early tells more than half of one late.
      const soon = next_due_at === null || toMs(next_due_at) <= now + interval / 2;
      // Seen in the future: the clock was set back since, and the due time is as far off as the clock was.
      const wasSetBack =
        seen_at === null
          ? next_due_at !== null && isTooFarOff(toMs(first_seen_at), toMs(next_due_at), now)
          : toMs(seen_at) > now;
      const isDue = soon || wasSetBack;
      const rests = (resting.get(appointment_id)?.until ?? Number.NEGATIVE_INFINITY) > clock.monotonic();
      if (!all && (!isDue || rests)) continue;
      const known = rate !== undefined && seen_at !== null;
      due.push({ appointment, gain: known ? gain(rate, toMs(seen_at), now) : Number.POSITIVE_INFINITY });
    }
    due.sort((a, b) => (a.gain === b.gain ? 0 : b.gain - a.gain));

    const wanted = threshold(rates, perMinute);
    const longest = longestGap(pending.length, perMinute);
    return {
      pending: pending.length,
      round: due.slice(0, all ? due.length : allowance(perMinute)).map(({ appointment }) => appointment),
      next: (status: string, start: number) => nextDue(rateOf(status, start), clock.now(), wanted, longest),
    };
  }

  /** Calls this round may make: what the time since the last round is worth, at most a few intervals' worth. */
  function allowance(perMinute: number): number {
    const now = clock.monotonic();
    const elapsed = creditedAt === undefined ? SAVED_INTERVALS * interval : now - creditedAt;
    creditedAt = now;
    const most = Math.max(1, (perMinute * SAVED_INTERVALS * interval) / MINUTE);
    credit = Math.min(most, credit + (perMinute * elapsed) / MINUTE);
    return Math.floor(credit + 1e-9);
  }

  /** Records what one status read showed. */
  async function record(
    before: TrackedAppointment,
    next: (status: string, start: number) => number,
    answer: AppointmentStatus | undefined,
  ): Promise<Change[]> {
    const id = before.appointment_id;
    const now = clock.now();
    const observed = { clinic: clinic.key, appointment_id: id, at: instant(now) };

    if (answer === undefined) {
      const since = toMs(
        before.status === null ? before.first_seen_at : (before.seen_at ?? before.first_seen_at),
      );
      const done = now - since > FOLLOWED_AFTER;
      const again = instant(retryUnknown(since, now));
      log.warn('the clinic does not know this appointment', {
        clinic: clinic.key,
        appointment_id: id,
        next: again,
      });
      return store.appointments.observe({
        ...observed,
        seen: null,
        next_due_at: done ? null : again,
        done,
        changes: [],
      });
    }

    const seen = sightingOf(answer, before);
    const start = startOf(seen.date, seen.time);
    const past = isPast(seen.date, seen.time, before.first_seen_at, now);
    const done = past || final.has(statusKey(seen.status));
    return store.appointments.observe({
      ...observed,
      seen,
      next_due_at: done ? null : instant(next(seen.status, start ?? toMs(before.first_seen_at))),
      done,
      changes: changesOfSighting(before, seen),
    });
  }

  /** Shown until it is read; one that nobody would follow any more ends here. */
  async function noteUnread(before: TrackedAppointment, failure: Failure): Promise<NewUnreadable> {
    const { appointment_id } = before;
    const now = clock.now();
    const { field = null, problem = failure.message } = failure.fault ?? {};
    await store.appointments.unread({
      clinic: clinic.key,
      appointment_id,
      at: instant(now),
      field,
      problem,
      done: isPast(before.date, before.time, before.first_seen_at, now),
    });
    return { id: String(appointment_id), position: null, field, problem };
  }

  function isPast(date: string | null, time: string | null, firstSeenAt: string, now: number): boolean {
    return now - (startOf(date, time) ?? toMs(firstSeenAt)) > FOLLOWED_AFTER;
  }

  function rest(id: number): void {
    const wait = Math.min(LONGEST_REST, (resting.get(id)?.wait ?? FIRST_REST / 2) * 2);
    resting.set(id, { until: clock.monotonic() + wait, wait });
  }

  return {
    async round(signal, { stillCurrent, all }) {
      await habits.refresh(zoneOffset(clock.now(), zone));
      const { pending, round, next } = await plan(all);
      const changes: Change[] = [];
      const unreadable: NewUnreadable[] = [];
      let failedInARow = 0;
      for (const appointment of round) {
        signal.throwIfAborted();
        credit = Math.max(0, credit - 1);
        try {
          const answer = await clinic.appointmentStatus(appointment.appointment_id, signal);
          signal.throwIfAborted();
          stillCurrent();
          changes.push(...(await record(appointment, next, answer)));
          resting.delete(appointment.appointment_id);
          failedInARow = 0;
        } catch (error) {
          signal.throwIfAborted();
          const failure = asFailure(error, 'Reading an appointment');
          if (!isAboutLimits(failure)) rest(appointment.appointment_id);
          if (concernsTheClinic(failure)) throw failure;
          unreadable.push(await noteUnread(appointment, failure));
          // An answer without a readable status is an answer: the clinic is there, and the next may be readable.
          if (failure.fault === undefined) failedInARow += 1;
          log.warn('an appointment could not be read', {
            clinic: clinic.key,
            appointment_id: appointment.appointment_id,
            problem: failure.message,
          });
          if (unreadable.length === round.length || failedInARow >= FAILURES_THAT_STOP) throw failure;
        }
      }
      return { rows: pending, changes, unreadable, nothing_due: round.length === 0 };
    },
    async preview(signal) {
      const { round } = await plan(false);
      const changes: NewChange[] = [];
      for (const appointment of round) {
        const answer = await clinic.appointmentStatus(appointment.appointment_id, signal);
        if (answer) changes.push(...changesOfSighting(appointment, sightingOf(answer, appointment)));
      }
      return changes;
    },
  };
}

const isAboutLimits = ({ status }: Failure): boolean => status === 429 || status === 401 || status === 403;

/** Without an answer at all, or told to wait or refused as a client, every other read would fare the same. */
const concernsTheClinic = (failure: Failure): boolean =>
  isAboutLimits(failure) || (failure.kind === 'transient' && failure.status === undefined);

/** The clinic's wall clock less UTC, milliseconds. */
function zoneOffset(now: number, zone: string): number {
  const { date, time } = wallClockAt(now, zone);
  return Date.parse(`${date}T${time}Z`) - Math.floor(now / MINUTE) * MINUTE;
}
