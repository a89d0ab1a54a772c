import type { Migration } from './migration.ts';

const column = (text: string) => [`ALTER TABLE connectors ADD COLUMN told_by ${text} NOT NULL DEFAULT '{}'`];

/** Which worker of a connector reported a problem: a successful run of one cleared what another had reported. */
export const whoTold: Migration = {
  number: 150,
  name: 'who-told',
  statements: column('TEXT'),
  postgres: column('text COLLATE "C"'),
};
