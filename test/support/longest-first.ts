import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first, for a machine that has no recorded durations. */
const longest = [
  'stories/fleet',
  'standing-still',
  'crash-points',
  'server-restored',
  'store/postgres',
  'stop-points',
  'google-sheets/chaos',
  'app/app',
  'stories/isolation',
  'form-in-a-browser',
  'bookings.model',
  'app/units',
  'behind-a-proxy',
  'kill-under-load',
  'http/sockets',
  'stopping',
  'overload',
  'erased-patient',
  'restored-state',
  'planted-patient',
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
