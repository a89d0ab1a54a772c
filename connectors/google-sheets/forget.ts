import type { ErasedPeople } from '../../src/connector.ts';
import { Failure } from '../../src/platform/failure.ts';
import type { SheetsClient } from './api/client.ts';
import type { Claim, Claims } from './bookings/claims.ts';
import { claimsOf, emptyErased, rowsWithoutPerson } from './bookings/erased-rows.ts';
import { readRows } from './bookings/read-row.ts';
import { claimOwnership, type SpreadsheetOwner } from './owner.ts';
import { type CellWrite, noEdits, requestsFor, type TabEdits } from './plan/requests.ts';
import { rowsByKey } from './plan/rows.ts';
import type { Reader } from './reader.ts';
import { type Closed, closedAt, contentAt, type TabSnapshot } from './sheet/snapshot.ts';
import { rowKey } from './sheet/tab-spec.ts';
import type { WriteVerification } from './write-verification.ts';

interface ForgetParts {
  client: SheetsClient;
  reader: Reader;
  verification: WriteVerification;
  claims: Claims;
  ownership: SpreadsheetOwner;
  clinics: readonly string[];
}

interface Erasing {
  known: readonly Claim[];
  erased: readonly Claim[];
  appointments: ErasedPeople['appointments'];
}

/** What cannot be emptied, such as `Bookings CS-7K3Q9F`, and why. `content` identifies a row of Bookings. */
interface Blocked {
  what: string;
  why: string;
  content?: string | undefined;
}

/** Limit per tab and call. */
const MOST_CELLS = 16_000;
/** People may sort and move rows meanwhile; the next reading finds what was missed. */
const MOST_CALLS = 200;
const MOST_NAMED = 20;

/**
 * Empties the cells about erased people in Bookings and Appointments, and in copies and former versions of these tabs,
 * wherever rows were moved. Repeats until a reading shows none; only then clears the claims that identify the rows.
 * Throws `Failure` naming each protected row.
 */
export async function forgetPeople(
  parts: ForgetParts,
  { refs, appointments }: ErasedPeople,
  signal: AbortSignal,
): Promise<void> {
  const { claims } = parts;
  const known = await claims.all();
  const erased = claimsOf(known, new Set(refs)).filter((claim) => claim.erased !== true);
  if (erased.length === 0 && appointments.length === 0) return;
  const blocked = await emptyTabs(parts, { known, erased, appointments }, signal);
  const stays = new Set(blocked.map(({ content }) => content));
  await claims.save(erased.filter(({ content }) => !stays.has(content)).map(rowsWithoutPerson));
  await claims.saveSeen(undefined);
  if (blocked.length > 0) throw notEmptied(blocked);
}

/** Resolves to the protected rows once everything else is empty. */
async function emptyTabs(parts: ForgetParts, erasing: Erasing, signal: AbortSignal): Promise<Blocked[]> {
  const { client, reader, verification, ownership } = parts;
  const wanted = [
    ...(erasing.erased.length > 0 ? (['bookings'] as const) : []),
    ...(erasing.appointments.length > 0 ? (['appointments'] as const) : []),
  ];
  for (let calls = 0; calls < MOST_CALLS; calls += 1) {
    const snapshot = await reader.readMarked(wanted, signal);
    // Throws when another installation owns the spreadsheet.
    claimOwnership(snapshot, ownership);
    if (await verification.repair(snapshot, signal)) continue;
    const blocked: Blocked[] = [];
    const edits: TabEdits[] = [];
    for (const tab of [...snapshot.tabs.values(), ...snapshot.copies]) {
      const isCopy = snapshot.copies.includes(tab);
      const found =
        tab.key === 'bookings'
          ? bookingRows(parts, tab, erasing, isCopy)
          : appointmentRows(parts, tab, erasing);
      blocked.push(...found.blocked);
      if (found.writes.length > 0) edits.push({ ...noEdits(tab), writes: found.writes.slice(0, MOST_CELLS) });
    }
    if (edits.length === 0) {
      await verification.forget(wanted);
      return blocked;
    }
    await verification.expect(edits);
    await client.write(
      edits.flatMap((one) => requestsFor(one)),
      signal,
    );
  }
  throw new Failure({
    kind: 'transient',
    message: 'The rows of erased people keep moving.',
    hint: 'They are emptied with the next try.',
  });
}

interface Found {
  writes: CellWrite[];
  blocked: Blocked[];
}

function bookingRows(
  { clinics }: ForgetParts,
  tab: TabSnapshot,
  { known: claims, erased }: Erasing,
  isCopy: boolean,
): Found {
  const { writes, closed } = emptyErased(tab, readRows(tab, clinics), { claims, erased, isCopy });
  return {
    writes,
    blocked: closed.map(({ row: { ref, row, content }, by }) => ({
      what: `${tab.title} ${ref ?? `row ${row + 1}`}`,
      why: protectedBy(by),
      content,
    })),
  };
}

/** The name in every row with the appointment's id, which the mirror may no longer have. */
function appointmentRows({ clinics }: ForgetParts, tab: TabSnapshot, { appointments }: Erasing): Found {
  const found: Found = { writes: [], blocked: [] };
  const column = tab.columns.get('patient');
  if (column === undefined) return found;
  const rows = rowsByKey(tab, { clinics });
  if (rows === undefined) {
    found.blocked.push({ what: tab.title, why: 'its column ID or Clinic was deleted' });
    return found;
  }
  for (const { clinic, appointment_id } of appointments)
    for (const row of rows.get(rowKey(clinic, appointment_id)) ?? []) {
      if (contentAt(tab, row, column) === null) continue;
      const by = closedAt(tab, row, column);
      if (by) found.blocked.push({ what: `${tab.title} ${appointment_id}`, why: protectedBy(by) });
      else found.writes.push({ row, column, value: null });
    }
  return found;
}

const protectedBy = ({ description }: Closed): string =>
  description ? `protected as “${description}”` : 'protected';

function notEmptied(blocked: readonly Blocked[]): Failure {
  const names = blocked.slice(0, MOST_NAMED).map(({ what, why }) => `${what} (${why})`);
  const more = blocked.length > MOST_NAMED ? ` and ${blocked.length - MOST_NAMED} more` : '';
  return new Failure({
    kind: 'refused',
    message: `Erased people are still in ${names.join(', ')}${more}.`,
    hint:
      'Allow clinic-sync’s address to edit protected cells, bring a deleted column back, or empty the rows by ' +
      'hand.',
  });
}
