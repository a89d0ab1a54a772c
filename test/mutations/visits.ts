import type { MutationSet } from './mutation.ts';

const outcome = 'src/clinic/booking-outcome.ts';
const judged = 'src/bookings/dispatch/outcome.ts';
const settle = 'src/bookings/dispatch/settle.ts';
const calls = 'src/clinic/calls.ts';
const token = 'src/clinic/http/tokens.ts';
const missing = 'src/sync/appointments/missing.ts';
const afterFinal = 'src/sync/appointments/after-final.ts';
const tracker = 'src/sync/appointments/tracker.ts';
const appointments = 'src/store/sql/mirror/appointments.ts';
const lost = 'src/store/sql/bookings/lost-visits.ts';
const rows = 'src/store/sql/changes/compare-rows.ts';

/** What one send means: sent again, refused, or in doubt. */
export const sends: MutationSet = {
  module: 'sends',
  tests: [
    'src/clinic/booking-outcome.test.ts',
    'src/clinic/client.test.ts',
    'src/clinic/calls.test.ts',
    'src/clinic/credentials.test.ts',
    'src/clinic/http/tokens.test.ts',
    'src/platform/network/retry-after.test.ts',
    'src/reading/reading.test.ts',
    'src/bookings/dispatch',
    'src/bookings/intake',
    'src/bookings/bookings.test.ts',
  ],
  mutations: [
    {
      file: outcome,
      find: 'if (!answer.data.success) return refusal(answered, message);',
      replace: '',
      harm: 'a refusal with status 200 is taken for a booking',
    },
    {
      file: outcome,
      find: 'if (!broken.connected) return',
      replace: 'if (broken.status === undefined) return',
      harm: 'a request that may have arrived is sent again',
    },
    {
      file: judged,
      find: 'if (!generalRefusals.has(outcome.status)) return doubt',
      replace: 'if (outcome.status < 200) return doubt',
      harm: 'a status after which the booking may exist is sent again',
    },
    {
      file: judged,
      find: "case 'refused':\n      if (!isRefusal(outcome.status))",
      replace: "case 'refused':\n      if (outcome.status < 200)",
      harm: 'an unclear answer counts as surely not booked',
    },
    {
      file: settle,
      find: 'settlement = { ...alreadyLinked, answered_id: settlement.appointment_id };',
      replace: "settlement = { to: 'queued', proof: 'Its number is taken.' };",
      harm: 'a booking that may exist is sent again when its number was taken meanwhile',
    },
    {
      file: settle,
      find: 'absent: true, refused }',
      replace: 'refused }',
      harm: 'a dropped booking that was refused still blocks its patient’s time',
    },
    {
      file: 'src/bookings/dispatch/send.ts',
      find: 'isRefused ? claimed.refusals + 1 : 0',
      replace: 'claimed.refusals',
      harm: 'refusals of one booking are never counted',
    },
    {
      file: calls,
      find: 'peers.has(peer) && isInOrder(exchange)',
      replace: 'peers.has(peer)',
      harm: 'a booking follows an error without a look at who answers now',
    },
    {
      file: calls,
      find: 'peer !== undefined && peers.has(peer) && isInOrder(exchange)',
      replace: 'isInOrder(exchange)',
      harm: 'a booking follows an answer from a new address without a look at whose it is',
    },
    {
      file: token,
      find: 'keysPause.leftMs() > 0 && !mayTryAgain()',
      replace: 'keysPause.leftMs() < 0 && !mayTryAgain()',
      harm: 'refused keys are tried with every call until the clinic blocks us',
    },
    {
      file: token,
      find: 'surely ? renewalPause.leftMs() > 0 : ',
      replace: 'surely ? false : ',
      harm: 'a clinic that refuses every token is asked for one without end',
    },
    {
      file: 'src/platform/network/retry-after.ts',
      find: 'return capped(number * 1_000, answer);',
      replace: 'return capped(number, answer);',
      harm: 'Retry-After is read as milliseconds',
    },
    {
      file: 'src/bookings/intake/read-fields.ts',
      find: 'if (isData || isStructured(text)) faults',
      replace: 'if (text === field) faults',
      harm: 'a name that is a block of JSON is sent to the clinic',
    },
    {
      file: 'src/reading/read-phone.ts',
      find: 'return exact === undefined ? unclear(roundedPhone.otherwise) : readAs(exact);',
      replace: 'if (exact !== undefined) return readAs(exact);',
      harm: 'a phone number rounded by a spreadsheet is booked',
    },
    {
      file: 'src/bookings/intake/expiry.ts',
      find: 'receivedMs + LATE_ARRIVAL_MS',
      replace: 'slot.lastMs',
      harm: 'a lead that came late disappears before it is seen',
    },
  ],
};

/** What a visit becomes after it was booked. */
export const visits: MutationSet = {
  module: 'visits',
  tests: [
    'src/sync/appointments/tracker.test.ts',
    'src/sync/appointments/missing.test.ts',
    'src/sync/appointments/after-final.test.ts',
    'src/domain/bookings/status-outcome.test.ts',
    'test/stories/after-booked.test.ts',
    'test/stories/erased-patient.test.ts',
    'src/app/another-clinic.test.ts',
  ],
  mutations: [
    {
      file: missing,
      find: 'misses >= MISSES &&',
      replace: '',
      harm: 'one answer without the visit makes it lost',
    },
    {
      file: missing,
      find: '&& now - toMs(since) >= MISSING_FOR_MS',
      replace: '',
      harm: 'a server that forgets a visit for seconds makes it lost',
    },
    {
      file: missing,
      find: 'missed_at !== null && toMs(missed_at) <= now',
      replace: 'missed_at !== null',
      harm: 'a clock set back counts misses of a series that has not begun',
    },
    {
      file: afterFinal,
      find: 'Math.min(visit.since, now)',
      replace: 'visit.since',
      harm: 'after a clock was set back a final status is not read again in time',
    },
    {
      file: afterFinal,
      find: '...AFTER.map((ms) => since + ms), ',
      replace: '',
      harm: 'a slip of the desk stays final until the evening',
    },
    {
      file: afterFinal,
      find: '...(evening > since ? [evening] : [])',
      replace: '',
      harm: 'what the desk corrects at the end of the day is never seen',
    },
    {
      file: lost,
      find: 'if (booking.verified_at === null || (doubtsName && mismatch.length > 0)) return true;',
      replace: 'if (booking.verified_at !== null) return true;',
      harm: 'nobody is asked about another patient under our number',
    },
    {
      file: lost,
      find: 'if (before.done === 1) return;',
      replace: '',
      harm: 'a visit that was over is asked about when the clinic tidies up',
    },
    {
      file: lost,
      find: 'await setLost(trx, booking, at);',
      replace: '',
      harm: 'the lead of a visit that disappeared stays booked',
    },
    {
      file: tracker,
      find: 'if (isNews(appointment, answer)) await clinic.confirmIdentity(signal);',
      replace: '',
      harm: 'another clinic’s answer changes our visits',
    },
    {
      file: tracker,
      find: '(isOver ? { next_due_at: null, done: true }',
      replace: '(true ? { next_due_at: null, done: true }',
      harm: 'an appointment not known yet is never followed',
    },
    {
      file: 'src/sync/appointments/observation.ts',
      find: '  if (before.status === null) return changes;\n',
      replace: '',
      harm: 'the first look at an appointment is told as a change of it',
    },
    {
      file: appointments,
      find: 'if (before === undefined || isEnded(before)) return [];',
      replace: 'if (before === undefined) return [];',
      harm: 'a late answer brings back what was erased',
    },
    {
      file: appointments,
      find: 'if (await isSomeoneElse(trx, before, observation)) {',
      replace: 'if ((await isSomeoneElse(trx, before, observation)) && false) {',
      harm: 'a stranger’s name is stored as our patient’s',
    },
    {
      file: 'src/domain/bookings/status-outcome.ts',
      find: 'keys.has(statusKeyOf(status)) ||',
      replace: 'keys.has(status) ||',
      harm: 'a status in capitals is followed for a month',
    },
  ],
};

/** What `verify` derives from the change log. */
export const derived: MutationSet = {
  module: 'derived',
  tests: ['test/conformance/store/sqlite.test.ts'],
  titles: 'chain over the change log',
  mutations: [
    {
      file: rows,
      find: 'if (isSame(column, comparable(stored), comparable(logged[field]))) continue;',
      replace:
        "if (column !== 'base_fee' || isSame(column, comparable(stored), comparable(logged[field]))) continue;",
      harm: 'altered rows of leads and visits are signed',
    },
    {
      file: 'src/store/sql/changes/compare-counts.ts',
      find: 'where p.n > coalesce(c.n, 0)',
      replace: 'where false',
      harm: 'leads are counted in other states or on other days than they have',
    },
    {
      file: 'src/store/sql/changes/compare-counts.ts',
      find: "having sum(case when bucket = '' then n else -n end) <> 0",
      replace: 'having false',
      harm: 'the days of a report have more leads than all time',
    },
    {
      file: 'src/store/sql/changes/compare-counts.ts',
      find: 'having coalesce(sum(n), 0) <>',
      replace: 'having 1 = 2 and coalesce(sum(n), 0) <>',
      harm: 'leads that never came are counted',
    },
    {
      file: rows,
      find: "'valid_to', 'removed_by'] as const",
      replace: "'valid_to'] as const",
      harm: 'a fee that ended is said to have ended by another change',
    },
    {
      file: rows,
      find: 'derived.delete(keyOf(period));',
      replace: '',
      harm: 'an intact list of fees is called altered',
    },
    {
      file: rows,
      find: 'salt !== null && Number(merged) === logged.merged',
      replace: 'salt !== null',
      harm: 'a lead that came again is called altered',
    },
    {
      file: rows,
      find: " && logged.state === 'queued';",
      replace: ';',
      harm: 'any booking may be called on its way',
    },
  ],
};
