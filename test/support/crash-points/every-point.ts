import { carePoints, restoredPoints, sendingPoints } from './booking-points.ts';
import { archivePoints, deliveryPoints, inboxPoints } from './connector-points.ts';
import { describeEndings } from './describe-endings.ts';
import type { Ending } from './die.ts';
import type { Scenario } from './scenario.ts';
import { filePoints, writePoints } from './store-points.ts';

const installations: Record<string, Scenario[]> = {
  'while it books': [...sendingPoints, ...carePoints, ...restoredPoints],
  'before a commit': [...filePoints, ...writePoints.filter((_, index) => index % 2 === 0)],
  'after a commit': writePoints.filter((_, index) => index % 2 === 1),
  'while it delivers': [...deliveryPoints, ...inboxPoints, ...archivePoints],
};

export const everyScenario = Object.values(installations).flat();

/** Several installations side by side, together ending once at every named point. */
export function describeEveryPoint(ending: Ending): void {
  for (const [when, scenarios] of Object.entries(installations))
    describeEndings(
      ending,
      `a daemon that is ${ending === 'SIGKILL' ? 'killed' : 'told to stop'} ${when}`,
      scenarios,
      {
        name: `${ending}-${when.replaceAll(' ', '-')}`.toLowerCase(),
        files: { archive: 'monthly' },
      },
    );
}
