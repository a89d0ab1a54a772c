import { type Instant, toMs } from '../../platform/clock.ts';
import { formatDuration, MINUTE } from '../../platform/duration.ts';
import { clause } from '../../platform/text/sentences.ts';
import type { ClinicReport, ConnectorReport } from './report.ts';

/** What the clinics' bookings wait for. Not trouble, because no one has to act. */
export const waitsOf = (clinics: readonly Pick<ClinicReport, 'clinic' | 'lane'>[], now: number): string[] =>
  clinics
    .filter(({ lane }) => lane.state === 'waiting')
    .map(({ clinic, lane }) => {
      const whose = clinics.length > 1 ? `Bookings of ${clinic}` : 'Bookings';
      return `${whose} ${waitWords(lane, now)}.`;
    });

/** Its last attempt failed, or some events were refused: what it has to bring waits for the next one. */
export const isHeldUp = ({ use, state, pending, said = {} }: ConnectorReport): boolean =>
  (state === 'failing' && !use.startsWith('notify:')) ||
  (pending > 0 && Object.values(said).some(({ code }) => code === 'deliveries_held_up'));

/** Shorter waits are how a limit is learned. */
const SHORT_WAIT_MS = MINUTE;

/** Before when the clinic’s server wants no call; undefined if that is soon. */
export function askedToWait({ limiter }: Pick<ClinicReport, 'limiter'>, now: number): Instant | undefined {
  const { blocked_since: since, blocked_until: until } = limiter;
  if (since === null || until === null || toMs(until) <= now) return undefined;
  return toMs(until) - toMs(since) > SHORT_WAIT_MS ? until : undefined;
}

/** `wait, for 3 min at most: …` */
export function waitWords({ reason, until }: ClinicReport['lane'], now: number): string {
  const leftMs = until === undefined ? 0 : toMs(until) - now;
  const limit = leftMs > 0 ? `, for ${formatDuration(leftMs)} at most` : '';
  return `wait${limit}: ${clause(reason ?? '')}`;
}
