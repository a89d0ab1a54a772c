import type { MutationSet } from '../mutation.ts';
import { tests } from './tests.ts';

const reconcile = 'src/bookings/reconciliation/reconcile.ts';
const verification = 'src/bookings/reconciliation/verification.ts';
const counter = 'src/bookings/clinic-counter.ts';
const compare = 'src/bookings/comparison.ts';
const probePlan = 'src/bookings/reconciliation/probe-plan.ts';
const care = 'src/bookings/housekeeping.ts';
const expiry = 'src/bookings/intake/expiry.ts';

export const findingOut: MutationSet = {
  module: 'bookings/finding-out',
  tests,
  mutations: [
    {
      file: reconcile,
      find: "if (!(error instanceof Failure) || error.kind !== 'refused') throw error;",
      replace: 'if (error !== undefined) throw error;',
      harm: 'a look fails and shows nothing because a person was faster',
    },
    {
      file: reconcile,
      find: "{ ...evidence, matching_ids: [], verdict: 'none' }",
      replace: 'evidence',
      harm: 'a booking shows an appointment as its own that a person gave to another',
    },
    {
      file: compare,
      find: 'name_matches === true && date_matches === true && time_matches === true;',
      replace: 'name_matches === true;',
      harm: 'another visit of the patient is taken for the booking',
    },
    {
      file: compare,
      find: 'name_matches === true && date_matches === true && time_matches === true;',
      replace: 'date_matches === true && time_matches === true;',
      harm: 'somebody else’s appointment at that time is taken for the booking',
    },
    {
      file: compare,
      find: "fold(seen.name) === fold(booking.patient_name ?? '')",
      replace: "seen.name === (booking.patient_name ?? '')",
      harm: 'a booking is not found for a difference of case',
    },
    {
      file: reconcile,
      find: "if (claimable.length > 1) return 'several';",
      replace: '',
      harm: 'one of several matching appointments is picked by chance',
    },
    {
      file: reconcile,
      find: "return (await hasTwin(store, booking)) ? 'shared' : 'found';",
      replace: "return 'found';",
      harm: 'of two unknown bookings of one patient the wrong one is booked',
    },
    {
      file: reconcile,
      find: "complete ? 'none' : 'partly'",
      replace: "'none'",
      harm: 'a look that gave up early is shown as a complete one',
    },
    {
      file: reconcile,
      find: 'if (probed.length > 0) await clock.sleep(BETWEEN_PROBES_MS, signal);',
      replace: '',
      harm: 'sixty probes hit the clinic at once',
    },
    {
      file: probePlan,
      find: 'if (above === undefined || above <= 0 || sent_at === undefined) return undefined;',
      replace: 'if (above === undefined || sent_at === undefined) return undefined;',
      harm: 'a look starts at a guessed number',
    },
    {
      file: probePlan,
      find: 'if (probed.length >= AT_MOST) return { id: undefined, complete: false };',
      replace: '',
      harm: 'a look at a wide range never ends',
    },
    {
      file: probePlan,
      find: 'while (range.claimed.has(id) && (range.below === null || id < range.below)) id += 1;',
      replace: '',
      harm: 'appointments of other bookings are looked at',
    },
    {
      file: counter,
      find: 'const left = Math.min(SETTLE_MS, since + SETTLE_MS - clock.now());',
      replace: 'const left = since + SETTLE_MS - clock.now();',
      harm: 'a clock that was set back keeps an outcome unknown for days',
    },
    {
      file: counter,
      find: 'const end = ends.get(key) ??',
      replace: 'const end =',
      harm: 'a clock that is set forward has an outcome judged while the clinic still works on it',
    },
    {
      file: counter,
      find: 'export const SETTLE_MS = 10 * MINUTE;',
      replace: 'export const SETTLE_MS = 10_000;',
      harm: 'an outcome is judged while the clinic still works on it',
    },
    {
      file: counter,
      find: 'return after.value - before.value - own;',
      replace: 'return after.value - before.value;',
      harm: 'our own bookings in between count as evidence',
    },
    {
      file: counter,
      find: 'const own = from > after.at ? undefined : await',
      replace: 'const own = await',
      harm: 'a count over a clock that was set back is shown as evidence',
    },
    {
      file: verification,
      find: 'const asRead = { ref, attempt, seen: seenOf(booking) };',
      replace: 'const asRead = { ref, attempt };',
      harm: 'a question is taken back by what was read before it',
    },
    {
      file: verification,
      find: '...asRead, evidence: seen, ...verified_at',
      replace: '...asRead, evidence: { ...seen, mismatch: [] }, ...verified_at',
      harm: 'an appointment at another time than asked for is shown to no one',
    },
    {
      file: verification,
      find: 'if (booking.evidence?.verification === undefined) await note(booking, inVain(booking, failed), false);',
      replace: '',
      harm: 'a number the clinic does not know is never reported',
    },
    {
      file: verification,
      find: 'await hasten();',
      replace: '',
      harm: 'a person is asked about a number whose status is shown beside the question',
    },
    {
      file: verification,
      find: 'if (failures >= FAILURES_AT_MOST) throw failed;',
      replace: '',
      harm: 'a clinic that is down is asked about every booking',
    },
    {
      file: verification,
      find: 'await note(booking, inVain(booking, failed), false);',
      replace: 'await note(booking, inVain(booking, failed), true);',
      harm: 'an appointment that could not be read is never read again',
    },
    {
      file: verification,
      find: "verification: left_out.length > 0 ? 'partly' : 'matches'",
      replace: "verification: 'matches' as const",
      harm: 'an appointment is called the same of which the clinic shows nothing',
    },
    {
      file: verification,
      find: "if (seen?.verification === 'partly' && isPatient(wait)) {",
      replace: "if ((seen?.verification as string) === 'nothing' && seen !== undefined) {",
      harm: 'what the clinic shows a minute later is never compared',
    },
    {
      file: care,
      find: 'of await store.bookings.unverified(settings.key))',
      replace: 'of [] as Booking[])',
      harm: 'a booking confirmed just before a crash is never verified',
    },
    {
      file: care,
      find: "if (settings.bookings.reconcile !== 'auto') return;",
      replace: "if (settings.bookings.reconcile === 'off') return;",
      harm: 'other patients’ appointments are read without being asked to',
    },
    {
      file: care,
      find: 'if (!isCounted(booking) || booking.evidence?.verdict || probed.has(send)) continue;',
      replace: 'if (!isCounted(booking)) continue;',
      harm: 'an unknown booking is looked for again and again',
    },
    {
      file: expiry,
      find: "if (booking.reason === 'restored_state') return undefined;",
      replace: '',
      harm: 'a booking that may have been sent is shown as not booked',
    },
  ],
};
