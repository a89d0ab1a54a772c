import type { Log } from '../../model/log.ts';
import type { Attention } from './attention.ts';

/** A flood of leads that are held must not fill the disk with reminders: the rest follow in the next minutes. */
const AT_ONCE = 50;

/**
 * Writes into the log, where whatever watches the daemon sees it, that a booking waits for a person: when it begins, as
 * each alert comes due, and every day until it is settled. A restart says once more what still waits.
 */
export function createReminders(log: Log): { remind(asked: readonly Attention[]): void } {
  let said = new Map<string, string>();
  return {
    remind(asked) {
      const now = new Map<string, string>();
      let left = AT_ONCE;
      for (const { subject, clinic = '', since, alerts, days, state, reason } of asked) {
        const due = [since, ...alerts, days].join(' ');
        const before = said.get(subject);
        if (before !== due && left > 0) {
          left -= 1;
          const kind = alerts.at(-1) ?? '';
          log.warn('a booking waits for a person', {
            clinic,
            ref: subject,
            state,
            reason: reason ?? '',
            kind,
          });
          now.set(subject, due);
        } else if (before !== undefined) now.set(subject, before);
      }
      said = now;
    },
  };
}
