import type { Content } from '../sheet/cells.ts';
import { inputLabel } from '../tabs/columns.ts';
import { type BookingView, type Claim, changedInputs, isLive, isMixed, shownRef } from './claims.ts';
import { isFilledDown, ladderStemOf } from './filled-down.ts';
import { type Owned, type Ownership, ownership } from './ownership.ts';
import type { BookingRow } from './read-row.ts';
import {
  bookedRow,
  type CellChange,
  type CellValues,
  dayAndTime,
  erasedCells,
  type Outdated,
} from './result.ts';
import { askedBefore, type Unsure } from './sorted-alone.ts';

interface Situation {
  rows: readonly BookingRow[];
  claims: readonly Claim[];
  /** Milliseconds since the epoch. */
  now: number;
  bookings: ReadonlyMap<string, BookingView>;
  newRef: () => string;
  /** An instant as a cell. */
  instant: (at: string, clinic: string) => Content;
  /** Refs of rows whose tick comes back whenever it is taken away: they stop no other row. */
  passedOver?: ReadonlySet<string>;
  /** The date at the clinic. */
  today: (clinic: string) => string;
  unsure?: Unsure;
}

/** A decision in progress. */
interface Draft extends Situation, Ownership {
  /** Content of our cells by row and column; the last decision on a cell wins. */
  cells: Map<string, CellChange>;
  /** Claims to store before anything is written. */
  save: Claim[];
  /** Bookings whose row is gone. */
  rowless: Claim[];
  /** True when claims wait for their second look. */
  waiting: boolean;
  /** Claims whose Ref is in the sheet and stays there. */
  placed: Set<Claim>;
  /** Rows with an answer. */
  handled: Set<BookingRow>;
  /** Rows that lose their Ref in this step and are treated as new. */
  freed: Set<BookingRow>;
  /** Rows that were first seen ticked in this step. */
  fresh: Set<BookingRow>;
  /** Rows that say something else than what was sent, while their visit lies ahead. */
  outdated: Outdated[];
  /** By name; made when it is needed. */
  named?: Map<string, BookingRow[]>;
}

const unknownRef =
  'This Ref is not known here, so nothing is sent: it may be booked already by another installation, or ' +
  'before a backup was restored. If you are sure that it is not, clear Ref and tick Send again.';
const notBooked = 'Not booked. Tick Send to book it as it is now.';
const blank = { state: null, appointment: null, message: null, updated: null };
const checking = ({ fields }: BookingRow) => {
  const when = dayAndTime(String(fields.appointment_date), String(fields.appointment_time));
  return { ...blank, state: 'checking', message: `Booked in a moment for ${when}, if it stays as it is.` };
};
const sortedAlone = (column: Claim['alone']): string =>
  column === undefined
    ? 'Was a column sorted alone? This row has the name of one patient and the phone of another'
    : column === 'send'
      ? 'Was Send sorted alone? This row got its tick as another lost one'
      : `Was ${inputLabel(column)} sorted alone? In this row it is what another row said before`;
const heldAsDuplicate = ({ of = 'another row', why, alone, merges = 0 }: Claim) => ({
  ...blank,
  send: false,
  state: 'held',
  message:
    merges > 0
      ? `The same as ${of}, which came just before, so it is counted with it. To book it anyway, wait a ` +
        'quarter of an hour, then tick Send again.'
      : {
          same_content: `The same as ${of}, so it is not booked. To book it anyway, tick Send again.`,
          same_person:
            `Was this ${of}? It has this name or phone, and no row shows it now. If so, type ${of} into Ref; ` +
            'to book a second visit, tick Send again.',
          mixed: `${sortedAlone(alone)}, so it is not booked. If it is right, tick Send again.`,
          filled_down:
            'Filled down from the row beside it? It has the same name, and its numbers count up, so it is not ' +
            'booked. If it is right, tick Send again.',
        }[why ?? 'same_content'],
});

/** Decides the answer of every row and which rows to claim. Pure. */
export function decideRows(situation: Situation) {
  const draft: Draft = {
    ...situation,
    ...ownership(situation.rows, situation.claims, (claim) => isLive(claim, situation.bookings)),
    cells: new Map(),
    save: [],
    rowless: [],
    waiting: false,
    placed: new Set(),
    handled: new Set(),
    freed: new Set(),
    fresh: new Set(),
    outdated: [],
  };
  answerUnknownRefs(draft);
  // First wait until these rows are seen unticked: if one of our Refs landed on theirs, a row booked long ago would
  // look new.
  if (!draft.waiting) {
    for (const [claim, owned] of draft.owned) answerClaim(draft, claim, owned);
    withdrawAbandoned(draft);
    answerUnclaimedRows(draft);
  }
  return { ...draft, cells: [...draft.cells.values()] };
}

function put({ cells }: Draft, { row }: BookingRow, values: CellValues): void {
  for (const [column, value] of Object.entries(values))
    cells.set(`${row} ${column}`, { row, column: column as CellChange['column'], value });
}

function save(draft: Draft, claim: Claim): Claim {
  draft.save.push(claim);
  return claim;
}

function answerUnknownRefs(draft: Draft): void {
  for (const row of draft.strangers) {
    draft.handled.add(row);
    if (!row.send || draft.passedOver?.has(row.ref ?? '')) continue;
    put(draft, row, { send: false, state: 'held', message: unknownRef });
    if (!row.sendIsClosed) draft.waiting = true;
  }
}

function answerClaim(draft: Draft, claim: Claim, { owner, copies }: Owned): void {
  for (const row of owner ? [owner, ...copies] : copies) draft.handled.add(row);
  if (claim.erased === true) {
    for (const row of owner ? [owner, ...copies] : copies) put(draft, row, erasedCells(claim, row, draft));
    return;
  }
  for (const row of copies) answerCopy(draft, claim, row);
  if (owner !== undefined) answerOwner(draft, claim, owner);
  else if (claim.phase === 'accepted' && !draft.rows.some(({ ref }) => ref === shownRef(claim)))
    draft.rowless.push(claim);
}

/** Answers a row with the Ref of a claim that another row owns, or whose content was not claimed. */
function answerCopy(draft: Draft, claim: Claim, row: BookingRow): void {
  if (claim.phase === 'claimed' || claim.phase === 'withdrawn') {
    // Nothing was booked: the row was edited before the second look, or our Ref landed in it by accident.
    put(draft, row, { ...blank, ref: null, message: row.send ? null : notBooked });
    draft.freed.add(row);
    return;
  }
  const message = `A copy of ${shownRef(claim)} is not booked. Correct it, then tick Send to book it as a new one.`;
  put(draft, row, { ...blank, ref: null, send: false, message });
}

function answerOwner(draft: Draft, claim: Claim, row: BookingRow): void {
  const isCorrected = claim.phase === 'duplicate' && row.content !== claim.content;
  const isTakenBack = claim.phase === 'claimed' && (!row.send || row.faults.length > 0);
  if (claim.phase === 'withdrawn' || isCorrected || isTakenBack) {
    release(draft, claim, row);
    return;
  }
  draft.placed.add(claim);
  if (claim.phase === 'accepted') showResult(draft, claim, row);
  else if (isToAsk(draft, claim, row)) askAgain(draft, claim, row);
  // A tick that only moved is no answer to what was asked.
  else if (claim.phase === 'duplicate' && draft.unsure?.moved.has(row))
    holdDuplicate(draft, save(draft, { ...claim, unticked: false }), row);
  else if (claim.phase === 'duplicate') holdDuplicate(draft, claim, row);
  else {
    // The whole row is the row: whoever still types into it makes it rest again.
    if (changedInputs(claim, row).length > 0) save(draft, { ...claim, parts: row.parts, at: draft.now });
    draft.waiting = true;
    put(draft, row, checking(row));
  }
}

/** A column was sorted alone since this row was claimed, or since it was asked about. */
function isToAsk({ unsure }: Draft, claim: Claim, row: BookingRow): boolean {
  const column = unsure?.mixed.get(row);
  return column !== undefined && changedInputs(claim, row).some((key) => key === column);
}

function askAgain(draft: Draft, claim: Claim, row: BookingRow): void {
  const { of: _of, ...kept } = claim;
  const alone = draft.unsure?.mixed.get(row);
  const doubt = { why: 'mixed', ...(alone && { alone }) } as const;
  const held = save(draft, { ...kept, ...doubt, phase: 'duplicate', parts: row.parts, unticked: false });
  put(draft, row, heldAsDuplicate(held));
}

/** A second tick counts only after the row was seen without one. */
function holdDuplicate(draft: Draft, claim: Claim, row: BookingRow): void {
  const isChanged = changedInputs(claim, row).length > 0;
  if (isChanged || (!row.send && !claim.unticked))
    save(draft, { ...claim, parts: row.parts, unticked: claim.unticked === true || !row.send });
  if (row.send && draft.passedOver?.has(row.ref ?? '')) return;
  if (row.send && !row.sendIsClosed) draft.waiting = true;
  // Changed and ticked again: it is booked once it rests.
  if (isChanged && row.send && claim.unticked) return;
  put(draft, row, heldAsDuplicate(claim));
}

/** Ends a claim that never became a booking; its row may be claimed again at once. */
function release(draft: Draft, claim: Claim, row: BookingRow): void {
  if (claim.phase !== 'withdrawn') save(draft, { ...claim, phase: 'withdrawn' });
  const message = claim.phase !== 'claimed' && !row.send ? notBooked : null;
  put(draft, row, { ...blank, ref: null, message });
  if (row.send) draft.freed.add(row);
}

function showResult(draft: Draft, claim: Claim, row: BookingRow): void {
  const isSame = row.content === claim.content;
  const shown = isSame ? undefined : row.content;
  // Claims of earlier versions knew nothing of the rest of the row.
  const parts = isSame && claim.parts?.note === undefined ? { ...row.parts, ...claim.parts } : claim.parts;
  if (shown !== claim.shown || parts !== claim.parts)
    save(draft, { ...claim, shown, ...(parts && { parts }) });
  const { cells, outdated } = bookedRow(claim, row, draft);
  put(draft, row, cells);
  if (outdated && isAhead(draft, claim)) draft.outdated.push(outdated);
}

/** Whether its visit lies ahead, or may. */
function isAhead({ bookings, today }: Draft, { booking, clinic }: Claim): boolean {
  const date = bookings.get(booking ?? '')?.date ?? null;
  return date === null || date >= today(clinic);
}

/** Ends unbooked claims whose content no ticked row has. */
function withdrawAbandoned(draft: Draft): void {
  const { owned, rows, freed } = draft;
  for (const [claim, { owner, copies }] of owned) {
    if (claim.phase !== 'claimed' || owner !== undefined || copies.length === 0) continue;
    const isThere = rows.some(
      (row) => row.content === claim.content && row.send && (row.ref === null || freed.has(row)),
    );
    if (!isThere) save(draft, { ...claim, phase: 'withdrawn' });
  }
}

function answerUnclaimedRows(draft: Draft): void {
  const { claims, bookings, rows, handled, freed } = draft;
  const ended = new Set(draft.save.filter(({ phase }) => phase === 'withdrawn').map(({ ref }) => ref));
  const live = claims.filter((claim) => isLive(claim, bookings) && !ended.has(claim.ref));
  const loose = rows.filter((row) => !handled.has(row) || freed.has(row));
  // All rows that are known again come first: what is left may only look like a booking that no row shows.
  for (const row of loose.filter((one) => !restoreRef(draft, live, one)))
    if (row.asks && !row.blank) claimRow(draft, live, row);
    else rememberDoubt(draft, row);
}

/** A row that nobody ticked yet is asked about when somebody does, also after a restart. */
function rememberDoubt(draft: Draft, row: BookingRow): void {
  const { content, clinic, parts } = row;
  const alone = draft.unsure?.mixed.get(row);
  if (alone === undefined || content === undefined || clinic === undefined) return;
  if (askedBefore(draft.claims, row)) return;
  const base = { ref: draft.newRef(), content, parts, clinic, at: draft.now };
  save(draft, { ...base, phase: 'duplicate', why: 'mixed', alone });
}

/** Writes back the Ref of a claim when it was undone, deleted or overwritten; true for the claim's row. */
function restoreRef(draft: Draft, live: readonly Claim[], row: BookingRow): boolean {
  const { content, send } = row;
  if (content === undefined) return false;
  const lost = live.find(
    (claim) =>
      !draft.placed.has(claim) &&
      (claim.content === content || claim.shown === content) &&
      // A booking exists whether or not its row is ticked.
      (send || claim.phase === 'accepted'),
  );
  if (lost === undefined) return false;
  draft.placed.add(lost);
  put(draft, row, { ref: shownRef(lost) });
  if (lost.phase === 'claimed') draft.waiting = true;
  return true;
}

/** Claims a ticked row without a Ref; holds it when it looks like one that is booked already. */
function claimRow(draft: Draft, live: Claim[], row: BookingRow): void {
  const { content, clinic, parts, faults } = row;
  if (content === undefined || clinic === undefined || faults.length > 0) {
    put(draft, row, { ...blank, state: 'incomplete', message: faults.join(' ') });
    return;
  }
  const base = { ref: draft.newRef(), content, parts, clinic, at: draft.now };
  const doubt = doubtAbout(draft, live, row);
  draft.waiting = true;
  draft.fresh.add(row);
  if (doubt) {
    const duplicate = save(draft, { ...base, phase: 'duplicate', ...doubt });
    put(draft, row, { ...heldAsDuplicate(duplicate), ref: base.ref });
    return;
  }
  supersede(draft, live, row);
  const claim = save(draft, { ...base, phase: 'claimed' });
  live.push(claim);
  draft.placed.add(claim);
  put(draft, row, { ...checking(row), ref: claim.ref });
}

function doubtAbout(
  draft: Draft,
  live: readonly Claim[],
  row: BookingRow,
): Pick<Claim, 'of' | 'why' | 'alone'> | undefined {
  const same = live.find((claim) => claim.content === row.content);
  const of = same ? shownRef(same) : draft.strangers.find((one) => one.content === row.content)?.ref;
  if (of) return { of };
  const lost = live.find(
    (claim) => claim.phase === 'accepted' && isOfLost(draft, claim, row) && isAhead(draft, claim),
  );
  if (lost) return { of: shownRef(lost), why: 'same_person' };
  const alone =
    draft.unsure?.mixed.get(row) ??
    (draft.unsure?.moved.has(row) ? 'send' : askedBefore(draft.claims, row)?.alone);
  if (alone) return { why: 'mixed', alone };
  if (isMixed(row.parts, draft.rows, draft.claims)) return { why: 'mixed' };
  // Its question stays with it where its Ref is lost.
  if (draft.claims.some((one) => one.why === 'filled_down' && isHeld(one) && one.content === row.content))
    return { why: 'filled_down' };
  const at = draft.rows.indexOf(row);
  // Below in a tab that was sorted the other way round.
  const isBeside = (one: BookingRow) => one === draft.rows[at - 1] || one === draft.rows[at + 1];
  const isNew = (one: BookingRow) => draft.fresh.has(one) || (one.asks && one.ref === null);
  // Wherever it was moved since; upwards, too, from one that is known.
  const known = new Set(
    [...draft.owned].flatMap(([claim, { owner }]) => (owner && isLive(claim, draft.bookings) ? owner : [])),
  );
  const isFrom = (one: BookingRow) =>
    isFilledDown(one, row, isBeside(one) && isNew(one)) || (known.has(one) && isFilledDown(row, one, false));
  draft.named ??= Map.groupBy(draft.rows, ladderStemOf);
  const named = draft.named.get(ladderStemOf(row)) ?? [];
  return named.some((one) => one !== row && isFrom(one)) ? { why: 'filled_down' } : undefined;
}

const isHeld = ({ phase }: Claim): boolean => phase === 'duplicate';

/**
 * Whether the row names the person of this claim, whom no row shows: a restored version, a row typed over, or a column
 * that was sorted alone.
 */
const isOfLost = ({ placed, owned }: Draft, claim: Claim, { clinic, parts }: BookingRow): boolean => {
  const shown = owned.get(claim)?.owner?.parts;
  const isLost = (key: 'patient' | 'phone') =>
    !placed.has(claim) || (shown !== undefined && shown[key] !== claim.parts?.[key]);
  return (
    claim.clinic === clinic &&
    (['patient', 'phone'] as const).some(
      (key) => claim.parts?.[key] !== undefined && claim.parts[key] === parts[key] && isLost(key),
    )
  );
};

/** Ends claims of the same person whose rows are gone: should an older version bring one back, it counts as new. */
function supersede(draft: Draft, live: readonly Claim[], row: BookingRow): void {
  for (const claim of live)
    if (claim.phase === 'claimed' && isOfLost(draft, claim, row))
      save(draft, { ...claim, phase: 'withdrawn' });
}
