import { type Claim, changedInputs, sharesPerson } from './claims.ts';
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

/**
 * Matches rows with claims: by Ref and content; else a booking by its content alone, because answers stay behind when
 * people sort or clear the cells beside them; else by Ref alone, because rows are edited. Pure.
 *
 * @param isLive Whether a claim may still lead to a visit; if not, its cleared Ref asks for another booking.
 */
export function ownership(
  rows: readonly BookingRow[],
  claims: readonly Claim[],
  isLive: (claim: Claim) => boolean = () => true,
): Ownership {
  const byRef = new Map<string, Claim>();
  for (const claim of claims) {
    byRef.set(claim.ref, claim);
    if (claim.booking !== undefined && !byRef.has(claim.booking)) byRef.set(claim.booking, claim);
  }
  const claimOf = ({ ref }: BookingRow) => (ref === null ? undefined : byRef.get(ref));
  const carrying = Map.groupBy(rows, claimOf);
  const owners = new Map<Claim, BookingRow>();
  const owned = new Set<BookingRow>();
  const give = (claim: Claim, row: BookingRow | undefined) => {
    if (row === undefined) return;
    owners.set(claim, row);
    owned.add(row);
  };
  const isBooked = ({ phase }: Claim) => phase === 'accepted';
  const isSame = (claim: Claim) => (row: BookingRow) =>
    row.content !== undefined && row.content === claim.content;
  const unowned = () => claims.filter((claim) => !owners.has(claim));
  const isFree = (row: BookingRow) => !owned.has(row);
  for (const claim of claims) give(claim, carrying.get(claim)?.find(isSame(claim)));
  for (const claim of unowned().filter(isBooked)) {
    const isLoose = (row: BookingRow) => (row.ref === null ? isLive(claim) : claimOf(row) !== undefined);
    give(claim, rows.filter(isSame(claim)).filter(isFree).find(isLoose));
  }
  for (const claim of unowned().filter((one) => isBooked(one) || one.phase === 'duplicate')) {
    const free = (carrying.get(claim) ?? []).filter(isFree);
    give(claim, free.find(({ parts }) => sharesPerson(claim, parts)) ?? free[0]);
  }
  return {
    owned: new Map(
      claims.map((claim) => {
        const owner = owners.get(claim);
        const copies = (carrying.get(claim) ?? []).filter(isFree);
        return [claim, { owner, copies }];
      }),
    ),
    strangers: rows.filter((row) => row.ref !== null && claimOf(row) === undefined),
  };
}

/** Milliseconds between a claim and its booking: long enough to undo a mistaken tick, short enough to wait for. */
export const SECOND_LOOK_MS = 4_000;

/** The claims to book now: seen again on a row in which nothing has changed, Send still ticked. Pure. */
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
    if (row.faults.length > 0 || changedInputs(claim, row).length > 0) return [];
    const isSeenAgain = claim.phase === 'claimed' && now - claim.at >= SECOND_LOOK_MS;
    const isBookedAnyway = claim.phase === 'duplicate' && claim.unticked === true;
    return isSeenAgain || isBookedAnyway ? [{ claim, row }] : [];
  });
  return confirmed.sort((a, b) => a.row.row - b.row.row);
}
