import type { FleetStatus, MemberStatus } from '../../domain/report.ts';
import { formatDuration } from '../../platform/duration.ts';
import { type Html, html } from '../../platform/html.ts';
import { table } from './table.ts';
import { number, timeTag } from './time.ts';

/** Where several daemons may share the work: who runs, and who does what. */
export function fleetSection(fleet: FleetStatus | undefined, now: number): Html | undefined {
  if (fleet === undefined) return undefined;
  const { members, free, handed_over_at } = fleet;
  const columns = [
    { title: 'Daemon', cell: ({ name }: MemberStatus) => html`<code>${name}</code>` },
    { title: 'Version', cell: ({ version }: MemberStatus) => version },
    { title: 'Since', cell: ({ since }: MemberStatus) => timeTag(since, now) },
    { title: 'Heard', cell: ({ beat_at }: MemberStatus) => timeTag(beat_at, now) },
    { title: 'Clock', cell: ({ skew_ms }: MemberStatus) => clockWords(skew_ms) },
    { title: 'Clinics', cell: ({ clinics }: MemberStatus) => number(clinics), figure: true },
    { title: 'Connectors', cell: ({ connectors }: MemberStatus) => number(connectors), figure: true },
  ];
  return html`<section aria-labelledby="fleet" class="card"><div class="heading"><h2 id="fleet">Daemons</h2>
<p>last hand-over ${timeTag(handed_over_at, now)}</p></div>
${members.length === 0 ? html`<p class="empty">No daemon runs.</p>` : table('Daemons', columns, members)}
${members.map(
  (member) => html`<p class="hint"><code>${member.name}</code> looks after ${workOf(member)}</p>
`,
)}${free.length > 0 && html`<p class="fault"><strong>Nobody</strong> looks after ${free.map(({ unit, on }) => (on === undefined ? unit : `${unit} (on ${on} only)`)).join(', ')}</p>`}</section>
`;
}

const clockWords = (ms: number): string =>
  ms === 0 ? 'right' : `${formatDuration(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`;

function workOf({ units, clinics, connectors }: MemberStatus): string {
  if (units.length === 0) return 'nothing';
  // The upkeep is counted nowhere, and may be the one that is not shown.
  const more = clinics + connectors - units.filter((unit) => unit !== 'upkeep').length;
  return `${units.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`;
}
