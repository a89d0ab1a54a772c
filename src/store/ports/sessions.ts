import type { Session } from '../../domain/audit.ts';
import type { Instant } from '../../platform/clock.ts';

export interface SessionVerbs {
  get(id: string): Promise<Session | undefined>;
  /** Forgets the sessions whose time is over. */
  start(session: Session): Promise<void>;
  seen(id: string, at: Instant): Promise<void>;
  /** Ends those that are there, all in one transaction. */
  end(ids: readonly string[]): Promise<void>;
  /** Those whose time is not over, the last used first. */
  list(at: Instant): Promise<Session[]>;
}
