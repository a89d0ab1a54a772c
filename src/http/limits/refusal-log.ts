import type { Clock } from '../../platform/clock.ts';
import type { Log, LogFields } from '../../platform/log.ts';
import { createAllowance } from './allowance.ts';

/** Refused requests that are logged, a minute and connector. A stranger must not fill the disk with our log. */
const LOGGED_PER_MINUTE = 60;

/** Logs answers; of the refused ones only so many, and how many were left out with the next one that is logged. */
export function createAnswerLog(
  log: Log,
  clock: Clock,
): (connector: string, isRefused: boolean, fields: LogFields) => void {
  const allowance = createAllowance({ limit: LOGGED_PER_MINUTE, windowMs: 60_000, clock });
  const leftOut = new Map<string, number>();
  return (connector, isRefused, fields) => {
    const before = leftOut.get(connector) ?? 0;
    if (isRefused && allowance.waitMs(connector) !== undefined) {
      leftOut.set(connector, before + 1);
      return;
    }
    if (isRefused) allowance.count(connector);
    leftOut.delete(connector);
    log.info('intake answered', { connector, ...fields });
    if (before > 0) log.warn('intake refused more than is logged', { connector, count: before });
  };
}
