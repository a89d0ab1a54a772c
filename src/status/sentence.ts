import { formatDuration } from '../model/duration.ts';
import type { Health, Need } from '../model/report.ts';
import { clause } from '../model/sentences.ts';

interface Facts {
  needs: readonly Need[];
  /** Bookings that need a person; `needs` may list fewer. */
  bookings: number;
  staleReasons: readonly string[];
  databaseProblem: string | null;
  /** Of the resource read longest ago, milliseconds; undefined while one was never read. */
  oldest: number | undefined;
}

export const healthOf = ({ needs, staleReasons, databaseProblem }: Facts): Health => {
  if (databaseProblem !== null || staleReasons.length > 0) return 'not_syncing';
  return needs.length > 0 ? 'attention' : 'ok';
};

/** The one sentence at the top: the worst there is, never better than it is. */
export function topSentence(facts: Facts): string {
  const { needs, bookings, staleReasons, databaseProblem, oldest } = facts;
  if (databaseProblem !== null)
    return `Not syncing: the database does not work (${clause(databaseProblem)}).`;
  const [first, ...others] = staleReasons;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    return `Not syncing: ${first}${more}.`;
  }
  const rest = needs.filter(({ kind }) => kind !== 'booking');
  if (bookings > 0) {
    const subject = bookings === 1 ? '1 booking needs you' : `${bookings} bookings need you`;
    return rest.length === 0 ? `${subject}.` : `${subject}, and ${things(rest.length)} more.`;
  }
  const [only, ...further] = rest;
  if (only !== undefined) return further.length === 0 ? only.sentence : `${things(rest.length)} need you.`;
  return oldest === undefined
    ? 'Starting: not everything has been read yet.'
    : `All good: data ${formatDuration(oldest)} old.`;
}

const things = (count: number): string => (count === 1 ? '1 thing' : `${count} things`);
