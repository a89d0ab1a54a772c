import { said, saidOf } from '../domain/problem.ts';
import type { Instant } from '../platform/clock.ts';
import type { ConnectorState } from '../store/ports/deliveries.ts';
import { notPaused } from './circuit-breaker.ts';

/** What a person's pause changes. A running daemon reads it from the database. */
export function pausedBy(by: string | undefined, at: Instant): Partial<ConnectorState> {
  const why = by === undefined ? said('paused_by_person', {}) : said('paused_by', { who: by });
  return {
    paused: true,
    pause_kind: 'person',
    paused_reason: why.sentence,
    said: saidOf([why]),
    paused_at: at,
    paused_by: by ?? null,
  };
}

/** What a person's resuming changes. */
export const resumedBy = (by: string | undefined, at: Instant): Partial<ConnectorState> => ({
  ...notPaused,
  resumed_at: at,
  resumed_by: by ?? null,
  failures: 0,
  last_error: null,
});
