import type { BookingDoor, MirrorView } from '../../../src/connector.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { noEdits, type TabEdits } from '../plan/edits.ts';
import { instantSerial, isFormula, sameContent } from '../sheet/cells.ts';
import { closedAt, contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import { type BookingView, type Claim, type Claims, shownRef, submissionId } from './claims.ts';
import { confirmedClaims } from './confirmed-claims.ts';
import { decide } from './decide.ts';
import { stillFilled } from './erased-rows.ts';
import { type OwnBookings, ownBookings } from './own-bookings.ts';
import { type BookingRow, readRows } from './read-row.ts';
import type { CellChange } from './result.ts';

/** The Bookings tab: rows become bookings, results come back to their rows. */
export interface BookingsTab {
  /** Books what is ready and says what to write. What it remembers is stored before it resolves. */
  process(tab: TabSnapshot, view: MirrorView): Promise<ProcessedTab>;
}

export interface ProcessedTab {
  edits: TabEdits;
  problems: string[];
  /** Bookings whose row is gone, in a few words. */
  rowless: string[];
  /** A second look is due soon. */
  waiting: boolean;
  /** Rows to be changed. */
  rows: number;
}

export interface BookingsTabParts {
  source: string;
  bookings: BookingDoor;
  claims: Claims;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
}

const needed = ['patient', 'phone', 'date', 'time', 'send', 'ref'];
const KEPT_MS = 60 * 86_400_000;
const SHOWN_ROWLESS_MS = 14 * 86_400_000;

export const createBookingsTab = (parts: BookingsTabParts): BookingsTab => ({
  async process(tab, view) {
    const missing = needed.filter((key) => !tab.columns.has(key));
    return missing.length > 0 ? withoutColumns(tab, missing) : await processRows(parts, tab, view);
  },
});

const withoutColumns = (tab: TabSnapshot, missing: readonly string[]): ProcessedTab => ({
  edits: noEdits(tab),
  problems: [
    `${tab.title}: the column ${missing.join(', ')} was deleted, so no booking is taken from the tab. Undo the deletion, or run: clinic-sync connectors repair.`,
  ],
  rowless: [],
  waiting: false,
  rows: 0,
});

async function processRows(
  parts: BookingsTabParts,
  tab: TabSnapshot,
  view: MirrorView,
): Promise<ProcessedTab> {
  const { claims, clock, random } = parts;
  const rows = readRows(
    tab,
    view.clinics.map(({ clinic }) => clinic),
  );
  const stored = (await claims.all()).sort((a, b) => a.at - b.at || (a.ref < b.ref ? -1 : 1));
  const own = await ownBookings(view, stored);
  const known = await noteAccepted(claims, stored, own);
  const problems = await bookConfirmed(parts, rows, known, own.byRef);

  const zones = new Map(view.clinics.map(({ clinic, timezone }) => [clinic, timezone]));
  const { cells, save, rowless, waiting } = decide({
    rows,
    claims: known,
    now: clock.now(),
    bookings: own.byRef,
    newRef: () => waitingRef(random),
    instant: (at, clinic) => instantSerial(at, zones.get(clinic) ?? 'UTC'),
  });
  await claims.save(save);
  failpoint('google-sheets.claimed');
  await claims.forget(outdated(known, rows, clock.now()));

  const { edits, closed } = cellEdits(tab, cells);
  return {
    edits,
    problems: [...problems, ...tabProblems(tab, closed, stillFilled(rows, known))],
    rowless: rowless
      .filter(({ at }) => clock.now() - at < SHOWN_ROWLESS_MS)
      .map((claim) => rowlessLine(claim, own.byRef)),
    waiting,
    rows: new Set(edits.writes.map(({ row }) => row)).size,
  };
}

/** The claims, with those accepted that were booked just before a kill: their rows count as sent. */
async function noteAccepted(
  claims: Claims,
  stored: readonly Claim[],
  { refs }: OwnBookings,
): Promise<Claim[]> {
  const known = stored.map((claim): Claim => {
    const booking = refs.get(claim);
    return booking === undefined ? claim : { ...claim, phase: 'accepted', booking };
  });
  await claims.save(known.filter((claim, at) => claim !== stored[at]));
  return known;
}

/** Books the claims that are confirmed and replaces them in `known`. Resolves to what was refused. */
async function bookConfirmed(
  { source, bookings, claims, clock }: BookingsTabParts,
  rows: readonly BookingRow[],
  known: Claim[],
  views: Map<string, BookingView>,
): Promise<string[]> {
  const refused: string[] = [];
  for (const { claim, row } of confirmedClaims({ rows, claims: known, now: clock.now() })) {
    try {
      const { ref, state, message, appointment_id, changed_at } = await bookings.accept({
        source,
        clinic: claim.clinic,
        submission_id: submissionId(claim),
        fields: row.fields,
      });
      failpoint('google-sheets.accepted');
      const answered: Claim = isOfAnother(ref, claim, known)
        ? merged(claim, ref)
        : { ...claim, phase: 'accepted', booking: ref };
      await claims.save([answered]);
      known.splice(known.indexOf(claim), 1, answered);
      if (!views.has(ref)) views.set(ref, { ref, state, message, appointment_id, changed_at });
    } catch (error) {
      // A refusal is final and must not stop the other rows.
      if (!(error instanceof Failure) || error.kind !== 'refused') throw error;
      refused.push(`Bookings: ${claim.ref} was not taken. ${error.message}`);
    }
  }
  return refused;
}

/** In Ref until the booking has its own; as readable, and not to be mistaken for one. */
const waitingRef = (random: () => number): string =>
  `wait-${Math.floor(random() * 32 ** 6)
    .toString(32)
    .toUpperCase()
    .padStart(6, '0')}`;

/** Is this the booking of another row? Two rows for one booking would each take its Ref from the other. */
const isOfAnother = (booking: string, claim: Claim, known: readonly Claim[]): boolean =>
  known.some((one) => one !== claim && one.phase === 'accepted' && one.booking === booking);

const merged = (claim: Claim, of: string): Claim => ({
  ...claim,
  phase: 'duplicate',
  of,
  merges: (claim.merges ?? 0) + 1,
  unticked: false,
});

/** Long over and not in the sheet any more. */
function outdated(claims: readonly Claim[], rows: readonly BookingRow[], now: number): Claim[] {
  const shown = new Set(rows.map(({ ref }) => ref));
  return claims.filter(
    (claim) => now - claim.at > KEPT_MS && !shown.has(claim.ref) && !shown.has(shownRef(claim)),
  );
}

/** The cells that differ and may be written; `closed` counts those that are protected. */
function cellEdits(tab: TabSnapshot, cells: readonly CellChange[]): { edits: TabEdits; closed: number } {
  const edits = noEdits(tab);
  let closed = 0;
  for (const { row, column: key, value } of cells) {
    const column = tab.columns.get(key);
    if (column === undefined) continue;
    const content = contentAt(tab, row, column);
    if (sameContent(content, value)) continue;
    // An empty checkbox is unticked, and a formula is a person's.
    if (key === 'send' && (content === null || isFormula(content))) continue;
    if (closedAt(tab, row, column)) closed += 1;
    else edits.writes.push({ row, column, value });
  }
  return { edits, closed };
}

function tabProblems({ title }: TabSnapshot, closed: number, filled: readonly string[]): string[] {
  const problems: string[] = [];
  if (closed > 0)
    problems.push(
      `${title}: ${closed} cells cannot be written because they are protected. Allow clinic-sync’s address to edit Ref, State, Appointment, Message, Updated and Send.`,
    );
  if (filled.length > 0)
    problems.push(
      `${title}: ${filled.join(', ')}: the row was changed after it was sent, and its person was erased since. Delete what it still shows of them, or clear its Ref when it is about somebody else.`,
    );
  return problems;
}

function rowlessLine(claim: Claim, views: ReadonlyMap<string, BookingView>): string {
  const booking = views.get(claim.booking ?? '');
  const number = booking?.appointment_id ? `, appointment ${booking.appointment_id}` : '';
  return `Booking ${shownRef(claim)}: ${booking?.state ?? 'not known'}${number}; its row in Bookings was deleted.`;
}
