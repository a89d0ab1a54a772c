import type { ClinicFacts, MirrorTable, MirrorView, Row } from '../connector.ts';
import type { Store } from '../store/store.ts';
import { strippedChange, strippedFields } from './strip.ts';

interface ViewOptions {
  store: Store;
  connector: string;
  includePatient: boolean;
  clinics: readonly { clinic: string; timezone: string }[];
}

const patientTables: readonly MirrorTable[] = ['appointments', 'bookings'];

/** Ours alone: hashes over a name and a phone can be guessed back, evidence holds such a hash. */
function withoutHashes({ content_hash: _content, evidence: _evidence, ...row }: Row): Row {
  return row;
}

/** What one connector may read: its own clinics, and no patient unless it was given `include: [patient]`. */
export async function mirrorView({
  store,
  connector,
  includePatient,
  clinics,
}: ViewOptions): Promise<MirrorView> {
  const own = (clinic: string) => {
    if (!clinics.some((one) => one.clinic === clinic))
      throw new RangeError(`${connector} does not serve the clinic ${clinic}`);
    return clinic;
  };

  return {
    clinics: await Promise.all(clinics.map((one) => factsOf(store, one))),

    async rows(table, clinic) {
      const stored = await store.mirror.rows(table, own(clinic));
      const rows = table === 'bookings' ? stored.map(withoutHashes) : stored;
      return includePatient || !patientTables.includes(table) ? rows : rows.map((row) => strippedFields(row));
    },
    ownBookings: async (clinic) => store.bookings.list({ clinic: own(clinic), source: connector }),

    async changes(clinic, after, limit) {
      const changes = await store.changes.after(own(clinic), after, limit);
      return includePatient ? changes : changes.map(strippedChange);
    },
    async freshness(clinic) {
      const polls = await store.runs.list(own(clinic));
      return polls.map(({ poll, rows, last_success_at, next_due_at }) => ({
        poll,
        rows,
        as_of: last_success_at,
        next_due_at,
      }));
    },
  };
}

async function factsOf(
  store: Store,
  { clinic, timezone }: { clinic: string; timezone: string },
): Promise<ClinicFacts> {
  const [organization] = await store.mirror.rows('organization', clinic);
  return {
    clinic,
    timezone,
    name: textOf(organization, 'name'),
    currency: textOf(organization, 'currency'),
    currency_symbol: textOf(organization, 'currency_symbol'),
  };
}

function textOf(row: Row | undefined, column: string): string | null {
  const value = row?.[column];
  return typeof value === 'string' ? value : null;
}
