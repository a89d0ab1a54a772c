import { toMs } from '../../platform/clock.ts';
import { formatDuration } from '../../platform/duration.ts';
import { clause } from '../../platform/text/sentences.ts';
import type { ClinicReport, ConnectorReport } from '../reports/report.ts';

/** What the clinics' bookings wait for. Not trouble, because no one has to act. */
export const waitsOf = (clinics: readonly Pick<ClinicReport, 'clinic' | 'lane'>[], now: number): string[] =>
  clinics
    .filter(({ lane }) => lane.state === 'waiting')
    .map(({ clinic, lane }) => {
      const whose = clinics.length > 1 ? `Bookings of ${clinic}` : 'Bookings';
      return `${whose} ${waitWords(lane, now)}.`;
    });

/** Its last attempt failed, and events wait for the next one. */
export const isHeldUp = ({ state, pending }: ConnectorReport): boolean => state === 'failing' && pending > 0;

/** `wait, for 3 min at most: …` */
export function waitWords({ reason, until }: ClinicReport['lane'], now: number): string {
  const leftMs = until === undefined ? 0 : toMs(until) - now;
  const limit = leftMs > 0 ? `, for ${formatDuration(leftMs)} at most` : '';
  return `wait${limit}: ${clause(reason ?? '')}`;
}
