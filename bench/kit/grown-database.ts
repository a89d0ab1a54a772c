import Database from 'better-sqlite3';
import { systemClock as clock } from '../../src/model/clock.ts';
import { silentLog as log } from '../../src/model/log.ts';
import { openStore } from '../../src/store/sqlite.ts';

/** A database with so many settled bookings of the clinic `main`, each with an appointment and three changes. */
export async function growDatabase(file: string, bookings: number): Promise<void> {
  const store = await openStore({ file, clock, log, mode: 'daemon' });
  await store.close();
  const database = new Database(file);
  const statements = [
    `CREATE TEMP TABLE series AS WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${bookings})
      SELECT n, printf('CS-%06d', n) ref, 500000000 + n id,
        strftime('%Y-%m-%dT%H:%M:%fZ', '2025-01-01', (n * 120) || ' seconds') at FROM s`,
    `INSERT INTO bookings (ref, clinic, source, submission_id, state, patient_name, patient_phone, phone_e164,
        appointment_date, appointment_time, doctor_id, treatment_id, note, appointment_id, attempt, merged, received_at,
        changed_at, booked_at, evidence)
      SELECT ref, 'main', 'website', 'grown-' || n, 'booked', 'Visitor ' || n, '+88018' || printf('%08d', n),
        '+88018' || printf('%08d', n), substr(at, 1, 10), '10:30', 2, 1, 'Prefers the morning', id, 1, 0, at, at, at,
        '{"verdict":"verified"}' FROM series`,
    `INSERT INTO appointments (clinic, appointment_id, status, name, date, time, ref, done, first_seen_at, changed_at)
      SELECT 'main', id, 'Completed', 'Visitor ' || n, substr(at, 1, 10), '10:30', ref, 1, at, at FROM series`,
    `INSERT INTO changes (clinic, sequence, at, type, resource, id, data, previous)
      SELECT 'main', (n - 1) * 3 + k, at, type, 'booking', ref,
        json_object('ref', ref, 'state', substr(type, 9), 'patient_name', 'Visitor ' || n, 'source', 'website'), NULL
      FROM series, (SELECT 1 k, 'booking.received' type UNION SELECT 2, 'booking.queued' UNION SELECT 3, 'booking.booked')`,
  ];
  database.transaction(() => {
    for (const statement of statements) database.exec(statement);
  })();
  database.close();
}
