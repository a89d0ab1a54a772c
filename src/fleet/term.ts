import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { FleetVerbs } from '../store/ports/fleet.ts';
import { type Holding, holding, holdings } from './holding.ts';
import type { OwnedUnit } from './owned-unit.ts';
import { startLine } from './start-line.ts';
import { type ClocksMoment, clocksNow, trustLeftMs } from './trust-window.ts';

export interface TermOptions {
  verbs: FleetVerbs;
  units: readonly OwnedUnit[];
  host: string;
  clock: Clock;
  log: Log;
}

/** A member's life under one id, from joining until trust ends. Then the process rejoins as another member. */
export interface Term {
  readonly id: string;
  /** The heartbeat that began at this moment has arrived. */
  beaten(began: ClocksMoment): void;
  /** Milliseconds for which its units cannot have been given to another member. */
  leftMs(): number;
  /** Takes the units missing from its share, or gives back the excess. No effect once ended. */
  share(): Promise<void>;
  /** Resolves once all units taken have started. */
  begun(): Promise<void>;
  /** Stops everything at once. Gives back what stopped cleanly, if the database can be reached. Idempotent. */
  end(why: string): Promise<void>;
  /** Finishes or records what is in flight and gives everything back, idle units first. */
  drain(): Promise<void>;
}

export function startTerm(
  id: string,
  joined: ClocksMoment,
  { verbs, units, host, clock, log }: TermOptions,
): Term {
  const mine = units.filter(({ on }) => on === undefined || on === host);
  const byName = new Map(mine.map((unit) => [unit.unit, unit]));
  const held = holdings(id, verbs);
  const resting = new Map<string, number>();
  let beat = joined;
  let ending: Promise<void> | undefined;
  let isDraining = false;
  const starts = startLine({ id, verbs, held, resting, clock, log });

  const leftMs = () => trustLeftMs(beat, clocksNow(clock), verbs.times);
  const take = async (names: readonly string[], atMost: number): Promise<void> => {
    const begun: Holding[] = [];
    for (const taken of await verbs.take(id, names, held.names(), atMost)) {
      const unit = byName.get(taken.unit);
      if (unit === undefined) continue;
      const onLost = () => {
        one.abort();
        void held.stop([one]);
      };
      const one: Holding = holding({
        ...{ unit, taken, owner: id, clock },
        ...{ leftMs, sendMs: verbs.times.sendMs, onLost },
      });
      held.add(one);
      begun.push(one);
    }
    if (ending !== undefined) return void (await held.stop(begun));
    if (begun.length > 0) log.info('took up a share of the work', { count: begun.length });
    starts.add(begun);
  };

  /** Gives back idle units only, those not started yet first; the rest can wait for the next round. */
  const shed = async (names: readonly string[], count: number): Promise<void> => {
    const idle = held
      .all()
      .filter(({ unit, hasEnded }) => names.includes(unit.unit) && !hasEnded && !unit.isBusy());
    const some = [...idle.filter(starts.isWaiting), ...idle.filter((one) => !starts.isWaiting(one))].slice(
      0,
      count,
    );
    if (some.length > 0) log.info('gives back a share of the work', { count: some.length });
    await held.giveBack(some);
  };

  return {
    id,
    leftMs,
    begun: starts.idle,
    beaten(began) {
      beat = began;
    },
    async share() {
      const now = clock.monotonic();
      const able = mine.filter(({ unit, canRun }) => canRun?.() !== false && (resting.get(unit) ?? 0) <= now);
      const supply = await verbs.supply(
        id,
        able.map(({ unit }) => unit),
        held.names(),
      );
      for (const { units: count, members, free, held: ours } of supply) {
        if (ending !== undefined || isDraining) return;
        const most = Math.ceil(count / members);
        if (ours.length > most) await shed(ours, ours.length - most);
        else if (ours.length < most && free.length > 0) await take(free, most - ours.length);
      }
    },
    end(why) {
      ending ??= (async () => {
        log.warn('this process gave up its share of the work', { count: held.all().length, reason: why });
        for (const one of held.all()) one.abort();
        await held.stop(held.all());
        await held.leave();
      })();
      return ending;
    },
    async drain() {
      isDraining = true;
      if (ending !== undefined) return ending;
      const all = held.all();
      const busy = all.filter(({ unit }) => unit.isBusy());
      const idle = all.filter((one) => !busy.includes(one));
      await Promise.allSettled([held.giveBack(idle), ...busy.map((one) => held.giveBack([one]))]);
      // Units that were being taken meanwhile.
      await held.giveBack(held.all()).catch(() => {});
      await held.leave();
    },
  };
}
