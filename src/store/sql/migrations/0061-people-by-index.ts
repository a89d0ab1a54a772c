import { textsFor } from '../people/texts-with-numbers.ts';
import type { Migration } from './migration.ts';

const statements = [
  // Without these, finding a person read every booking and every appointment.
  `CREATE INDEX bookings_numbers ON bookings (ref) WHERE ${textsFor.sqlite.withNumbers}`,
  'CREATE INDEX appointments_unbooked ON appointments (clinic, appointment_id) WHERE ref IS NULL',
  // INSERT OR REPLACE deletes without firing the delete trigger.
  `CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE n = NEW.n)
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
];

export const peopleByIndex: Migration = { number: 61, name: 'people-by-index', statements };
