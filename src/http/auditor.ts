import type { AuditEntry } from '../model/audit.ts';
import { type Clock, instant } from '../model/clock.ts';
import { asFailure } from '../model/failure.ts';
import type { Log } from '../model/log.ts';
import type { AuditVerbs } from '../store/store.ts';
import type { Visitor } from './access.ts';

export type Auditor = (
  who: Pick<Visitor, 'by' | 'role'> | undefined,
  what: Pick<AuditEntry, 'action' | 'subject' | 'result' | 'address'>,
) => Promise<void>;

/** Writes the audit. A database that cannot be written stops nobody from looking at a booking; the log says so then. */
export function createAuditor({ store, clock, log }: { store: AuditVerbs; clock: Clock; log: Log }): Auditor {
  return async (who, what) => {
    const actor = who?.by ?? 'stranger';
    try {
      await store.record({ at: instant(clock.now()), actor, role: who?.role ?? 'none', ...what });
    } catch (error) {
      const { message } = asFailure(error, 'Writing the audit');
      log.error('the audit was not written', { kind: what.action, problem: message });
    }
  };
}
