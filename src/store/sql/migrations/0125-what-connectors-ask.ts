import type { Migration } from './migration.ts';

const column = (text: string) => [`ALTER TABLE connectors ADD COLUMN asks ${text} NOT NULL DEFAULT '[]'`];

/** Which of a connector's problems require a user; filled in by its next run. */
export const whatConnectorsAsk: Migration = {
  number: 125,
  name: 'what-connectors-ask',
  statements: column('TEXT'),
  postgres: column('text COLLATE "C"'),
};
