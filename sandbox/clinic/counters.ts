import type { Clock } from '../../src/platform/clock.ts';
import { type Instant, instant } from '../../src/platform/clock.ts';
import type { Endpoint } from './routes.ts';

interface RecordedRequest {
  /** Counted from 1 since the sandbox started. */
  number: number;
  at: Instant;
  method: string;
  path: string;
  endpoint: Endpoint | 'other';
  /** `none`: no complete answer was sent. */
  status: number | 'none';
  fault: string | null;
}

interface RequestReport {
  total: number;
  connections: number;
  /** Endpoint → status → count. */
  counts: Record<string, Record<string, number>>;
  /** The latest requests, oldest first. */
  recent: RecordedRequest[];
}

const KEPT = 1_000;

export function createCounters(clock: Clock) {
  const counts: RequestReport['counts'] = {};
  const recent: RecordedRequest[] = [];
  let total = 0;

  return {
    next: () => {
      total += 1;
      return total;
    },
    record(request: Omit<RecordedRequest, 'at'>) {
      const byStatus = counts[request.endpoint] ?? {};
      counts[request.endpoint] = byStatus;
      byStatus[request.status] = (byStatus[request.status] ?? 0) + 1;
      recent.push({ ...request, at: instant(clock.now()) });
      if (recent.length > KEPT) recent.shift();
    },
    report: (connections: number): RequestReport => ({
      total,
      connections,
      counts: structuredClone(counts),
      recent: recent.map((request) => ({ ...request })),
    }),
  };
}
export type Counters = ReturnType<typeof createCounters>;
