import {
  type FleetAlarm,
  type FleetStatus,
  type MemberStatus,
  memberName,
} from '../domain/status/fleet-report.ts';
import { conditionNeed } from '../domain/status/need-words.ts';
import type { HealthReason, Need } from '../domain/status/report.ts';
import { type Instant, instant, toMs } from '../platform/clock.ts';
import { MINUTE, SECOND } from '../platform/duration.ts';
import { localeOf } from '../platform/text/locale.ts';
import { clause, firstSentence } from '../platform/text/sentences.ts';
import type { FleetReport, MemberReport } from '../store/ports/fleet.ts';

interface FleetFacts {
  report: FleetReport;
  /** The units of this configuration; other daemons may have had more. */
  units: ReadonlySet<string>;
  /** Units that only one host may run, with that host. */
  pins?: ReadonlyMap<string, string>;
  /** How long a silent member still counts as living, in milliseconds. */
  ttlMs: number;
}

/** A takeover takes less. */
const FREE_MS = 20 * SECOND;
/** Whoever has had a unit for so long could start it; else it would have given it back. */
const STARTED_AFTER_MS = 2 * MINUTE;
/** Dates and times in messages come from each member's own clock. */
const SKEW_MS = SECOND;
const LISTED_UNITS = 20;

/** Which daemons share the work, and what is wrong with that. Pure. */
export function fleetStatus(facts: FleetFacts): FleetStatus {
  const { report } = facts;
  const members = report.members.map((member) => memberStatus(member, report));
  const nameOf = new Map(members.map(({ id, name }) => [id, name]));
  const named = report.members.map((member) => ({ ...member, name: nameOf.get(member.id) ?? member.host }));
  const taken = report.units.filter(({ owner }) => owner !== null).map(({ since }) => since);
  return {
    members,
    alarms: [...differences(named), ...skewed(named), ...goneSilent(report)],
    free: freeUnits(facts),
    handed_over_at: taken.reduce((last, at) => ((at ?? '') > (last ?? '') ? at : last), null),
  };
}

export const fleetNeeds = ({ alarms }: FleetStatus): Need[] =>
  alarms.map(({ kind, what, subject, sentence, since }) =>
    conditionNeed(`fleet_${kind}`, { subject, what: what ?? subject, since, detail: sentence }),
  );

/** Why health is not `ok`. When no daemon lives at all, that is reported elsewhere. */
export function fleetReasons({ free }: FleetStatus): HealthReason[] {
  const [first] = free;
  if (first === undefined) return [];
  const some = free.slice(0, 3).map(({ unit, on, failed }) => {
    if (failed !== undefined)
      return `${unit} (it does not start on ${failed.host}: ${clause(firstSentence(failed.problem))})`;
    return on === undefined ? unit : `${unit} (on ${on} only)`;
  });
  const rest = free.length - some.length;
  const names = rest > 0 ? `${some.join(', ')} and ${rest} more` : listed(some);
  return [
    {
      ...{ health: 'trouble', kind: 'fleet', clinic: null, subject: 'units', since: first.since },
      sentence: `no daemon runs ${names}`,
    },
  ];
}

type Named = MemberReport & { name: string };

function memberStatus(member: MemberReport, { members, units }: FleetReport): MemberStatus {
  const { id, host, version, config_hash, since, beat_at, skew_ms } = member;
  const own = units.filter(({ owner }) => owner === id);
  const countOf = (kind: string) => own.filter((unit) => unit.kind === kind).length;
  return {
    ...{ id, host, version, config_hash, since, beat_at, skew_ms },
    name: memberName(member, members),
    clinics: countOf('clinic'),
    connectors: countOf('connector'),
    units: own.slice(0, LISTED_UNITS).map(({ unit }) => unit),
  };
}

/** Alarms about what all members should have in common. */
function differences(members: readonly Named[]): FleetAlarm[] {
  const configurations = groupsBy(members, ({ config_hash }) => config_hash);
  const versions = groupsBy(members, ({ version }) => version);
  const alarms: FleetAlarm[] = [];
  if (configurations.length > 1)
    alarms.push({
      ...{ kind: 'configuration', subject: 'configuration', since: sinceOf(configurations) },
      sentence:
        `The daemons have ${configurations.length} different configurations: ` +
        `${configurations.map(namesOf).join(' · ')}.`,
      action: localeOf('en').t('todo_fleet_configuration'),
    });
  if (versions.length > 1)
    alarms.push({
      ...{ kind: 'version', subject: 'version', since: sinceOf(versions) },
      sentence:
        `The daemons run ${versions.length} versions: ` +
        `${versions.map((group) => `${group[0]?.version} on ${namesOf(group)}`).join(' · ')}.`,
      action: localeOf('en').t('todo_fleet_version'),
    });
  return alarms;
}

const groupsBy = (members: readonly Named[], keyOf: (member: Named) => string): Named[][] => [
  ...Map.groupBy(members, keyOf).values(),
];

const namesOf = (group: readonly Named[]): string => listed(group.map(({ name }) => name));

/** When the newest group joined. */
const sinceOf = (groups: readonly Named[][]): Instant =>
  groups.flatMap(([first]) => first?.since ?? []).reduce((last, since) => (since > last ? since : last));

const skewed = (members: readonly Named[]): FleetAlarm[] =>
  members
    .filter(({ skew_ms }) => Math.abs(skew_ms) > SKEW_MS)
    .map(({ name, skew_ms, beat_at }) => ({
      ...{ kind: 'clock', subject: `clock of ${name}`, what: name, since: beat_at },
      sentence:
        `The clock of ${name} is ${(Math.abs(skew_ms) / SECOND).toFixed(1)} s ` +
        `${skew_ms > 0 ? 'ahead of' : 'behind'} the database server’s.`,
      action: localeOf('en').t('todo_fleet_clock'),
    }));

/**
 * One alarm per silent member, until a later daemon of its host has joined for each: a member that stalled comes back
 * as another one, which says nothing about a second daemon on the host.
 */
function goneSilent({ members, left }: FleetReport): FleetAlarm[] {
  const later = new Set([...members, ...left].toSorted((a, b) => (a.since < b.since ? -1 : 1)));
  const silent = left
    .filter(({ left_at }) => left_at === null)
    .toSorted((a, b) => (a.beat_at < b.beat_at ? -1 : 1))
    .filter((gone) => {
      const back = [...later].find(({ host, since }) => host === gone.host && since > gone.beat_at);
      return back === undefined || !later.delete(back);
    });
  return silent.map(({ id, host, beat_at }) => ({
    ...{ kind: 'gone', subject: `${host} ${id.slice(0, 4)}`, since: beat_at },
    sentence: `The daemon on ${host} went silent without shutting down.`,
    action: localeOf('en').t('todo_fleet_gone'),
  }));
}

function freeUnits({ report: { at, members, left, units }, units: known, pins, ttlMs }: FleetFacts) {
  const living = new Set(members.map(({ id }) => id));
  const ends = new Map(
    left.map(({ id, beat_at, left_at }) => [id, left_at ?? instant(toMs(beat_at) + ttlMs)]),
  );
  // Units cannot have an owner before the first member joined.
  const [first] = members.map(({ since }) => since).toSorted();
  if (first === undefined) return [];
  return units
    .filter(({ unit }) => known.has(unit))
    .map(({ unit, owner, since, failing }) => {
      const isOwned = owner !== null && living.has(owner);
      // An older version does not note that it could start.
      const runs = isOwned && toMs(at) - toMs(since ?? at) > STARTED_AFTER_MS;
      return { unit, owner, since, isOwned, failing: runs ? undefined : failing };
    })
    .filter(({ isOwned, failing }) => !isOwned || failing !== undefined)
    .map(({ unit, owner, since, failing }) => {
      const freed = failing?.since ?? (owner === null ? since : ends.get(owner)) ?? first;
      const on = pins?.get(unit);
      return {
        ...{ unit, since: freed > first ? freed : first },
        ...(on !== undefined && { on }),
        ...(failing !== undefined && { failed: { host: failing.host, problem: failing.problem } }),
      };
    })
    .filter(({ since }) => toMs(at) - toMs(since) > FREE_MS)
    .toSorted((a, b) => (a.since < b.since ? -1 : 1));
}

const listed = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]*)$/, ' and $1');
