import type { MutationSet } from '../mutation.ts';
import { tests } from './tests.ts';

const dispatcher = 'src/bookings/dispatch/dispatcher.ts';
const storedState = 'src/bookings/dispatch/stored-state.ts';
const clinicReading = 'src/bookings/dispatch/clinic-reading.ts';
const send = 'src/bookings/dispatch/send.ts';
const submit = 'src/bookings/dispatch/submit.ts';
const dispatcherState = 'src/bookings/dispatch/dispatcher-state.ts';
const outcome = 'src/bookings/dispatch/outcome.ts';

export const sending: MutationSet = {
  module: 'bookings/sending',
  tests,
  mutations: [
    {
      file: storedState,
      find: 'if (resumption !== undefined && isMeant(d.state.pause, resumption))',
      replace: 'if (resumption !== undefined)',
      harm: 'a resume request in an older copy ends the pause after its restore',
    },
    {
      file: send,
      find: 'if (error instanceof Failure && error.lasting)',
      replace: 'if (error instanceof Error && error.message === "")',
      harm: 'a booking whose claim cannot be stored is claimed again and again, and nobody is told',
    },
    {
      file: 'src/store/sqlite/marker.ts',
      find: '    writeMarker(file, marker);\n  }\n}\n\nfunction writeInPlace',
      replace: '    throw notWritten(file, undefined);\n  }\n}\n\nfunction writeInPlace',
      harm: 'nothing is sent any more after someone has deleted the marker',
    },
    {
      file: submit,
      find: 'if (stop.aborted || !trusted() || slotPassed || !attempt.mayStart()) throw notNow();',
      replace: 'if (stop.aborted || slotPassed || !attempt.mayStart()) throw notNow();',
      harm: 'a send follows an error without a fresh read',
    },
    {
      file: submit,
      find: 'if (stop.aborted || !trusted() || slotPassed || !attempt.mayStart()) throw notNow();',
      replace: 'if (stop.aborted || !trusted() || !attempt.mayStart()) throw notNow();',
      harm: 'a booking is sent after its time has passed',
    },
    {
      file: submit,
      find: 'if (stop.aborted || !trusted() || !attempt.handOver()) throw notNow();',
      replace: 'if (stop.aborted || !attempt.handOver()) throw notNow();',
      harm: 'a send goes out although a read failed while its claim was stored',
    },
    {
      file: submit,
      find: 'if (stop.aborted || !trusted() || !attempt.handOver()) throw notNow();',
      replace: 'if (!trusted() || !attempt.handOver()) throw notNow();',
      harm: 'a send begins after a stop was asked for',
    },
    {
      file: submit,
      find: 'await attempt.claim(instant(clock.now()), claim);',
      replace: 'void attempt.claim(instant(clock.now()), claim);',
      harm: 'the request may be on the wire before the claim is durable',
    },
    {
      file: submit,
      find: 'const seen = outcome ?? interrupted;',
      replace:
        "if (outcome === undefined) return { kind: 'not_sent', claimAt, error };\n  const seen = outcome;",
      harm: 'a send that threw after the hand-over is sent again',
    },
    {
      file: submit,
      find: 'if (claimed?.ref !== booking.ref || bodyHashOf(requestOf(claimed)) !== bodyHash) throw notNow();',
      replace: 'if (claimed?.ref !== booking.ref) throw notNow();',
      harm: 'what is sent is not what is stored',
    },
    {
      file: submit,
      find: 'await sleep(ANSWER_WITHIN_MS);',
      replace: 'await sleep(ANSWER_WITHIN_MS * 100);',
      harm: 'a call that never comes back holds the dispatcher for hours',
    },
    {
      file: submit,
      find: 'if (wasHandedOver) await sleep(STOP_GRACE_MS);',
      replace: '',
      harm: 'a stop cuts a booking on the wire at once',
    },
    {
      file: submit,
      find: "return { kind: 'sent', claimed: claimed ?? booking, outcome: waitedInVain ? timeout : seen };",
      replace: "return { kind: 'sent', claimed: claimed ?? booking, outcome: seen };",
      harm: 'a person reads that the program was stopped where the clinic stayed silent',
    },
    {
      file: send,
      find: '    d.store.unwritable() === undefined &&\n',
      replace: '',
      harm: 'a booking is sent whose claim stands in a database that has just been found damaged',
    },
    {
      file: send,
      find: "if (settlement.to !== 'booked') d.reading = undefined;",
      replace: '',
      harm: 'the next booking is sent on a reading of before a refusal',
    },
    {
      file: storedState,
      find: "if (effect.kind !== 'fine') d.reading = undefined;",
      replace: '',
      harm: 'a failed read leaves the reading before it trusted',
    },
    {
      file: clinicReading,
      find: 'd.clock.monotonic() - d.reading.monotonic < READING_FRESH_MS',
      replace: 'd.clock.monotonic() - d.reading.monotonic < READING_FRESH_MS * 1_800',
      harm: 'the counter before a send is an hour old',
    },
    {
      file: send,
      find: 'if (alone && claimed.refusals + 1 >= SET_ASIDE_AFTER)',
      replace: 'if (claimed.refusals + 1 >= SET_ASIDE_AFTER)',
      harm: 'a revoked key sends every booking to a person',
    },
    {
      file: send,
      find: 'const SET_ASIDE_AFTER = 3;',
      replace: 'const SET_ASIDE_AFTER = 300;',
      harm: 'one stubborn booking keeps all others waiting',
    },
    {
      file: send,
      find: "await applyEffect(d, effect, settled.state === 'unknown' ? settled : undefined);",
      replace: 'await applyEffect(d, effect);',
      harm: 'three unclear outcomes in a row do not stop the dispatcher',
    },
    {
      file: dispatcher,
      find: '(await isHeldBesideMoved(d, next))',
      replace: 'false',
      harm: 'a lead that waits is booked beside the visit that the clinic has moved to its time',
    },
    {
      file: dispatcher,
      find: 'recovered = withDoubt(recovered, { ref, attempt, at: sending_since ?? changed_at }, nowMs);',
      replace: '',
      harm: 'a crash makes the dispatcher forget its doubts',
    },
    {
      file: dispatcher,
      find: 'return dueIn({ since: pause.decided_at ?? pause.since, until: pause.until }, nowMs);',
      replace: 'return toMs(pause.until) - nowMs;',
      harm: 'a clock that was set back stretches a pause for days',
    },
    {
      file: dispatcher,
      find: 'pause.decided_at ?? pause.since',
      replace: 'pause.since',
      harm: 'a clock that was set back by less than an outage keeps bookings waiting after it',
    },
    {
      file: send,
      find: 'if (!isNotOurs(error)) throw error;',
      replace: '',
      harm: 'an outcome that could not be written down is forgotten',
    },
    {
      file: dispatcherState,
      find: 'if (state.pause !== null && state.pause.until === null) return { ...state, faults, refused };',
      replace: '',
      harm: 'a failure turns the pause of a person into one that ends alone',
    },
    {
      file: dispatcherState,
      find: 'state.pause === null || state.pause.until === null ? state : { ...state, pause: null };',
      replace: 'state.pause === null ? state : { ...state, pause: null };',
      harm: 'a successful read opens a dispatcher that waits for a person',
    },
    {
      file: dispatcherState,
      find: 'const from = Math.max(nowMs - DOUBTS_WITHIN_MS, resumedMs > nowMs ? 0 : resumedMs);',
      replace: 'const from = nowMs - DOUBTS_WITHIN_MS;',
      harm: 'doubts a person has looked at pause the dispatcher again',
    },
    {
      file: dispatcherState,
      find: 'const until = alone ? instant(nowMs + Math.max(wait, retryAfter)) : null;',
      replace: 'const until = alone ? instant(nowMs + wait) : null;',
      harm: 'the dispatcher does not wait as long as the clinic asks',
    },
    {
      file: dispatcherState,
      find: "return withPause(openState, 'person', 'The stored pause cannot be read.', at);",
      replace: 'return openState;',
      harm: 'a damaged note about a pause opens the dispatcher',
    },
    {
      file: outcome,
      find: 'if (!generalRefusals.has(outcome.status)) return doubt',
      replace: 'if (outcome.status < 400) return doubt',
      harm: 'a 5xx called a dispatcher refusal is sent again',
    },
    {
      file: outcome,
      find: "if (outcome.cause === 'redirect' || outcome.cause === 'certificate_or_protocol')",
      replace: "if (outcome.cause === 'certificate_or_protocol')",
      harm: 'booking after booking runs into a redirect',
    },
    {
      file: send,
      find: 'sending.filter(({ sending_since }) => sending_since === claimAt)',
      replace: 'sending',
      harm: 'a booking on the wire is queued again by the claim of another',
    },
    {
      file: send,
      find: "if (!(error instanceof Failure) || error.kind !== 'refused') return;",
      replace: 'if (error === undefined) return;',
      harm: 'a moment’s trouble sends a booking to a person',
    },
    {
      file: 'src/bookings/dispatch/renumbered.ts',
      find: "if (mapped.kind === 'fault') faults.push(mapped.fault);\n    else if",
      replace: 'if',
      harm: 'a booking is sent under a number that means another dentist by now',
    },
    {
      file: submit,
      find: 'if (booking.doctor !== null && booking.doctor_id === null) return undefined;',
      replace: '',
      harm: 'a booking goes out without the dentist that was asked for',
    },
    {
      file: submit,
      find: 'note: noteWithRef(booking.ref, booking.note),',
      replace: "note: booking.note ?? '',",
      harm: 'the front desk cannot find a booking by its reference',
    },
  ],
};
