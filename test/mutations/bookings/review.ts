import type { MutationSet } from '../mutation.ts';
import { tests } from './tests.ts';

const recovery = 'src/bookings/recovery.ts';
const correction = 'src/bookings/review/correction.ts';
const resolution = 'src/bookings/review/resolution.ts';
const release = 'src/bookings/review/release.ts';
const actions = 'src/bookings/review/available-actions.ts';

export const people: MutationSet = {
  module: 'bookings/people',
  tests,
  mutations: [
    {
      file: recovery,
      find: 'const since = dispatcher.view().pause?.since ?? instant(clock.now());',
      replace: 'const since = instant(clock.now());',
      harm: 'leads that came after a restore are held as if they were old',
    },
    {
      file: recovery,
      find: "if (dispatcher.view().pause?.kind === 'restored')\n",
      replace: 'if (parts.store.identity.restored)\n',
      harm: 'a second start after a restore sends what may be booked',
    },
    {
      file: recovery,
      find: "if (dispatcher.view().pause?.kind !== 'restored') await dispatcher.pause('restored', restoredMessage);",
      replace: '',
      harm: 'bookings go out from a restored database without a person’s word',
    },
    {
      file: recovery,
      find: 'open.filter(({ clinic }) => !known.has(clinic));',
      replace: "open.filter(({ state }) => state === 'received');",
      harm: 'bookings of a clinic that was removed wait without a word',
    },
    {
      file: recovery,
      find: 'const interrupted = await store.bookings.interruptSending(instant(clock.now()), only);',
      replace: 'const interrupted: Booking[] = [];',
      harm: 'what was on the wire at a crash blocks the dispatcher for ever',
    },
    {
      file: resolution,
      find: 'if (settlesInMs > 0 && confirm !== true) {',
      replace: 'if (settlesInMs > 0 && confirm === false) {',
      harm: 'an unknown booking is sent again while the clinic works on it',
    },
    {
      file: resolution,
      find: "if (typeof seen !== 'string' && !same && !confirm)",
      replace: "if (typeof seen !== 'string' && seen.name_matches === false && !confirm)",
      harm: 'a mistyped number links another appointment',
    },
    {
      file: resolution,
      find: 'seen_by: by, mismatch }',
      replace: 'seen_by: by, mismatch: [] }',
      harm: 'a difference a person overruled is not kept in front of others',
    },
    {
      file: 'src/store/sql/bookings/move-booking.ts',
      find: "(clinic === noClinic && state === 'held' && to === 'held')",
      replace: '(clinic === noClinic)',
      harm: 'a booking gets its clinic while it goes out',
    },
    {
      file: 'src/store/sql/erasure/erase.ts',
      find: "...(clinic === noClinic ? [] : [{ resource: 'booking' as const, id: ref, clinic: noClinic }]),",
      replace: '',
      harm: 'the name of an erased person stays in the log of the time before their clinic was chosen',
    },
    {
      file: correction,
      find: "verdict = await review.intake.checkAgain(merged(booking, fields), { ...booking, ...named }, 'person')",
      replace: "verdict = await review.intake.checkAgain(merged(booking, fields), booking, 'person')",
      harm: 'a lead for a chosen clinic is judged without that clinic’s treatments, hours and bookings',
    },
    {
      file: correction,
      find: 'if (clinic !== noClinic)\n',
      replace: 'if (false)\n',
      harm: 'a booking is moved from the clinic that has it to another',
    },
    {
      file: correction,
      find: 'undoable === true && edit.clinic === undefined',
      replace: 'undoable === true',
      harm: 'undone, a booking is at no clinic, and the clinic’s files keep it',
    },
    {
      file: correction,
      find: 'const after = { ...booking, ...edit };',
      replace: 'const after = { ...edit, ...booking };',
      harm: 'the duplicates of a correction are looked for at the wrong clinic and number',
    },
    {
      file: correction,
      find: "if ((booking.state === 'held' && booking.reason === 'restored_state') || isForgotten)",
      replace: "if (booking.reason === 'source_limit')",
      harm: 'an edit releases a booking that may have been sent before a restore',
    },
    {
      file: correction,
      find: 'if (kind in fields && !(',
      replace: 'if (kind === undefined && !(',
      harm: 'a corrected dentist keeps the number of the former one',
    },
    {
      file: 'src/bookings/review/decisions.ts',
      find: 'if (!isSeen || still?.ref !== first?.ref) return held;',
      replace: '',
      harm: 'a correction with a fault nobody has seen replaces the first booking',
    },
    {
      file: release,
      find: 'const beside = isDoubleClick ? [] : booking.acknowledged_duplicates;',
      replace: 'const beside = booking.acknowledged_duplicates;',
      harm: 'a double click approves a duplicate nobody has read about',
    },
    {
      file: 'src/bookings/same-slot.ts',
      find: '  acknowledged_duplicates,\n  edit:',
      replace: '  edit:',
      harm: 'a duplicate can never be approved',
    },
    {
      file: actions,
      find: '  booking.attempt === 0 &&\n',
      replace: '',
      harm: 'a booking that was sent and then dropped can be sent again',
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
    {
      file: 'src/bookings/actions.ts',
      find: 'const first = standing(await otherVersions({ store }, change));',
      replace: "const first = await store.bookings.get(change.duplicate_of ?? '');",
      harm: 'of two changes of one form, the second is booked beside the first that was taken',
    },
    {
      file: 'src/store/sql/bookings/move-booking.ts',
      find: "if (wanted.to === 'queued' && wanted.actor === 'person')",
      replace: "if (wanted.to === 'queued' && wanted.actor === 'daemon')",
      harm: 'a change is approved on a page that does not show the other, which was taken meanwhile',
    },
  ],
};
