import type { Health, HealthReason, Need } from '../domain/status/report.ts';
import { toMs } from '../platform/clock.ts';
import { formatDuration, SECOND } from '../platform/duration.ts';
import { sentences } from '../platform/text/sentences.ts';
import { sinceOf } from './reasons.ts';

interface Facts {
  now: number;
  running: boolean;
  health: Health;
  reasons: readonly HealthReason[];
  needs: readonly Pick<Need, 'kind' | 'sentence'>[];
  /** Age of the oldest resource in milliseconds; undefined until every resource was read. */
  oldest: number | undefined;
  /** What bookings wait for, even though nothing is wrong. */
  waits: readonly string[];
  /** What is not sent for now: then not all is good. */
  held: readonly string[];
}

/** The headline: states the worst problem and never sounds better than it is. */
export function topSentence({ now, running, health, reasons, needs, oldest, waits, held }: Facts): string {
  const asked = whatNeedsYou(needs);
  if (health !== 'ok') return sentences(`${lead(health, reasons, now)}: ${named(reasons)}`, asked, ...waits);
  if (asked !== undefined) return sentences(asked, ...waits);
  return sentences(goodNews(oldest, running && held.length === 0), ...held, ...waits);
}

/** Without a daemon, nothing is good: only what was known last. */
function goodNews(oldest: number | undefined, running: boolean): string {
  if (oldest === undefined)
    return running ? 'Starting: not everything has been read yet.' : 'Not everything has been read yet.';
  const age = formatDuration(oldest);
  return running ? `All good: data ${age} old.` : `Data ${age} old.`;
}

function lead(health: Health, reasons: readonly HealthReason[], now: number): string {
  if (health === 'stale') return 'Not syncing';
  const since = sinceOf(reasons);
  const forMs = since === null ? 0 : now - toMs(since);
  // Also when it began in the future, because the clock was set back.
  return forMs < SECOND ? 'Trouble' : `Trouble for ${formatDuration(forMs)}`;
}

const named = ([first, ...others]: readonly HealthReason[]): string =>
  `${first?.sentence}${others.length === 0 ? '' : `, and ${others.length} more`}`;

function whatNeedsYou(needs: Facts['needs']): string | undefined {
  const bookings = needs.filter(({ kind }) => kind === 'booking').length;
  const rest = needs.filter(({ kind }) => kind !== 'booking');
  if (bookings > 0) {
    const subject = bookings === 1 ? '1 booking needs you' : `${bookings} bookings need you`;
    return rest.length === 0 ? `${subject}.` : `${subject}, and ${things(rest.length)} more.`;
  }
  const [only, ...further] = rest;
  if (only === undefined) return undefined;
  return further.length === 0 ? only.sentence : `${things(rest.length)} need you.`;
}

const things = (count: number): string => (count === 1 ? '1 thing' : `${count} things`);
