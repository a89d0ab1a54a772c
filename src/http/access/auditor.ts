import type { AuditEntry } from '../../domain/audit.ts';
import { type Clock, instant } from '../../platform/clock.ts';
import { asFailure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { AuditVerbs } from '../../store/ports/people.ts';
import type { Visitor } from './access.ts';

type Who = (Pick<Visitor, 'by'> & Pick<AuditEntry, 'role'>) | undefined;
type What = Pick<AuditEntry, 'action' | 'subject' | 'result' | 'address'>;

export type Auditor = ReturnType<typeof createAuditor>;

export function createAuditor({ store, clock, log }: { store: AuditVerbs; clock: Clock; log: Log }) {
  const entryOf = (who: Who, what: What): AuditEntry => ({
    at: instant(clock.now()),
    actor: who?.by ?? 'stranger',
    role: who?.role ?? 'none',
    ...what,
    // An IPv6 zone (RFC 4007, 11) can be any text.
    address: what.address?.replace(/%.*$/s, '') ?? null,
  });
  const lost = (kind: string) => (error: unknown) => {
    const { message } = asFailure(error, 'Writing the audit');
    log.error('the audit was not written', { kind, problem: message });
  };
  return {
    /** Writes a row. Does not throw: a failed write is logged and keeps no one from a booking. */
    note: (who: Who, what: What) => store.record(entryOf(who, what)).catch(lost(what.action)),
    /** Runs an action and writes its row in one transaction: see `AuditVerbs.perform`. */
    perform: <T>(
      who: Who,
      what: Omit<What, 'result'>,
      work: () => Promise<T>,
      refused: (error: unknown) => string = () => 'refused',
    ): Promise<T> =>
      store.perform(entryOf(who, { ...what, result: 'ok' }), work, { refused, lost: lost(what.action) }),
  };
}
