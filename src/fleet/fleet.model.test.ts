import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../test/support/fake-clock.ts';
import { instant } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import {
  type FleetTimes,
  type FleetVerbs,
  fleetTimes,
  type Taken,
  type Tenure,
} from '../store/ports/fleet.ts';
import { startMember } from './member.ts';
import type { OwnedUnit } from './owned-unit.ts';
import { trustLeftMs } from './trust-window.ts';

const TIMES = fleetTimes();
const UNITS = ['clinic/a', 'clinic/b', 'clinic/c', 'clinic/d', 'clinic/e'];
const MEMBERS = 3;
const SLICE_MS = 500;

/** The rows and the clock of the database, as `src/store/postgres/fleet-verbs.ts` keeps them. */
function database() {
  let now = 0;
  const members = new Map<string, number>();
  const notRun = new Map<string, Set<string>>();
  const units = new Map<string, { owner: string | null; fence: number; sendsFrom: number }>();
  const lives = (id: string | null) => id !== null && (members.get(id) ?? -1) > now;

  const verbs = (isCutOff: () => boolean, times: FleetTimes): FleetVerbs => {
    const reached = async () => {
      if (isCutOff()) throw new Error('cut off');
    };
    const isFree = (unit: string, id: string, held: readonly string[]) => {
      const { owner = null } = units.get(unit) ?? {};
      return owner === null || !lives(owner) || (owner === id && !held.includes(unit));
    };
    return {
      times,
      async register(wanted) {
        await reached();
        for (const { unit } of wanted)
          if (!units.has(unit)) units.set(unit, { owner: null, fence: 0, sendsFrom: 0 });
      },
      async join({ id }) {
        await reached();
        members.set(id, now + TIMES.ttlMs);
      },
      async beat(id) {
        await reached();
        if (!lives(id)) return false;
        members.set(id, now + TIMES.ttlMs);
        return true;
      },
      async leave(id) {
        await reached();
        members.set(id, now);
        for (const unit of units.values()) if (unit.owner === id) unit.owner = null;
      },
      async supply(id, names, held) {
        await reached();
        notRun.set(id, new Set([...units.keys()].filter((unit) => !names.includes(unit))));
        const others = [...members.keys()].filter(
          (other) => other !== id && lives(other) && notRun.has(other),
        );
        const ableOf = (unit: string) => others.filter((other) => !notRun.get(other)?.has(unit));
        const classes = Map.groupBy(names, (unit) => ableOf(unit).join());
        return [...classes.values()].map((all) => ({
          units: all.length,
          free: all.filter((unit) => isFree(unit, id, held)),
          held: all.filter((unit) => held.includes(unit)),
          members: 1 + ableOf(all[0] ?? '').length,
        }));
      },
      async take(id, names, held, atMost) {
        await reached();
        if (!lives(id)) return [];
        return names
          .filter((unit) => isFree(unit, id, held))
          .slice(0, atMost)
          .map((unit): Taken => {
            const row = units.get(unit) ?? { owner: null, fence: 0, sendsFrom: 0 };
            if (row.owner !== null) row.sendsFrom = now + TIMES.ttlMs;
            Object.assign(row, { owner: id, fence: row.fence + 1 });
            units.set(unit, row);
            return { unit, fence: row.fence, sendsInMs: Math.max(0, row.sendsFrom - now), isFailing: false };
          });
      },
      noteStart: async () => {},
      async giveBack(id, names) {
        await reached();
        for (const name of names) {
          const row = units.get(name);
          if (row?.owner === id) row.owner = null;
        }
      },
      news: async () => [],
      announce: async () => {},
      watch: () => ({ isHeard: false, stop: async () => {} }),
      report: async () => ({ at: instant(now), members: [], units: [], left: [] }),
    };
  };
  return {
    verbs,
    pass(ms: number) {
      now += ms;
    },
  };
}

interface Machine {
  clock: FakeClock;
  running: Map<string, Tenure>;
  isCutOff: boolean;
  /** Since when it is suspended, in passed milliseconds; undefined while it runs. */
  stoodStillFor: number | undefined;
  stop(): Promise<void>;
}

function startMachine(
  db: ReturnType<typeof database>,
  times: FleetTimes,
  {
    host = 'somewhere',
    on = undefined as string | undefined,
    isSlow = false,
    canRun = (_unit: string): boolean => true,
  } = {},
): Machine {
  const clock = fakeClock();
  const running = new Map<string, Tenure>();
  const machine: Machine = {
    clock,
    running,
    isCutOff: false,
    stoodStillFor: undefined,
    stop: async () => {},
  };
  const units = UNITS.map(
    (unit): OwnedUnit => ({
      unit,
      kind: 'clinic',
      ...(unit === 'clinic/a' && { on }),
      canRun: () => canRun(unit),
      isBusy: () => false,
      async start(tenure) {
        if (isSlow) await clock.sleep(600_000, new AbortController().signal);
        running.set(unit, tenure);
      },
      stop: async () => void running.delete(unit),
    }),
  );
  const verbs = db.verbs(() => machine.isCutOff, times);
  const about = { version: '1', config_hash: 'x', host };
  const started = startMember({ verbs, units, ...about, clock, log: silentLog });
  machine.stop = async () => {
    const stopping = started.then((member) => member.stop());
    await clock.advance(10_000);
    await stopping;
  };
  return machine;
}

type Step =
  | { do: 'pass'; ms: number }
  | { do: 'stand still' | 'go on' | 'cut off' | 'reach' | 'replace'; who: number }
  | { do: 'set clock'; who: number; ms: number };

const who = fc.nat(MEMBERS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 500, max: 25_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('stand still' as const, 'go on' as const, 'cut off' as const, 'reach' as const),
      who,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant('set clock' as const), who },
      ms: fc.integer({ min: -60_000, max: 60_000 }),
    }),
  },
);

/** Who may send for each unit at this moment, among those that run. */
function senders(machines: readonly Machine[]): string[] {
  const found = machines
    .filter(({ stoodStillFor }) => stoodStillFor === undefined)
    .flatMap(({ running }) => [...running.values()].filter((tenure) => tenure.maySend()))
    .map(({ unit }) => unit);
  return found.filter((unit, i) => found.indexOf(unit) !== i);
}

/** Resolves to what two could send for at the same moment, at any moment of the story. */
async function play(steps: readonly Step[], times = TIMES): Promise<{ doubled: string[]; spread: number[] }> {
  const db = database();
  const machines = Array.from({ length: MEMBERS }, () => startMachine(db, times));
  const gone: Machine[] = [];
  const doubled = new Set<string>();
  const look = () => {
    for (const unit of senders(machines)) doubled.add(unit);
  };
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= SLICE_MS) {
      const slice = Math.min(left, SLICE_MS);
      db.pass(slice);
      for (const machine of machines)
        if (machine.stoodStillFor === undefined) await machine.clock.advance(slice);
        else machine.stoodStillFor += slice;
      look();
    }
  };
  const goOn = (machine: Machine) => {
    // A suspended machine: its clock on the wall has gone on, its timers have not.
    machine.clock.suspend(machine.stoodStillFor ?? 0);
    machine.stoodStillFor = undefined;
    // Before any of its loops had a chance to notice.
    look();
  };
  const perform = async (one: Step) => {
    if (one.do === 'pass') return await pass(one.ms);
    const machine = machines[one.who];
    if (machine === undefined) return;
    if (one.do === 'stand still') machine.stoodStillFor ??= 0;
    else if (one.do === 'go on') goOn(machine);
    else if (one.do === 'cut off') machine.isCutOff = true;
    else if (one.do === 'reach') machine.isCutOff = false;
    else if (one.do === 'set clock') machine.clock.jump(one.ms);
    else {
      gone.push(machine);
      machines[one.who] = startMachine(db, times);
    }
  };

  await pass(20_000);
  for (const one of steps) await perform(one);
  for (const machine of machines) {
    goOn(machine);
    machine.isCutOff = false;
  }
  await pass(90_000);
  const spread = machines.map(({ running }) => running.size).toSorted();
  for (const machine of gone) machine.isCutOff = true;
  await Promise.all([...machines, ...gone].map((machine) => machine.stop()));
  return { doubled: [...doubled], spread };
}

describe('several members, whatever happens', () => {
  property.prop([fc.array(step, { maxLength: 15 })], {
    numRuns: 60 * Number(process.env.VERIFY_RUNS ?? 1),
  })(
    'never send for one clinic at the same moment, and share everything evenly in the end',
    async (steps) => {
      expect(await play(steps)).toEqual({ doubled: [], spread: [1, 2, 2] });
    },
    600_000,
  );

  it('sends nothing on a machine that was suspended and whose clock is set back when it wakes', {
    timeout: 60_000,
  }, async () => {
    const { doubled } = await play([
      { do: 'stand still', who: 0 },
      { do: 'pass', ms: 45_000 },
      { do: 'set clock', who: 0, ms: -60_000 },
      { do: 'go on', who: 0 },
    ]);

    expect(doubled).toEqual([]);
  });

  it('catches a member that trusts for ever that it owns its units', async () => {
    const credulous = { ...TIMES, marginMs: -1_000_000_000 };

    const { doubled } = await play(
      [
        { do: 'stand still', who: 0 },
        { do: 'pass', ms: 45_000 },
        { do: 'go on', who: 0 },
      ],
      credulous,
    );

    expect(doubled.length).toBeGreaterThan(0);
  });
});

it('gives a newcomer its share while still starting its own units', async () => {
  const db = database();
  const machines = [startMachine(db, TIMES, { isSlow: true })];
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= SLICE_MS) {
      db.pass(SLICE_MS);
      for (const { clock } of machines) await clock.advance(SLICE_MS);
    }
  };

  await pass(10_000);
  machines.push(startMachine(db, TIMES));
  await pass(20_000);
  const [begun, ofNewcomer] = machines.map(({ running }) => running.size);
  await Promise.all(machines.map((machine) => machine.stop()));

  expect([begun, ofNewcomer]).toEqual([0, 2]);
});

it('sends nothing for units taken from a silent member until its last send has certainly ended', async () => {
  const db = database();
  const [silent, other] = [startMachine(db, TIMES), startMachine(db, TIMES)];
  const pass = async (ms: number, machines: readonly Machine[]) => {
    for (let left = ms; left > 0; left -= SLICE_MS) {
      db.pass(SLICE_MS);
      for (const { clock } of machines) await clock.advance(SLICE_MS);
    }
  };
  await pass(20_000, [silent, other]);
  const own = [...other.running.keys()];
  while (other.running.size < UNITS.length) await pass(SLICE_MS, [other]);
  const maySend = () => UNITS.map((unit) => other.running.get(unit)?.maySend());

  const atOnce = maySend();
  await pass(TIMES.ttlMs, [other]);
  const afterwards = maySend();
  await Promise.all([silent, other].map((machine) => machine.stop()));

  expect(own.length).toBeLessThan(UNITS.length);
  expect(atOnce).toEqual(UNITS.map((unit) => own.includes(unit)));
  expect(afterwards).toEqual(UNITS.map(() => true));
});

describe('a unit pinned to one host', () => {
  it('runs there in addition to an even share, and nowhere while that host is down', async () => {
    const db = database();
    const start = (host: string) => startMachine(db, TIMES, { host, on: 'west' });
    const machines = [start('east'), start('north')];
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= SLICE_MS) {
        db.pass(SLICE_MS);
        for (const { clock } of machines) await clock.advance(SLICE_MS);
      }
    };
    const doneBy = () => machines.map(({ running }) => [...running.keys()].toSorted());

    await pass(20_000);
    const whileAway = doneBy();
    machines.push(start('west'));
    await pass(20_000);
    const [, , west] = doneBy();
    const spread = machines.map(({ running }) => running.size);
    await machines[2]?.stop();
    await pass(20_000);
    const afterwards = doneBy();
    await Promise.all(machines.map((machine) => machine.stop()));

    expect(whileAway.flat()).not.toContain('clinic/a');
    expect(whileAway.map((units) => units.length)).toEqual([2, 2]);
    expect(west).toContain('clinic/a');
    expect(spread.toSorted()).toEqual([1, 2, 2]);
    expect(afterwards.flat().toSorted()).toEqual(['clinic/b', 'clinic/c', 'clinic/d', 'clinic/e']);
  });
});

describe('a unit that some members cannot run', () => {
  /** Starts one member after the other, and resolves to what each runs in the end. */
  const spreadOf = async (...able: readonly string[][]): Promise<string[][]> => {
    const db = database();
    const machines: Machine[] = [];
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= SLICE_MS) {
        db.pass(SLICE_MS);
        for (const { clock } of machines) await clock.advance(SLICE_MS);
      }
    };
    for (const units of able) {
      machines.push(startMachine(db, TIMES, { canRun: (unit) => units.includes(unit) }));
      await pass(20_000);
    }
    const spread = machines.map(({ running }) => [...running.keys()].toSorted());
    await Promise.all(machines.map((machine) => machine.stop()));
    return spread;
  };
  const subsets = fc.array(fc.subarray(UNITS), { minLength: 1, maxLength: MEMBERS });

  property.prop([subsets], { numRuns: 40 * Number(process.env.VERIFY_RUNS ?? 1) })(
    'is run by another, also beyond an even share of all',
    async (able) => {
      const spread = await spreadOf(...able);

      expect(spread.flat().toSorted()).toEqual(
        UNITS.filter((unit) => able.some((units) => units.includes(unit))),
      );
    },
    600_000,
  );

  it('leaves the rest evenly shared', async () => {
    const [all, some] = await spreadOf(UNITS, UNITS.slice(1));

    expect(all).toContain('clinic/a');
    expect(all).toHaveLength(3);
    expect(some).toHaveLength(2);
  });
});

describe('trust', () => {
  const began = { wall: 1_000_000, monotonic: 5_000, uptime: 70_000 };
  const leftAfter = (wall: number, monotonic: number, uptime = 0) =>
    trustLeftMs(
      began,
      {
        wall: began.wall + wall,
        monotonic: began.monotonic + monotonic,
        uptime: began.uptime + uptime,
      },
      TIMES,
    );

  it('ends before the database stops trusting the member, by whichever clock advanced furthest', () => {
    expect([
      leftAfter(0, 0),
      leftAfter(4_000, 5_000),
      leftAfter(9_000, 0),
      leftAfter(-60_000, 11_000),
      leftAfter(-60_000, 0, 10_000),
    ]).toEqual([12_000, 7_000, 3_000, 1_000, 2_000]);
  });
});
