import { sql } from 'kysely';
import type { Trx } from '../database.ts';
import { writeMemory } from '../installation/key-value.ts';
import type { Migration } from './migration.ts';

const conversionsInOrderStatements = [
  'DROP INDEX bookings_converted',
  'CREATE INDEX bookings_converted ON bookings (clinic, completed_at, ref) WHERE completed_at IS NOT NULL',
];

/** An index in the order in which conversion files are read, page by page. */
export const conversionsInOrder: Migration = {
  number: 111,
  name: 'conversions-in-order',
  statements: conversionsInOrderStatements,
  postgres: conversionsInOrderStatements,
};

const bookingTermsCreate = (text: string, rest: string) => [
  `CREATE TABLE booking_terms (
    term ${text} NOT NULL,
    received_at ${text} NOT NULL,
    ref ${text} NOT NULL REFERENCES bookings (ref) ON DELETE CASCADE,
    PRIMARY KEY (term, received_at, ref)
  )${rest}`,
  'CREATE INDEX booking_terms_of ON booking_terms (ref, term)',
];

async function noteUnfilled(trx: Trx): Promise<void> {
  const { rows } = await sql`select 1 from bookings limit 1`.execute(trx);
  if (rows.length > 0) await writeMemory(trx, 'search', 'filled', 'no');
}

/** Search terms of bookings. Existing bookings get theirs while the daemon runs; see `fillTerms`. */
export const bookingTerms: Migration = {
  number: 120,
  name: 'booking-terms',
  statements: bookingTermsCreate('TEXT', ' STRICT, WITHOUT ROWID'),
  postgres: bookingTermsCreate('text COLLATE "C"', ''),
  fill: noteUnfilled,
};

const listsInTimeStatements = [
  'CREATE INDEX bookings_state_in_time ON bookings (state, received_at)',
  'CREATE INDEX bookings_source_in_time ON bookings (source, received_at)',
];

/** Without these, a page of bookings over several clinics read and sorted all bookings of a state or source. */
export const listsInTime: Migration = {
  number: 121,
  name: 'lists-in-time',
  statements: listsInTimeStatements,
  postgres: listsInTimeStatements,
};

const whatConnectorsAskColumn = (text: string) => [
  `ALTER TABLE connectors ADD COLUMN asks ${text} NOT NULL DEFAULT '[]'`,
];

/** Which of a connector's problems require a user; filled in by its next run. */
export const whatConnectorsAsk: Migration = {
  number: 125,
  name: 'what-connectors-ask',
  statements: whatConnectorsAskColumn('TEXT'),
  postgres: whatConnectorsAskColumn('text COLLATE "C"'),
};

const termsDueCreate = (text: string, rest: string) => [
  `CREATE TABLE terms_due (
    received_at ${text} NOT NULL,
    ref ${text} NOT NULL,
    PRIMARY KEY (received_at, ref)
  )${rest}`,
];

/** Bookings whose terms are written after they were acknowledged. */
export const migrateTermsDue: Migration = {
  number: 130,
  name: 'terms-due',
  statements: termsDueCreate('TEXT', ' STRICT, WITHOUT ROWID'),
  postgres: termsDueCreate('text COLLATE "C"', ''),
};

const feesListedStatements = [
  'CREATE INDEX fee_periods_listed ON fee_periods (clinic, kind, (length(id)), id, valid_from, valid_to)',
  'CREATE INDEX treatments_in_order ON treatments_things (clinic, treatment_id)',
  'CREATE INDEX dentists_in_order ON dentists_things (clinic, doctor_id)',
];

/** Without these, pages of the price list and of the clinic's lists read and sorted a clinic's whole history. */
export const feesListed: Migration = {
  number: 135,
  name: 'fees-listed',
  statements: feesListedStatements,
  postgres: feesListedStatements,
};

const monthsByIndexStatements = [
  'CREATE INDEX appointments_by_status ON appointments (clinic, status, date)',
  `CREATE INDEX changes_of_visits ON changes (clinic, at) WHERE resource = 'appointment'`,
  `CREATE INDEX changes_booked ON changes (clinic, at) WHERE type = 'booking.booked'`,
];

/** Without these, a month's report and open visits read every appointment and the clinic's whole log. */
export const monthsByIndex: Migration = {
  number: 140,
  name: 'months-by-index',
  statements: monthsByIndexStatements,
  postgres: monthsByIndexStatements,
};

const whoToldColumn = (text: string) => [
  `ALTER TABLE connectors ADD COLUMN told_by ${text} NOT NULL DEFAULT '{}'`,
];

/** Which worker of a connector reported a problem: a successful run of one cleared what another had reported. */
export const whoTold: Migration = {
  number: 150,
  name: 'who-told',
  statements: whoToldColumn('TEXT'),
  postgres: whoToldColumn('text COLLATE "C"'),
};

const retractionsTable = (text: string, number: string) => `CREATE TABLE retractions (
    ref ${text} NOT NULL REFERENCES bookings (ref) ON DELETE CASCADE,
    n ${number} NOT NULL,
    clinic ${text} NOT NULL,
    converted_at ${text} NOT NULL,
    retracted_at ${text} NOT NULL,
    outcome ${text},
    fee ${text},
    currency ${text},
    PRIMARY KEY (ref, n)
  )`;

const after = [
  'CREATE INDEX retractions_in_order ON retractions (clinic, retracted_at, ref, n)',
  // Only the last retraction of each lead is known.
  `INSERT INTO retractions (ref, n, clinic, converted_at, retracted_at, fee, currency)
    SELECT ref, 1, clinic, completed_at, retracted_at, fee, currency FROM bookings
    WHERE completed_at IS NOT NULL AND retracted_at IS NOT NULL`,
];

/** Every conversion that the clinic retracted, to be reported to advertising platforms. */
export const retractions: Migration = {
  number: 155,
  name: 'retractions',
  statements: [`${retractionsTable('TEXT', 'INTEGER')} STRICT, WITHOUT ROWID`, ...after],
  postgres: [retractionsTable('text COLLATE "C"', 'bigint'), ...after],
};

const clinicClocksTable = (text: string, number: string) => `CREATE TABLE clinic_clocks (
    clinic ${text} NOT NULL,
    since ${text} NOT NULL,
    ahead ${number} NOT NULL,
    PRIMARY KEY (clinic, since)
  )`;

/**
 * Days follow the clinic's calendar; until the first start of the daemon, UTC. Step 210 creates the views that use it.
 */
export const clinicClocks: Migration = {
  number: 156,
  name: 'clinic-clocks',
  statements: [`${clinicClocksTable('TEXT', 'INTEGER')} STRICT, WITHOUT ROWID`],
  postgres: [clinicClocksTable('text COLLATE "C"', 'bigint')],
};

const whatConnectorsSayColumn = (text: string) => [
  `ALTER TABLE connectors ADD COLUMN said ${text} NOT NULL DEFAULT '{}'`,
];

/** Code and values of what connectors say, for other languages; what was said before stays as its English sentence. */
export const whatConnectorsSay: Migration = {
  number: 170,
  name: 'what-connectors-say',
  statements: whatConnectorsSayColumn('TEXT'),
  postgres: whatConnectorsSayColumn('text COLLATE "C"'),
};

// Where retention already removed the change, its number stays unknown.
const found = `UPDATE fee_periods SET removed_by = (SELECT max(c.sequence) FROM changes c
    WHERE c.clinic = fee_periods.clinic AND c.resource = fee_periods.kind AND c.id = fee_periods.id
      AND c.type = fee_periods.kind || '.removed' AND c.at = fee_periods.valid_to)
  WHERE valid_to IS NOT NULL`;

/** Reports name the change that noticed a removal, also when the log has lost it. */
export const removedFees: Migration = {
  number: 180,
  name: 'removed-fees',
  statements: ['ALTER TABLE fee_periods ADD COLUMN removed_by INTEGER', found],
  postgres: ['ALTER TABLE fee_periods ADD COLUMN removed_by bigint', found],
};
