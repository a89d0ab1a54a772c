import type { MutationSet } from './mutation.ts';

const lane = 'src/bookings/sending/lane.ts';
const submit = 'src/bookings/sending/submit.ts';
const settle = 'src/bookings/sending/settle.ts';
const takeBack = 'src/bookings/sending/take-back.ts';
const laneState = 'src/bookings/sending/lane-state.ts';
const outcome = 'src/bookings/sending/outcome.ts';
const request = 'src/bookings/sending/request.ts';
const reconcile = 'src/bookings/finding-out/reconcile.ts';
const verification = 'src/bookings/finding-out/verification.ts';
const counter = 'src/bookings/finding-out/counter.ts';
const compare = 'src/bookings/finding-out/compare.ts';
const probePlan = 'src/bookings/finding-out/probe-plan.ts';
const care = 'src/bookings/finding-out/care.ts';
const recovery = 'src/bookings/recovery.ts';
const persons = 'src/bookings/people/persons.ts';
const release = 'src/bookings/people/release.ts';
const actions = 'src/bookings/people/available-actions.ts';
const check = 'src/bookings/accepting/check.ts';
const intake = 'src/bookings/accepting/intake.ts';
const expiry = 'src/bookings/accepting/expiry.ts';
const facts = 'src/bookings/accepting/facts.ts';
const fields = 'src/bookings/accepting/read-fields.ts';
const hours = 'src/bookings/accepting/opening-hours.ts';

/** Without the model: it is slow, and finds by chance what these tests name. */
const tests = [
  'src/bookings/bookings.test.ts',
  'src/bookings/recovery.test.ts',
  'src/bookings/accepting',
  'src/bookings/finding-out',
  'src/bookings/people',
  'src/bookings/sending',
];

export const bookings: MutationSet[] = [
  {
    module: 'bookings/sending',
    tests,
    mutations: [
      {
        file: submit,
        find: "const may = phase === 'waiting' && !stop.aborted && submission.trusted() && !slotPassed(submission);",
        replace: "const may = phase === 'waiting' && !stop.aborted && !slotPassed(submission);",
        harm: 'a send follows an error without a fresh read',
      },
      {
        file: submit,
        find: 'submission.trusted() && !slotPassed(submission);',
        replace: 'submission.trusted();',
        harm: 'a booking is sent after its time has passed',
      },
      {
        file: submit,
        find: "if (stop.aborted || isOver() || !submission.trusted()) throw notNow();\n    phase = 'handed_over'",
        replace: "if (stop.aborted || isOver()) throw notNow();\n    phase = 'handed_over'",
        harm: 'a send goes out although a read failed while its claim was stored',
      },
      {
        file: submit,
        find: "if (stop.aborted || isOver() || !submission.trusted()) throw notNow();\n    phase = 'handed_over'",
        replace: "if (isOver() || !submission.trusted()) throw notNow();\n    phase = 'handed_over'",
        harm: 'a send begins after a stop was asked for',
      },
      {
        file: submit,
        find: 'claiming = claim();\n    await claiming;',
        replace: 'claiming = claim();',
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
        harm: 'a call that never comes back holds the lane for hours',
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
        file: lane,
        find: 'const trusted = () => reading === counter && state.pause === null;',
        replace: 'const trusted = () => reading === counter;',
        harm: 'a booking is sent although the lane was paused meanwhile',
      },
      {
        file: lane,
        find: "if (settlement.to !== 'booked') reading = undefined;",
        replace: '',
        harm: 'the next booking is sent on a reading of before a refusal',
      },
      {
        file: lane,
        find: "if (lane.kind !== 'fine') reading = undefined;",
        replace: '',
        harm: 'a failed read leaves the reading before it trusted',
      },
      {
        file: lane,
        find: 'clock.monotonic() - reading.monotonic < READING_FRESH_MS',
        replace: 'clock.monotonic() - reading.monotonic < READING_FRESH_MS * 60',
        harm: 'the counter before a send is an hour old',
      },
      {
        file: lane,
        find: 'if (alone && claimed.refusals + 1 >= SET_ASIDE_AFTER)',
        replace: 'if (claimed.refusals + 1 >= SET_ASIDE_AFTER)',
        harm: 'a revoked key sends every booking to a person',
      },
      {
        file: lane,
        find: 'const SET_ASIDE_AFTER = 3;',
        replace: 'const SET_ASIDE_AFTER = 300;',
        harm: 'one stubborn booking keeps all others waiting',
      },
      {
        file: lane,
        find: 'const refusals = unseenRefusal(sent.outcome) === undefined ? 0 : claimed.refusals + 1;',
        replace: 'const refusals = claimed.refusals;',
        harm: 'refusals of one booking are never counted',
      },
      {
        file: lane,
        find: "await effect(lane, settled.state === 'unknown' ? settled : undefined);",
        replace: 'await effect(lane);',
        harm: 'three unclear outcomes in a row do not stop the lane',
      },
      {
        file: lane,
        find: 'recovered = withDoubt(recovered, { ref, at: changed_at }, nowMs);',
        replace: '',
        harm: 'a crash makes the lane forget its doubts',
      },
      {
        file: lane,
        find: 'return toMs(pause.since) > nowMs ? 0 : toMs(pause.until) - nowMs;',
        replace: 'return toMs(pause.until) - nowMs;',
        harm: 'a clock that was set back stretches a pause for days',
      },
      {
        file: lane,
        find: 'if (owed === undefined) return;\n    await owed();\n    owed = undefined;',
        replace: 'const paying = owed;\n    owed = undefined;\n    await paying?.();',
        harm: 'an outcome that could not be written down is forgotten',
      },
      {
        file: laneState,
        find: 'if (state.pause !== null && state.pause.until === null) return { ...state, faults, refused };',
        replace: '',
        harm: 'a failure turns the pause of a person into one that ends alone',
      },
      {
        file: laneState,
        find: 'state.pause === null || state.pause.until === null ? state : { ...state, pause: null };',
        replace: 'state.pause === null ? state : { ...state, pause: null };',
        harm: 'a successful read opens a lane that waits for a person',
      },
      {
        file: laneState,
        find: 'const from = Math.max(nowMs - DOUBTS_WITHIN_MS, resumedMs > nowMs ? 0 : resumedMs);',
        replace: 'const from = nowMs - DOUBTS_WITHIN_MS;',
        harm: 'doubts a person has looked at pause the lane again',
      },
      {
        file: laneState,
        find: 'const until = alone ? instant(nowMs + Math.max(wait, told)) : null;',
        replace: 'const until = alone ? instant(nowMs + wait) : null;',
        harm: 'the lane does not wait as long as the clinic asks',
      },
      {
        file: laneState,
        find: "return pauseLane(openLane, 'person', 'What was kept about this pause cannot be read.', at);",
        replace: 'return openLane;',
        harm: 'a damaged note about a pause opens the lane',
      },
      {
        file: outcome,
        find: 'if (!laneRefusals.has(outcome.status)) return doubt',
        replace: 'if (outcome.status < 400) return doubt',
        harm: 'a 5xx called a lane refusal is sent again',
      },
      {
        file: outcome,
        find: 'if (!isRefusal(outcome.status)) return doubt',
        replace: 'if (outcome.status < 200) return doubt',
        harm: 'an unclear answer counts as surely not booked',
      },
      {
        file: outcome,
        find: "if (outcome.cause === 'redirect' || outcome.cause === 'certificate_or_protocol')",
        replace: "if (outcome.cause === 'certificate_or_protocol')",
        harm: 'booking after booking runs into a redirect',
      },
      {
        file: settle,
        find: 'settlement = alreadyLinked;\n    moved = await',
        replace: "settlement = { to: 'queued', proof: 'Its number is taken.' };\n    moved = await",
        harm: 'a booking that may exist is sent again when its number was taken meanwhile',
      },
      {
        file: settle,
        find: "evidence: { answer: 'refused', absent: true },",
        replace: "evidence: { answer: 'refused' },",
        harm: 'a dropped booking that was refused still blocks its patient’s time',
      },
      {
        file: takeBack,
        find: 'sending.filter(({ sending_since }) => sending_since === claimAt)',
        replace: 'sending',
        harm: 'a booking on the wire is queued again by the claim of another',
      },
      {
        file: takeBack,
        find: "if (!(error instanceof Failure) || error.kind !== 'refused') return;",
        replace: 'if (error === undefined) return;',
        harm: 'a moment’s trouble sends a booking to a person',
      },
      {
        file: request,
        find: 'if (booking.doctor !== null && booking.doctor_id === null) return undefined;',
        replace: '',
        harm: 'a booking goes out without the dentist that was asked for',
      },
      {
        file: request,
        find: 'note: noteWithRef(booking.ref, booking.note),',
        replace: "note: booking.note ?? '',",
        harm: 'the front desk cannot find a booking by its reference',
      },
    ],
  },
  {
    module: 'bookings/finding-out',
    tests,
    mutations: [
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
        find: "if (claimable.length > 1) return await conclude(options, 'several', probed, claimable);",
        replace: '',
        harm: 'one of several matching appointments is picked by chance',
      },
      {
        file: reconcile,
        find: "if (await hasTwin(store, booking)) return await conclude(options, 'shared', probed, claimable);",
        replace: '',
        harm: 'of two unknown bookings of one patient the wrong one is booked',
      },
      {
        file: reconcile,
        find: "next.complete ? 'none' : 'partly'",
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
        find: 'if (left <= SETTLE_MS) return Math.max(0, left);',
        replace: 'return Math.max(0, left);',
        harm: 'a clock that was set back keeps an outcome unknown for days',
      },
      {
        file: counter,
        find: 'export const SETTLE_MS = 10 * 60_000;',
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
        find: 'if (wrong) await raiseFlag(store, ref);',
        replace: '',
        harm: 'an appointment at another time than asked for is shown to no one',
      },
      {
        file: verification,
        find: 'if (tired && known === undefined) await settle(booking, inVain(booking, failed));',
        replace: '',
        harm: 'a number the clinic does not know is never reported',
      },
      {
        file: verification,
        find: 'if (failures >= FAILURES_AT_MOST) throw failed;',
        replace: '',
        harm: 'a clinic that is down is asked about every booking',
      },
      {
        file: verification,
        find: "const final = verification === 'matches' || verification === 'differs';",
        replace: 'const final = true;',
        harm: 'an appointment that could not be read is never read again',
      },
      {
        file: care,
        find: 'for (const booking of await store.bookings.unverified(key)) verification.notice(booking);',
        replace: '',
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
      {
        file: expiry,
        find: '? toMs(booking.received_at) + LATE_ARRIVAL_MS',
        replace: '? slot.lastMs',
        harm: 'a lead that came late disappears before it is seen',
      },
    ],
  },
  {
    module: 'bookings/people',
    tests,
    mutations: [
      {
        file: recovery,
        find: 'if (!waits && !store.identity.restored) return;',
        replace: 'if (!store.identity.restored) return;',
        harm: 'a second start after a restore sends what may be booked',
      },
      {
        file: recovery,
        find: "if (!waits) await lane.pause('restored', restoredMessage);",
        replace: '',
        harm: 'bookings go out from a restored database without a person’s word',
      },
      {
        file: recovery,
        find: 'await holdHomeless();',
        replace: '',
        harm: 'bookings of a clinic that was removed wait without a word',
      },
      {
        file: recovery,
        find: 'const interrupted = await store.bookings.interruptSending(instant(clock.now()));',
        replace: 'const interrupted: Booking[] = [];',
        harm: 'what was on the wire at a crash blocks the lane for ever',
      },
      {
        file: persons,
        find: 'if (settlesInMs > 0 && confirm !== true) {',
        replace: 'if (settlesInMs > 0 && confirm === false) {',
        harm: 'an unknown booking is sent again while the clinic works on it',
      },
      {
        file: persons,
        find: 'if (comparison !== undefined && !isSame(comparison) && !confirm)',
        replace: 'if (comparison !== undefined && comparison.name_matches === false && !confirm)',
        harm: 'a mistyped number links another appointment',
      },
      {
        file: persons,
        find: 'if (found.length > 0) await raiseFlag(store, booking.ref);',
        replace: '',
        harm: 'a difference a person overruled is not kept in front of others',
      },
      {
        file: persons,
        find: "if (booking.state === 'held' && booking.reason === 'restored_state')",
        replace: "if (booking.reason === 'source_limit')",
        harm: 'an edit releases a booking that may have been sent before a restore',
      },
      {
        file: persons,
        find: 'if (kind in fields && !(',
        replace: 'if (kind === undefined && !(',
        harm: 'a corrected dentist keeps the number of the former one',
      },
      {
        file: release,
        find: 'const beside = toldMs < DOUBLE_CLICK_MS ? [] : booking.acknowledged_duplicates;',
        replace: 'const beside = booking.acknowledged_duplicates;',
        harm: 'a double click approves a duplicate nobody has read about',
      },
      {
        file: release,
        find: 'acknowledged_duplicates: others,\n      edit: { duplicate_of: news },',
        replace: 'edit: { duplicate_of: news },',
        harm: 'a duplicate can never be approved',
      },
      {
        file: actions,
        find: "if (booking.kind !== 'booking')",
        replace: 'if (booking.kind === undefined)',
        harm: 'a cancellation is sent as a booking',
      },
      {
        file: actions,
        find: 'if (unreadable_fields.length > 0)\n    wrong.push',
        replace: 'if (unreadable_fields.length > 1)\n    wrong.push',
        harm: 'a booking with an unreadable date is released',
      },
      {
        file: actions,
        find: 'if (first !== undefined && unsent.includes(first.state)) return undefined;',
        replace: 'if (first !== undefined) return undefined;',
        harm: 'a changed submission replaces one that is booked already',
      },
      {
        file: actions,
        find: "return settlesInMs > 0 ? stillWorking(ref, settlesInMs, 'Ask again') : undefined;",
        replace: 'return undefined;',
        harm: 'a look is taken while the clinic still works on the booking',
      },
    ],
  },
  {
    module: 'bookings/accepting',
    tests,
    mutations: [
      {
        file: intake,
        find: 'if (isRestored() && carriesRef(submission))',
        replace: 'if (carriesRef(submission) && submission.task !== undefined)',
        harm: 'rows that carry a reference are booked again after a restore',
      },
      {
        file: intake,
        find: 'if (fromSource + (ahead[0] ?? 0) >= perHour)',
        replace: 'if (fromSource >= perHour)',
        harm: 'a burst at one moment passes the limit of its source',
      },
      {
        file: intake,
        find: 'if (withPhone + (ahead[1] ?? 0) >= perDay)',
        replace: 'if (withPhone + (ahead[1] ?? 0) > perDay)',
        harm: 'one phone number books more than is allowed a day',
      },
      {
        file: intake,
        find: 'return others.length === 0 ? only : undefined;',
        replace: 'return only;',
        harm: 'a lead without a clinic is booked at the first of several',
      },
      {
        file: intake,
        find: "approval: who === 'daemon' && needsApproval(settings, booking.source),",
        replace: 'approval: false,',
        harm: 'a lead that waited for lists skips its approval',
      },
      {
        file: intake,
        find: 'const MERGE_WITHIN_MS = 15 * 60_000;',
        replace: 'const MERGE_WITHIN_MS = 0;',
        harm: 'a form sent twice becomes two bookings',
      },
      {
        file: check,
        find: 'if (slot.lastMs <= nowMs)',
        replace: 'if (slot.lastMs <= nowMs - DAY_MS)',
        harm: 'a lead for this morning is sent in the afternoon',
      },
      {
        file: check,
        find: 'if (!slot.exists)',
        replace: 'if (slot.firstMs > slot.lastMs)',
        harm: 'a time the clocks skip is sent to the clinic',
      },
      {
        file: check,
        find: "'restored_state',\n  'missing_field',",
        replace: "'missing_field',\n  'restored_state',",
        harm: 'a small fault hides that a booking may have been sent',
      },
      {
        file: facts,
        find: '.find(({ removed_at }) => (removed_at ?? null) === null);',
        replace: '[0];',
        harm: 'a website that was replaced judges new leads',
      },
      {
        file: hours,
        find: 'const weekday = new Date(date).getUTCDay() || 7;',
        replace: 'const weekday = new Date(date).getUTCDay() + 1;',
        harm: 'leads are judged by the hours of another day',
      },
      {
        file: fields,
        find: 'if (isStructured(text)) faults',
        replace: 'if (text === field) faults',
        harm: 'a name that is a block of JSON is sent to the clinic',
      },
    ],
  },
  {
    module: 'bookings/store',
    tests: ['test/conformance/store/sqlite.test.ts'],
    titles: 'in memory (?!bookings, whatever)',
    mutations: [
      {
        file: 'src/store/sql/bookings/move-booking.ts',
        find: '!from.includes(before.state) || before.attempt !== wanted.attempt',
        replace: '!from.includes(before.state)',
        harm: 'a late look settles the second send: a hidden double booking',
      },
      {
        file: 'src/store/sql/bookings/move-booking.ts',
        find: 'if (beside !== undefined && (await othersAtSlot(trx, here, named)).length > 0) return undefined;',
        replace: '',
        harm: 'a duplicate that arrived meanwhile is released beside the first',
      },
      {
        file: 'src/store/sql/bookings/move-booking.ts',
        find: "if (wanted.to === 'sending' || !mayMove(before.state, wanted.to, wanted.actor))",
        replace: "if (wanted.to === 'sending')",
        harm: 'the daemon queues what may exist at the clinic',
      },
      {
        file: 'src/store/sql/bookings/move-booking.ts',
        find: "if (wanted.to === 'booked') await assertFree(trx, before, wanted.appointment_id);\n    else if",
        replace: "if (wanted.to !== 'booked') if",
        harm: 'two bookings share one appointment',
      },
      {
        file: 'src/store/sql/bookings/move-booking.ts',
        find: "evidence: move.to === 'sending' ? (move.evidence ?? null) : merged",
        replace: 'evidence: merged',
        harm: 'evidence of the first attempt counts for the second',
      },
      {
        file: 'src/store/sql/bookings/bookings.ts',
        find: 'if (booking?.attempt !== attempt) return false;',
        replace: 'if (booking === undefined) return false;',
        harm: 'evidence about an earlier attempt is written on the present one',
      },
      {
        file: 'src/store/sql/bookings/bookings.ts',
        find: 'if (sending !== undefined) return undefined;',
        replace: '',
        harm: 'two bookings of one clinic are on the wire at once',
      },
      {
        file: 'src/store/sql/bookings/bookings.ts',
        find: "booking.state !== 'queued' || !isDue(booking, at)",
        replace: "booking.state !== 'queued'",
        harm: 'a booking is sent again before its pause is over',
      },
      {
        file: 'src/store/sql/bookings/bookings.ts',
        find: "to: 'unknown' as BookingState, at,",
        replace: "to: 'queued' as BookingState, at,",
        harm: 'a restart sends what was on the wire again',
      },
      {
        file: 'src/store/sql/bookings/accept-booking.ts',
        find: "if (known.kind === 'same') return { booking: await countAgain(trx, known, submitted), result: 'same' };",
        replace: '',
        harm: 'a form that repeats itself becomes two bookings',
      },
      {
        file: 'src/store/sql/bookings/accept-booking.ts',
        find: 'if (hash === content_hash || content_hash === null) return same(row);',
        replace: 'return same(row);',
        harm: 'a second person under the same submission id is thrown away',
      },
      {
        file: 'src/store/sql/bookings/accept-booking.ts',
        find: "if (alike.length === 0) return { booking: await store(trx, submitted, undefined), result: 'new' };",
        replace:
          "if (alike.length < 2) return { booking: await store(trx, submitted, undefined), result: 'new' };",
        harm: 'the same phone, date and time is booked twice',
      },
      {
        file: 'src/store/sql/bookings/accept-booking.ts',
        find: 'other.received_at >= since && fold',
        replace: 'fold',
        harm: 'a lead is merged into one of last month',
      },
      {
        file: 'src/store/sql/bookings/accept-booking.ts',
        find: "fold(other.patient_name ?? '') === name,",
        replace: 'true,',
        harm: 'a family with one phone loses a child’s booking',
      },
      {
        file: 'src/store/sql/bookings/accept-booking.ts',
        find: "if (patient_name === null || reason === 'restored_state') return undefined;",
        replace: 'if (patient_name === null) return undefined;',
        harm: 'a row that may be booked already is merged without a word',
      },
      {
        file: 'src/store/sql/bookings/accept-booking.ts',
        find: "if (fields.reason !== 'restored_state') booking.reason = beside.reason;",
        replace: 'booking.reason = beside.reason;',
        harm: 'that a booking may exist already hides behind a duplicate',
      },
      {
        file: 'src/store/sql/bookings/accept-booking.ts',
        find: 'if (submission_id !== null || source !== first.source)',
        replace: 'if (submission_id !== null && source === first.source)',
        harm: 'a merged lead is booked again when its form repeats it later',
      },
      {
        file: 'src/store/sql/bookings/accept-booking.ts',
        find: ".where('received_at', '>=', since)\n    .where('clinic', '=', clinic)",
        replace: ".where('clinic', '=', clinic)",
        harm: 'the merge window never closes',
      },
      {
        file: 'src/store/sql/bookings/same-slot.ts',
        find: '(sent_at !== undefined || restored === true) && absent !== true;',
        replace: 'absent === null;',
        harm: 'a dropped booking that may exist does not hold its duplicate',
      },
      {
        file: 'src/store/sql/bookings/own-ids.ts',
        find: ".where('booked_at', '>', after)",
        replace: ".where('booked_at', '>=', after)",
        harm: 'a booking confirmed before the first reading explains the counter',
      },
      {
        file: 'src/store/sql/bookings/own-ids.ts',
        find: ".where('booked_at', '>', since)",
        replace: '',
        harm: 'a look for an unknown booking ends below it',
      },
      {
        file: 'src/store/sql/bookings/booking-reads.ts',
        find: '.orderBy(sql`(refusals > 0)`)',
        replace: '',
        harm: 'a stubborn booking stays in front of the others',
      },
    ],
  },
];
