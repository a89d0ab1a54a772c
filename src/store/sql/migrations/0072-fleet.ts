import type { Migration } from './migration.ts';

/** Lets the owners of clinics see at a glance which of them changed. */
export const headsInTime = [
  'ALTER TABLE clinic_heads ADD COLUMN changed_at timestamptz NOT NULL DEFAULT clock_timestamp()',
  'CREATE INDEX clinic_heads_in_time ON clinic_heads (changed_at)',
];

/** `role`: a command that does a daemon's work is not a member, and no member takes a unit while it lives. */
export const severalMembers = [
  `ALTER TABLE members
    ADD COLUMN role text NOT NULL DEFAULT 'daemon' CHECK (role IN ('daemon', 'command')),
    ADD COLUMN schema bigint NOT NULL DEFAULT 72,
    ADD COLUMN config_hash text NOT NULL DEFAULT '',
    ADD COLUMN since timestamptz NOT NULL DEFAULT clock_timestamp()`,
  `CREATE TABLE units (
    unit text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL,
    owner text COLLATE "C",
    fence bigint NOT NULL DEFAULT 0,
    since timestamptz,
    sends_from timestamptz NOT NULL DEFAULT '-infinity')`,
  'CREATE INDEX units_of ON units (owner)',
];

/** A database file has a single process, which owns everything. */
export const fleet: Migration = {
  number: 72,
  name: 'fleet',
  statements: [],
  postgres: ['DROP INDEX members_one', ...headsInTime, ...severalMembers],
};
