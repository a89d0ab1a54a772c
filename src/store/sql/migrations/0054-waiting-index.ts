import type { Migration } from './migration.ts';

const statements = [
  // For bookings that may expire, which are read every half minute.
  `CREATE INDEX bookings_waiting ON bookings (clinic, appointment_date)
    WHERE state IN ('received', 'held', 'queued') AND coalesce(reason, '') <> 'restored_state'`,
];

export const waitingIndex: Migration = { number: 54, name: 'waiting-index', statements };
