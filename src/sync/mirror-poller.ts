import type { Change, NewChange } from '../domain/clinics/change.ts';
import type { Poll } from '../domain/clinics/resource.ts';
import { type Instant, instant } from '../platform/clock.ts';
import { asFailure, Failure } from '../platform/failure.ts';
import type { Guard, NewUnreadable } from '../store/ports/polls.ts';
import { Tracker } from './appointments/tracker.ts';
import { createListPoller, type MirrorParts } from './list-poller.ts';

/** Keeps one clinic's mirror in the store equal to the last good answer of each resource. */
export interface Mirror {
  /**
   * One complete poll, recorded as a whole or not at all. A failure is in the result and in the store's polls and
   * leaves the mirror as it is; only an abort throws (the signal's reason). `all`: also appointments that are not due.
   */
  poll(poll: Poll, signal: AbortSignal, options?: { all?: boolean }): Promise<PollResult>;
  /** What a poll would record now; reads the clinic, stores nothing. Throws `Failure`. */
  preview(poll: Poll, signal: AbortSignal): Promise<NewChange[]>;
}

interface PollResult {
  poll: Poll;
  /** Records in the answer, or pending appointments. */
  rows: number;
  changes: Change[];
  /** Nothing was due, so nothing was read: not a success, and an earlier failure remains. */
  nothing_due: boolean;
  /** What this poll could not read; it stays as it was, and the rest was recorded. */
  unreadable: readonly NewUnreadable[];
  /** Set when the answer is held; its additions are applied. */
  guarded?: Guard;
  failed?: Failure;
}

export function createMirror(parts: MirrorParts): Mirror {
  const { clinic, store, clock, log } = parts;
  const started: Partial<Record<Poll, number>> = {};
  /**
   * A run may return after its deadline with outdated answers; recording those over newer ones would show changes that
   * never happened.
   */
  const begin = (poll: Poll) => {
    const turn = (started[poll] ?? 0) + 1;
    started[poll] = turn;
    return () => {
      if (started[poll] === turn) return;
      throw new Failure({
        kind: 'transient',
        message: `A newer poll of ${poll} began before this one ended.`,
      });
    };
  };

  const tracker = new Tracker(parts);
  const lists = createListPoller(parts);
  /** A list failed transiently, and none was read since. */
  let isGone = false;

  async function run(poll: Poll, signal: AbortSignal, all: boolean): Promise<Omit<PollResult, 'poll'>> {
    const current = begin(poll);
    if (poll !== 'appointments') {
      const read = await lists.poll(poll, signal, current);
      if (isGone) tracker.noteReturn();
      isGone = false;
      return { ...read, nothing_due: false };
    }
    const round = await tracker.round(signal, { stillCurrent: current, all });
    const at = instant(clock.now());
    if (round.nothing_due) noteIdle(poll, at);
    else await store.polls.finished(clinic.key, poll, at, { error: null });
    return round;
  }

  /** Not awaited, so that it shares a commit with the next due time: there is one of each per clinic and minute. */
  function noteIdle(poll: Poll, at: Instant): void {
    store.polls.idle(clinic.key, poll, at).catch((error) =>
      log.error('the end of a poll could not be stored', {
        clinic: clinic.key,
        resource: poll,
        problem: asFailure(error, 'Storing').message,
      }),
    );
  }

  async function noteFailure(poll: Poll, failure: Failure): Promise<void> {
    log.warn('poll failed', {
      clinic: clinic.key,
      resource: poll,
      kind: failure.kind,
      problem: failure.message,
      ...(failure.status === undefined ? {} : { status: failure.status }),
      ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    });
    try {
      const { code, values } = failure.said ?? {};
      const name = URL.parse(parts.settings.base_url)?.host ?? clinic.key;
      await store.polls.finished(clinic.key, poll, instant(clock.now()), {
        error: failure.message,
        ...(code !== undefined && { said: { code, values: { ...values, name } } }),
      });
    } catch {
      // The database is the failure, or fails as well: the result and the log are all that is left.
      log.error('the failure of a poll could not be stored', { clinic: clinic.key, resource: poll });
    }
  }

  return {
    async poll(poll, signal, { all = false } = {}) {
      signal.throwIfAborted();
      const from = clock.monotonic();
      try {
        const result = await run(poll, signal, all);
        const ms = Math.round(clock.monotonic() - from);
        log.debug('polled', { clinic: clinic.key, resource: poll, count: result.changes.length, ms });
        return { poll, ...result };
      } catch (error) {
        signal.throwIfAborted();
        const failed = asFailure(error, `Polling ${poll}`);
        if (poll !== 'appointments' && failed.kind === 'transient') isGone = true;
        await noteFailure(poll, failed);
        return { poll, rows: 0, changes: [], nothing_due: false, unreadable: [], failed };
      }
    },
    preview: (poll, signal) =>
      poll === 'appointments' ? tracker.preview(signal) : lists.preview(poll, signal),
  };
}
