import { hostname } from 'node:os';
import { type Clock, instant } from '../../platform/clock.ts';
import type {
  FleetTimes,
  FleetVerbs,
  Grown,
  MemberReport,
  Supply,
  Taken,
  UnitReport,
} from '../ports/fleet.ts';

type Row = Record<string, unknown>;
export type Statements = (statement: string, ...values: string[]) => Promise<Row[]>;

interface FleetOptions {
  /** On its own connection, because a heartbeat must not wait behind other work. */
  run: Statements;
  schema: string;
  times: FleetTimes;
  /** Number of the newest migration in this program. */
  newest: number;
  clock: Clock;
}

/** Longer than almost any transaction stays open. */
const OPEN_MS = 20_000;
/** How often all heads are compared, for the sake of a commit that took longer. */
const WHOLE_MS = 60_000;
const KEPT = "interval '1 day'";

/** Each verb is a single statement, and no lock outlives it. */
export const fleetVerbs = (options: FleetOptions): Omit<FleetVerbs, 'announce' | 'watch'> & Looking => ({
  times: options.times,
  ...memberVerbs(options),
  ...unitVerbs(options),
  ...lookVerbs(options),
});

const inList = (parameter: string) => `(select json_array_elements_text(${parameter}::json))`;
const ttlOf = ({ ttlMs }: FleetTimes) => `make_interval(secs => ${ttlMs / 1_000})`;
/**
 * Of others last heard in the future, because the server's clock was set back: as if heard now, which no member
 * outlives. Skips those that are sending a heartbeat themselves. See docs/decisions/0039.
 */
export const heardAhead = (members: string, id: string): string =>
  `update ${members} m set beat_at = clock_timestamp(), expires_at = clock_timestamp()
      + case when m.left_at is null then m.expires_at - m.beat_at else interval '0' end
    from (select a.id from ${members} a
      where a.beat_at > clock_timestamp() and a.id <> ${id} for update skip locked) ahead
    where m.id = ahead.id`;
const LIVES = `m.role = 'daemon' and m.expires_at > clock_timestamp()`;

type MemberVerbs = Pick<FleetVerbs, 'join' | 'beat' | 'leave'>;
function memberVerbs({ run, schema, times, newest, clock }: FleetOptions): MemberVerbs {
  const members = `"${schema}".members`;
  const units = `"${schema}".units`;
  const ttl = ttlOf(times);
  /** Stored with the next heartbeat. */
  let skewMs = 0;

  return {
    async join({ id, version, config_hash }) {
      await run(`delete from ${members} where expires_at < clock_timestamp() - ${KEPT}`);
      await run(
        `insert into ${members} (id, version, schema, config_hash, host, since, beat_at, expires_at)
          values ($1, $2, ${newest}, $3, $4, clock_timestamp(), clock_timestamp(), clock_timestamp() + ${ttl})`,
        id,
        version,
        config_hash,
        hostname(),
      );
    },

    async beat(id) {
      const before = clock.now();
      const [row] = await run(
        `with ahead as (${heardAhead(members, '$1')})
          update ${members} set beat_at = clock_timestamp(), expires_at = clock_timestamp() + ${ttl}, skew_ms = $2
          where id = $1 and expires_at > clock_timestamp()
          returning ${secondsOf('clock_timestamp()')} as server`,
        id,
        String(skewMs),
      );
      if (row !== undefined) skewMs = leastSkew(before, Number(row.server) * 1_000, clock.now());
      return row !== undefined;
    },

    async leave(id) {
      await run(
        `with gone as (update ${members} set expires_at = clock_timestamp(), left_at = clock_timestamp() where id = $1)
          update ${units} set owner = null, since = clock_timestamp() where owner = $1`,
        id,
      );
    },
  };
}

type UnitVerbs = Pick<FleetVerbs, 'register' | 'supply' | 'take' | 'noteStart' | 'giveBack'>;
function unitVerbs({ run, schema, times }: FleetOptions): UnitVerbs {
  const members = `"${schema}".members`;
  const units = `"${schema}".units`;
  const isFree = `(u.owner is null or not exists (select 1 from ${members} m where m.id = u.owner and ${LIVES})
    or (u.owner = $1 and u.unit not in ${inList('$3')}))`;

  return {
    async supply(id, names, held) {
      const rows = await run(
        `with own as (
            select coalesce(json_agg(unit order by unit), '[]')::text as not_run
            from ${units} where unit not in ${inList('$2')}
          ), said as (
            update ${members} m set not_run = own.not_run
            from own where m.id = $1 and m.not_run is distinct from own.not_run
          ), others as (
            select m.id, m.not_run from ${members} m where ${LIVES} and m.not_run is not null and m.id <> $1
          ), without as (
            select value as unit, array_agg(id order by id) as ids
            from others, json_array_elements_text(not_run::json) group by value
          )
          select count(*) as units, 1 + (select count(*) from others) - coalesce(cardinality(w.ids), 0) as members,
            coalesce(json_agg(u.unit) filter (where ${isFree}), '[]') as free,
            coalesce(json_agg(u.unit) filter (where u.unit in ${inList('$3')}), '[]') as held
          from ${units} u left join without w on w.unit = u.unit
          where u.unit in ${inList('$2')} group by u.kind, w.ids`,
        id,
        JSON.stringify(names),
        JSON.stringify(held),
      );
      return rows.map(
        ({ units: all, free, held: known, members: able }): Supply => ({
          ...{ units: Number(all), members: Number(able) },
          ...{ free: free as string[], held: known as string[] },
        }),
      );
    },

    async register(wanted) {
      const kinds = JSON.stringify(wanted);
      await run(
        `insert into ${units} (unit, kind, since)
          select value ->> 'unit', value ->> 'kind', clock_timestamp()
            from json_array_elements($1::json) on conflict do nothing`,
        kinds,
      );
    },

    async take(id, names, held, atMost) {
      // A unit not given back may still be running: its owner stops by its own clock, at most one TTL from now.
      const rows = await run(
        `update ${units} unit set owner = $1, fence = unit.fence + 1, since = clock_timestamp(),
            sends_from = case when unit.owner is null then unit.sends_from
              else clock_timestamp() + ${ttlOf(times)} end
          from (
            select u.unit from ${units} u where u.unit in ${inList('$2')} and ${isFree}
              and exists (select 1 from ${members} m where m.id = $1 and ${LIVES})
              and not exists (select 1 from ${members} m
                where m.role = 'command' and m.expires_at > clock_timestamp())
            order by md5(u.unit || $1) limit ${atMost} for update skip locked
          ) free
          where unit.unit = free.unit
          returning unit.unit, unit.fence, unit.failing is not null as failing,
            -- Never longer than the TTL: the server's clock may have been set back since.
            least(${times.ttlMs},
              greatest(0, extract(epoch from case when unit.sends_from = '-infinity' then interval '0'
              else unit.sends_from - clock_timestamp() end) * 1000))::float8 as waits`,
        id,
        JSON.stringify(names),
        JSON.stringify(held),
      );
      return rows.map(
        ({ unit, fence, waits, failing }): Taken => ({
          ...{
            unit: String(unit),
            fence: Number(fence),
            sendsInMs: Number(waits),
            isFailing: failing === true,
          },
        }),
      );
    },

    async noteStart(id, unit, problem) {
      if (problem === undefined) {
        await run(`update ${units} set failing = null where unit = $1 and owner = $2`, unit, id);
        return;
      }
      await run(
        `update ${units} u set failing = json_build_object(
            'since', coalesce((u.failing::json ->> 'since')::float8, ${secondsOf('clock_timestamp()')}),
            'host', m.host, 'problem', $3::text)::text
          from ${members} m where u.unit = $1 and u.owner = $2 and m.id = u.owner`,
        unit,
        id,
        problem,
      );
    },

    async giveBack(id, names) {
      await run(
        `update ${units} set owner = null, since = clock_timestamp() where owner = $1 and unit in ${inList('$2')}`,
        id,
        JSON.stringify(names),
      );
    },
  };
}

interface Looking extends Pick<FleetVerbs, 'news' | 'report'> {
  /** What this process wrote is no news to it. */
  wrote(grown: Grown): void;
}

function lookVerbs({ run, schema, clock }: FleetOptions): Looking {
  /** The newest change of each clinic that this process knows of, with all before it. */
  const seen = new Map<string, number>();
  let lookedAt = -Infinity;
  let comparedAt = -Infinity;

  return {
    async news() {
      const now = clock.monotonic();
      const isWhole = now - comparedAt >= WHOLE_MS;
      // Look back further, because a change may have been uncommitted at the last look.
      const sinceMs = now - lookedAt + OPEN_MS;
      const rows = await run(
        `select clinic, sequence from "${schema}".clinic_heads
          ${isWhole ? '' : `where changed_at > clock_timestamp() - make_interval(secs => ${sinceMs / 1_000})`}`,
      );
      lookedAt = now;
      if (isWhole) comparedAt = now;
      const heads = rows.map(({ clinic, sequence }) => ({ clinic: String(clinic), to: Number(sequence) }));
      const news = heads.filter(({ clinic, to }) => seen.get(clinic) !== to);
      for (const { clinic, to } of news) seen.set(clinic, to);
      return news.map(({ clinic }) => clinic);
    },

    wrote(grown) {
      for (const [clinic, { from, to }] of grown)
        if ((seen.get(clinic) ?? 0) === from - 1) seen.set(clinic, to);
    },

    async report() {
      // Before the members, whose rows outlive their work: every owner is then known.
      const owned = await run(
        `select unit, kind, owner, fence, ${secondsOf('since')} as since, failing from "${schema}".units order by unit`,
      );
      const rows = await run(
        `select id, version, config_hash, host, ${secondsOf('since')} as since, ${secondsOf('beat_at')} as beat_at,
            ${secondsOf('left_at')} as left_at, skew_ms, ${secondsOf('clock_timestamp()')} as at,
            expires_at > clock_timestamp() as lives
          from "${schema}".members where role = 'daemon' and expires_at > clock_timestamp() - ${KEPT}
          order by since, id`,
      );
      const shown = rows.map(
        ({ lives: _, at: _at, ...row }) =>
          ({ ...withInstants(row), skew_ms: Number(row.skew_ms) }) as unknown as MemberReport,
      );
      const at = rows[0] === undefined ? clock.now() : Number(rows[0].at) * 1_000;
      return {
        at: instant(Math.round(at)),
        members: shown.filter((_, i) => rows[i]?.lives === true),
        units: owned.map(unitReport),
        left: shown.filter((_, i) => rows[i]?.lives !== true),
      };
    },
  };
}

const secondsOf = (time: string): string => `extract(epoch from ${time})::float8`;

/** Lower bound of our clock's lead: the server read its own clock between our two readings. */
const leastSkew = (before: number, server: number, after: number): number =>
  Math.round(Math.max(0, before - server) + Math.min(0, after - server));

const unitReport = ({ failing, ...row }: Row): UnitReport =>
  ({
    ...withInstants(row),
    fence: Number(row.fence),
    ...(failing !== null && { failing: withInstants(JSON.parse(String(failing))) }),
  }) as unknown as UnitReport;

const TIMES = new Set(['since', 'beat_at', 'left_at']);

/** Converts times given in seconds. */
const withInstants = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' && TIMES.has(name) ? instant(Math.round(value * 1_000)) : value,
    ]),
  );
