import type { Migration } from './migration.ts';

/** Existing changes get their hashes while the daemon runs. */
const pendingHeads = `INSERT INTO chain_heads (clinic, sequence, hash, pending)
  SELECT clinic, min(sequence) - 1, '', 1 FROM changes GROUP BY clinic`;
const endPoints = 'ALTER TABLE removed_changes ADD COLUMN hash';

const statements = [
  `CREATE TABLE change_hashes (
    clinic TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    salt TEXT,
    personal TEXT,
    PRIMARY KEY (clinic, sequence)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE chain_heads (
    clinic TEXT NOT NULL PRIMARY KEY,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    pending INTEGER NOT NULL CHECK (pending IN (0, 1))
  ) STRICT, WITHOUT ROWID`,
  `${endPoints} TEXT`,
  pendingHeads,
];

const postgres = [
  `CREATE TABLE change_hashes (
    clinic text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    salt text COLLATE "C",
    personal text COLLATE "C",
    PRIMARY KEY (clinic, sequence))`,
  `CREATE TABLE chain_heads (
    clinic text COLLATE "C" PRIMARY KEY,
    sequence bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    pending bigint NOT NULL CHECK (pending IN (0, 1)))`,
  `${endPoints} text COLLATE "C"`,
  pendingHeads,
];

export const chain: Migration = { number: 104, name: 'chain', statements, postgres };
