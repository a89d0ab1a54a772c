import { setImmediate as turn } from 'node:timers/promises';
import type { ClinicFacts, GrowingTable, LeadCounts, MirrorTable, MirrorView, Row } from '../connector.ts';
import { hashedPhone } from '../domain/bookings/hashed-phone.ts';
import { amountText } from '../domain/clinics/money.ts';
import { growingTables } from '../domain/clinics/tables.ts';
import { countryFor } from '../domain/phone.ts';
import { monthPack } from '../reports/month-pack.ts';
import type { Store } from '../store/store.ts';
import { namesOf, strippedChange, strippedFields } from './strip.ts';

interface ViewOptions {
  store: Store;
  connector: string;
  includePatient: boolean;
  includeHashed?: boolean;
  clinics: readonly { clinic: string; timezone: string }[];
}

const patientTables: readonly MirrorTable[] = ['appointments', 'bookings'];
const growing: readonly MirrorTable[] = growingTables;
const grows = (table: MirrorTable): table is GrowingTable => growing.includes(table);
/** One statement for 200,000 rows would block everything else for seconds. */
const PAGE = 500;
const NEVER = '9999-01-01T00:00:00.000Z';

/** A hash of a name and a phone number can be reversed by guessing; evidence contains one, too. */
function withoutHashes({
  content_hash: _content,
  submission_hash: _submission,
  evidence: _evidence,
  ...row
}: Row): Row {
  return row;
}

/** The exact fee, with the decimal places of its currency. */
function withCurrencysPlaces({ fee_as_sent: sent, ...row }: Row): Row {
  const { currency } = row;
  const fee =
    typeof sent === 'string' ? amountText(sent, typeof currency === 'string' ? currency : null) : null;
  return { ...row, fee };
}

const withoutContact = ({ phone_e164: _phone, ...row }: Row): Row => row;

/** For `include: [hashed_contacts]`; the number itself is not passed on. */
const withHashedContact = ({ phone_e164: phone, ...row }: Row): Row => ({ ...row, ...hashedPhone(phone) });

/** What a connector may read: its own clinics, without patient data unless it has `include: [patient]`. */
export async function mirrorView({
  store,
  connector,
  includePatient,
  includeHashed = false,
  clinics,
}: ViewOptions): Promise<MirrorView> {
  const own = (clinic: string) => {
    if (!clinics.some((one) => one.clinic === clinic))
      throw new RangeError(`${connector} does not serve the clinic ${clinic}`);
    return clinic;
  };

  const names = namesOf(store);
  async function shown(table: MirrorTable, clinic: string, stored: Row[]): Promise<Row[]> {
    if (table === 'fees' || table === 'consultation_fees') return stored.map(withCurrencysPlaces);
    if (table === 'conversions') return stored.map(includeHashed ? withHashedContact : withoutContact);
    const rows = table === 'bookings' ? stored.map(withoutHashes) : stored;
    if (includePatient || !patientTables.includes(table) || rows.length === 0) return rows;
    const isName = await names(clinic);
    return rows.map((row) => strippedFields(row, {}, isName));
  }
  const page = async (table: GrowingTable, clinic: string, limit: number, after?: Row) =>
    shown(table, clinic, await store.mirror.page(table, clinic, limit, after));

  async function pages(table: GrowingTable, clinic: string): Promise<Row[]> {
    const all: Row[] = [];
    for (;;) {
      const rows = await page(table, clinic, PAGE, all.at(-1));
      for (const row of rows) all.push(row);
      if (rows.length < PAGE) return all;
      await turn();
    }
  }

  return {
    clinics: await Promise.all(clinics.map((one) => factsOf(store, one))),

    rows: async (table, clinic) =>
      grows(table)
        ? pages(table, own(clinic))
        : shown(table, clinic, await store.mirror.rows(table, own(clinic))),
    page: async (table, clinic, limit, after) => page(table, own(clinic), limit, after),
    rowsById: async (table, clinic, ids) =>
      shown(table, clinic, await store.mirror.rowsById(table, own(clinic), ids)),
    async rowsChangedSince(table, clinic, sequence, limit) {
      const found = await store.mirror.rowsChangedSince(table, own(clinic), sequence, limit);
      return { ...found, rows: await shown(table, clinic, found.rows) };
    },
    ownBookings: async (clinic, refs) => store.bookings.ofSource(own(clinic), connector, { refs }),
    ownBookingsBySubmission: async (clinic, submission_ids) =>
      store.bookings.ofSource(own(clinic), connector, { submission_ids }),

    async changes(clinic, after, limit) {
      const changes = await store.changes.after(own(clinic), after, limit);
      if (includePatient || changes.length === 0) return changes;
      const isName = await names(clinic);
      return changes.map((change) => strippedChange(change, isName));
    },
    async leadCounts(clinic, from, until) {
      const groups = await store.reports.leads(own(clinic), { from, until, by: 'source' });
      const sources = groups.map(({ group, leads, booked, completed, value, currency }) => ({
        ...{ source: group ?? '', leads, booked, completed, value, currency },
      }));
      // The interval is irrelevant: only the totals over all time are used.
      const totals = await store.bookings.totals(NEVER, NEVER, [clinic]);
      const states: LeadCounts['states'] = {};
      for (const { state, all } of totals) states[state] = (states[state] ?? 0) + Number(all);
      return { sources, states };
    },
    async month(clinic, month, now) {
      const facts = clinics.find((one) => one.clinic === own(clinic));
      return monthPack(store, { clinic, timezone: facts?.timezone ?? 'UTC' }, month, now);
    },
    async freshness(clinic) {
      const polls = await store.polls.list(own(clinic));
      // Its poll looks every minute, and reads nothing until an appointment is due.
      const [next] = await store.appointments.due(own(clinic), NEVER, 1);
      return polls.map(({ poll, rows, last_success_at, next_due_at }) => ({
        ...{ poll, rows, as_of: last_success_at },
        next_due_at: poll === 'appointments' ? (next?.next_due_at ?? null) : next_due_at,
      }));
    },
  };
}

async function factsOf(
  store: Store,
  { clinic, timezone }: { clinic: string; timezone: string },
): Promise<ClinicFacts> {
  // A replaced care_id leaves a removed row.
  const rows = await store.mirror.rows('organization', clinic);
  const organization: Row = rows.find((row) => row.removed_at === null) ?? {};
  const text = (column: string) => {
    const value = organization[column];
    return typeof value === 'string' ? value : null;
  };
  const country = countryFor(undefined, organization);
  return {
    ...{ clinic, timezone, name: text('name') },
    ...{ currency: text('currency'), currency_symbol: text('currency_symbol') },
    ...(country !== undefined && { country }),
  };
}
