import { polls } from '../../../src/domain/clinics/resource.ts';
import type { Ending } from '../daemon/daemon-process.ts';
import { carePoints, restoredPoints, sendingPoints, unattendedPoints } from './booking-points.ts';
import { archivePoints, deliveryPoints, inboxPoints } from './connector-points.ts';
import { describeEndings } from './describe-endings.ts';
import type { Scenario } from './scenario.ts';
import { sheetPoints } from './sheet-points.ts';
import { filePoints, writePoints } from './store-points.ts';

const isLongRun = Number(process.env.VERIFY_RUNS ?? 1) > 1;

/** What the daemon is doing when it ends; each is an installation of its own. */
const installations = {
  'while it books': [...sendingPoints, ...carePoints, ...restoredPoints, ...unattendedPoints],
  'before a commit': [...filePoints, ...writePoints.filter((_, index) => index % 2 === 0)],
  'after a commit': writePoints.filter((_, index) => index % 2 === 1),
  'while it delivers': [...deliveryPoints, ...inboxPoints, ...archivePoints],
  'while it keeps a sheet': sheetPoints,
} satisfies Record<string, Scenario[]>;
export type When = keyof typeof installations;

export const always = Object.keys(installations) as When[];
export const everyScenario: Scenario[] = Object.values(installations).flat();

/**
 * Several installations side by side; the points are theirs, all of them together are every named one. In the long run
 * each daemon is a process. In the test command it shares the test's, where an ending leaves the same files and broken
 * connections for a quarter of the time; commands beside it are processes either way.
 */
export function describeEveryPoint(ending: Ending, whens: readonly When[]): void {
  for (const when of whens)
    describeEndings(
      ending,
      `a daemon that is ${ending === 'SIGKILL' ? 'killed' : 'told to stop'} ${when}`,
      installations[when],
      {
        ...optionsOf(`${ending} ${when}`),
        sheet: when === 'while it keeps a sheet',
        here: !isLongRun,
      },
    );
}

/** Accepted and not sent, about to be sent, sent and not written down. */
const samples = ['bookings.after_accept', 'bookings.intent_durable', 'bookings.after_send'];

/** What the test command does to a process of its own; the long run does all of it anyway. */
export function describeSamples(): void {
  if (isLongRun) return;
  const scenarios = sendingPoints.filter(
    ({ deaths }) => deaths.length === 1 && deaths.every(({ point }) => samples.includes(point)),
  );
  describeEndings('SIGKILL', 'a daemon whose process is killed', scenarios, optionsOf('process'));
}

const optionsOf = (name: string) => ({
  name: name.toLowerCase().replaceAll(' ', '-'),
  clinic: { schedule: Object.fromEntries(polls.map((poll) => [poll, '*/3 * * * * *'])) },
  files: { archive: 'monthly' },
});
