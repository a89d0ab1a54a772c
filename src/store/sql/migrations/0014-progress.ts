import type { Migration } from './migration.ts';

/** How far sending got, so that an older copy of the file is noticed by the marker beside it. */
const statements = ['ALTER TABLE identity ADD COLUMN claims INTEGER NOT NULL DEFAULT 0'];

export const progress: Migration = { number: 14, name: 'progress', statements };
