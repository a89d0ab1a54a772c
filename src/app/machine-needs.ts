import { hostname } from 'node:os';
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
    {
      kind: 'clinic',
      subject: 'log',
      said: { name: 'log', count: output?.dropped() ?? 0, detail: stalled?.code ?? null },
      sentence:
        'Nothing takes our log ' +
        `lines${stalled === undefined ? ' for a time' : ` (${stalled.code})`}; dropped ` +
        `so far: ${output?.dropped() ?? 0}.`,
      action: 'Look at what collects the log (Docker’s log driver, journald), and at the space on its disk.',
      since: stalled?.since ?? droppedAt ?? instant(now),
      urgent: false,
    },
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
  return [
    {
      kind: 'clinic',
      subject: 'clock',
      said: { name: 'fleet_clock', what: hostname() },
      sentence: `The clock of this machine ${what}.`,
      action: 'Synchronize it (NTP); if it is right, tell whoever runs the clinic’s server.',
      since,
      urgent: false,
    },
  ];
}
