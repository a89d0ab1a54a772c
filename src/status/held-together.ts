import { showsIt } from '../domain/bookings/booking-ref.ts';
import type { Need } from '../domain/status/report.ts';
import { toMs } from '../platform/clock.ts';
import { MINUTE } from '../platform/duration.ts';

/** As in notifications: more become one. Each of a few is shown with its patient and its buttons. */
const SINGLY = 5;
/** More are counted, but not named. */
const NAMED = 1_000;

/**
 * Bookings that are held for the same reason and came together, as the rows of one paste do, ask for one decision: they
 * are one need with a list, in the place of the most urgent. Pure.
 */
export function heldTogether(needs: readonly Need[]): Need[] {
  const listed = new Map<Need, Need | undefined>();
  for (const alike of Map.groupBy(needs, likeness).values()) {
    if (alike[0]?.state !== 'held') continue;
    for (const [first, ...others] of runs(alike)) {
      if (first === undefined || others.length < SINGLY) continue;
      for (const one of others) listed.set(one, undefined);
      listed.set(first, asOne(first, [first, ...others]));
    }
  }
  return needs.flatMap((need) => (listed.has(need) ? (listed.get(need) ?? []) : need));
}

const likeness = ({ state, clinic, source, reason, fields }: Need): string =>
  JSON.stringify([state, clinic, source, reason, fields]);

/** Each run came without a minute's pause; the bookings of a run stay in the order of the needs. */
function runs(alike: readonly Need[]): Need[][] {
  const found = new Map<Need, number>();
  let run = 0;
  let before = Number.NEGATIVE_INFINITY;
  for (const need of alike.toSorted((a, b) => toMs(a.since) - toMs(b.since))) {
    const atMs = toMs(need.since);
    if (atMs - before > MINUTE) run += 1;
    before = atMs;
    found.set(need, run);
  }
  return [...Map.groupBy(alike, (need) => found.get(need)).values()];
}

function asOne(first: Need, all: readonly Need[]): Need {
  const { subject, sentence, action, source = '' } = first;
  const refs = all.map((one) => one.subject);
  return {
    ...first,
    sentence: sentence.replace(subject, `${subject} and ${all.length - 1} more`),
    action: action.replace(
      showsIt(subject),
      `\`clinic-sync bookings list --needs-me --source ${source}\` lists them.`,
    ),
    refs: refs.slice(0, NAMED),
    count: all.length,
    since: all.reduce((since, one) => (one.since < since ? one.since : since), first.since),
    urgent: all.some(({ urgent }) => urgent),
  };
}
