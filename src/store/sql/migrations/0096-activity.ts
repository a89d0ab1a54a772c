import type { Migration } from './migration.ts';

const indexes = [
  'CREATE INDEX activity_in_time ON activity (at)',
  'CREATE INDEX incidents_of_clinic ON incidents (clinic, n)',
  'CREATE INDEX changes_of_resource ON changes (clinic, resource, sequence)',
];

export const activity: Migration = {
  number: 96,
  name: 'activity',
  statements: [
    `CREATE TABLE activity (
      series TEXT NOT NULL,
      at TEXT NOT NULL,
      answered INTEGER NOT NULL,
      refused INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      total_ms INTEGER NOT NULL,
      most INTEGER NOT NULL,
      PRIMARY KEY (series, at)
    ) STRICT, WITHOUT ROWID`,
    ...indexes,
  ],
  postgres: [
    `CREATE TABLE activity (
      series text COLLATE "C" NOT NULL,
      at text COLLATE "C" NOT NULL,
      answered bigint NOT NULL,
      refused bigint NOT NULL,
      failed bigint NOT NULL,
      total_ms bigint NOT NULL,
      most bigint NOT NULL,
      PRIMARY KEY (series, at)
    )`,
    ...indexes,
  ],
};
