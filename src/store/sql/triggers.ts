export const sqliteTriggers = [
  // Stored, because counting would take longer each year.
  `CREATE TRIGGER appointments_added AFTER INSERT ON appointments BEGIN
    INSERT INTO polls (clinic, poll, failures, rows) VALUES (NEW.clinic, 'appointments', 0, 1)
      ON CONFLICT (clinic, poll) DO UPDATE SET rows = rows + 1;
  END`,
  `CREATE TRIGGER appointments_gone AFTER DELETE ON appointments BEGIN
    UPDATE polls SET rows = rows - 1 WHERE clinic = OLD.clinic AND poll = 'appointments';
  END`,
  `CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
  // INSERT OR REPLACE deletes without firing the delete trigger.
  `CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE n = NEW.n)
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
  // Independent of retention.
  `CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
    WHEN OLD.at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days')
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
];

const appendOnly = `RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'integrity_constraint_violation'`;
const PROTECTED_SINCE = `to_char(now() AT TIME ZONE 'utc' - interval '30 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A trigger function sees the schema in which it was created, whatever search path the connection has. */
const triggerFunction = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN ${body} END $$`;

/** The PostgreSQL counterparts. */
export const postgresTriggers = [
  triggerFunction(
    'count_appointments',
    `IF TG_OP = 'INSERT' THEN
      INSERT INTO polls (clinic, poll, failures, rows) VALUES (NEW.clinic, 'appointments', 0, 1)
        ON CONFLICT (clinic, poll) DO UPDATE SET rows = polls.rows + 1;
    ELSE
      UPDATE polls SET rows = rows - 1 WHERE clinic = OLD.clinic AND poll = 'appointments';
    END IF;
    RETURN NULL;`,
  ),
  `CREATE TRIGGER appointments_counted AFTER INSERT OR DELETE ON appointments
    FOR EACH ROW EXECUTE FUNCTION count_appointments()`,
  triggerFunction(
    'protect_audit',
    `IF TG_OP = 'DELETE' AND OLD.at <= ${PROTECTED_SINCE} THEN RETURN OLD; END IF; ${appendOnly};`,
  ),
  `CREATE TRIGGER audit_is_protected BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION protect_audit()`,
];
