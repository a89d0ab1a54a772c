/** What is known about where an appointment's number may lie. */
export interface ProbeRange {
  /** Our highest number before the send. */
  above: number;
  /** Our first number after it; null when we have none yet. */
  below: number | null;
  /** Numbers that are linked to a booking: never looked at. */
  claimed: ReadonlySet<number>;
}

const AT_MOST = 60;
const MISSES_AT_MOST = 20;

/** Numbers grow in the order of booking, so an unknown one lies between ours before and ours after. */
export function probeRange(
  highestOwnId: number | undefined,
  sentAt: string | undefined,
  ownIds: readonly { appointment_id: number; at: string }[],
): ProbeRange | undefined {
  // Without a number of ours from before there is nowhere to start; a guessed start would be no evidence.
  if (highestOwnId === undefined || highestOwnId <= 0 || sentAt === undefined) return undefined;
  const after = ownIds
    .filter(({ appointment_id, at }) => appointment_id > highestOwnId && at > sentAt)
    .map(({ appointment_id }) => appointment_id);
  return {
    above: highestOwnId,
    below: after.length === 0 ? null : Math.min(...after),
    claimed: new Set(ownIds.map(({ appointment_id }) => appointment_id)),
  };
}

/** The next number to look at; undefined when enough was looked at. `complete`: every number in the range was. */
export function nextProbe(
  range: ProbeRange,
  probed: readonly number[],
  misses: number,
): { id: number } | { id: undefined; complete: boolean } {
  let id = (probed.at(-1) ?? range.above) + 1;
  while (range.claimed.has(id) && (range.below === null || id < range.below)) id += 1;
  if (range.below !== null && id >= range.below) return { id: undefined, complete: true };
  if (range.below === null && misses >= MISSES_AT_MOST) return { id: undefined, complete: true };
  if (probed.length >= AT_MOST) return { id: undefined, complete: false };
  return { id };
}
