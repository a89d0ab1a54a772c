import type { Need } from '../domain/report.ts';
import { type Clock, instant, toMs } from '../platform/clock.ts';
import { HOUR, MINUTE } from '../platform/duration.ts';
import type { LogOutput } from '../platform/log.ts';

/** A log that nothing takes costs no booking, but who looks into it later must know that it has gaps. */
export function logNeeds(output: LogOutput | undefined, clock: Pick<Clock, 'now'>): Need[] {
  const stalled = output?.stalled();
  const droppedAt = output?.droppedAt() ?? null;
  const now = clock.now();
  const isStalled = stalled !== undefined && now - toMs(stalled.since) > MINUTE;
  if (!isStalled && (droppedAt === null || now - toMs(droppedAt) > HOUR)) return [];
  return [
    {
      kind: 'clinic',
      subject: 'log',
      said: { name: 'log', count: output?.dropped() ?? 0, detail: stalled?.code ?? null },
      sentence: `Nothing takes our log lines${stalled === undefined ? ' for a time' : ` (${stalled.code})`}; dropped so far: ${output?.dropped() ?? 0}.`,
      action: 'Look at what collects the log (Docker’s log driver, journald), and at the space on its disk.',
      since: stalled?.since ?? droppedAt ?? instant(now),
      urgent: false,
    },
  ];
}
