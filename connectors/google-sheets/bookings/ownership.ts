import type { Claim } from './claims.ts';
import type { BookingRow } from './read-row.ts';

/** Which row a claim belongs to, and which rows only carry a copy of its Ref. */
export interface Owned {
  owner: BookingRow | undefined;
  copies: BookingRow[];
}

export interface Ownership {
  owned: ReadonlyMap<Claim, Owned>;
  /** Rows with an unknown Ref. */
  strangers: readonly BookingRow[];
}

/** Matches rows with claims by Ref. Pure. */
export function ownership(rows: readonly BookingRow[], claims: readonly Claim[]): Ownership {
  const byRef = new Map<string, Claim>();
  for (const claim of claims) {
    byRef.set(claim.ref, claim);
    if (claim.booking !== undefined && !byRef.has(claim.booking)) byRef.set(claim.booking, claim);
  }
  const carrying = new Map<Claim, BookingRow[]>();
  const strangers: BookingRow[] = [];
  for (const row of rows) {
    if (row.ref === null) continue;
    const claim = byRef.get(row.ref);
    if (claim) carrying.set(claim, [...(carrying.get(claim) ?? []), row]);
    else strangers.push(row);
  }
  const owned = claims.map((claim): [Claim, Owned] => {
    const carriers = carrying.get(claim) ?? [];
    const own = carriers.find(({ content }) => content === claim.content);
    // Edited after it was sent: still the claim's row, unless another one has the content.
    const owner =
      own ?? (claim.phase === 'accepted' || claim.phase === 'duplicate' ? carriers[0] : undefined);
    return [claim, { owner, copies: carriers.filter((row) => row !== owner) }];
  });
  return { owned: new Map(owned), strangers };
}

/** Milliseconds between a claim and its booking: long enough to undo a mistaken tick, short enough to wait for. */
export const SECOND_LOOK_MS = 4_000;

/** The claims to book now: seen again on a row with the same content, Send still ticked. Pure. */
export function confirmedClaims(
  rows: readonly BookingRow[],
  claims: readonly Claim[],
  now: number,
): { claim: Claim; row: BookingRow }[] {
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
