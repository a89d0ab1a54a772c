import fc from 'fast-check';
import type { Decision } from '../../../src/bookings/review/resolution.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { settle } from '../fake-clock.ts';
import { bookingsJudge, type Judge } from './judge.ts';
import { type AnswerName, answers } from './scripted-clinic.ts';
import { keepPaused, type World } from './world.ts';

const answerNames = Object.keys(answers) as AnswerName[];
const people = [
  { patient_name: 'Rahim Uddin', patient_phone: '01712-345678' },
  { patient_name: 'Karima Begum', patient_phone: '01712 345678' },
  { patient_name: 'Nadia Islam', patient_phone: '+880 1911 222333' },
] as const;

const which = fc.nat({ max: 5 });
const span = fc.constantFrom(1_000, 20_000, 70_000, 11 * 60_000, 40 * 60_000);

/** One thing that happens to bookings: a source, the clinic, time, a crash or a person. */
export const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('submit' as const),
      who: fc.nat({ max: people.length - 1 }),
      /** Hours from the start of the story. */
      slot: fc.constantFrom(1, 30, 54),
      id: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('answer' as const),
      next: fc.array(fc.constantFrom(...answerNames), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('fail_reads' as const), times: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('pass' as const), ms: span }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('crash' as const), after: fc.integer({ min: 1, max: 70 }) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('restart' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constantFrom(
        'approve' as const,
        'take' as const,
        'edit' as const,
        'drop' as const,
        'reopen' as const,
        'reconcile' as const,
      ),
      which,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('move' as const), which, slot: fc.constantFrom(1, 30, 54) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('resolve' as const),
      which,
      as: fc.constantFrom('its number', 'another number', 'no number', 'not there', 'send again'),
      confirm: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('resume' as const, 'pause' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('by_hand' as const), who: fc.nat({ max: 2 }) }) },
);
export type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** Lets it all happen, and holds every step against the clinic's ledger. Throws `Violation`. */
export async function tell(
  world: World,
  story: readonly Happening[],
  reopen?: () => Promise<World['store']>,
): Promise<void> {
  const judge = bookingsJudge(world);
  const startedAt = world.clock.now();
  await world.start();
  try {
    for (const step of story) {
      await happen(world, judge, step, startedAt, reopen);
      if (world.life.dead) await restart(world, reopen);
      await judge.check();
    }
    await calm(world, judge, reopen);
  } finally {
    world.crash();
  }
}

async function happen(
  world: World,
  judge: Judge,
  step: Happening,
  startedAt: number,
  reopen: (() => Promise<World['store']>) | undefined,
): Promise<void> {
  const { clinic, bookings } = world;
  const refs = judge.refs();
  switch (step.what) {
    case 'submit': {
      const { date, time } = slotIn(startedAt, step.slot);
      const fields = { ...people[step.who], appointment_date: date, appointment_time: time };
      const submission = step.id === undefined ? undefined : `${clinic.key}-${step.id}`;
      const before = await world.store.bookings.list({ clinic: clinic.key });
      const answer = await answered(
        world,
        world.accept(fields, submission === undefined ? {} : { submission_id: submission }),
      );
      if (answer !== undefined)
        await judge.accepted(answer, `${step.who} ${date} ${time}`, submission, before);
      return;
    }
    case 'answer':
      clinic.script.push(...step.next);
      return;
    case 'fail_reads':
      clinic.failReads += step.times;
      return;
    case 'pass':
      return await pass(world, step.ms);
    case 'crash':
      world.life.dieIn(step.after);
      await pass(world, 20_000);
      world.crash();
      return;
    case 'restart':
      await stop(world);
      return await restart(world, reopen);
    case 'resume':
      judge.resumed();
      await answered(world, bookings.resumeSending(clinic.key, 'Mina'));
      return;
    case 'pause':
      await stop(world);
      await keepPaused(world.store, clinic.key, world.clock.now());
      return await restart(world, reopen);
    case 'by_hand': {
      const { date, time } = slotIn(startedAt, 30);
      clinic.bookByHand(people[step.who % people.length]?.patient_name ?? '', date, time);
      return;
    }
    default: {
      const ref = refs[step.which % Math.max(1, refs.length)];
      if (ref !== undefined) await decide(world, judge, step, { ref, startedAt });
    }
  }
}

type Person = Extract<Happening, { which: number }>;

async function decide(
  world: World,
  judge: Judge,
  step: Person,
  { ref, startedAt }: { ref: string; startedAt: number },
): Promise<void> {
  const { bookings, clinic } = world;
  switch (step.what) {
    case 'approve':
      await answered(world, bookings.approve(ref, 'Mina'));
      return;
    case 'take':
      await answered(world, bookings.take(ref, 'Mina'));
      return;
    case 'edit':
      judge.edited(ref);
      await answered(world, bookings.edit(ref, { note: 'call first' }, 'Mina'));
      return;
    case 'move': {
      judge.edited(ref);
      const { date, time } = slotIn(startedAt, step.slot);
      const edit = { appointment_date: date, appointment_time: time };
      await answered(world, bookings.edit(ref, edit, 'Mina'));
      return;
    }
    case 'drop':
      await answered(world, bookings.drop(ref, 'Mina', 'patient cancelled'));
      return;
    case 'reopen':
      await answered(world, bookings.reopen(ref, 'Mina'));
      return;
    case 'reconcile': {
      const looking = bookings.reconcile(ref, 'Mina');
      looking.catch(() => {});
      await pass(world, 130_000);
      await answered(world, looking);
      return;
    }
    case 'resolve': {
      if ((await world.store.bookings.get(ref))?.state !== 'unknown') return;
      const id = clinic.ledger.find((entry) => entry.ref === ref)?.id ?? 7;
      const decisions: Record<typeof step.as, Decision> = {
        'its number': { as: 'booked', appointment_id: id, confirm: step.confirm },
        'another number': { as: 'booked', appointment_id: id + 1, confirm: step.confirm },
        'no number': { as: 'booked-no-id' },
        'not there': { as: 'not-booked', send_again: false, confirm: step.confirm },
        'send again': { as: 'not-booked', send_again: true, confirm: step.confirm },
      };
      // Said before it is done: a crash may come between the two.
      if (step.as === 'send again') judge.released(ref);
      await answered(world, bookings.resolve(ref, decisions[step.as], 'Mina'));
    }
  }
}

/** The answer; undefined when it was refused, or never came because the process died. */
async function answered<T>(world: World, promise: Promise<T>): Promise<T | undefined> {
  const refused = (error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  };
  const answer = promise.catch(refused);
  for (let turns = 0; turns < 20; turns += 1) {
    const arrived = await Promise.race([answer.then((value) => ({ value })), settle(5)]);
    if (arrived !== undefined) return arrived.value;
    if (world.life.dead) return undefined;
  }
  throw new Error('a verb was not answered');
}

/** Long stretches are jumped: what waits is judged by the wall clock, and the loops look once a minute. */
async function pass(world: World, ms: number): Promise<void> {
  const walked = Math.min(ms, 65_000);
  world.clock.jump(ms - walked);
  await world.clock.advance(walked);
}

async function stop(world: World): Promise<void> {
  const stopping = world.bookings.stop();
  await world.clock.advance(10_000);
  await answered(world, stopping);
}

async function restart(world: World, reopen?: () => Promise<World['store']>): Promise<void> {
  world.crash();
  await settle(30);
  await world.start(await reopen?.());
}

/** Everything works again and people do what they can: what is left must be at an end, or in front of a person. */
async function calm(world: World, judge: Judge, reopen?: () => Promise<World['store']>): Promise<void> {
  world.clinic.script.length = 0;
  world.clinic.failReads = 0;
  await stop(world);
  await restart(world, reopen);
  for (let round = 0; round < 3; round += 1) {
    judge.resumed();
    await answered(world, world.bookings.resumeSending(world.clinic.key, 'Mina'));
    await pass(world, 11 * 60_000);
  }
  await judge.final();
  await stop(world);
}

function slotIn(startedAt: number, hours: number): { date: string; time: string } {
  // Dhaka is six hours ahead, without daylight saving.
  const local = new Date(startedAt + (hours + 6) * 3_600_000).toISOString();
  return { date: local.slice(0, 10), time: `${local.slice(11, 13)}:00` };
}
