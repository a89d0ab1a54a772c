import type { Session } from '../../domain/audit.ts';
import type { Instant } from '../../platform/clock.ts';

export interface SessionVerbs {
  get(id: string): Promise<Session | undefined>;
  /** Deletes expired sessions. */
  start(session: Session): Promise<void>;
  seen(id: string, at: Instant): Promise<void>;
  /** Ends those that exist, in one transaction. */
  end(ids: readonly string[]): Promise<void>;
  /** Sessions that have not expired, the most recently used first. */
  list(at: Instant): Promise<Session[]>;
}
