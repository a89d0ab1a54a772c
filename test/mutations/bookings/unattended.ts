import type { MutationSet } from '../mutation.ts';

const unattended = 'src/bookings/unattended.ts';
const clinicReading = 'src/bookings/dispatch/clinic-reading.ts';
const holdRestored = 'src/bookings/hold-restored.ts';

/** A database that is put back although a newer one was in use. */
export const putBack: MutationSet = {
  module: 'bookings/put-back',
  tests: [
    'src/bookings/unattended.test.ts',
    'src/bookings/interrupted.test.ts',
    'src/bookings/doubt.test.ts',
    'src/bookings/put-back.property.test.ts',
  ],
  mutations: [
    {
      file: unattended,
      find: 'if (toExplain === 0) return { toExplain, doubt: undefined, now };',
      replace: 'if (toExplain <= 0) return { toExplain: 0, doubt: undefined, now };',
      harm: 'a deleted appointment hides a booking that the copy has forgotten',
    },
    {
      file: unattended,
      find: 'if (toExplain === 0) return { toExplain, doubt: undefined, now };',
      replace: 'if (toExplain < 100) return { toExplain: 0, doubt: undefined, now };',
      harm: 'a copy that forgot a few bookings sends them again',
    },
    {
      file: unattended,
      find: 'id > highest && seen !== undefined ? whoseIs',
      replace: 'id < highest && seen !== undefined ? whoseIs',
      harm: 'a cancellation hides a booking that the copy has forgotten',
    },
    {
      file: unattended,
      find: 'if (anchor === undefined)',
      replace: 'if (anchor === undefined) return undefined;\n  if (anchor === undefined)',
      harm: 'a copy that knows no appointment sends again what it forgot',
    },
    {
      file: unattended,
      find: 'seen && unknown.find((one) => isSame(',
      replace: 'seen && unknown.find((one) => mayBeSame(',
      harm: 'somebody else’s appointment counts as the interrupted first one of an installation',
    },
    {
      file: unattended,
      find: 'new Set(anchor.sent && [anchor.sent])',
      replace: 'new Set()',
      harm: 'a power failure during the first booking of an installation holds a night’s leads',
    },
    {
      file: unattended,
      find: 'if (toExplain > ABOVE_AT_MOST)',
      replace: 'if (toExplain > unknown.length)',
      harm: 'one booking of the front desk holds a night’s leads',
    },
    {
      file: unattended,
      find: 'return [...copied, ...unknown].every(',
      replace: 'return copied.every(',
      harm: 'an appointment like the interrupted one counts as somebody else’s',
    },
    {
      file: unattended,
      find: 'return [...copied, ...unknown].every(',
      replace: 'return unknown.every(',
      harm: 'a forgotten booking that the front desk renamed and moved counts as somebody else’s, and is sent again',
    },
    {
      file: unattended,
      find: 'return found === now.value - counter.value -',
      replace: 'return found >= now.value - counter.value -',
      harm: 'an appointment that the counter leaves out stands for one that the copy has forgotten',
    },
    {
      file: unattended,
      find: 'return found === now.value - counter.value - (await ownSince(store, key, counter.at));',
      replace: 'return true;',
      harm: 'one booked by the front desk long before stands for one that the copy has forgotten',
    },
    {
      file: unattended,
      find: '|| found < toExplain) return false;',
      replace: ') return false;',
      harm: 'a deleted appointment hides one that the copy has forgotten',
    },
    {
      file: unattended,
      find: 'if (looked.doubt !== undefined) return looked.doubt;',
      replace: '',
      harm: 'a waiting booking is at the clinic and is sent again if the counter happens to agree',
    },
    {
      file: unattended,
      find: 'return isExplained ? undefined : difference.doubt;',
      replace: 'return undefined;',
      harm: 'appointments that nobody explains count as explained',
    },
    {
      file: 'src/bookings/comparison.ts',
      find: '!mayBeSame(compare(booking, appointment_id, seen)) &&',
      replace: '',
      harm: 'an appointment in the slot of a sent booking counts as somebody else’s',
    },
    {
      file: 'src/bookings/comparison.ts',
      find: '.some((word) => words.has(word))',
      replace: '.some((word) => !words.has(word))',
      harm: 'a booking of ours with a corrected name at another time counts as somebody else’s',
    },
    {
      file: unattended,
      find: '!explained.has(one.ref) && isSame(',
      replace: '!explained.has(one.ref) && mayBeSame(',
      harm: 'an interrupted booking explains the appointment of another one',
    },
    {
      file: clinicReading,
      find: 'clock.monotonic() >= (d.compareUntil ?? 0) ? refusedRead : ',
      replace: '',
      harm: 'a slow clinic keeps everything waiting beyond the time that is told',
    },
    {
      file: 'src/store/sqlite/marker.ts',
      find: 'Math.max(ctimeMs, mtimeMs) - written > LATER_MS',
      replace: 'false',
      harm: 'a copy that is put back within seconds passes for a restart',
    },
    {
      file: unattended,
      find: 'ownSince(store, clinic, counter.at)',
      replace: 'ownSince(store, clinic, instant(0))',
      harm: 'bookings of before the reading explain away those that the copy has forgotten',
    },
    {
      file: unattended,
      find: 'ownSince(store, clinic, counter.at)',
      replace: 'store.bookings.confirmedBetween(clinic, counter.at, now.at)',
      harm: 'a clock that was set back makes our own bookings unexplained',
    },
    {
      file: unattended,
      find: 'doubt: next.value === undefined ? undefined : doubt(next.value), others',
      replace: 'doubt: undefined, others',
      harm: 'more new appointments than are looked at, or numbers with gaps, count as looked through',
    },
    {
      file: unattended,
      find: 'for (const id of [landing, landing + 1, landing + 2]) yield id;',
      replace: '',
      harm: 'a booking whose number a server has moved to the next thousand is sent again',
    },
    {
      file: unattended,
      find: 'const MISSES = 40;',
      replace: 'const MISSES = 20;',
      harm: 'a booking after the numbers that a crashed server skips is sent again',
    },
    {
      file: unattended,
      find: 'if (id < Math.max(1, highest - BELOW_AT_MOST))',
      replace: 'if (id < 1)',
      harm: 'numbers far apart count as numbers one after the other',
    },
    {
      file: unattended,
      find: 'return [...waiting, ...ended.filter(({ clinic }) => clinic === key)];',
      replace: 'return waiting;',
      harm: 'a refused booking that was corrected and sent after the copy was made is sent again',
    },
    {
      file: unattended,
      find: 'if (seen === failed) return failed;\n    if (seen === refusedRead)\n',
      replace: 'if (seen === failed) return { doubt: undefined, others };\n    if (seen === refusedRead)\n',
      harm: 'a clinic that stops answering in the middle counts as looked through',
    },
    {
      file: unattended,
      find: 'if (value === null) return;',
      replace: '',
      harm: 'a clinic that once gave no figure makes the next start unable to compare',
    },
    {
      file: unattended,
      find: 'kept === undefined ? undefined : Kept.parse(JSON.parse(kept));',
      replace: 'kept === undefined ? undefined : undefined;',
      harm: 'an older copy goes on as if it were the newest',
    },
    {
      file: clinicReading,
      find: 'if (doubt !== undefined) await distrust(d, doubt, unattended.at);',
      replace: '',
      harm: 'a difference is seen and the bookings are sent all the same',
    },
    {
      file: clinicReading,
      find: "const states = ['received', 'queued', 'held'] as const;",
      replace: "const states = ['received', 'queued'] as const;",
      harm: 'a booking that was released after the copy was made is released and sent again',
    },
    {
      file: clinicReading,
      find: 'await keepDoubt(d.store, clinic, d.doubt);',
      replace: '',
      harm: 'what waited for a person is approved and sent again unasked',
    },
    {
      file: 'src/bookings/doubt.ts',
      find: 'if (received_at > doubt.at && received_at <= now) return undefined;',
      replace: 'if (received_at > doubt.at) return undefined;',
      harm: 'what was received before the clock was set back is sent again unasked',
    },
    {
      file: 'src/bookings/doubt.ts',
      find: 'doubted_at !== doubt.at && sent_at <= doubt.at',
      replace: 'doubted_at === undefined && sent_at <= doubt.at',
      harm: 'an answer to an earlier question releases what a later copy brought back',
    },
    {
      file: 'src/bookings/dispatch/dispatcher.ts',
      find: "await moveAsDaemon(d, booking, { to: 'held', ...askedAbout(doubt) });\n  return true;",
      replace: 'return false;',
      harm: 'what was approved while the comparison ran is sent again unasked',
    },
    {
      file: 'src/bookings/review/release.ts',
      find: "if (isDoubleClick && booking.reason === 'restored_state') return booking;",
      replace: '',
      harm: 'a double click answers the question whether it is at the clinic',
    },
    {
      file: 'src/bookings/actions.ts',
      find: "? { ...first, reason: 'restored_state' } : first;",
      replace: '? first : first;',
      harm: 'a booking that may have been sent is replaced by another one',
    },
    {
      file: holdRestored,
      find: 'received_at <= receivedUntil || received_at > now',
      replace: 'true',
      harm: 'leads that came after the copy was put back are held as if they were old',
    },
    {
      file: holdRestored,
      find: 'received_at <= receivedUntil || received_at > now',
      replace: 'received_at <= receivedUntil',
      harm: 'what waited is sent unseen when the clock was set back since',
    },
  ],
};
