import type { Migration } from './migration.ts';

const statements = [
  // A round reads pending appointments page by page, and none that are done.
  'CREATE INDEX appointments_followed ON appointments (clinic, appointment_id) WHERE done = 0',
];

export const followedIndex: Migration = { number: 65, name: 'followed-index', statements };
