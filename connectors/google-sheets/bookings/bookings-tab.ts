import type { BookingDoor, MirrorView } from '../../../src/connector.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { failpoint } from '../../../src/platform/failpoint.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { noEdits, type TabEdits } from '../plan/edits.ts';
import type { Rules } from '../rules.ts';
import { instantSerial, isFormula, sameContent } from '../sheet/cells.ts';
import { closedAt, contentAt, type TabSnapshot } from '../sheet/snapshot.ts';
import type { BookingView, Claim, Claims } from './claims.ts';
import { shownRef } from './claims.ts';
import { type Decision, decide, toAccept } from './decide.ts';
import { stillFilled } from './erased-rows.ts';
import { type BookingRow, readRows } from './read-row.ts';

/** The Bookings tab: rows become bookings, results come back to their rows. */
export interface BookingsDesk {
  /** Books what is ready and says what to write. What it remembers is stored before it resolves. */
  look(tab: TabSnapshot, view: MirrorView): Promise<DeskLook>;
}

export interface DeskLook {
  edits: TabEdits;
  problems: string[];
  /** Bookings whose row is gone, in a few words. */
  rowless: string[];
  /** A second look is due soon. */
  waiting: boolean;
  rows: number;
}

interface DeskOptions {
  source: string;
  bookings: BookingDoor;
  claims: Claims;
  clock: Clock;
  rules: Rules;
  /** In [0, 1). */
  random: () => number;
}

/** Stands in Ref until the booking has its own; as readable, and not to be mistaken for one. */
const waitingRef = (random: () => number): string =>
  `wait-${Math.floor(random() * 32 ** 6)
    .toString(32)
    .toUpperCase()
    .padStart(6, '0')}`;

/** Not in the shape of a reference: after a restore those are held, and this row was never booked. */
const submissionId = ({ ref, merges = 0 }: Claim): string =>
  // What was counted with another would be so for ever under the same id.
  `sheet:${ref.toLowerCase()}${merges === 0 ? '' : `:${merges}`}`;

const needed = ['patient', 'phone', 'date', 'time', 'send', 'ref'];
const KEPT_MS = 60 * 86_400_000;
const SHOWN_ROWLESS_MS = 14 * 86_400_000;

export function createBookingsDesk({
  source,
  bookings,
  claims,
  clock,
  rules,
  random,
}: DeskOptions): BookingsDesk {
  async function accept(claim: Claim, row: BookingRow): Promise<BookingView & { refused?: string }> {
    const submission = {
      source,
      clinic: claim.clinic,
      submission_id: submissionId(claim),
      fields: row.fields,
    };
    const { ref, state, message, appointment_id, changed_at } = await bookings.accept(submission);
    return { ref, state, message, appointment_id, changed_at };
  }

  /** Booked just before we were killed: its row may not be taken for one that was never sent. */
  async function rememberTaken(known: Claim[], taken: ReadonlyMap<string | null, string>): Promise<void> {
    for (const [at, claim] of known.entries()) {
      const booking = taken.get(submissionId(claim));
      if (claim.phase === 'accepted' || booking === undefined) continue;
      const accepted: Claim = { ...claim, phase: 'accepted', booking };
      await claims.save([accepted]);
      known[at] = accepted;
    }
  }

  async function bookReady(rows: readonly BookingRow[], known: Claim[], views: Map<string, BookingView>) {
    const refused: string[] = [];
    for (const { claim, row } of toAccept({ rows, claims: known, now: clock.now(), rules })) {
      try {
        const booking = await accept(claim, row);
        failpoint('google-sheets.accepted');
        const answered = isOfAnother(booking.ref, claim, known)
          ? merged(claim, booking.ref)
          : { ...claim, phase: 'accepted' as const, booking: booking.ref };
        await claims.save([answered]);
        known.splice(known.indexOf(claim), 1, answered);
        if (!views.has(booking.ref)) views.set(booking.ref, booking);
      } catch (error) {
        // Refused for good: it must not stand in the way of the other rows.
        if (!(error instanceof Failure) || error.kind !== 'refused') throw error;
        refused.push(`Bookings: ${claim.ref} was not taken. ${error.message}`);
      }
    }
    return refused;
  }

  /** The wrong way, for the tests: what was just claimed is booked before its Ref is in the sheet. */
  async function bookAtOnce(
    rows: readonly BookingRow[],
    { save, cells }: Decision,
    views: Map<string, BookingView>,
  ) {
    const fresh = save.filter(({ phase }) => phase === 'claimed');
    const marked = rows.map((row) => {
      const ref = cells.find((cell) => cell.row === row.row && cell.column === 'ref')?.value;
      return typeof ref === 'string' ? { ...row, ref } : row;
    });
    await bookReady(marked, fresh, views);
  }

  async function look(tab: TabSnapshot, view: MirrorView): Promise<DeskLook> {
    const edits = noEdits(tab);
    const missing = needed.filter((key) => !tab.columns.has(key));
    if (missing.length > 0)
      return {
        edits,
        problems: [
          `${tab.title}: the column ${missing.join(', ')} was deleted, so no booking is taken from the tab. Undo the deletion, or run: clinic-sync connectors repair.`,
        ],
        rowless: [],
        waiting: false,
        rows: 0,
      };

    const clinics = view.clinics.map(({ clinic }) => clinic);
    const rows = readRows(tab, clinics);
    const known = await claims.all();
    known.sort((a, b) => a.at - b.at || (a.ref < b.ref ? -1 : 1));
    const { views, taken } = await ownBookings(view, clinics, known.length > 0);
    await rememberTaken(known, taken);
    const problems = await bookReady(rows, known, views);

    const zones = new Map(view.clinics.map(({ clinic, timezone }) => [clinic, timezone]));
    const decision = decide({
      rows,
      claims: known,
      now: clock.now(),
      rules,
      bookings: views,
      newRef: () => waitingRef(random),
      instant: (at, clinic) => instantSerial(at, zones.get(clinic) ?? 'UTC'),
    });
    await claims.save(decision.save);
    if (!rules.secondLook) await bookAtOnce(rows, decision, views);
    failpoint('google-sheets.claimed');
    await claims.forget(outdated(known, rows, clock.now()));

    const changedRows = new Set<number>();
    let closed = 0;
    for (const { row, column: key, value } of decision.cells) {
      const column = tab.columns.get(key);
      if (column === undefined || sameContent(contentAt(tab, row, column), value)) continue;
      if (key === 'send' && (contentAt(tab, row, column) === null || isFormula(contentAt(tab, row, column))))
        continue;
      if (closedAt(tab, row, column)) closed += 1;
      else {
        edits.writes.push({ row, column, value });
        changedRows.add(row);
      }
    }
    if (closed > 0)
      problems.push(
        `${tab.title}: ${closed} cells cannot be written because they are protected. Allow clinic-sync’s address to edit Ref, State, Appointment, Message, Updated and Send.`,
      );
    const filled = stillFilled(rows, known);
    if (filled.length > 0)
      problems.push(
        `${tab.title}: ${filled.join(', ')}: the row was changed after it was sent, and its person was erased since. Delete what it still shows of them, or clear its Ref when it is about somebody else.`,
      );
    const recent = decision.rowless.filter(({ at }) => clock.now() - at < SHOWN_ROWLESS_MS);
    return {
      edits,
      problems,
      rowless: recent.map((claim) => rowlessLine(claim, views)),
      waiting: decision.waiting,
      rows: changedRows.size,
    };
  }

  return { look };
}

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

async function ownBookings(view: MirrorView, clinics: readonly string[], any: boolean) {
  const views = new Map<string, BookingView>();
  /** Refs by submission id. */
  const taken = new Map<string | null, string>();
  if (!any) return { views, taken };
  for (const clinic of clinics) {
    const statuses = new Map(
      (await view.rows('appointments', clinic)).map((row) => [row.appointment_id, row.status]),
    );
    for (const booking of await view.ownBookings(clinic)) {
      const { ref, state, message, appointment_id, changed_at } = booking;
      taken.set(booking.submission_id, ref);
      const status = appointment_id === null ? undefined : statuses.get(appointment_id);
      views.set(ref, {
        ref,
        state,
        message,
        appointment_id,
        changed_at,
        ...(typeof status === 'string' && { status }),
      });
    }
  }
  return { views, taken };
}

/** Long over and not in the sheet any more. */
const outdated = (claims: readonly Claim[], rows: readonly BookingRow[], now: number): Claim[] => {
  const shown = new Set(rows.map(({ ref }) => ref));
  return claims.filter(
    (claim) => now - claim.at > KEPT_MS && !shown.has(claim.ref) && !shown.has(shownRef(claim)),
  );
};

function rowlessLine(claim: Claim, views: ReadonlyMap<string, BookingView>): string {
  const booking = views.get(claim.booking ?? '');
  const number = booking?.appointment_id ? `, appointment ${booking.appointment_id}` : '';
  return `Booking ${shownRef(claim)}: ${booking?.state ?? 'not known'}${number}; its row in Bookings was deleted.`;
}
