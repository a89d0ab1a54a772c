import { memberName } from '../../domain/status/fleet-report.ts';
import type { FleetReport, MemberReport } from '../../store/ports/fleet.ts';
import { command } from '../command.ts';
import { counted, Exit, exit, print, printJson } from '../io.ts';
import { withStore } from '../with-app.ts';

export const fleet = command({
  name: 'fleet',
  describe: 'Which daemons run on the database, and which runs what',
  examples: { fleet: 'has the other one taken over?', 'fleet --json': 'for a program' },
  open: withStore,
  async run(io, { json }, { store }) {
    if (store.fleet === undefined)
      throw new Exit(exit.usage, 'A database file has one daemon. Several share one on a PostgreSQL server.');
    const report = await store.fleet.report();
    if (json) return printJson(io, shown(report));
    const { members, units, left } = report;
    const all = [...members, ...left];
    const names = new Map(all.map((member) => [member.id, memberName(member, all)]));
    const living = new Set(members.map(({ id }) => id));
    const placeOf = (owner: string | null) => {
      if (owner === null) return 'no daemon';
      const name = names.get(owner) ?? owner;
      return living.has(owner) ? name : `no daemon (last: ${name})`;
    };
    for (const member of members)
      print(
        io,
        `${names.get(member.id)}  ${member.version}  since ${member.since}  ${hasOf(report, member)}`,
      );
    if (members.length === 0) print(io, 'No daemon runs.');
    for (const { unit, owner, since, failing } of units) {
      print(io, `  ${unit}  ${placeOf(owner)}  ${since ?? ''}`.trimEnd());
      if (failing !== undefined)
        print(io, `    does not start on ${failing.host}, since ${failing.since}: ${failing.problem}`);
    }
    for (const { id, version, beat_at } of left)
      print(io, `left: ${names.get(id)}  ${version}  last heard ${beat_at}`);
  },
});

const countOf = ({ units }: FleetReport, { id }: MemberReport, kind: string): number =>
  units.filter((unit) => unit.owner === id && unit.kind === kind).length;

const hasOf = (report: FleetReport, member: MemberReport): string =>
  `${counted(countOf(report, member, 'clinic'), 'clinic')}, ` +
  `${counted(countOf(report, member, 'connector'), 'connector')}`;

/** Field names that programs rely on. */
const shown = (report: FleetReport) => ({
  members: report.members.map((member) => ({
    ...member,
    clinics: countOf(report, member, 'clinic'),
    connectors: countOf(report, member, 'connector'),
  })),
  units: report.units.map(({ kind: _, ...unit }) => unit),
  left: report.left,
});
