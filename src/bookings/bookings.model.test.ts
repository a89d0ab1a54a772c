import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Violation } from '../../test/support/bookings/judge.ts';
import { type Happening, happening, tell } from '../../test/support/bookings/story.ts';
import { bookingsWorld } from '../../test/support/bookings/world.ts';
import { wrongPolicies } from '../../test/support/bookings/wrong-policies.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../platform/log.ts';
import { openFileStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';

const factor = Number(process.env.VERIFY_RUNS ?? 1);
const isLongRun = factor > 1;
/** Different in each run of the test command: many runs are the proof. */
const STORIES = isLongRun ? 2_000 : 300;
const STORIES_PER_STORE = 25;
const batches = Array.from({ length: factor }, (_, index) => index + 1);
const reopenedStories = isLongRun ? Math.ceil(40 * factor) : 15;
/** A wrong policy is found long before. */
const spoiledStories = 1_000;
const long = { timeout: 300_000 + 1_000 * reopenedStories };

const story = fc.array(happening, { minLength: 3, maxLength: 12 });
const reconcile = fc.constantFrom('on_request' as const, 'auto' as const);

/** Stories that once broke a promise, as the shrinking left them. */
const broken: [Happening[], 'on_request'][] = [
  [
    [
      { what: 'submit', who: 0, slot: 1, id: undefined },
      { what: 'submit', who: 0, slot: 30, id: undefined },
      { what: 'restart' },
      { what: 'fail_reads', times: 1 },
      { what: 'submit', who: 0, slot: 1, id: undefined },
      { what: 'answer', next: ['booked'] },
      { what: 'pass', ms: 1_000 },
    ],
    'on_request',
  ],
  [
    [
      { what: 'answer', next: ['refused'] },
      { what: 'submit', who: 0, slot: 30, id: undefined },
      { what: 'pass', ms: 1_000 },
      { what: 'submit', who: 1, slot: 30, id: undefined },
      { what: 'pass', ms: 1_000 },
      { what: 'approve', which: 0 },
    ],
    'on_request',
  ],
];

const anyone = { what: 'submit', who: 0, slot: 1, id: undefined } as const;
/** Stories that showed a policy to be wrong, tried first: to look for another one takes up to 20 seconds. */
const telling: Readonly<Record<string, Happening[]>> = {
  'queues again on restart what was being sent': [
    anyone,
    { what: 'approve', which: 0 },
    { what: 'crash', after: 9 },
    { what: 'resume' },
  ],
  'sends again after a reset': [
    { what: 'answer', next: ['reset_before'] },
    anyone,
    { what: 'pass', ms: 70_000 },
    { what: 'fail_reads', times: 1 },
    anyone,
  ],
  'sends again after a 5xx': [
    { what: 'answer', next: ['status_503_after', 'booked'] },
    anyone,
    { what: 'by_hand', who: 0 },
    { what: 'crash', after: 11 },
  ],
  'counts a success without a number as booked': [
    { what: 'answer', next: ['no_id'] },
    anyone,
    { what: 'restart' },
    { what: 'crash', after: 15 },
    { what: 'answer', next: ['booked'] },
  ],
};

/**
 * Tells each story at a clinic of its own, a few in one store: opening a database costs more than telling a story, and
 * a daemon that looks after the clinics of hundreds of stories is slow.
 */
function teller(spoil?: (typeof wrongPolicies)[string]) {
  let clock = fakeClock();
  let store: Store | undefined;
  onTestFinished(() => store?.close());
  let stories = 0;
  return fc.asyncProperty(story, reconcile, async (happenings, mode) => {
    if (store === undefined || stories % STORIES_PER_STORE === 0) {
      await store?.close();
      clock = fakeClock();
      store = await openFileStore({ file: ':memory:', clock, log: silentLog, mode: 'daemon' });
    }
    stories += 1;
    const world = {
      store,
      clock,
      key: `clinic-${stories}`,
      rules: { reconcile: mode },
      ...(spoil && { spoil }),
    };
    await tell(bookingsWorld(world), happenings);
  });
}

describe('bookings, whatever happens', () => {
  it.each(batches)(
    'are each sent at most once unless a person releases them, and none is lost (%i)',
    long,
    async () => {
      const kept = teller();

      // A failure names its seed, its path and the shortest story that still fails.
      await expect(fc.assert(kept, { numRuns: STORIES, examples: broken })).resolves.toBeUndefined();
    },
  );

  it.each(Object.entries(wrongPolicies))('notices a daemon that %s', long, async (policy, spoil) => {
    const spoiled = teller(spoil);

    const result = await fc.check(spoiled, {
      numRuns: spoiledStories,
      endOnFailure: true,
      examples: [[telling[policy] ?? [], 'on_request'], ...broken],
    });

    expect(result.errorInstance).toBeInstanceOf(Violation);
  });
});

describe('bookings, whatever happens, with the database closed and opened at every restart', () => {
  let folder: string;
  let stories = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'clinic-sync-bookings-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are each sent at most once unless a person releases them, and none is lost', long, async () => {
    const kept = fc.asyncProperty(story, reconcile, async (happenings, mode) => {
      stories += 1;
      const file = join(folder, `${stories}.db`);
      const clock = fakeClock();
      const open = () => openFileStore({ file, clock, log: silentLog, mode: 'daemon' });
      const world = bookingsWorld({ store: await open(), clock, rules: { reconcile: mode } });
      const reopen = async () => {
        await world.store.close();
        return await open();
      };
      try {
        await tell(world, happenings, reopen);
      } finally {
        await world.store.close();
      }
    });

    await expect(fc.assert(kept, { numRuns: reopenedStories })).resolves.toBeUndefined();
  });
});
