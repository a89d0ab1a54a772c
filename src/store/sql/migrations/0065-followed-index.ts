import type { Migration } from './migration.ts';

const statements = [
  // A round walks through what is pending a page at a time, and reads nothing of what is done.
  'CREATE INDEX appointments_followed ON appointments (clinic, appointment_id) WHERE done = 0',
];

export const followedIndex: Migration = { number: 65, name: 'followed-index', statements };
