import { hash } from 'node:crypto';
import { constants, copyFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openFileStore } from '../../src/store/sqlite.ts';

export interface Amount {
  bookings: number;
  changes: number;
  deliveries: number;
}

/** Number of the newest appointment. */
export const lastAppointment = (bookings: number): number => APPOINTMENTS_AFTER + bookings;
const APPOINTMENTS_AFTER = 1_000;

/** Days over which the bookings of a source are spread. */
const SPREAD_DAYS = 1_095;

/** Filled databases of the current schema, kept for copying. */
const templates = join(import.meta.dirname, '../../node_modules/.cache/clinic-sync-bench');
/** The newest deliveries are from today, and upkeep deletes month-old ones. */
const TEMPLATE_LASTS_MS = 20 * 3_600_000;

/**
 * A database like a chain's after years: settled bookings with five changes each, past appointments, delivered events.
 * Written in bulk instead of through the store's verbs, which would take an hour; constraints and indexes are the real
 * ones. A copy is kept for the next time.
 */
export async function yearsOfData(file: string, amount: Amount): Promise<void> {
  const store = await openFileStore({ file, clock: systemClock, log: silentLog, mode: 'daemon' });
  await store.close();
  const database = new Database(file);
  const template = join(templates, `${keyOf(database, amount)}.db`);
  const age = Date.now() - (statSync(template, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age < TEMPLATE_LASTS_MS) {
    database.close();
    copyDatabase(template, file);
    return;
  }
  database.pragma('synchronous = OFF');
  fillYears(database, amount);
  database.pragma('wal_checkpoint(truncate)');
  database.close();
  rmSync(templates, { recursive: true, force: true });
  mkdirSync(templates, { recursive: true });
  copyDatabase(file, template);
}

/** Changes with the schema, the amounts and this file. */
function keyOf(database: Database.Database, amount: Amount): string {
  const schema = database.prepare('SELECT sql FROM sqlite_master ORDER BY name').pluck().all();
  const how = readFileSync(import.meta.filename, 'utf8');
  return hash('sha256', JSON.stringify([schema, amount, how])).slice(0, 16);
}

/** Copies the marker too, which names the installation of the database. Shares blocks where the disk can. */
function copyDatabase(from: string, to: string): void {
  for (const suffix of ['.marker', ''])
    copyFileSync(`${from}${suffix}`, `${to}${suffix}`, constants.COPYFILE_FICLONE);
}

/** Fills an open, empty database of the current schema. */
export function fillYears(
  database: Pick<Database.Database, 'exec'>,
  { bookings, changes, deliveries }: Amount,
): void {
  const stepS = (SPREAD_DAYS * 86_400) / bookings;
  const at = (n: string, secondsLater = 0) =>
    `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${SPREAD_DAYS} days', (${n} * ${stepS} + ${secondsLater}) || ' seconds')`;
  const ref = (n: string) => `'CS-' || printf('%06d', ${n})`;
  const count = (to: number) =>
    `WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${to})`;
  const person = `'Visitor Number ' || i`;
  const fields = (state: string) =>
    `json_object('ref', ${ref('b')}, 'state', '${state}', 'source', 'website', 'patient_name', 'Visitor Number ' || b,
      'patient_phone', '017' || printf('%08d', b), 'address', 'House 12, Road 5, Dhanmondi, Dhaka', 'doctor_id', 2,
      'appointment_date', '2025-01-01', 'appointment_time', '10:30', 'treatment_id', 1, 'note', 'Prefers the morning')`;
  // The daemon deletes what was delivered a month ago.
  const lately = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-29 days', (i * ${(28 * 86_400) / deliveries}) || ' seconds')`;
  const perBooking = Math.max(1, Math.floor(changes / bookings));

  database.exec('BEGIN');
  // Nine in ten were booked and verified; some of the last 200 still wait for a person.
  const state = `CASE WHEN i > ${bookings - 200} AND i % 10 = 0 THEN 'held' WHEN i % 40 = 0 THEN 'rejected'
    WHEN i % 40 = 1 THEN 'expired' WHEN i % 20 = 2 THEN 'dropped' ELSE 'booked' END`;
  database.exec(`${count(bookings)} INSERT INTO bookings
    (ref, clinic, source, submission_id, state, reason, patient_name, patient_phone, phone_e164, address,
     appointment_date, appointment_time, doctor_id, treatment_id, note, attempt, merged, received_at, changed_at,
     content_hash)
    SELECT ${ref('i')}, 'main', 'website', 'years-' || i, ${state}, iif(${state} = 'held', 'duplicate_suspect', NULL),
      ${person}, '017' || printf('%08d', i), '+88017' || printf('%08d', i), 'House 12, Road 5, Dhanmondi, Dhaka',
      date(${at('i', 259_200)}), '10:30', 2, 1, 'Prefers the morning, first visit', 1, 0, ${at('i')}, ${at('i', 3)},
      'hash-' || i FROM c`);
  database.exec(`${count(bookings)} UPDATE bookings SET appointment_id = ${APPOINTMENTS_AFTER} + i, booked_at = changed_at,
      verified_at = ${at('i', 20)},
      evidence = json_object('sent_at', ${at('i', 2)}, 'highest_own_id', ${APPOINTMENTS_AFTER} - 1 + i, 'verification', 'matches')
    FROM c WHERE ref = ${ref('i')} AND state = 'booked'`);
  database.exec(`${count(bookings * 3)} INSERT INTO booking_events (ref, at, from_state, to_state, actor, "by")
    SELECT ${ref('((i - 1) / 3 + 1)')}, ${at('((i - 1) / 3 + 1)', 1)}, 'queued', 'booked', 'daemon', 'clinic-sync' FROM c`);
  database.exec(`${count(bookings)} INSERT INTO appointments
    (clinic, appointment_id, status, name, date, time, ref, done, first_seen_at, changed_at, seen_at)
    SELECT 'main', ${APPOINTMENTS_AFTER} + i, 'Completed', ${person}, date(${at('i', 259_200)}), '10:30', ${ref('i')}, 1,
      ${at('i', 3)}, ${at('i', 300_000)}, ${at('i', 300_000)} FROM c JOIN bookings ON ref = ${ref('i')} AND state = 'booked'`);
  database.exec(
    `INSERT INTO status_outcomes (clinic, status, outcome) VALUES ('main', 'Completed', 'completed')`,
  );
  database.exec(`${count(changes)} INSERT INTO changes (clinic, sequence, at, type, resource, id, data, previous)
    SELECT 'main', i, ${at('b', 3)}, 'booking.booked', 'booking', ${ref('b')}, ${fields('booked')}, '{"state":"sending"}'
    FROM (SELECT i, min(${bookings}, (i - 1) / ${perBooking} + 1) AS b FROM c)`);
  database.exec(`${count(deliveries)} INSERT INTO deliveries
    (id, connector, clinic, sequence, type, thing, body, state, attempts, created_at, next_attempt_at, delivered_at)
    SELECT 'years-' || i, 'crm', 'main', i, 'booking.booked', 'booking:' || ${ref('b')}, ${fields('booked')}, 'delivered',
      1, ${lately}, ${lately}, ${lately}
    FROM (SELECT i, min(${bookings}, (i - 1) / ${perBooking} + 1) AS b FROM c)`);
  database.exec(`INSERT INTO cursors (connector, clinic, sequence) VALUES ('crm', 'main', ${changes})`);
  database.exec(`INSERT INTO booking_counts
    SELECT 'main', '', 'website', state, count(*) FROM bookings GROUP BY state`);
  database.exec(`INSERT INTO observations
      (clinic, appointment_id, status, date, time, from_at, to_at, changed)
    SELECT clinic, appointment_id, 'Scheduled', date, time, first_seen_at, changed_at, 1 FROM appointments`);
  database.exec('COMMIT');
}
