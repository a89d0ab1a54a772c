import { type Poll, polls } from '../domain/resource.ts';
import type { ScheduleParts } from '../sync/schedule/schedule.ts';
import type { ClinicParts } from './parts.ts';

type Job = ScheduleParts['jobs'][number];

/** Five minutes: a list of thousands of rows behind a slow limit needs its time, a hung connection does not. */
const DEADLINE_MS = 5 * 60_000;

/** Polls that a person asked for: they leave nothing out. */
export interface Requests {
  add(clinic: string, poll: Poll): void;
  /** True once per request. */
  take(clinic: string, poll: Poll): boolean;
}

export function createRequests(): Requests {
  const asked = new Set<string>();
  return {
    add: (clinic, poll) => void asked.add(`${clinic}/${poll}`),
    take: (clinic, poll) => asked.delete(`${clinic}/${poll}`),
  };
}

/** Every poll of every clinic as a job; `changed` runs after one that changed something. */
export const jobsOf = (clinics: Iterable<ClinicParts>, requests: Requests, changed: () => void): Job[] =>
  [...clinics].flatMap(({ settings, mirror }) =>
    polls.map(
      (poll): Job => ({
        clinic: settings.key,
        poll,
        cron: settings.schedule[poll],
        deadlineMs: DEADLINE_MS,
        async run(signal) {
          const result = await mirror.poll(poll, signal, { all: requests.take(settings.key, poll) });
          if (result.changes.length > 0) changed();
          return result;
        },
      }),
    ),
  );
