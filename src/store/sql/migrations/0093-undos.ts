import type { Migration } from './migration.ts';

const columns = (text: string) => `
    ref ${text} NOT NULL PRIMARY KEY REFERENCES bookings (ref) ON DELETE CASCADE,
    seen ${text} NOT NULL,
    until_at ${text} NOT NULL,
    booking ${text} NOT NULL`;

export const undos: Migration = {
  number: 93,
  name: 'undos',
  statements: [`CREATE TABLE undos (${columns('TEXT')}) STRICT`],
  postgres: [`CREATE TABLE undos (${columns('text COLLATE "C"')})`],
};
