import type { Alarm } from '../../domain/status/report.ts';
import { formatDuration, MINUTE, SECOND } from '../../platform/duration.ts';

/** State of a job by the monotonic clock; durations in milliseconds. */
export interface Standing {
  /** `treatments of main` */
  title: string;
  intervalMs: number;
  deadlineMs: number;
  overdueMs: number;
  isRunning: boolean;
  /** The last run was stopped at its deadline. */
  wasStopped: boolean;
  /** Runs that did not end when stopped. */
  abandoned: number;
  /** How long the database has not answered; 0 when no write is pending. */
  writingForMs: number;
  writeProblem: string | undefined;
}

const LEAST_OVERDUE_MS = 30 * SECOND;
const LONG_RUN_MS = 5 * MINUTE;

const stuck = { action: 'If it lasts, restart clinic-sync: nothing is lost by that.', asksPerson: true };
const slow = { action: 'The clinic answers too slowly; the poll is repeated.', asksPerson: false };
export const brokenStore = {
  about: 'database',
  action: 'See what `clinic-sync doctor` says about the disk.',
  asksPerson: true,
} as const;

/** What is not running as it should; empty when all is well. Pure. */
export const alarmsOf = (standing: Standing): Alarm[] =>
  [lateAlarm(standing), abandonedAlarm(standing), storeAlarm(standing)].filter(
    (alarm) => alarm !== undefined,
  );

function lateAlarm({ title, intervalMs, deadlineMs, overdueMs, isRunning, wasStopped }: Standing) {
  // A slow clinic is no reason for a restart, so a run in progress gets more time.
  if (overdueMs >= Math.max(intervalMs * 1.5, isRunning ? LONG_RUN_MS : LEAST_OVERDUE_MS)) {
    const every = `it should end every ${formatDuration(intervalMs)}`;
    const sentence = `Polling ${title} is ${formatDuration(overdueMs)} overdue (${every}).`;
    return { sentence, ...(isRunning ? slow : stuck) };
  }
  if (!wasStopped) return undefined;
  const sentence = `The last run of ${title} did not end within ${formatDuration(deadlineMs)} and was aborted.`;
  return { sentence, ...slow };
}

function abandonedAlarm({ title, abandoned }: Standing): Alarm | undefined {
  if (abandoned === 0) return undefined;
  const runs = abandoned === 1 ? 'One run' : `${abandoned} runs`;
  return { sentence: `${runs} of ${title} did not stop when asked.`, ...stuck };
}

function storeAlarm({ title, intervalMs, writingForMs, writeProblem }: Standing): Alarm | undefined {
  if (writingForMs > 0 && writingForMs >= Math.min(intervalMs * 1.5, MINUTE))
    return {
      sentence: `The database has not answered for ${formatDuration(writingForMs)}.`,
      ...brokenStore,
    };
  return writeProblem === undefined
    ? undefined
    : { sentence: `The next due time of ${title} could not be stored: ${writeProblem}`, ...brokenStore };
}
