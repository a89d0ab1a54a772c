import { Failure } from '../../src/platform/failure.ts';
import type { SheetsClient } from './api/client.ts';
import type { Claims } from './bookings/claims.ts';
import { claimsOf, emptyErased, withoutPerson } from './bookings/erased-rows.ts';
import { readRows } from './bookings/read-row.ts';
import { claimOwnership, type Ownership } from './owner.ts';
import { noEdits } from './plan/edits.ts';
import { requestsFor } from './plan/requests.ts';
import type { Reader } from './reader.ts';
import type { WriteVerification } from './write-verification.ts';

interface ForgetParts {
  client: SheetsClient;
  reader: Reader;
  verification: WriteVerification;
  claims: Claims;
  ownership: Ownership;
  clinics: readonly string[];
}

/** Some 16,000 cells a call. */
const CELLS_PER_CALL = 16_000;
/** People sort and move rows meanwhile; what was missed is found by the next reading. */
const MOST_CALLS = 200;

/**
 * Empties what people typed into the rows of these bookings. Done when a reading shows none of it; only then is what
 * recognises the rows let go of. Throws `Failure`, also while such a row is protected.
 */
export async function forgetRows(parts: ForgetParts, refs: readonly string[], signal: AbortSignal) {
  const { claims } = parts;
  const known = await claims.all();
  const erased = claimsOf(known, new Set(refs)).filter((claim) => claim.erased !== true);
  if (erased.length === 0) return;
  await emptyRows(parts, { claims: known, erased }, signal);
  await claims.save(erased.map(withoutPerson));
}

async function emptyRows(
  { client, reader, verification, ownership, clinics }: ForgetParts,
  who: Parameters<typeof emptyErased>[2],
  signal: AbortSignal,
): Promise<void> {
  for (let calls = 0; calls < MOST_CALLS; calls += 1) {
    const reading = await reader.read(['bookings'], signal);
    // Refused when another installation keeps the spreadsheet.
    claimOwnership(reading.snapshot, ownership);
    if (await verification.repair(reading, signal)) continue;
    const tab = reading.snapshot.tabs.get('bookings');
    if (tab === undefined) return;
    const { writes, closed } = emptyErased(tab, readRows(tab, clinics), who);
    if (writes.length === 0 && closed > 0)
      throw new Failure({
        kind: 'refused',
        message: `${tab.title}: ${closed} ${closed === 1 ? 'row' : 'rows'} of an erased person cannot be emptied because cells are protected.`,
        hint: 'Allow clinic-sync’s address to edit them, or empty them.',
      });
    if (writes.length === 0) return;
    const edits = { ...noEdits(tab), writes: writes.slice(0, CELLS_PER_CALL) };
    verification.expect([edits]);
    await client.write(requestsFor(edits), signal);
    await verification.verify([edits], signal);
  }
  throw new Failure({
    kind: 'transient',
    message: 'The rows of erased people keep moving.',
    hint: 'They are emptied with the next try.',
  });
}
