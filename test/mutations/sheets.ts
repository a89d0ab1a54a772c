import type { MutationSet } from './mutation.ts';

const sortedAlone = 'connectors/google-sheets/bookings/sorted-alone.ts';
const decide = 'connectors/google-sheets/bookings/decide.ts';
const bookingsTab = 'connectors/google-sheets/bookings/bookings-tab.ts';

export const sheets: MutationSet = {
  module: 'sheets',
  tests: ['connectors/google-sheets/bookings/sorted-alone.test.ts'],
  titles: 'that comes from other rows',
  mutations: [
    {
      file: bookingsTab,
      find: 'if (shown !== seen) await claims.saveSeen(shown);',
      replace: '',
      harm: 'a column that was sorted alone while the daemon was down books half of one patient and half of another',
    },
    {
      file: bookingsTab,
      find: 'rows.filter((row) => !unsure.moved.has(row))',
      replace: 'rows',
      harm: 'a tick that came to a held row as Send was sorted alone books it',
    },
    {
      file: sortedAlone,
      find: 'for (const [whole, , doubt] of open) first.set(whole, doubt);',
      replace: '',
      harm: 'a restart forgets which rows to ask about',
    },
    {
      file: sortedAlone,
      find: '...open.map(([whole, send]) => ({ parts: partsIn(whole), ref: null, send })),',
      replace: '',
      harm: 'rows that nobody ticked yet are not compared with those before a restart',
    },
    {
      file: sortedAlone,
      find: "phase !== 'duplicate' && unticked?.includes(booking) === false",
      replace: 'false',
      harm: 'Send sorted alone while the daemon was down books whom nobody ticked',
    },
    {
      file: sortedAlone,
      find: '!== false,\n        };',
      replace: '!== 0,\n        };',
      harm: 'people are asked about their ticks because we took one away',
    },
    {
      file: sortedAlone,
      find: ', whole, person, ',
      replace: ', whole, ',
      harm: 'a moved tick books a row into which somebody typed at the same time',
    },
    {
      file: sortedAlone,
      find: ', whole, person, ',
      replace: ', ',
      harm: 'a tick that stayed as all inputs were sorted books another patient',
    },
    {
      file: sortedAlone,
      find: 'person, ...(ref === null ? ',
      replace: 'person, ...(false ? ',
      harm: 'a row that is typed and ticked is asked about because another lost its tick',
    },
    {
      file: sortedAlone,
      find: 'stray < strayTicks.before',
      replace: 'false',
      harm: 'Send sorted into empty rows and back books whom nobody ticked',
    },
    {
      file: sortedAlone,
      find: 'parts: shown === undefined ? parts : {}',
      replace: 'parts',
      harm: 'after a restart a booked row that was changed counts as the row that was sent',
    },
    {
      file: decide,
      find: "(draft.unsure?.moved.has(row) ? 'send' : askedBefore(draft.claims, row)?.alone)",
      replace: 'askedBefore(draft.claims, row)?.alone',
      harm: 'Send sorted alone books whom nobody ticked',
    },
    {
      file: decide,
      find: 'save(draft, { ...claim, unticked: false })',
      replace: 'claim',
      harm: 'a moved tick counts as the second one at the next reading',
    },
    {
      file: decide,
      find: "save(draft, { ...base, phase: 'duplicate', why: 'mixed', alone });",
      replace: '',
      harm: 'a row that was sorted apart before a restart is booked when it is ticked',
    },
  ],
};
