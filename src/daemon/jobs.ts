import { polls } from '../model/resource.ts';
import type { ScheduleParts } from '../schedule/schedule.ts';
import type { ClinicParts } from './parts.ts';

type Job = ScheduleParts['jobs'][number];

/** Five minutes: a list of thousands of rows behind a slow limit needs its time, a hung connection does not. */
const DEADLINE_MS = 5 * 60_000;

/** Every poll of every clinic as a job; `changed` runs after one that changed something. */
export const jobsOf = (clinics: Iterable<ClinicParts>, changed: () => void): Job[] =>
  [...clinics].flatMap(({ settings, mirror }) =>
    polls.map(
      (poll): Job => ({
        clinic: settings.key,
        poll,
        cron: settings.schedule[poll],
        deadlineMs: DEADLINE_MS,
        async run(signal) {
          const result = await mirror.poll(poll, signal);
          if (result.changes.length > 0) changed();
          return result;
        },
      }),
    ),
  );
