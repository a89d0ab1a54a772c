import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first, for a machine that has no recorded durations. */
const longest = [
  'crash-points',
  'stop-points',
  'standing-still',
  'kill-under-load',
  'restored-state',
  'planted-patient',
  'flooded-form',
  'day-of-flood',
  'bookings.model',
  'app/app',
  'isolation/isolation',
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
