import type { MutationSet } from '../mutation.ts';
import { tests } from './tests.ts';

const check = 'src/bookings/intake/check.ts';
const intake = 'src/bookings/intake/intake.ts';
const limits = 'src/bookings/intake/intake.ts';
const facts = 'src/bookings/intake/facts.ts';
const hours = 'src/domain/clinics/opening-hours.ts';

export const accepting: MutationSet = {
  module: 'bookings/accepting',
  tests,
  mutations: [
    {
      file: intake,
      find: 'if (carriesRef(submission) && isRestored())',
      replace: 'if (carriesRef(submission) && submission.task !== undefined)',
      harm: 'rows that carry a reference are booked again after a restore',
    },
    {
      file: limits,
      find: 'if (phone !== null)',
      replace: 'if (phone === null)',
      harm: 'one phone number books more than is allowed a day',
    },
    {
      file: intake,
      find: 'return clinics.size === 1 ? only : undefined;',
      replace: 'return only;',
      harm: 'a lead without a clinic is booked at the first of several',
    },
    {
      file: intake,
      find: "who === 'daemon' && needsApproval(settings, source)",
      replace: 'false',
      harm: 'a lead that waited for lists skips its approval',
    },
    {
      file: intake,
      find: 'const MERGE_WITHIN_MS = 15 * MINUTE;',
      replace: 'const MERGE_WITHIN_MS = 0;',
      harm: 'a form sent twice becomes two bookings',
    },
    {
      file: check,
      find: 'if (slot.lastMs <= nowMs)',
      replace: 'if (slot.lastMs <= nowMs - DAY)',
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
  ],
};
