import type { MutationSet } from './mutation.ts';

const guard = 'src/sync/guard.ts';
const lists = 'src/sync/list-poller.ts';
const diff = 'src/sync/diff.ts';
const tracker = 'src/sync/appointments/tracker.ts';
const due = 'src/sync/appointments/poll-priority.ts';
const rateStore = 'src/sync/appointments/change-rate-store.ts';
const rate = 'src/sync/appointments/change-rate.ts';
const mirrorFile = 'src/sync/mirror-poller.ts';
const runner = 'src/sync/schedule/runner.ts';
const slot = 'src/sync/schedule/due-slot.ts';
const scheduleFile = 'src/sync/schedule/schedule.ts';

export const mirror: MutationSet = {
  module: 'mirror',
  tests: [
    'src/sync/mirror-poller.test.ts',
    'src/sync/appointments',
    'src/sync/diff.test.ts',
    'src/sync/guard.test.ts',
  ],
  mutations: [
    {
      file: 'src/sync/list-poller.ts',
      find: '?.last_success_at === answer.at ?',
      replace: ' !== undefined ?',
      harm: 'what another process recorded meanwhile is never compared again',
    },
    {
      file: 'src/sync/list-poller.ts',
      find: 'digest !== undefined && unreadable.length === 0',
      replace: 'digest !== undefined',
      harm: 'a thing that cannot be read is forgotten with the next poll',
    },
    {
      file: guard,
      find: 'const AGREEING_MS = HOUR;',
      replace: 'const AGREEING_MS = 0;',
      harm: 'three quick polls empty a list',
    },
    {
      file: lists,
      find: 'const elapsedMs = before === undefined ? undefined : now - before;',
      replace: 'const elapsedMs = undefined;',
      harm: 'a clock that is set forward by hours lets three quick polls empty a list',
    },
    {
      file: guard,
      find: 'const AGREEING_POLLS = 3;',
      replace: 'const AGREEING_POLLS = 1;',
      harm: 'two answers an hour apart empty a list',
    },
    {
      file: guard,
      find: 'return !approval_only && guard.seen',
      replace: 'return guard.seen',
      harm: 'an empty list or another clinic’s data passes without a person',
    },
    {
      file: guard,
      find: 'if (guard.fingerprint !== fingerprint) return false;',
      replace: '',
      harm: 'an approval for one answer lets another through',
    },
    {
      file: guard,
      find: 'if (answered === 0)',
      replace: 'if (answered < 0)',
      harm: 'an empty list may pass after an hour without a person',
    },
    {
      file: guard,
      find: 'isMassRemoval(removed.length + unreadable, present, guards)',
      replace: 'isMassRemoval(removed.length, present, guards)',
      harm: 'unreadable entries hide how much an answer would remove',
    },
    {
      file: guard,
      find: 'count > removed_over && count * 100 > removed_percent * present;',
      replace: 'count > removed_over || count * 100 > removed_percent * present;',
      harm: 'a guard stops one dentist of three who leaves',
    },
    {
      file: guard,
      find: "if (gone === undefined || (poll !== 'organization' && poll !== 'website')) return undefined;",
      replace: "if (gone === undefined || poll !== 'organization' || successor) return undefined;",
      harm: 'the data of another clinic is taken over',
    },
    {
      file: lists,
      find: 'unseen: [...found.removed, ...found.kept],',
      replace: 'unseen: [...found.kept],',
      harm: 'what a held answer left out looks as if it was seen',
    },
    {
      file: guard,
      find: 'if (successor !== undefined && other_keys.length > 0)',
      replace: 'if (successor !== undefined && other_keys.length > 9)',
      harm: 'a clinic whose key was changed books again what it had booked under the former one',
    },
    {
      file: lists,
      find: "if (open) await close(poll, open, 'withdrawn', at);",
      replace: '',
      harm: 'a guard stays open after the clinic answers well again',
    },
    {
      file: lists,
      find: 'verdict !== undefined && isSingle(poll) ? [] : added;',
      replace: 'added;',
      harm: 'another clinic’s website appears beside the own one while the guard holds it',
    },
    {
      file: lists,
      find: 'const changes = await record(pass ? whole : additions);',
      replace: 'const changes = pass ? await record(whole) : [];',
      harm: 'new dentists do not show while an answer is held',
    },
    {
      file: lists,
      find: 'if (!isSingle(poll) && (verdict !== undefined || writes(whole))) await clinic.confirmIdentity(signal);',
      replace: '',
      harm: 'wrong keys put another clinic’s treatments beside the own ones',
    },
    {
      file: tracker,
      find: 'const doubling = isOutage ? before : failures;',
      replace: 'const doubling = failures;',
      harm: 'an appointment whose status hangs is trouble after three minutes only',
    },
    {
      file: tracker,
      find: 'if (isNews(appointment, answer)) await clinic.confirmIdentity(signal);',
      replace: '',
      harm: 'statuses of another clinic’s appointments are taken for the own ones',
    },
    {
      file: lists,
      find: 'signal.throwIfAborted();\n      stillCurrent();',
      replace: 'signal.throwIfAborted();',
      harm: 'an answer that comes late overwrites a newer one',
    },
    {
      file: diff,
      find: '(hidden.has(id) || hidden.has(null) ? result.kept : result.removed).push(id);',
      replace: '(hidden.has(id) ? result.kept : result.removed).push(id);',
      harm: 'one entry without a readable id removes a dentist',
    },
    {
      file: 'src/sync/appointments/read-budget.ts',
      find: 'const most = Math.max(1, (perMinute * SAVED_INTERVALS * interval) / MINUTE);',
      replace: 'const most = Number.POSITIVE_INFINITY;',
      harm: 'after a night without calls all are made at once',
    },
    {
      file: tracker,
      find: 'const again = isAboutLimits(failure) ? now : this.#rest(appointment_id, failure);',
      replace: 'const again = now;',
      harm: 'an appointment that cannot be read is asked for each round',
    },
    {
      file: mirrorFile,
      find: 'if (isGone) tracker.noteReturn();',
      replace: '',
      harm: 'after an outage of an hour a status is old for half an hour more',
    },
    {
      file: mirrorFile,
      find: 'if (isGone) tracker.noteReturn();',
      replace: 'tracker.noteReturn();',
      harm: 'an appointment that fails alone is asked for again after each list',
    },
    {
      file: 'src/sync/appointments/survey.ts',
      find: '(whole || this.#last === undefined)',
      replace: 'whole',
      harm: 'after a start the calls are shared among the first page alone',
    },
    {
      file: tracker,
      find: 'if (concernsTheClinic(failure)) throw failure;',
      replace: '',
      harm: 'a clinic that is down is asked for every appointment',
    },
    {
      file: tracker,
      find: 'if (failure.fault === undefined) failedInARow += 1;',
      replace: 'failedInARow += 1;',
      harm: 'three unreadable statuses hide all others',
    },
    {
      file: tracker,
      find: ': dueIn({ since: seen_at, until: next_due_at }, now) === 0;',
      replace: ': false;',
      harm: 'a clock that was set back stops all statuses',
    },
    {
      file: tracker,
      find: 'nothing_due: round.length === 0',
      replace: 'nothing_due: false',
      harm: 'a round without a call counts as a success and ends an alarm',
    },
    {
      file: 'src/sync/appointments/read-budget.ts',
      find: 'this.#credit = Math.max(0, this.#credit - 1);',
      replace: '',
      harm: 'the share of the limit for statuses is used twice',
    },
    {
      file: mirrorFile,
      find: 'if (round.nothing_due) noteIdle(poll, at);\n    else',
      replace: '',
      harm: 'an idle round hides that the clinic fails',
    },
    {
      file: 'src/domain/clinics/spelling.ts',
      find: "return field === 'time' ? value.replace(",
      replace: "return field === 'hour' ? value.replace(",
      harm: '10:30 and 10:30:00 are told as a change',
    },
    {
      file: rateStore,
      find: 'if (learned.until > now) learned.until = now;',
      replace: '',
      harm: 'a clock that was set back stops the learning',
    },
    {
      file: due,
      find: 'Math.min(LONGEST_UNKNOWN_GAP, Math.max(SHORTEST_UNKNOWN_GAP, now - unknownSince));',
      replace: 'LONGEST_UNKNOWN_GAP;',
      harm: 'a new appointment the clinic shows late is missed for a day',
    },
    {
      file: due,
      find: 'ceiling === null ? wanted : Math.min(wanted, ceiling * SHARE_OF_CEILING);',
      replace: 'wanted;',
      harm: 'statuses use up the whole limit and bookings wait',
    },
    {
      file: rate,
      find: 'if (to <= from || (changed && to - from > LONGEST_FOR_A_CHANGE)) return;',
      replace: 'if (to <= from) return;',
      harm: 'a change during a long outage spoils what is learned',
    },
  ],
};

export const schedule: MutationSet = {
  module: 'schedule',
  tests: ['src/sync/schedule'],
  mutations: [
    {
      file: scheduleFile,
      find: 'if (isReadStale) loop.wake();',
      replace: '',
      harm: 'what is asked for while the due times are read waits for a minute',
    },
    {
      file: runner,
      find: 'else overtaken();',
      replace: '',
      harm: 'what is asked for while a due time is stored is forgotten',
    },
    {
      file: slot,
      find: 'now.wall >= slot.wall || now.monotonic >= slot.monotonic;',
      replace: 'now.wall >= slot.wall;',
      harm: 'a clock that was set back stops all polls',
    },
    {
      file: slot,
      find: 'return dueSlotAt(Math.min(stored, cron.next(now.wall - offset) + offset), now);',
      replace: 'return dueSlotAt(stored, now);',
      harm: 'a due time of another schedule is waited for',
    },
    {
      file: slot,
      find: "kind === 'transient' ? first : backoffMs(failures, { floor: first, cap: cron.intervalMs });",
      replace: 'backoffMs(failures, { floor: first, cap: cron.intervalMs });',
      harm: 'a clinic that is back is looked at an hour later, not in 30 seconds',
    },
    {
      file: slot,
      find: 'const pause = Math.max(retryAfterMs, own);',
      replace: 'const pause = own;',
      harm: 'a poll comes before the clinic wants it',
    },
    {
      file: runner,
      find: 'if (this.#isStopping && outcome.failed) return;',
      replace: '',
      harm: 'a poll cut short by a stop counts as failed',
    },
    {
      file: runner,
      find: 'if (this.#abandoned >= MOST_ABANDONED) return this.#cron.intervalMs;',
      replace: '',
      harm: 'polls that never end pile up',
    },
    {
      file: runner,
      find: 'else if (!nothing_due) this.#failures = 0;',
      replace: 'else this.#failures = 0;',
      harm: 'a round with nothing due ends the quick looks at a clinic that is down',
    },
    {
      file: runner,
      find: 'if (gap > 0) return gap;',
      replace: '',
      harm: 'a clock that jumps makes a poll run again and again',
    },
    {
      file: runner,
      find: 'const gap = this.#lastStart + (this.#failures > 0 ? Math.min(least, RETRY_MS) : least) - at.monotonic;',
      replace: 'const gap = this.#lastStart + least - at.monotonic;',
      harm: 'a failing poll is not tried again after 30 seconds',
    },
    {
      file: runner,
      find: 'if (this.#run !== undefined || wanted >= this.#slot.wall) return false;',
      replace: 'if (this.#run !== undefined) return false;',
      harm: 'a later due time in the database delays a poll',
    },
    {
      file: scheduleFile,
      find: 'if (hasRecovered) recovered(runner);',
      replace: '',
      harm: 'after an outage the other lists stay old for an hour',
    },
    {
      file: scheduleFile,
      find: 'if (!shown.has(withoutFigures(problem))) log.error',
      replace: 'log.error',
      harm: 'one alarm fills the log',
    },
    {
      file: 'src/sync/schedule/alarms.ts',
      find: "stuck = { action: 'If it lasts, restart clinic-sync: nothing is lost by that.', asksPerson: true };\nconst slow = { action: 'The clinic answers too slowly; the poll is repeated.', asksPerson: false };",
      replace:
        "stuck = { action: 'If it lasts, restart clinic-sync: nothing is lost by that.', asksPerson: true };\nconst slow = stuck;",
      harm: 'people restart the daemon because the clinic is slow',
    },
    {
      file: scheduleFile,
      find: 'if (!begun || known.some(({ isRunning }) => isRunning)) return;',
      replace: 'if (!begun) return;',
      harm: 'each doubt about a clinic that hangs makes one more call to it',
    },
    {
      file: scheduleFile,
      find: 'await Promise.race([ended, clock.sleep(STOP_WITHIN, patience.signal)]).catch(() => {});',
      replace: 'await ended;',
      harm: 'a run that ignores its abort keeps the daemon from stopping',
    },
  ],
};
