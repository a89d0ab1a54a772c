import type { Migration } from './migration.ts';

/** Why a poll failed, for other languages than English. */
export const faultsOfPolls: Migration = {
  number: 211,
  name: 'faults-of-polls',
  statements: ['ALTER TABLE polls ADD COLUMN said TEXT'],
  postgres: ['ALTER TABLE polls ADD COLUMN said text COLLATE "C"'],
};
