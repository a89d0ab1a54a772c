import { wholeNumber } from '../../../src/domain/clinics/setting.ts';
import { isObject, type Json } from '../../../src/platform/json.ts';
import { errorAnswer } from '../answer.ts';
import { changedPayload, edited, lists, reads, variant } from './edits.ts';
import { afterCommit, type FaultKind, only } from './kind.ts';

/** Read-after-write lag: the first reads do not find a new appointment. */
const lateStatus: FaultKind = {
  ...only(
    ['status'],
    afterCommit(
      {
        description: '404 for the first `reads` (default 1) reads of each appointment, then as usual.',
        parameters: { reads: wholeNumber(1).default(1) },
      },
      (_context, answer) => answer,
    ),
  ),
  arm(parameters) {
    const { reads } = parameters as { reads: number };
    const asked = new Map<string, number>();
    return {
      stage: 'after',
      act({ target }, answer) {
        const times = (asked.get(target) ?? 0) + 1;
        asked.set(target, times);
        return times > reads ? answer : errorAnswer(404, 'not_found', 'No such appointment.');
      },
    };
  },
};

/** Answers that real servers give although the specification says otherwise. */
export const variantFaults = {
  variant,
  no_success: edited(reads, 'The answer has no field success.', { path: '/success', as: 'missing' }),
  bad_row: edited(lists, 'The first row is null.', { path: '/data.0', as: 'null' }),
  twin_ids: changedPayload(lists, 'The first row comes twice, the second time under another name.', (rows) =>
    Array.isArray(rows) ? [...rows, renamed(rows[0])] : rows,
  ),
  other_care_id: edited(['organization', 'website'], 'The care_id is another clinic’s.', {
    path: 'care_id',
    plus: 1,
  }),
  late_status: lateStatus,
};

const renamed = (row: Json = null): Json =>
  isObject(row)
    ? Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, key.endsWith('_name') ? `${value} (2)` : value]),
      )
    : null;
