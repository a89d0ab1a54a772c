import { recordFeesOfBefore } from '../fees/fees-of-before.ts';
import { feeViews } from '../schema-objects.ts';
import type { Migration } from './migration.ts';

const around = (dialect: 'sqlite' | 'postgres') => [
  'CREATE UNIQUE INDEX fee_periods_open ON fee_periods (clinic, kind, id) WHERE valid_to IS NULL',
  ...feeViews(dialect).map(({ name, select }) => `CREATE VIEW ${name} AS ${select}`),
];

const statements = [
  `CREATE TABLE fee_periods (
    clinic TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('treatment', 'dentist')),
    id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    name TEXT,
    fee TEXT,
    currency TEXT,
    valid_from TEXT NOT NULL,
    valid_to TEXT,
    PRIMARY KEY (clinic, kind, id, sequence)
  ) STRICT, WITHOUT ROWID`,
  ...around('sqlite'),
];

const postgres = [
  `CREATE TABLE fee_periods (
    clinic text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('treatment', 'dentist')),
    id text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    name text COLLATE "C",
    fee text COLLATE "C",
    currency text COLLATE "C",
    valid_from text COLLATE "C" NOT NULL,
    valid_to text COLLATE "C",
    PRIMARY KEY (clinic, kind, id, sequence))`,
  ...around('postgres'),
];

export const fees: Migration = { number: 105, name: 'fees', statements, postgres, fill: recordFeesOfBefore };
