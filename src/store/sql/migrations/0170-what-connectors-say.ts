import type { Migration } from './migration.ts';

const column = (text: string) => [`ALTER TABLE connectors ADD COLUMN said ${text} NOT NULL DEFAULT '{}'`];

/** Code and values of what connectors say, for other languages; what was said before stays as its English sentence. */
export const whatConnectorsSay: Migration = {
  number: 170,
  name: 'what-connectors-say',
  statements: column('TEXT'),
  postgres: column('text COLLATE "C"'),
};
