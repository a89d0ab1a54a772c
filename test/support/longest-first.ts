import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, longest first; also on a machine that has never run the tests and knows no durations. */
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

/** Long files first within each project: begun last, one worker would wait for it while the other has nothing to do. */
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
