import type { Log } from '../../platform/log.ts';
import type { ReviewItem } from './review-item.ts';

/** A flood of leads that are held must not fill the disk with reminders: the rest follow in the next minutes. */
const AT_ONCE = 50;

export interface Reminders {
  /** Everything that waits now; what is not in it is forgotten. To be called about once a minute. */
  remind(asked: readonly ReviewItem[]): void;
  /** One that may just have begun to wait, said at once without looking through all others; not asked for in a flood. */
  notice(ask: () => ReviewItem | undefined): void;
}

/**
 * Writes into the log, where whatever watches the daemon sees it, that a booking waits for a person: when it begins, as
 * each alert comes due, and every day until it is settled. A restart says once more what still waits.
 */
export function createReminders(log: Log): Reminders {
  let said = new Map<string, string>();
  let left = AT_ONCE;

  function say(asked: ReviewItem): void {
    const { subject, clinic = '', since, alerts, days, state, reason } = asked;
    const due = [since, ...alerts, days].join(' ');
    if (said.get(subject) === due || left === 0) return;
    left -= 1;
    said.set(subject, due);
    const kind = alerts.at(-1) ?? '';
    log.warn('a booking waits for a person', { clinic, ref: subject, state, reason: reason ?? '', kind });
  }

  return {
    remind(asked) {
      left = AT_ONCE;
      const before = said;
      said = new Map();
      for (const { subject } of asked) {
        const due = before.get(subject);
        if (due !== undefined) said.set(subject, due);
      }
      for (const one of asked) say(one);
    },
    notice(ask) {
      const asked = left > 0 ? ask() : undefined;
      if (asked !== undefined) say(asked);
    },
  };
}
