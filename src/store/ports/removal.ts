import type { Instant } from '../../platform/clock.ts';
import type { AppointmentKey, TrackedAppointment } from './appointments.ts';

/** Removal of data, because of its age or at a user's request. */
export interface RemovalVerbs {
  /**
   * Removes what is settled and older than the limits, in short transactions: never what waits for a user, a send or a
   * connector. Bookings stay counted in `totals`, and the change log keeps its numbers.
   */
  prune(keep: Keep, signal?: AbortSignal): Promise<Removed>;
  /** Everything that may be about a person. Half a second for 200,000 bookings, by index: for commands. */
  findPerson(person: PersonFilter): Promise<PersonFound>;
  /**
   * Removes a person's data wherever this database holds it, booking by booking; the rows stay. Drops waiting bookings
   * first. Throws `Failure` transient while one of them is being sent: then repeat it. Idempotent.
   */
  erase(person: PersonFilter, at: Instant, by: string): Promise<Erased>;
  /** Erasures after number `n`, oldest first, for connectors to apply to what they wrote. No personal data. */
  erasures(n: number): Promise<Erasure[]>;
}

/**
 * Finds bookings, and appointments tracked without one, by every spelling of a phone number and by what a user knows to
 * be the person's.
 */
export interface PersonFilter {
  phones?: readonly string[];
  refs?: readonly string[];
  appointments?: readonly AppointmentKey[];
}

export interface PersonFound {
  /** The given bookings, and those with the phone number. */
  refs: string[];
  mentions: Mention[];
  /** Tracked by number only, with the name of one of these bookings; only a user can tell who it is. */
  same_name: (AppointmentKey & Pick<TrackedAppointment, 'date' | 'time'>)[];
}

/** A booking with another or no phone number that mentions this one in its texts (`fields`). */
export interface Mention {
  ref: string;
  fields: string[];
}

/** The subject of an erasure, as far as that may still be known. */
export interface Erasure {
  n: number;
  refs: string[];
  appointments: AppointmentKey[];
}

export interface Erased {
  /** Number of the last erasure this created (`Store.erasures`); 0 if there was nothing to erase. */
  last: number;
  refs: string[];
  appointment_ids: number[];
  /** Rewritten rows of the change log and of deliveries. */
  changes: number;
  deliveries: number;
  /** False: a process is reading the database, and the write-ahead log keeps the old pages until it ends. */
  log_cleared: boolean;
  /** Our copies of the database beside it, which still contain everything. */
  copies: string[];
  /** Backups made with this program that still exist where they were written. */
  backups: string[];
}

/** Cut-off times of retention. Undefined: keep for ever. */
export interface Keep {
  now: Instant;
  /**
   * Delivered and skipped deliveries, closed guards, and erasures applied by every connector; also everything that
   * waits for a connector unconfigured since then, with its notes.
   */
  deliveries: Instant;
  /** Observations of appointments. */
  observations: Instant;
  /** Settled bookings with their appointments, once their date is over. */
  bookings?: Instant | undefined;
  /** Those of them that a user dropped. */
  dropped?: Instant | undefined;
  /** Change log, audit (never its last 31 days) and the organization's figures, of which one a month stays. */
  changes?: Instant | undefined;
  /** The configured connectors: changes that one of them has not taken yet stay. Others hold nothing back. */
  connectors: readonly string[];
  /** Connectors that remove erased people from what they wrote: an erasure stays until all of them have. */
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
