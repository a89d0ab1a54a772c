import type { MutationSet } from './mutation.ts';

const staleness = 'src/status/staleness.ts';
const gather = 'src/status/gather.ts';
const reasons = 'src/status/reasons.ts';
const calls = 'src/status/call-watch.ts';
const watch = 'src/status/health-watch.ts';
const needs = 'src/status/needs.ts';
const statusFile = 'src/status/status.ts';
const sentence = 'src/status/sentence.ts';

export const status: MutationSet = {
  module: 'status',
  tests: ['src/status', 'test/stories/unreadable-status.test.ts'],
  mutations: [
    {
      file: staleness,
      find: 'return now - since > LATE_AFTER_MS ? since : undefined;',
      replace: 'return now - since > LATE_AFTER_MS * 60 ? since : undefined;',
      harm: 'an outage is said after an hour, not after a minute',
    },
    {
      file: staleness,
      find: 'const due = failing ? success && cron.next(success) : planned;',
      replace: 'const due = planned;',
      harm: 'each retry makes late data look as if it were in time',
    },
    {
      file: staleness,
      find: 'for (let i = 0; i < TOLERATED; i += 1) slot = next(slot);',
      replace: '',
      harm: 'a schedule that pauses at night is called stale each morning',
    },
    {
      file: gather,
      find: 'if (calls.workedAgoMs !== null && calls.workedAgoMs < LATE_AFTER_MS) return late;',
      replace: '',
      harm: 'a slow clinic that answers is called trouble',
    },
    {
      file: gather,
      find: 'if (failures === 0) return last_idle_at;',
      replace: 'if (failures >= 0) return last_idle_at;',
      harm: 'statuses that fail look fresh because nothing was due',
    },
    {
      file: gather,
      find: 'unreadable: unreadable.filter((one) => one.poll === poll).map(unreadableReport),',
      replace: 'unreadable: [],',
      harm: 'what cannot be read is shown to no one',
    },
    {
      file: gather,
      find: "if (quarantined !== undefined) return { ...report, state: 'quarantined', reason: quarantined };",
      replace: '',
      harm: 'a connector that could not be started looks well',
    },
    {
      file: gather,
      find: 'const weekDate = wallClockAt(noon - 6 * DAY, timezone).date;',
      replace: 'const weekDate = wallClockAt(noon, timezone).date;',
      harm: 'the bookings of seven days are those of today',
    },
    {
      file: reasons,
      find: 'failingCalls.forMs < UNANSWERED_MS && !failingCalls.again',
      replace: '!failingCalls.again',
      harm: 'a clinic that is down for a minute is not said to be',
    },
    {
      file: reasons,
      find: "if (reasons.some(({ health }) => health === 'stale')) return 'stale';",
      replace: '',
      harm: 'old data is called trouble only',
    },
    {
      file: reasons,
      find: 'since: one.since ?? begun.get(keyOf(one)) ?? null',
      replace: 'since: one.since',
      harm: 'since when something fails is not known',
    },
    {
      file: calls,
      find: '...{ at, since: instant(clock.now() - (now - at)), endpoint, ...former },',
      replace: '...{ at, since: instant(clock.now() - (now - at)), endpoint },',
      harm: 'each failed call begins the outage again',
    },
    {
      file: calls,
      find: 'const sentAt = now - ms;',
      replace: 'const sentAt = now;',
      harm: 'a clinic that hangs is down only since the call timed out',
    },
    {
      file: calls,
      find: 'former.again || sentAt - former.at >= APART_MS',
      replace: 'false',
      harm: 'a clinic that hangs is trouble only after a minute of failed calls',
    },
    {
      file: calls,
      find: 'former?.everywhere || isOther ||',
      replace: 'former !== undefined ||',
      harm: 'a clinic with one broken endpoint is said not to answer',
    },
    {
      file: calls,
      find: 'isOther || !connected ||',
      replace: "isOther || status === 'none' ||",
      harm: 'a clinic with one endpoint that hangs is said not to answer',
    },
    {
      file: 'src/status/health-watch.ts',
      find: 'if (ahead - before > SET_MS) return POLLED_MS;',
      replace: '',
      harm: 'each clock that is set forward by a day is recorded as a day of outage',
    },
    {
      file: calls,
      find: 'if (status === 408 || status === 425 || status === 429) return undefined;',
      replace: '',
      harm: 'a clinic that asks us to wait counts as answering well',
    },
    {
      file: watch,
      find: 'if (seen === known) return LOOK_EVERY_MS;',
      replace: '',
      harm: 'the database is written every ten seconds for nothing',
    },
    {
      file: watch,
      find: 'known = seen;\n',
      replace: '',
      harm: 'the same trouble is written again at every look',
    },
    {
      file: needs,
      find: "if (state === 'failing' && failures >= FAILURES)",
      replace: "if (state === 'failing' && failures > 1_000)",
      harm: 'a connector that fails on and on asks no one',
    },
    {
      file: needs,
      find: "(guard) => guard.state === 'open' &&",
      replace: "(guard) => guard.state === 'passed' &&",
      harm: 'an answer that is held asks no one',
    },
    {
      file: statusFile,
      find: 'return await within({ clock, ms: PATIENCE, late }, gather(now));',
      replace: 'return await gather(now);',
      harm: 'a database that hangs hangs the page that says so',
    },
    {
      file: statusFile,
      find: "health === 'ok' ? await store.incidents.lastEnded() : undefined",
      replace: 'await store.incidents.lastEnded()',
      harm: 'trouble that lasts is shown as over',
    },
    {
      file: statusFile,
      find: '    ? open.filter(({ kind }) => SEEN_BY_DAEMON.includes(kind))',
      replace: '    ? open.filter(({ kind }) => kind === undefined)',
      harm: 'a command beside the daemon calls an outage "all good"',
    },
    {
      file: sentence,
      find: 'if (asked !== undefined) return sentences(asked, ...waits);',
      replace: '',
      harm: '"All good" is said while bookings wait for a person',
    },
  ],
};

/** What the product prints: one style, wherever it comes from. */
export const messages: MutationSet = {
  module: 'messages',
  tests: ['test/stories/messages.test.ts'],
  mutations: [
    {
      file: 'src/platform/text/sentences.ts',
      find: 'ENDED.test(part)',
      replace: "ENDED.test('')",
      harm: 'messages end with two full stops',
    },
    {
      file: 'src/platform/text/sentences.ts',
      find: '.map((part) => part.trim())\n',
      replace: '',
      harm: 'messages have doubled spaces in them',
    },
    {
      file: reasons,
      find: 'clause(firstSentence(text))',
      replace: 'text',
      harm: 'a cause is quoted with its remedy and a full stop inside the brackets',
    },
    {
      file: reasons,
      find: '  text ? ',
      replace: '  text !== undefined ? ',
      harm: 'a connector without a known cause ends in the middle of a sentence',
    },
    {
      file: 'src/bookings/review/explain.ts',
      find: 'if (after == null || !isCounted(booking))',
      replace: 'if (!isCounted(booking))',
      harm: 'a person reads "null" where a number should be',
    },
  ],
};

/** What several rooms do together. */
export const together: MutationSet = {
  module: 'together',
  tests: ['test/stories/merged-leads.test.ts'],
  mutations: [
    {
      file: 'src/store/sql/bookings/booking-reads.ts',
      find: 'row.source === source || theirs.has(row.ref)',
      replace: 'row.source === source',
      harm: 'a sheet never hears of the booking its row was merged into',
    },
  ],
};
