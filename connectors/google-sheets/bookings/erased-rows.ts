import type { CellWrite } from '../plan/requests.ts';
import { type Closed, closedAt, contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { type Claim, sharesPerson, shownRef } from './claims.ts';
import type { BookingRow } from './read-row.ts';

/** Columns in which people describe a patient. */
const typed = ['patient', 'phone', 'date', 'time', 'dentist', 'treatment', 'address', 'note'];
/** Our columns, emptied only where no later run would correct them: in copies and in rows without a Ref. */
const answers = ['state', 'appointment', 'message', 'updated'];

/** The claims of erased bookings, and those held because they repeat one or ask whether they are about its person. */
export function claimsOf(claims: readonly Claim[], refs: ReadonlySet<string>): Claim[] {
  const erased = claims.filter(({ ref, booking = ref }) => refs.has(booking));
  const contents = contentsOf(erased);
  const shown = new Set(erased.map(shownRef));
  const repeats = claims.filter(
    (claim) =>
      claim.phase !== 'accepted' &&
      !erased.includes(claim) &&
      (contents.has(claim.content) ||
        (claim.why === 'same_person' && shown.has(claim.of ?? '')) ||
        ((claim.why === 'filled_down' || isOfOnePerson(claim)) &&
          erased.some((one) => sharesPerson(one, claim.parts ?? {})))),
  );
  return [...erased, ...repeats];
}

/** Only something else in it comes from another row. */
const isOfOnePerson = ({ alone }: Claim): boolean =>
  alone !== undefined && alone !== 'patient' && alone !== 'phone';

/** Drops the hash, which could be guessed, and keeps the Ref, so that the row is never booked again. */
export const rowsWithoutPerson = ({ shown: _shown, parts: _parts, ...claim }: Claim): Claim => ({
  ...claim,
  content: '',
  erased: true,
});

interface Emptying {
  writes: CellWrite[];
  /** Protected rows, each with its protection. */
  closed: { row: BookingRow; by: Closed }[];
}

/**
 * The cells to empty so that rows no longer show erased people. A row changed since it was booked may be about another
 * person and is kept; so is a row of another booking. Pure.
 *
 * @param isCopy No later run corrects our cells in this tab, so they are emptied as well.
 */
export function emptyErased(
  tab: TabSnapshot,
  rows: readonly BookingRow[],
  {
    claims,
    erased,
    isCopy = false,
  }: { claims: readonly Claim[]; erased: readonly Claim[]; isCopy?: boolean },
): Emptying {
  const contents = contentsOf(erased);
  const others = new Set(
    claims.filter((claim) => !erased.includes(claim)).flatMap(({ ref, booking = ref }) => [ref, booking]),
  );
  const found: Emptying = { writes: [], closed: [] };
  for (const one of rows) {
    const { row, ref, content } = one;
    if (content === undefined || !contents.has(content) || (ref !== null && others.has(ref))) continue;
    const writes = [...typed, ...(ref === null || isCopy ? answers : [])].flatMap((key) => {
      const column = tab.columns.get(key);
      return column === undefined || contentAt(tab, row, column) === null
        ? []
        : [{ row, column, value: null }];
    });
    const by = writes.map(({ column }) => closedAt(tab, row, column)).find((closed) => closed !== undefined);
    if (by) found.closed.push({ row: one, by });
    else found.writes.push(...writes);
  }
  return found;
}

/** Refs of erased bookings whose rows are not empty, for people to check. */
export function stillFilled(rows: readonly BookingRow[], claims: readonly Claim[]): string[] {
  const refs = new Set(
    claims.filter(({ erased }) => erased).flatMap((claim) => [claim.ref, shownRef(claim)]),
  );
  return rows.flatMap(({ ref, blank }) => (ref !== null && refs.has(ref) && !blank ? [ref] : []));
}

const contentsOf = (claims: readonly Claim[]): Set<string> =>
  new Set(claims.flatMap(({ content }) => (content === '' ? [] : [content])));
