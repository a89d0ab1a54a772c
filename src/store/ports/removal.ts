import type { Instant } from '../../platform/clock.ts';
import type { AppointmentKey, TrackedAppointment } from './appointments.ts';

/** What leaves the database: with age, or because a person asks for it. */
export interface RemovalVerbs {
  /**
   * Removes what is settled and older than the limits, in short transactions: never what waits for a person, a send or a
   * connector. Bookings stay counted in `totals`, and the change log keeps its numbers.
   */
  prune(keep: Keep, signal?: AbortSignal): Promise<Removed>;
  /** Everything that may be about a person. Half a second with 200,000 bookings, by an index: for commands. */
  findPerson(person: Person): Promise<PersonFound>;
  /**
   * Removes a person's data wherever this database holds it, booking by booking; the rows stay, without the person.
   * Bookings that wait are dropped first. Throws `Failure` transient while one of them is being sent: repeat it then,
   * what was erased stays erased. Idempotent.
   */
  erase(person: Person, at: Instant, by: string): Promise<Erased>;
  /** Erasures after the `n`-th, oldest first: what connectors have to take out of what they wrote. No personal data. */
  erasures(n: number): Promise<Erasure[]>;
}

/**
 * Finds bookings, and appointments followed without one, by every spelling of a phone number and by what a user knows
 * to be theirs.
 */
export interface Person {
  phones?: readonly string[];
  refs?: readonly string[];
  appointments?: readonly AppointmentKey[];
}

export interface PersonFound {
  /** Bookings with the phone number, and those given. */
  refs: string[];
  mentions: Mention[];
  /** Followed by number only, with the name of one of these bookings; only a user can tell who it is. */
  same_name: (AppointmentKey & Pick<TrackedAppointment, 'date' | 'time'>)[];
}

/** A booking with another or no number that mentions the number in its texts (`fields`). */
export interface Mention {
  ref: string;
  fields: string[];
}

/** Whom an erasure was about, as far as that may still be known. */
export interface Erasure {
  n: number;
  refs: string[];
  appointments: AppointmentKey[];
}

export interface Erased {
  /** Number of the last erasure this made (`Store.erasures`); 0 when there was nothing to erase. */
  last: number;
  refs: string[];
  appointment_ids: number[];
  /** Rows of the change log and deliveries that were rewritten. */
  changes: number;
  deliveries: number;
  /** False: a process is reading the database, and until it ends the write-ahead log keeps the old pages. */
  log_cleared: boolean;
  /** Our copies of the database beside it, which still hold everything. */
  copies: string[];
  /** Backups made with this program that are still where they were written. */
  backups: string[];
}

/** Since when things are kept. Undefined: for ever. */
export interface Keep {
  now: Instant;
  /**
   * Delivered and skipped deliveries, closed guards, erasures that every connector has applied; everything that waits for a
   * connector not configured since then, with its notes.
   */
  deliveries: Instant;
  /** What was learned from reading appointments. */
  observations: Instant;
  /** Settled bookings with their appointments, once their date is over. */
  bookings?: Instant | undefined;
  /** Those among them that a person dropped. */
  dropped?: Instant | undefined;
  /** The beginning of the change log, and of the audit but for its last 31 days; of the organization's figures one a month stays. */
  changes?: Instant | undefined;
  /** The configured connectors: what one of them has not taken yet stays. Others hold nothing back. */
  connectors: readonly string[];
  /** Those that remove erased people from what they wrote: an erasure is kept until all of them have. */
  forgetting: readonly string[];
}

/** How many rows were removed. */
export interface Removed {
  bookings: number;
  appointments: number;
  changes: number;
  deliveries: number;
  other: number;
}
