import * as z from 'zod';
import { type Instant, toMs } from '../platform/clock.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import { instantSchema, orNull, textSchema } from './outward.ts';
import { roles } from './role.ts';

/** Replaces a subject that does not exist: what a user types may be a patient's name. */
export const NO_SUCH = '(none of that name)';

/** Milliseconds. Reading the audit is audited only once within this time, since users page and reload. */
export const AUDIT_READ_EVERY_MS = 15 * MINUTE;

export const auditEntry = z.strictObject({
  at: instantSchema,
  /** A user's name, `NAME (proxy)`, `NAME (oidc)` for a provider's account, `admin (NAME)`, or `stranger`. */
  actor: textSchema,
  /** `cli`: a user of this machine, at the command line. */
  role: z.enum([...roles, 'cli', 'none']),
  /** Words with dots: `sign_in`, `booking.approve`, `patients.read`. */
  action: textSchema,
  /** An existing booking reference, connector, guard or clinic. */
  subject: orNull(textSchema),
  /** `ok`, or the reason in a few words. */
  result: textSchema,
  /** The client's address; null at the command line. */
  address: orNull(textSchema),
});
/** One entry of the audit log: who did what, to what, with which result. Never patient data. */
export type AuditEntry = z.infer<typeof auditEntry>;

/** A browser session. */
export interface Session {
  /** Hash of the cookie's value: identifies the session but does not grant access. */
  id: string;
  /** The configured person; empty for the admin token; `oidc ROLE` for people of a provider. */
  person: string;
  /** The name stored with the user's actions. */
  by: string;
  /** Ties the session to the person's token: a new token ends it. */
  proof: string;
  address: string;
  started_at: Instant;
  seen_at: Instant;
  ends_at: Instant;
}

/** An idle session ends early. */
const IDLE_MS = HOUR;

export const isSessionOver = ({ seen_at, ends_at }: Session, now: number): boolean =>
  toMs(ends_at) <= now || toMs(seen_at) + IDLE_MS <= now;
