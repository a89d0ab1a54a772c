import { bookingTables, ofBooking } from './booking-tables.ts';
import {
  type Cell,
  type Column,
  computed,
  counter,
  flag,
  integer,
  json,
  type Kyselised,
  list,
  neverReused,
  numbered,
  optional,
  recordColumns,
  text,
} from './column.ts';

/**
 * What every mirrored record has besides its own fields. Users read the views `treatments`, `dentists`, …, which leave
 * out `id` and `hash` and turn `last_seen_at` into `seen_at`: a poll that finds 100,000 records unchanged then writes
 * one row (`polls.recorded_at`) instead of rewriting all of them.
 */
const kept = {
  clinic: text,
  id: text,
  hash: text,
  raw: json,
  first_seen_at: text,
  changed_at: text,
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
    clinic: text,
    at: text,
    total_users: optional.integer,
    total_patients: optional.integer,
    total_appointments: optional.integer,
    total_doctors: optional.integer,
    first_seen_at: { ...computed, is: 'at' },
    changed_at: { ...computed, is: 'at' },
    seen_at: text,
    removed_at: { ...computed, is: 'NULL' },
    raw: json,
  },
  appointments: {
    clinic: text,
    appointment_id: integer,
    status: optional.text,
    name: optional.text,
    date: optional.text,
    time: optional.text,
    ref: optional.text,
    status_changed_at: optional.text,
    next_due_at: optional.text,
    done: flag,
    first_seen_at: text,
    changed_at: text,
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
    clinic: text,
    appointment_id: integer,
    status: text,
    date: text,
    time: text,
    from_at: text,
    to_at: text,
    changed: flag,
  },
  changes: {
    clinic: text,
    sequence: { ...integer, above: 0 },
    at: text,
    type: text,
    resource: text,
    id: text,
    data: json,
    previous: optional.json,
  },
  ...bookingTables,
  /** `hash`: of the last removed change, which the first remaining one follows; null if it had none. */
  removed_changes: { clinic: { ...text, key: 'given' }, through: integer, at: text, hash: optional.text },
  /** The hash chain of the change log; see `changes/chain.ts`. */
  change_hashes: {
    clinic: text,
    sequence: integer,
    hash: text,
    salt: optional.text,
    personal: optional.text,
  },
  /** The newest change in the chain. `pending`: changes of an older version wait for their hash. */
  chain_heads: { clinic: { ...text, key: 'given' }, sequence: integer, hash: text, pending: flag },
  /** Fees of treatments (`fee` as the clinic sent it) and dentists' consultations. Users read two views of it. */
  fee_periods: {
    clinic: text,
    kind: { ...text, oneOf: ['treatment', 'dentist'] },
    id: text,
    /** Sequence of the change that began it. */
    sequence: integer,
    name: optional.text,
    fee: optional.text,
    currency: optional.text,
    valid_from: text,
    valid_to: optional.text,
    /** Sequence of the removal that ended it. */
    removed_by: optional.integer,
  },
  booking_events: {
    n: numbered,
    ref: ofBooking,
    at: text,
    from_state: optional.text,
    to_state: text,
    actor: text,
    by: text,
    reason: optional.text,
    message: optional.text,
    /** What was known about the outcome after this move; a new attempt starts without any. */
    evidence: optional.json,
  },
  /** A user's decision that may be undone until `until_at`: the booking before it, and `seenOf` it after. */
  undos: {
    ref: { ...ofBooking, key: 'given' },
    seen: text,
    until_at: text,
    booking: json,
  },
  deliveries: {
    n: neverReused,
    id: { ...text, unique: true },
    connector: text,
    clinic: text,
    sequence: integer,
    type: text,
    thing: text,
    body: text,
    state: text,
    attempts: integer,
    created_at: text,
    next_attempt_at: text,
    last_error: optional.text,
    delivered_at: optional.text,
  },
  /** `replays`: number of replays so far. */
  cursors: { connector: text, clinic: text, sequence: integer, replays: counter },
  connectors: {
    connector: { ...text, key: 'given' },
    paused: flag,
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
    asks: list,
    /** Both, by the worker that reported them, for connectors that deliver events and keep a state. */
    told_by: { ...json, default: '{}' },
    /** Code and values of its sentences, by sentence. */
    said: { ...json, default: '{}' },
  },
  erasures: { n: neverReused, at: text, refs: json, appointments: json },
  /** Gaps of more than two hours between two answers about treatments or dentists. */
  poll_gaps: { clinic: text, poll: text, from_at: text, to_at: text },
  polls: {
    clinic: text,
    poll: text,
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
    series: text,
    at: text,
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
    kind: text,
    subject: text,
    health: text,
    sentence: text,
    since: text,
    ended_at: optional.text,
  },
  guards: {
    n: neverReused,
    clinic: text,
    poll: text,
    kind: text,
    fingerprint: text,
    seen: integer,
    count: integer,
    of: integer,
    sentence: text,
    state: text,
    first_at: text,
    last_at: text,
    approved_by: optional.text,
    things: list,
    approval_only: { ...flag, default: 0 },
  },
  unreadable: {
    clinic: text,
    poll: text,
    /** The id, or `[3]` for the fourth of a list without ids. */
    thing: text,
    id: optional.text,
    position: optional.integer,
    field: optional.text,
    problem: text,
    tries: integer,
    first_at: text,
    last_at: text,
  },
  sessions: {
    id: { ...text, key: 'given' },
    person: text,
    by: text,
    proof: text,
    address: text,
    started_at: text,
    seen_at: text,
    ends_at: text,
  },
  audit: {
    n: neverReused,
    at: text,
    actor: text,
    role: text,
    action: text,
    subject: optional.text,
    result: text,
    address: optional.text,
  },
  memory: { scope: text, key: text, value: text },
  identity: {
    only: { ...integer, key: 'numbered', oneOf: [1] },
    instance: text,
    epoch: integer,
    /** Set only in backups, so that a daemon recognizes an older copy. */
    copied_at: optional.text,
    restored_at: optional.text,
    checked_at: optional.text,
    /** Bookings ever claimed for sending; see the marker beside the file. */
    claims: counter,
  },
  migrations: { number: { ...integer, key: 'numbered' }, name: text, at: text },
} as const;

type Tables = typeof tables;
export type Schema = {
  [T in keyof Tables]: {
    [C in keyof Tables[T]]: Tables[T][C] extends Column ? Kyselised<Tables[T][C]> : never;
  };
};

export type Stored<T extends keyof Tables> = {
  [C in keyof Tables[T]]: Tables[T][C] extends Column ? Cell<Tables[T][C]> : never;
};
