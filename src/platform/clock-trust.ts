import { type Clock, type Instant, instant, toMs } from './clock.ts';
import { DAY, MINUTE, SECOND } from './duration.ts';
import type { Log } from './log.ts';

/** Whether the wall clock may be believed: the only place that notices its leaps. */
export interface ClockTrust {
  /**
   * How often it has leapt ahead of the uptime, and what it showed before the last time: as on a virtual machine that
   * was put back to a snapshot with its memory, for which the time since has not happened. Looks now.
   */
  leapsAhead(): { count: number; before: Instant };
  /** False after a leap, until a day has passed or a server's clock agrees: nothing may then be done that lasts. */
  isTrusted(): boolean;
  /** Whether it shows a time that is over: before our own data, or before what it showed; nothing is then far ahead. */
  isBehind(): boolean;
  /**
   * What has been wrong with it for a minute or longer, or by a day, for people; `offMs`: ahead of a server's clock by
   * this.
   */
  fault(): { since: Instant; offMs: number | null } | undefined;
  /** What a server's clock shows now, milliseconds since the epoch. */
  compare(theirs: number): void;
}

interface TrustOptions {
  clock: Clock;
  log: Log;
  /** The last time that the process before this one was seen alive; null: never. */
  seenAt?: Instant | null;
  /** Until when that process distrusted the clock. */
  doubtedUntil?: string | undefined;
  /** Remembers that for the next process; must not throw. */
  remember?: (doubtedUntil: Instant | undefined) => void;
}

/** Time servers correct a clock by less, and rarely. */
const LEAP_MS = 20 * SECOND;
/** A longer time without a daemon may be a clock that is wrong, as of a machine whose battery is empty. */
const OFF_MS = DAY;
const PROOF_MS = DAY;
const AGREES_MS = 5 * MINUTE;
/** Reading the uptime opens a file, and every lead asks: not while the other two clocks have moved alike. */
const LOOK_EVERY_MS = SECOND;

export function createClockTrust({
  clock,
  log,
  seenAt = null,
  doubtedUntil,
  remember = () => {},
}: TrustOptions): ClockTrust {
  const look = () => ({ wall: clock.now(), uptime: clock.uptime() });
  let looked = clock.monotonic();
  let last = look();
  /** The latest time that was seen. */
  let reached = { ...last, wall: Math.max(last.wall, seenAt === null ? 0 : toMs(seenAt)) };
  let count = 0;
  let before = last.wall;
  /** On both clocks, because either may be set or begin anew. */
  let doubt: { wall: number; uptime: number } | undefined;
  /** A leap, a start before the newest data, or a server that shows another time. */
  let fault: { since: number; uptime: number; offMs: number | null } | undefined;

  const inMs = (leftMs: number) => ({ wall: last.wall + leftMs, uptime: last.uptime + leftMs });
  const distrust = () => {
    doubt = inMs(PROOF_MS);
    fault ??= { since: last.wall, uptime: last.uptime, offMs: null };
    remember(instant(doubt.wall));
  };
  const settle = () => {
    doubt = undefined;
    fault = undefined;
    reached = last;
    remember(undefined);
  };
  const behindMs = () => reached.wall + (last.uptime - reached.uptime) - last.wall;
  const watch = () => {
    const monotonic = clock.monotonic();
    const passed = monotonic - looked;
    const isAlike = passed < LOOK_EVERY_MS && Math.abs(clock.now() - last.wall - passed) < LOOK_EVERY_MS;
    if (isAlike && doubt === undefined) return;
    looked = monotonic;
    const now = look();
    const leap = now.wall - last.wall - (now.uptime - last.uptime);
    const former = last.wall;
    last = now;
    if (behindMs() <= 0) reached = now;
    if (Math.abs(leap) > LEAP_MS) {
      if (leap > 0) {
        count += 1;
        before = former;
      }
      distrust();
      log.warn('the clock leapt: nothing expires or is removed for a day, or until a server’s clock agrees', {
        ms: Math.round(leap),
      });
    }
    if (doubt !== undefined && (now.wall >= doubt.wall || now.uptime >= doubt.uptime)) settle();
  };

  const off = seenAt === null ? 0 : last.wall - toMs(seenAt);
  const left = doubtedUntil === undefined ? 0 : Math.min(PROOF_MS, toMs(doubtedUntil) - last.wall);
  if (off < -LEAP_MS)
    log.warn(
      'the clock is before the newest data: nothing expires or is removed until a server’s clock agrees',
      {
        at: instant(last.wall),
        ms: Math.round(off),
      },
    );
  if (off < -LEAP_MS || off > OFF_MS) distrust();
  // After a long time without a daemon, nothing speaks against the clock.
  if (off > OFF_MS) fault = undefined;
  else if (left > 0) doubt = inMs(left);

  return {
    leapsAhead() {
      watch();
      return { count, before: instant(before) };
    },
    isTrusted() {
      watch();
      return doubt === undefined;
    },
    isBehind() {
      watch();
      return behindMs() > LEAP_MS;
    },
    fault() {
      watch();
      const isNew = fault === undefined || last.uptime - fault.uptime < MINUTE;
      if (fault === undefined || (isNew && behindMs() < OFF_MS)) return undefined;
      return { since: instant(fault.since), offMs: fault.offMs };
    },
    compare(theirs) {
      watch();
      const offMs = last.wall - theirs;
      if (Math.abs(offMs) >= AGREES_MS)
        fault = { ...(fault ?? { since: last.wall, uptime: last.uptime }), offMs };
      else if (doubt !== undefined || fault !== undefined) settle();
    },
  };
}
