import type { Rules } from '../rules.ts';
import type { Content } from '../sheet/cells.ts';
import { type BookingView, type Claim, isLive, shownRef } from './claims.ts';
import { ownership } from './ownership.ts';
import type { BookingRow } from './read-row.ts';
import { type CellChange, erasedCells, resultCells } from './result.ts';

/** Long enough for a slip to be taken back, short enough to wait for. */
export const SECOND_LOOK_MS = 4_000;

interface Situation {
  rows: readonly BookingRow[];
  claims: readonly Claim[];
  now: number;
  rules: Rules;
}

/** The claims to hand over now: seen again on a row with the same content and Send still ticked. Pure. */
export function toAccept({ rows, claims, now, rules }: Situation): { claim: Claim; row: BookingRow }[] {
  const { owned } = ownership(rows, claims);
  const ready = claims.flatMap((claim) => {
    const { owner, copies } = owned.get(claim) ?? { owner: undefined, copies: [] };
    const row = rules.contentGuard ? owner : (owner ?? copies[0]);
    if (row === undefined || !row.send || row.clinic === undefined) return [];
    if (rules.contentGuard && row.content !== claim.content) return [];
    const seenAgain = claim.phase === 'claimed' && (now - claim.at >= SECOND_LOOK_MS || !rules.secondLook);
    const bookAnyway = claim.phase === 'duplicate' && claim.unticked === true;
    return seenAgain || bookAnyway ? [{ claim, row }] : [];
  });
  return ready.sort((a, b) => a.row.row - b.row.row);
}

export interface Decision {
  /** What our cells should say. */
  cells: CellChange[];
  /** To be stored before anything is written. */
  save: Claim[];
  /** Bookings whose row is gone. */
  rowless: Claim[];
  /** A claim waits for its second look. */
  waiting: boolean;
}

const unknownRef =
  'This Ref is not known here, so nothing is sent: it may be booked already by another installation, or before a backup was restored. If you are sure that it is not, clear Ref and tick Send again.';
const sameAs = ({ of = 'another row', merges = 0 }: Claim) =>
  merges === 0
    ? `The same as ${of}, so it is not booked. To book it anyway, tick Send again.`
    : `The same as ${of}, which came just before, so it is counted with it. To book it anyway, wait a quarter of an hour, then tick Send again.`;
const notBooked = 'Not booked. Tick Send to book it as it is now.';

interface Deciding extends Situation {
  bookings: ReadonlyMap<string, BookingView>;
  newRef: () => string;
  /** An instant as a cell. */
  instant: (at: string, clinic: string) => Content;
}

/** What every row should say, and which rows are claimed. Pure. */
export function decide(situation: Deciding): Decision {
  const { rows, bookings, now, newRef, instant } = situation;
  const claims = [...situation.claims];
  const { owned, strangers } = ownership(rows, claims);
  const decision: Decision = { cells: [], save: [], rowless: [], waiting: false };
  /** Claims whose Ref stands in the sheet and stays there. */
  const standing = new Set<Claim>();
  /** Rows that lose a Ref in this very step, tick and all else untouched. */
  const freed = new Set<BookingRow>();
  const handled = new Set<BookingRow>();

  const cells = new Map<string, CellChange>();
  const put = ({ row }: BookingRow, values: Partial<Record<CellChange['column'], Content>>) => {
    for (const [column, value] of Object.entries(values))
      cells.set(`${row} ${column}`, { row, column: column as CellChange['column'], value });
  };
  const save = (claim: Claim) => {
    decision.save.push(claim);
    return claim;
  };
  const nothing = { state: null, appointment: null, message: null, updated: null };

  for (const row of strangers) if (row.send) put(row, { send: false, state: 'held', message: unknownRef });
  // First these alone, until a reading shows them unticked: a Ref of ours that slips over theirs would otherwise make
  // a row that was booked long ago look like a new one.
  if (strangers.some(({ send, sendIsClosed }) => send && !sendIsClosed))
    return { ...decision, cells: [...cells.values()], waiting: true };
  for (const row of strangers) handled.add(row);

  for (const [claim, { owner, copies }] of owned) {
    if (claim.erased === true) {
      for (const row of [...(owner ? [owner] : []), ...copies]) {
        handled.add(row);
        put(row, erasedCells(claim, row, { bookings, instant }));
      }
      continue;
    }
    for (const row of copies) {
      handled.add(row);
      if (claim.phase === 'claimed' || claim.phase === 'withdrawn') {
        // Nothing was booked: the row was edited before the second look, or our Ref slipped into it.
        put(row, { ref: null, ...nothing, message: row.send ? null : notBooked });
        freed.add(row);
      } else {
        const message = `A copy of ${shownRef(claim)} is not booked. Correct it, then tick Send to book it as a new one.`;
        put(row, { ref: null, send: false, ...nothing, message });
      }
    }
    if (owner === undefined) {
      const shown = rows.some(({ ref }) => ref === shownRef(claim));
      if (claim.phase === 'accepted' && !shown) decision.rowless.push(claim);
      continue;
    }
    handled.add(owner);
    const corrected = claim.phase === 'duplicate' && owner.content !== claim.content;
    if (claim.phase === 'withdrawn' || corrected || (claim.phase === 'claimed' && !owner.send)) {
      if (claim.phase !== 'withdrawn') save({ ...claim, phase: 'withdrawn' });
      put(owner, {
        ref: null,
        ...nothing,
        message: claim.phase !== 'claimed' && !owner.send ? notBooked : null,
      });
      if (owner.send) freed.add(owner);
      continue;
    }
    standing.add(claim);
    if (claim.phase === 'claimed') {
      decision.waiting = true;
      put(owner, {
        state: 'checking',
        message: 'Booked in a moment, if it stays as it is.',
        appointment: null,
        updated: null,
      });
    } else if (claim.phase === 'duplicate') {
      if (!owner.send && !claim.unticked) save({ ...claim, unticked: true });
      decision.waiting ||= owner.send && !owner.sendIsClosed;
      put(owner, {
        send: false,
        state: 'held',
        appointment: null,
        updated: null,
        message: sameAs(claim),
      });
    } else {
      const shown = owner.content === claim.content ? undefined : owner.content;
      if (shown !== claim.shown) save({ ...claim, shown });
      put(owner, resultCells(claim, owner, { bookings, instant }));
    }
  }

  // A claim that was never booked and whose row no longer says so is over.
  for (const [claim, { owner, copies }] of owned)
    if (claim.phase === 'claimed' && owner === undefined && copies.length > 0 && !hasRow(rows, claim, freed))
      save({ ...claim, phase: 'withdrawn' });
  const ended = new Set(decision.save.filter(({ phase }) => phase === 'withdrawn').map(({ ref }) => ref));
  const live = claims.filter((claim) => isLive(claim, bookings) && !ended.has(claim.ref));

  for (const row of rows) {
    if (handled.has(row) && !freed.has(row)) continue;
    const { content } = row;
    const lost = live.find(
      (claim) =>
        content !== undefined &&
        !standing.has(claim) &&
        (claim.content === content || claim.shown === content) &&
        (row.send || claim.phase === 'accepted'),
    );
    if (lost) {
      // Its Ref was undone, deleted or written over: this is that row, and somebody who unticked it is told that it is
      // booked all the same.
      standing.add(lost);
      put(row, { ref: shownRef(lost) });
      decision.waiting ||= lost.phase === 'claimed';
      continue;
    }
    if (!row.send || row.blank) continue;
    if (content === undefined || row.clinic === undefined || row.faults.length > 0) {
      put(row, { ...nothing, state: 'incomplete', message: row.faults.join(' ') });
      continue;
    }
    const same = live.find((claim) => claim.content === content);
    const of = same ? shownRef(same) : strangers.find((stranger) => stranger.content === content)?.ref;
    const base = { ref: newRef(), content, clinic: row.clinic, at: now };
    if (of) {
      const duplicate = save({ ...base, phase: 'duplicate', of });
      // Until it has been seen without its tick, a tick is not a second one.
      decision.waiting = true;
      put(row, {
        ref: base.ref,
        send: false,
        state: 'held',
        appointment: null,
        updated: null,
        message: sameAs(duplicate),
      });
      continue;
    }
    const claim = save({ ...base, phase: 'claimed' });
    live.push(claim);
    standing.add(claim);
    decision.waiting = true;
    put(row, {
      ref: claim.ref,
      state: 'checking',
      appointment: null,
      updated: null,
      message: 'Booked in a moment, if it stays as it is.',
    });
  }
  return { ...decision, cells: [...cells.values()] };
}

/** Is there a ticked row without another Ref that says what the claim says? */
const hasRow = (rows: readonly BookingRow[], { content }: Claim, freed: ReadonlySet<BookingRow>): boolean =>
  rows.some((row) => row.content === content && row.send && (row.ref === null || freed.has(row)));
