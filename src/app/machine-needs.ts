import { hostname } from 'node:os';
import { conditionNeed } from '../domain/status/need-words.ts';
import type { Need } from '../domain/status/report.ts';
import { type Clock, instant, toMs } from '../platform/clock.ts';
import type { ClockTrust } from '../platform/clock-trust.ts';
import { formatDuration, HOUR, MINUTE } from '../platform/duration.ts';
import type { LogOutput } from '../platform/log.ts';

/** A log that nothing takes costs no booking, but who looks into it later must know that it has gaps. */
export function logNeeds(output: LogOutput | undefined, clock: Pick<Clock, 'now'>): Need[] {
  const stalled = output?.stalled();
  const droppedAt = output?.droppedAt() ?? null;
  const now = clock.now();
  const isStalled = stalled !== undefined && now - toMs(stalled.since) > MINUTE;
  if (!isStalled && (droppedAt === null || now - toMs(droppedAt) > HOUR)) return [];
  return [
    conditionNeed('log', {
      ...{ count: output?.dropped() ?? 0, detail: stalled?.code ?? null },
      since: stalled?.since ?? droppedAt ?? instant(now),
    }),
  ];
}

/** A clock that leapt, stands before our own data, or is minutes off the clinic's. */
export function clockNeeds(trust: Pick<ClockTrust, 'fault'>): Need[] {
  const { since, offMs } = trust.fault() ?? { since: undefined, offMs: null };
  if (since === undefined) return [];
  const side = (offMs ?? 0) > 0 ? 'ahead of' : 'behind';
  const what =
    offMs === null
      ? 'is before its own data, or leapt'
      : `is ${formatDuration(Math.abs(offMs))} ${side} that of the clinic’s server`;
  const detail = `The clock of this machine ${what}.`;
  return [conditionNeed('clock', { since, what: hostname(), detail })];
}
