import type { Migration } from './migration.ts';

const statements = [
  `CREATE TABLE poll_gaps (
    clinic TEXT NOT NULL,
    poll TEXT NOT NULL,
    from_at TEXT NOT NULL,
    to_at TEXT NOT NULL,
    PRIMARY KEY (clinic, poll, to_at)
  ) STRICT, WITHOUT ROWID`,
];

const postgres = [
  `CREATE TABLE poll_gaps (
    clinic text COLLATE "C" NOT NULL,
    poll text COLLATE "C" NOT NULL,
    from_at text COLLATE "C" NOT NULL,
    to_at text COLLATE "C" NOT NULL,
    PRIMARY KEY (clinic, poll, to_at))`,
];

export const pollGaps: Migration = { number: 106, name: 'poll-gaps', statements, postgres };
