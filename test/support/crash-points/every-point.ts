import { polls } from '../../../src/domain/resource.ts';
import { carePoints, restoredPoints, sendingPoints, unattendedPoints } from './booking-points.ts';
import { archivePoints, deliveryPoints, inboxPoints } from './connector-points.ts';
import { describeEndings } from './describe-endings.ts';
import type { Ending } from './die.ts';
import type { Scenario } from './scenario.ts';
import { sheetPoints } from './sheet-points.ts';
import { filePoints, writePoints } from './store-points.ts';

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

/** Several installations side by side; the points are theirs, all of them together are every named one. */
export function describeEveryPoint(ending: Ending, whens: readonly When[]): void {
  for (const when of whens)
    describeEndings(
      ending,
      `a daemon that is ${ending === 'SIGKILL' ? 'killed' : 'told to stop'} ${when}`,
      installations[when],
      {
        name: `${ending}-${when}`.toLowerCase().replaceAll(' ', '-'),
        clinic: { schedule: Object.fromEntries(polls.map((poll) => [poll, '*/3 * * * * *'])) },
        files: { archive: 'monthly' },
        sheet: when === 'while it keeps a sheet',
      },
    );
}
