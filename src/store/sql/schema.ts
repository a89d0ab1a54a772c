import { bookingTables, ofBooking } from './booking-tables.ts';
import {
  type Column,
  type ColumnValue,
  computed,
  counter,
  flagColumn,
  integer,
  json,
  type Kyselised,
  listColumn,
  neverReused,
  numbered,
  optional,
  recordColumns,
  textColumn,
} from './column.ts';

/**
 * What every mirrored record has besides its own fields. Users read the views `treatments`, `dentists`, …, which leave
 * out `id` and `hash` and turn `last_seen_at` into `seen_at`: a poll that finds 100,000 records unchanged then writes
 * one row (`polls.recorded_at`) instead of rewriting all of them.
 */
const kept = {
  clinic: textColumn,
  id: textColumn,
  hash: textColumn,
  raw: json,
  first_seen_at: textColumn,
  changed_at: textColumn,
  removed_at: optional.text,
  /** Null if the latest poll saw it, else when an answer last contained it. */
  last_seen_at: optional.text,
} as const;

/**
 * Every table, its columns in the order of a new database. Columns that end in `_at` are instants. For composite keys,
 * indexes, views and triggers, see `schema-objects.ts`.
 */
export const tables = {
  organization_things: { ...recordColumns.organization, ...kept },
  website_things: { ...recordColumns.website, ...kept },
  treatments_things: { ...recordColumns.treatments, ...kept },
  dentists_things: { ...recordColumns.dentists, ...kept },
  organization_statistics: {
    clinic: textColumn,
    at: textColumn,
    total_users: optional.integer,
    total_patients: optional.integer,
    total_appointments: optional.integer,
    total_doctors: optional.integer,
    first_seen_at: { ...computed, is: 'at' },
    changed_at: { ...computed, is: 'at' },
    seen_at: textColumn,
    removed_at: { ...computed, is: 'NULL' },
    raw: json,
  },
  appointments: {
    clinic: textColumn,
    appointment_id: integer,
    status: optional.text,
    name: optional.text,
    date: optional.text,
    time: optional.text,
    ref: optional.text,
    status_changed_at: optional.text,
    next_due_at: optional.text,
    done: flagColumn,
    first_seen_at: textColumn,
    changed_at: textColumn,
    seen_at: optional.text,
    removed_at: optional.text,
    raw: optional.json,
    /**
     * First of the present series of answers that the clinic does not know a number whose status was read, and their
     * count.
     */
    missed_at: optional.text,
    misses: counter,
    /** Only in a row that is done because of its date: when that was. A clock set back makes it pending again. */
    followed_until: optional.text,
  },
  observations: {
    n: numbered,
    clinic: textColumn,
    appointment_id: integer,
    status: textColumn,
    date: textColumn,
    time: textColumn,
    from_at: textColumn,
    to_at: textColumn,
    changed: flagColumn,
  },
  changes: {
    clinic: textColumn,
    sequence: { ...integer, above: 0 },
    at: textColumn,
    type: textColumn,
    resource: textColumn,
    id: textColumn,
    data: json,
    previous: optional.json,
  },
  ...bookingTables,
  /** `hash`: of the last removed change, which the first remaining one follows; null if it had none. */
  removed_changes: {
    clinic: { ...textColumn, key: 'given' },
    through: integer,
    at: textColumn,
    hash: optional.text,
  },
  /** The hash chain of the change log; see `changes/chain.ts`. */
  change_hashes: {
    clinic: textColumn,
    sequence: integer,
    hash: textColumn,
    salt: optional.text,
    personal: optional.text,
  },
  /** The newest change in the chain. `pending`: changes of an older version wait for their hash. */
  chain_heads: {
    clinic: { ...textColumn, key: 'given' },
    sequence: integer,
    hash: textColumn,
    pending: flagColumn,
  },
  /** Fees of treatments (`fee` as the clinic sent it) and dentists' consultations. Users read two views of it. */
  fee_periods: {
    clinic: textColumn,
    kind: { ...textColumn, oneOf: ['treatment', 'dentist'] },
    id: textColumn,
    /** Sequence of the change that began it. */
    sequence: integer,
    name: optional.text,
    fee: optional.text,
    currency: optional.text,
    valid_from: textColumn,
    valid_to: optional.text,
    /** Sequence of the removal that ended it. */
    removed_by: optional.integer,
  },
  booking_events: {
    n: numbered,
    ref: ofBooking,
    at: textColumn,
    from_state: optional.text,
    to_state: textColumn,
    actor: textColumn,
    by: textColumn,
    reason: optional.text,
    message: optional.text,
    /** What was known about the outcome after this move; a new attempt starts without any. */
    evidence: optional.json,
  },
  /** A user's decision that may be undone until `until_at`: the booking before it, and `seenOf` it after. */
  undos: {
    ref: { ...ofBooking, key: 'given' },
    seen: textColumn,
    until_at: textColumn,
    booking: json,
  },
  deliveries: {
    n: neverReused,
    id: { ...textColumn, unique: true },
    connector: textColumn,
    clinic: textColumn,
    sequence: integer,
    type: textColumn,
    thing: textColumn,
    body: textColumn,
    state: textColumn,
    attempts: integer,
    created_at: textColumn,
    next_attempt_at: textColumn,
    last_error: optional.text,
    delivered_at: optional.text,
  },
  /** `replays`: number of replays so far. */
  cursors: { connector: textColumn, clinic: textColumn, sequence: integer, replays: counter },
  connectors: {
    connector: { ...textColumn, key: 'given' },
    paused: flagColumn,
    paused_reason: optional.text,
    last_success_at: optional.text,
    last_failure_at: optional.text,
    last_error: optional.text,
    failures: integer,
    problems: json,
    pause_kind: { ...optional.text, oneOf: ['automatic', 'person', 'gone'] },
    paused_at: optional.text,
    paused_by: optional.text,
    resumed_at: optional.text,
    resumed_by: optional.text,
    /** The last erasure it has applied. */
    forgotten: counter,
    /** Problems that require a user. */
    asks: listColumn,
    /** Both, by the worker that reported them, for connectors that deliver events and keep a state. */
    told_by: { ...json, default: '{}' },
    /** Code and values of its sentences, by sentence. */
    said: { ...json, default: '{}' },
  },
  erasures: { n: neverReused, at: textColumn, refs: json, appointments: json },
  /** Gaps of more than two hours between two answers about treatments or dentists. */
  poll_gaps: { clinic: textColumn, poll: textColumn, from_at: textColumn, to_at: textColumn },
  polls: {
    clinic: textColumn,
    poll: textColumn,
    next_due_at: optional.text,
    last_started_at: optional.text,
    last_success_at: optional.text,
    last_error: optional.text,
    failures: integer,
    rows: integer,
    /** When the newest complete answer of this poll was recorded. */
    recorded_at: optional.text,
    last_idle_at: optional.text,
    /** Start of the current series of failures; meaningless if there is none. */
    failing_since: optional.text,
    last_change_at: optional.text,
    /** Code and values of `last_error`, if it has any. */
    said: optional.text,
  },
  /** Hourly activity of each clinic and connector during the last week. */
  activity: {
    series: textColumn,
    at: textColumn,
    answered: integer,
    refused: integer,
    failed: integer,
    total_ms: integer,
    most: integer,
  },
  /** Periods of trouble, with their cause. */
  incidents: {
    n: neverReused,
    clinic: optional.text,
    kind: textColumn,
    subject: textColumn,
    health: textColumn,
    sentence: textColumn,
    since: textColumn,
    ended_at: optional.text,
  },
  guards: {
    n: neverReused,
    clinic: textColumn,
    poll: textColumn,
    kind: textColumn,
    fingerprint: textColumn,
    seen: integer,
    count: integer,
    of: integer,
    sentence: textColumn,
    state: textColumn,
    first_at: textColumn,
    last_at: textColumn,
    approved_by: optional.text,
    things: listColumn,
    approval_only: { ...flagColumn, default: 0 },
  },
  unreadable: {
    clinic: textColumn,
    poll: textColumn,
    /** The id, or `[3]` for the fourth of a list without ids. */
    thing: textColumn,
    id: optional.text,
    position: optional.integer,
    field: optional.text,
    problem: textColumn,
    tries: integer,
    first_at: textColumn,
    last_at: textColumn,
  },
  sessions: {
    id: { ...textColumn, key: 'given' },
    person: textColumn,
    by: textColumn,
    proof: textColumn,
    address: textColumn,
    started_at: textColumn,
    seen_at: textColumn,
    ends_at: textColumn,
  },
  audit: {
    n: neverReused,
    at: textColumn,
    actor: textColumn,
    role: textColumn,
    action: textColumn,
    subject: optional.text,
    result: textColumn,
    address: optional.text,
  },
  memory: { scope: textColumn, key: textColumn, value: textColumn },
  identity: {
    only: { ...integer, key: 'numbered', oneOf: [1] },
    instance: textColumn,
    epoch: integer,
    /** Set only in backups, so that a daemon recognizes an older copy. */
    copied_at: optional.text,
    restored_at: optional.text,
    checked_at: optional.text,
    /** Bookings ever claimed for sending; see the marker beside the file. */
    claims: counter,
  },
  migrations: { number: { ...integer, key: 'numbered' }, name: textColumn, at: textColumn },
} as const;

type Tables = typeof tables;
export type Schema = {
  [T in keyof Tables]: {
    [C in keyof Tables[T]]: Tables[T][C] extends Column ? Kyselised<Tables[T][C]> : never;
  };
};

export type Stored<T extends keyof Tables> = {
  [C in keyof Tables[T]]: Tables[T][C] extends Column ? ColumnValue<Tables[T][C]> : never;
};
