import type { Migration } from './migration.ts';

const statements = [
  // What may end because its time is over: read every half minute, so that only those are read.
  `CREATE INDEX bookings_waiting ON bookings (clinic, appointment_date)
    WHERE state IN ('received', 'held', 'queued') AND coalesce(reason, '') <> 'restored_state'`,
];

export const waitingIndex: Migration = { number: 54, name: 'waiting-index', statements };
