import type { Migration } from './migration.ts';

/** How far sending got, so that the marker beside the file reveals an older copy. */
const statements = ['ALTER TABLE identity ADD COLUMN claims INTEGER NOT NULL DEFAULT 0'];

export const progress: Migration = { number: 14, name: 'progress', statements };
