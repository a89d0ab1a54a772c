import type { Migration } from './migration.ts';

/** Columns for since when a resource fails and when it last changed, so that no page has to scan the log. */
const statements = [
  'ALTER TABLE polls ADD COLUMN failing_since TEXT',
  'ALTER TABLE polls ADD COLUMN last_change_at TEXT',
  `UPDATE polls SET last_change_at = (
      SELECT max(changes.at) FROM changes
      WHERE changes.clinic = polls.clinic AND changes.resource = CASE polls.poll
        WHEN 'treatments' THEN 'treatment'
        WHEN 'dentists' THEN 'dentist'
        WHEN 'appointments' THEN 'appointment'
        ELSE polls.poll END)`,
  `UPDATE polls SET rows = (SELECT count(*) FROM appointments WHERE appointments.clinic = polls.clinic)
    WHERE poll = 'appointments'`,
  // Their number is stored, because counting takes longer each year.
  `CREATE TRIGGER appointments_added AFTER INSERT ON appointments BEGIN
    INSERT INTO polls (clinic, poll, failures, rows) VALUES (NEW.clinic, 'appointments', 0, 1)
      ON CONFLICT (clinic, poll) DO UPDATE SET rows = rows + 1;
  END`,
  `CREATE TRIGGER appointments_gone AFTER DELETE ON appointments BEGIN
    UPDATE polls SET rows = rows - 1 WHERE clinic = OLD.clinic AND poll = 'appointments';
  END`,

  `CREATE TABLE incidents (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    clinic TEXT,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    health TEXT NOT NULL,
    sentence TEXT NOT NULL,
    since TEXT NOT NULL,
    ended_at TEXT
  ) STRICT`,
  'CREATE INDEX incidents_ended ON incidents (ended_at)',
];

export const health: Migration = { number: 6, name: 'health', statements };
