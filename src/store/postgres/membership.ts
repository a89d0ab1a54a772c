import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';

export interface LeaseTimes {
  beatMs: number;
  /** Without a beat for so long, another daemon may take its place. */
  ttlMs: number;
}
export const leaseTimes: LeaseTimes = { beatMs: 3_000, ttlMs: 15_000 };

interface MembershipOptions {
  sql: { run(statement: string, ...values: string[]): Promise<Record<string, unknown>[]> };
  schema: string;
  place: string;
  clock: Clock;
  version: string;
  times: LeaseTimes;
}

/**
 * The daemon that has the database: a row with an end, renewed while the daemon lives. Timed by the database's clock alone.
 * A daemon that stood still for too long finds its row ended; every write asks for the row first, so it writes nothing.
 */
export function membership({ sql, schema, place, clock, version, times }: MembershipOptions) {
  const id = randomUUID();
  const members = `"${schema}".members`;
  const ttl = `make_interval(secs => ${times.ttlMs / 1_000})`;
  const stopped = new AbortController();
  let lost: Failure | undefined;
  let beating: Promise<void> | undefined;

  const taken = (host: unknown): Failure =>
    new Failure({
      kind: 'refused',
      message: `Another daemon, on ${String(host)}, already has the database ${place}.`,
      hint: 'End that one first. One that crashed is forgotten after 15 seconds.',
    });

  /** Resolves to who else has it, and when that one was last heard; undefined when it is ours now. */
  const tryOnce = async (): Promise<{ host: unknown; heard: unknown } | undefined> => {
    await sql.run(`delete from ${members} where expires_at <= clock_timestamp()`);
    const mine = await sql.run(
      `insert into ${members} (id, version, host, beat_at, expires_at)
        values ($1, $2, $3, clock_timestamp(), clock_timestamp() + ${ttl}) on conflict do nothing returning id`,
      id,
      version,
      hostname(),
    );
    if (mine.length > 0) return undefined;
    const [other] = await sql.run(`select host, beat_at::text as heard from ${members}`);
    return { host: other?.host ?? 'another machine', heard: other?.heard };
  };

  const beat = async (): Promise<void> => {
    const rows = await sql.run(
      `update ${members} set beat_at = clock_timestamp(), expires_at = clock_timestamp() + ${ttl}
        where id = $1 and expires_at > clock_timestamp() returning id`,
      id,
    );
    if (rows.length === 0) lose();
  };

  const lose = (): Failure => {
    lost ??= new Failure({
      kind: 'transient',
      message: `This daemon stood still or was cut off for too long: it gave up the database ${place}.`,
      hint: 'The program has to be restarted; it goes on unless another daemon has taken its place.',
    });
    return lost;
  };

  const keepBeating = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await clock.sleep(times.beatMs, stopped.signal).catch(() => {});
      // A lost connection is no reason to give up: the row tells.
      if (!stopped.signal.aborted && lost === undefined) await beat().catch(() => {});
    }
  };

  return {
    lost: () => lost,

    async isTaken(): Promise<boolean> {
      const [alive] = await sql.run(`select 1 as alive from ${members} where expires_at > clock_timestamp()`);
      return alive !== undefined;
    },

    /** False when another daemon lives, or crashed so lately that it might. */
    async takeIfFree(): Promise<boolean> {
      if ((await tryOnce()) !== undefined) return false;
      beating = keepBeating();
      return true;
    },

    /** Waits for the end of one that crashed. Throws `Failure` refused when another daemon lives. */
    async take(): Promise<void> {
      const until = clock.monotonic() + times.ttlMs + times.beatMs;
      let before: unknown;
      for (;;) {
        const other = await tryOnce();
        if (other === undefined) break;
        const isAlive = before !== undefined && before !== other.heard;
        if (isAlive || clock.monotonic() >= until) throw taken(other.host);
        before = other.heard;
        await clock.sleep(Math.min(1_000, times.beatMs), stopped.signal);
      }
      beating = keepBeating();
    },

    /** The statement every transaction begins with. */
    guard: {
      statement: `select 1 as mine from ${members} where id = '${id}' and expires_at > clock_timestamp()`,
      allows: (rows: readonly unknown[]) => (rows.length === 0 ? lose() : undefined),
    },

    /** No more beats. */
    async stop(): Promise<void> {
      stopped.abort();
      await beating;
    },

    /** Gives the database back; the row would end by itself. */
    async leave(): Promise<void> {
      await sql.run(`delete from ${members} where id = $1`, id);
    },
  };
}
