import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { FleetTimes } from '../ports/fleet.ts';
import { heardAhead, type Statements } from './fleet-verbs.ts';

interface PlaceOptions {
  run: Statements;
  /** Like `run`, but in turn with the writes, so that of two candidates one comes first. */
  inTurn: Statements;
  schema: string;
  place: string;
  clock: Clock;
  version: string;
  times: FleetTimes;
}

/**
 * The place of all daemons, for a command that does their work: a row with an expiry, renewed while the command lives.
 * It is granted only while no daemon lives, and no daemon takes any unit meanwhile.
 */
export function daemonsPlace({ run, inTurn, schema, place, clock, version, times }: PlaceOptions) {
  const id = randomUUID();
  const members = `"${schema}".members`;
  const ttl = `make_interval(secs => ${times.ttlMs / 1_000})`;
  const stopped = new AbortController();
  let beating: Promise<void> | undefined;

  /** Resolves to the other holder and when it was last heard; undefined once the place is ours. */
  const tryOnce = async (): Promise<{ host: unknown; heard: unknown } | undefined> => {
    await inTurn(heardAhead(members, '$1'), id);
    const mine = await inTurn(
      `insert into ${members} (id, role, version, host, beat_at, expires_at)
        select $1, 'command', $2, $3, clock_timestamp(), clock_timestamp() + ${ttl}
        where not exists (select 1 from ${members} where expires_at > clock_timestamp()) returning id`,
      id,
      version,
      hostname(),
    );
    if (mine.length > 0) return undefined;
    const [other] = await run(
      `select host, beat_at::text as heard from ${members} where expires_at > clock_timestamp()`,
    );
    return { host: other?.host ?? 'another machine', heard: other?.heard };
  };

  const keepBeating = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await clock.sleep(times.beatMs, stopped.signal).catch(() => {});
      if (stopped.signal.aborted) return;
      // If this fails, the next one may succeed. One that was suspended for too long must not come back.
      await run(
        `update ${members} set beat_at = clock_timestamp(), expires_at = clock_timestamp() + ${ttl} where id = $1
          and expires_at > clock_timestamp()`,
        id,
      ).catch(() => {});
    }
  };
  const begin = () => {
    beating = keepBeating();
  };

  return {
    id,

    /** False while a daemon lives, or crashed so recently that it might. */
    async takeIfFree(): Promise<boolean> {
      if ((await tryOnce()) !== undefined) return false;
      begin();
      return true;
    },

    /** Waits for a crashed daemon to expire. Throws `Failure` refused if one lives. */
    async take(): Promise<void> {
      const until = clock.monotonic() + times.ttlMs + times.beatMs;
      let before: unknown;
      for (;;) {
        const other = await tryOnce();
        if (other === undefined) break;
        const isAlive = before !== undefined && before !== other.heard;
        if (isAlive || clock.monotonic() >= until) throw taken(other.host, place);
        before = other.heard;
        await clock.sleep(Math.min(1_000, times.beatMs), stopped.signal);
      }
      begin();
    },

    async release(): Promise<void> {
      stopped.abort();
      await beating;
      await run(`delete from ${members} where id = $1`, id);
    },
  };
}

/** Why a command that no longer has the place may not write. */
export const suspended = (): Failure =>
  new Failure({
    kind: 'refused',
    message: 'This command was suspended for too long; nothing more was written.',
    hint: 'A daemon may have taken over. If none runs, run the command again.',
  });

const taken = (host: unknown, place: string): Failure =>
  new Failure({
    kind: 'refused',
    message: `A daemon on ${String(host)} is using the database ${place}.`,
    hint: 'Stop it first. A crashed one is forgotten after 15 seconds.',
  });
