import type { Clock } from '../../platform/clock.ts';
import { MINUTE } from '../../platform/duration.ts';
import type { Log, LogFields } from '../../platform/log.ts';
import { createAllowance } from './allowance.ts';

/** Logged answers without a stored booking, per minute and connector: 60 would be 13 MB of log in a day of flood. */
const LOGGED_PER_MINUTE = 10;

/** Logs every stored booking and a limited number of other answers; the next line tells how many were left out. */
export function createAnswerLog(log: Log, clock: Clock): (connector: string, fields: LogFields) => void {
  const allowance = createAllowance({ limit: LOGGED_PER_MINUTE, windowMs: MINUTE, clock });
  const leftOut = new Map<string, number>();
  return (connector, fields) => {
    const before = leftOut.get(connector) ?? 0;
    const isStored = fields.ref !== undefined;
    if (!isStored && allowance.waitMs(connector) !== undefined) {
      leftOut.set(connector, before + 1);
      return;
    }
    if (!isStored) allowance.count(connector);
    leftOut.delete(connector);
    log.info('intake answered', { connector, ...fields });
    if (before > 0) log.warn('intake refused more than is logged', { connector, count: before });
  };
}
