import {
  type BookingPort,
  type MirrorView,
  need,
  type Problem,
  said,
  trouble,
} from '../../../src/connector.ts';
import { wallClockAt } from '../../../src/domain/date-time.ts';
import { noteOfFailure } from '../../../src/domain/texts/problem.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { DAY } from '../../../src/platform/duration.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import { Failure } from '../../../src/platform/failure.ts';
import type { Language } from '../../../src/texts/texts.ts';
import {
  type FoundColumn,
  type LayoutFaults,
  layoutFaults,
  layoutProblems,
  withoutMoved,
} from '../plan/layout-faults.ts';
import { noEdits, type TabEdits } from '../plan/requests.ts';
import { instantSerial, isFormula, sameContent } from '../sheet/cells.ts';
import { type Closed, closedAt, contentAt, hiddenByMerges, type TabSnapshot } from '../sheet/snapshot.ts';
import { headersOf, type TabColumn } from '../sheet/tab-spec.ts';
import { layoutOf } from '../tabs/columns.ts';
import { type BookingView, type Claim, type Claims, claimSubmissionId, shownRef } from './claims.ts';
import { decideRows } from './decide.ts';
import { stillFilled } from './erased-rows.ts';
import { type OwnBookings, ownBookings } from './own-bookings.ts';
import { confirmedClaims } from './ownership.ts';
import { type BookingRow, readRows } from './read-row.ts';
import type { CellChange, Outdated } from './result.ts';
import { createSortedAlone, type SortedAlone } from './sorted-alone.ts';

interface BookingsTabParts {
  source: string;
  bookings: BookingPort;
  claims: Claims;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  /** Of the headers. */
  language: Language;
  /** In how many readings in a row a tick was there that we take away, by Ref. */
  ticked: Map<string, number>;
  sortedAlone: SortedAlone;
}

interface ProcessedTab {
  edits: TabEdits;
  problems: Problem[];
  /** A few words on each booking whose row is gone. */
  rowless: string[];
  /** True when claims wait for their second look. */
  waiting: boolean;
  /** Number of changed rows. */
  rows: number;
}

const needed = ['patient', 'phone', 'date', 'time', 'send', 'ref'];
/** Columns that tell people what became of a row. */
const answers = ['state', 'appointment', 'message', 'updated'];
const KEPT_MS = 60 * DAY;
const SHOWN_ROWLESS_MS = 14 * DAY;
/** In one sentence. */
const MOST_LISTED = 10;

/** The Bookings tab: rows become bookings, results come back to their rows. */
export type BookingsTab = ReturnType<typeof createBookingsTab>;

export const createBookingsTab = (given: Omit<BookingsTabParts, 'ticked' | 'sortedAlone'>) => {
  const parts: BookingsTabParts = { ...given, ticked: new Map(), sortedAlone: createSortedAlone() };
  return {
    /** Books what is ready and plans the answers. Claims are stored before it resolves. */
    async process(reading: TabSnapshot, view: MirrorView): Promise<ProcessedTab> {
      const { language } = parts;
      const several = view.clinics.length > 1;
      const { columns } = layoutOf('bookings', { several, includePatient: true, language });
      const layout = layoutFaults(reading, columns, (row) => isBookingRow(reading, row));
      const tab = withoutMoved(reading, layout);
      const missing = needed.filter((key) => !tab.columns.has(key));
      return missing.length > 0
        ? withoutColumns(tab, headersOf(columns, ...missing), { missing, layout, connector: parts.source })
        : await processRows(parts, { tab, columns, layout }, view);
    },
  };
};

/** Nothing is booked without these columns; ticked rows say so. */
function withoutColumns(
  tab: TabSnapshot,
  columns: string,
  { missing, layout, connector }: { missing: readonly string[]; layout: LayoutFaults; connector: string },
): ProcessedTab {
  const at = { place: tab.title, connector };
  const isIn = (found: readonly FoundColumn[]) =>
    missing.every((key) => found.some((one) => one.key === key));
  const what = isIn(layout.moved)
    ? said('columns_moved', { ...at, columns })
    : isIn(layout.unmarked)
      ? said('booking_columns_unmarked', { ...at, columns })
      : said('booking_columns_gone', { ...at, count: missing.length, columns });
  const [send, ref] = ['send', 'ref'].map((key) => tab.columns.get(key) ?? -1);
  const ticked = [...tab.cells.keys()].filter(
    (row) => contentAt(tab, row, send ?? -1) === true && contentAt(tab, row, ref ?? -1) === null,
  );
  const message = `NOT booked: the column ${columns} is missing, moved or without its mark. Sync says what to do.`;
  const { edits } = cellEdits(
    tab,
    ticked.map((row) => ({ row, column: 'message', value: message })),
  );
  return { edits, problems: [trouble(what)], rowless: [], waiting: false, rows: ticked.length };
}

const isBookingRow = (tab: TabSnapshot, row: number): boolean =>
  typeof contentAt(tab, row, tab.columns.get('send') ?? -1) === 'boolean' ||
  typeof contentAt(tab, row, tab.columns.get('date') ?? -1) === 'number';

async function processRows(
  parts: BookingsTabParts,
  { tab, columns, layout }: { tab: TabSnapshot; columns: readonly TabColumn[]; layout: LayoutFaults },
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
  const seen = await claims.seen();
  const ticks = tab.cells.keys().filter((row) => contentAt(tab, row, tab.columns.get('send') ?? -1) === true);
  const stray = [...ticks].length - rows.filter(({ send }) => send).length;
  const unsure = parts.sortedAlone.find({ rows, stray }, known, seen);
  const confirming = rows.filter((row) => !unsure.moved.has(row));
  const problems = await bookConfirmed(parts, confirming, known, own.byRef);

  const passedOver = tickedAgain(parts.ticked, rows, known);
  const zones = new Map(view.clinics.map(({ clinic, timezone }) => [clinic, timezone]));
  const today = (clinic: string) => wallClockAt(clock.now(), zones.get(clinic) ?? 'UTC').date;
  const { cells, save, rowless, waiting, outdated } = decideRows({
    rows,
    claims: known,
    now: clock.now(),
    bookings: own.byRef,
    newRef: () => waitingRef(random),
    instant: (at, clinic) => instantSerial(at, zones.get(clinic) ?? 'UTC'),
    passedOver,
    today,
    unsure,
  });
  await claims.save(save);
  failpoint('google-sheets.claimed');
  const shown = parts.sortedAlone.settle(cells);
  if (shown !== seen) await claims.saveSeen(shown);
  await claims.forget(forgettable(known, rows, { now: clock.now(), views: own.byRef, today }));

  const { edits, closed } = cellEdits(tab, cells);
  const hidden = hiddenByMerges(tab, new Set(rows.map(({ row }) => row)));
  return {
    edits,
    problems: [
      ...problems,
      ...(hidden > 0 ? [need(said('cells_hidden', { place: tab.title, count: hidden }))] : []),
      ...layoutProblems({ place: tab.title, connector: parts.source }, ofAnswers(layout, columns)),
      ...tabProblems(tab, columns, { closed, filled: stillFilled(rows, known) }),
      ...outdatedRows(tab, outdated),
      ...(passedOver.size > 0
        ? [
            need(
              said('cells_written_back', {
                place: tab.title,
                cells: `${headersOf(columns, 'send')} (${[...passedOver].join(', ')})`,
              }),
            ),
          ]
        : []),
    ],
    rowless: rowless
      .filter(({ at }) => clock.now() - at < SHOWN_ROWLESS_MS)
      .map((claim) => rowlessLine(claim, own.byRef)),
    waiting,
    rows: new Set(edits.writes.map(({ row }) => row)).size,
  };
}

/** The claims, with those booked just before a kill marked as accepted. */
async function noteAccepted(
  claims: Claims,
  stored: readonly Claim[],
  { byRef, refs }: OwnBookings,
): Promise<Claim[]> {
  const known = stored.map((claim): Claim => {
    const booking = refs.get(claim);
    if (booking !== undefined) return { ...claim, phase: 'accepted', booking };
    // Claims of earlier versions do not know their person.
    const person = byRef.get(claim.booking ?? '')?.person;
    return claim.parts || claim.erased || !person ? claim : { ...claim, parts: person };
  });
  await claims.save(known.filter((claim, at) => claim !== stored[at]));
  return known;
}

/** Books the confirmed claims and replaces them in `known`. Resolves to the refusals. */
async function bookConfirmed(
  { source, bookings, claims, clock }: BookingsTabParts,
  rows: readonly BookingRow[],
  known: Claim[],
  views: Map<string, BookingView>,
): Promise<Problem[]> {
  const refused: Problem[] = [];
  for (const { claim, row } of confirmedClaims(rows, known, clock.now())) {
    try {
      const { ref, state, message, appointment_id, changed_at } = await bookings.accept({
        source,
        clinic: claim.clinic,
        submission_id: claimSubmissionId(claim),
        fields: row.fields,
        ...(row.campaign !== undefined && { campaign: { campaign: row.campaign } }),
      });
      failpoint('google-sheets.accepted');
      const answered: Claim = isOfAnother(ref, claim, known)
        ? merged(claim, ref)
        : { ...claim, phase: 'accepted', booking: ref };
      await claims.save([answered]);
      known.splice(known.indexOf(claim), 1, answered);
      const { appointment_date: date, appointment_time: time } = row.fields;
      const when = { date: String(date ?? ''), time: String(time ?? '') };
      if (!views.has(ref)) views.set(ref, { ref, state, message, appointment_id, changed_at, ...when });
    } catch (error) {
      // A refusal is final and must not stop the other rows.
      if (!(error instanceof Failure) || error.kind !== 'refused') throw error;
      const values = { place: 'Bookings', ref: claim.ref, detail: noteOfFailure(error) };
      refused.push(need(said('row_refused', values)));
    }
  }
  return refused;
}

/** Fills Ref until the booking has its own, and cannot be mistaken for one. */
const waitingRef = (random: () => number): string =>
  `wait-${Math.floor(random() * 32 ** 6)
    .toString(32)
    .toUpperCase()
    .padStart(6, '0')}`;

/** Whether another row has this booking: two rows would keep taking its Ref from each other. */
const isOfAnother = (booking: string, claim: Claim, known: readonly Claim[]): boolean =>
  known.some((one) => one !== claim && one.phase === 'accepted' && one.booking === booking);

const merged = (claim: Claim, of: string): Claim => ({
  ...claim,
  phase: 'duplicate',
  of,
  merges: (claim.merges ?? 0) + 1,
  unticked: false,
});

/** Readings after which a tick that comes back is somebody's: a script's, or an add-on's. */
const MOST_TICKS = 2;

/** Refs of rows that were ticked again and again although we took the tick away. */
function tickedAgain(
  ticked: Map<string, number>,
  rows: readonly BookingRow[],
  claims: readonly Claim[],
): ReadonlySet<string> {
  const waiting = new Set(
    claims.flatMap(({ ref, phase, unticked }) => (phase === 'duplicate' && !unticked ? ref : [])),
  );
  const known = new Set(claims.flatMap((claim) => [claim.ref, shownRef(claim)]));
  const now = rows.flatMap(({ ref, send, sendIsClosed }) =>
    send && !sendIsClosed && ref !== null && (waiting.has(ref) || !known.has(ref)) ? ref : [],
  );
  for (const ref of [...ticked.keys()]) if (!now.includes(ref)) ticked.delete(ref);
  for (const ref of new Set(now)) ticked.set(ref, (ticked.get(ref) ?? 0) + 1);
  return new Set([...ticked].flatMap(([ref, count]) => (count > MOST_TICKS ? ref : [])));
}

/** Old claims whose Ref is no longer in the sheet, and whose visit is over. */
function forgettable(
  claims: readonly Claim[],
  rows: readonly BookingRow[],
  { now, views, today }: { now: number; views: OwnBookings['byRef']; today: (clinic: string) => string },
): Claim[] {
  const shown = new Set(rows.map(({ ref }) => ref));
  const isAhead = ({ booking, clinic }: Claim) => (views.get(booking ?? '')?.date ?? '') >= today(clinic);
  return claims.filter(
    (claim) =>
      now - claim.at > KEPT_MS && !shown.has(claim.ref) && !shown.has(shownRef(claim)) && !isAhead(claim),
  );
}

/** Rows that say something else than what was sent: what the desk has to tell the clinic, or to enter elsewhere. */
function outdatedRows({ title: place }: TabSnapshot, outdated: readonly Outdated[]): Problem[] {
  const ordered = outdated.toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
  const [others, changed] = [true, false].map((isOther) => ordered.filter((one) => one.isOther === isOther));
  const listed = (rows: readonly string[]) =>
    rows.length <= MOST_LISTED ? rows.join(', ') : `${rows.slice(0, MOST_LISTED).join(', ')} …`;
  const ask = (code: 'rows_changed' | 'rows_overtyped', rows: readonly string[]) =>
    rows.length === 0 ? [] : [need(said(code, { place, rows: listed(rows) }))];
  return [
    ...ask(
      'rows_overtyped',
      (others ?? []).map(({ ref }) => ref),
    ),
    ...ask(
      'rows_changed',
      (changed ?? []).map((one) => `${one.ref} (${one.changed.join(', ')})`),
    ),
  ];
}

/** Cells that differ and may be written; `closed` counts the protected ones. */
function cellEdits(tab: TabSnapshot, cells: readonly CellChange[]): { edits: TabEdits; closed: number } {
  const edits = noEdits(tab);
  let closed = 0;
  for (const { row, column: key, value } of cells) {
    const column = tab.columns.get(key);
    if (column === undefined) continue;
    const content = contentAt(tab, row, column);
    if (sameContent(content, value)) continue;
    // An empty checkbox counts as unticked; a formula belongs to a person.
    if (key === 'send' && (content === null || isFormula(content))) continue;
    if (closedAt(tab, row, column)) closed += 1;
    else edits.writes.push({ row, column, value });
  }
  return { edits, closed };
}

/** Deleted inputs are respected silently; people need the answers. */
const ofAnswers = (layout: LayoutFaults, columns: readonly TabColumn[]): LayoutFaults => ({
  ...layout,
  gone: layout.gone.filter((header) => answers.some((key) => headersOf(columns, key) === header)),
});

/** A protection of the whole column, or of everything below its header. */
const isOverColumn = ({ startRowIndex, endRowIndex, ...area }: Closed['area'], column = -1): boolean =>
  (startRowIndex ?? 0) <= 1 &&
  endRowIndex == null &&
  column >= (area.startColumnIndex ?? 0) &&
  column < (area.endColumnIndex ?? Number.POSITIVE_INFINITY);

function tabProblems(
  tab: TabSnapshot,
  columns: readonly TabColumn[],
  { closed, filled }: { closed: number; filled: readonly string[] },
): Problem[] {
  const place = tab.title;
  const ref = headersOf(columns, 'ref');
  const written = headersOf(columns, 'ref', ...answers, 'send');
  const problems: Problem[] = [];
  const isRefClosed = tab.closed.some(
    ({ area, isMerge }) => !isMerge && isOverColumn(area, tab.columns.get('ref')),
  );
  if (closed > 0)
    problems.push(
      isRefClosed
        ? trouble(said('ref_closed', { place, ref, columns: written }))
        : need(said('answers_closed', { place, count: closed, columns: written })),
    );
  if (filled.length > 0) problems.push(need(said('erased_shown', { place, ref, refs: filled.join(', ') })));
  return problems;
}

function rowlessLine(claim: Claim, views: ReadonlyMap<string, BookingView>): string {
  const booking = views.get(claim.booking ?? '');
  const number = booking?.appointment_id ? `, appointment ${booking.appointment_id}` : '';
  return `Booking ${shownRef(claim)}: ${booking?.state ?? 'not known'}${number}; its row in Bookings was deleted.`;
}
