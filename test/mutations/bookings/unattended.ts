import type { MutationSet } from '../mutation.ts';

const unattended = 'src/bookings/unattended.ts';
const clinicReading = 'src/bookings/dispatch/clinic-reading.ts';
const holdRestored = 'src/bookings/hold-restored.ts';

/** A database that is put back although a newer one was in use. */
export const putBack: MutationSet = {
  module: 'bookings/put-back',
  tests: ['src/bookings/unattended.test.ts', 'src/bookings/put-back.property.test.ts'],
  mutations: [
    {
      file: unattended,
      find: 'if (now.value === counter.value + own_between) return undefined;',
      replace: 'if (now.value <= counter.value + own_between) return undefined;',
      harm: 'a deleted appointment hides a booking that the copy has forgotten',
    },
    {
      file: unattended,
      find: 'if (now.value === counter.value + own_between) return undefined;',
      replace: 'if (now.value - counter.value < 100) return undefined;',
      harm: 'a copy that forgot a few bookings sends them again',
    },
    {
      file: unattended,
      find: 'confirmedBetween(clinic, counter.at, END_OF_TIME)',
      replace: "confirmedBetween(clinic, '', END_OF_TIME)",
      harm: 'bookings of before the reading explain away those that the copy has forgotten',
    },
    {
      file: unattended,
      find: 'confirmedBetween(clinic, counter.at, END_OF_TIME)',
      replace: 'confirmedBetween(clinic, counter.at, now.at)',
      harm: 'a clock that was set back makes our own bookings unexplained',
    },
    {
      file: unattended,
      find: 'waiting.some((booking) => mayBeSame(compare(booking, id, seen)))',
      replace: 'false',
      harm: 'a cancellation hides a booking that the copy has forgotten',
    },
    {
      file: unattended,
      find: 'if (above === undefined)\n    return isAboutToBeSent',
      replace: 'if (above === undefined)\n    return false',
      harm: 'a copy that knows no appointment sends again what it forgot',
    },
    {
      file: unattended,
      find: 'return next.complete || !isAboutToBeSent',
      replace: 'return true',
      harm: 'more new appointments than are looked at count as looked at',
    },
    {
      file: unattended,
      find: 'if (seen === failed) return failed;',
      replace: 'if (seen === failed) return undefined;',
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
      find: 'return kept === undefined ? undefined : Kept.parse(JSON.parse(kept));',
      replace: 'return kept === undefined ? undefined : undefined;',
      harm: 'an older copy goes on as if it were the newest',
    },
    {
      file: clinicReading,
      find: 'if (doubt !== undefined) await holdForgotten(d, doubt, unattended.at);',
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
