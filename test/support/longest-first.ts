import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first, for a machine that has no recorded durations. */
const longest = [
  'stories/month-of-messages',
  'stories/accessible-pages',
  'store/postgres',
  'stories/year-of-reports',
  'stories/crash-points',
  'stories/fleet',
  'stories/form-in-a-browser',
  'stories/kill-under-load',
  'stories/standing-still',
  'connector/connectors',
  'stories/stop-points',
  'stories/server-restored',
  'google-sheets/chaos',
  'stories/behind-a-proxy',
  'app/notifications',
  'stories/isolation',
  'conformance/store/crash',
  'app/app',
  'stories/people-in-a-browser',
  'conformance/store/sqlite',
  'bookings/bookings.model',
  'stories/refused-tab',
  'app/probe',
  'stories/desk-at-work',
  'stories/load-balancer',
  'stories/stopping',
];

/** Slow files first within each project: started last, one would run on while the other workers idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.toSorted((one, other) =>
      one.project.name === other.project.name ? rank(one) - rank(other) : 0,
    );
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return index < 0 ? longest.length : index;
}
