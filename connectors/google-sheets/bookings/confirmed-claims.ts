import type { Claim } from './claims.ts';
import { ownership } from './ownership.ts';
import type { BookingRow } from './read-row.ts';

/** Milliseconds between a claim and its booking: long enough to undo a slip, short enough to wait for. */
export const SECOND_LOOK_MS = 4_000;

interface Situation {
  rows: readonly BookingRow[];
  claims: readonly Claim[];
  now: number;
}

/** The claims to book now: seen again on a row with the same content and Send still ticked. Pure. */
export function confirmedClaims({ rows, claims, now }: Situation): { claim: Claim; row: BookingRow }[] {
  const { owned } = ownership(rows, claims);
  const confirmed = claims.flatMap((claim) => {
    const row = owned.get(claim)?.owner;
    if (row === undefined || !row.send || row.clinic === undefined || row.content !== claim.content)
      return [];
    const isSeenAgain = claim.phase === 'claimed' && now - claim.at >= SECOND_LOOK_MS;
    const isBookedAnyway = claim.phase === 'duplicate' && claim.unticked === true;
    return isSeenAgain || isBookedAnyway ? [{ claim, row }] : [];
  });
  return confirmed.sort((a, b) => a.row.row - b.row.row);
}
