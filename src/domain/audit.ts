import { type Instant, toMs } from '../platform/clock.ts';
import type { Role } from './role.ts';

/** One line of the audit: who did what to which thing, and how it ended. Never patient data. */
export interface AuditEntry {
  at: Instant;
  /** A person's name; `stranger` where nobody is signed in. */
  actor: string;
  /** `cli`: a user of this machine, at the command line. */
  role: Role | 'cli' | 'none';
  /** Words with dots: `sign_in`, `booking.approve`, `patients.read`. */
  action: string;
  /** A booking's reference, a connector, a guard, a clinic. */
  subject: string | null;
  /** `ok`, or why not, in a few words. */
  result: string;
  /** Where it came from; null at the command line. */
  address: string | null;
}

/** A session in a browser. */
export interface Session {
  /** A hash of what the cookie holds: it shows which session is meant, and opens nothing. */
  id: string;
  /** Which of the configured people; empty: the admin token. */
  person: string;
  /** What is stored with what they do. */
  by: string;
  /** Ties the session to the person's token: another token ends it. */
  proof: string;
  address: string;
  started_at: Instant;
  seen_at: Instant;
  ends_at: Instant;
}

/** A session without anybody at work ends early. */
const IDLE_MS = 60 * 60_000;

export const isSessionOver = ({ seen_at, ends_at }: Session, now: number): boolean =>
  toMs(ends_at) <= now || toMs(seen_at) + IDLE_MS <= now;
