import { waitWords } from '../../domain/lane.ts';
import type { ClinicReport, LimiterReport, ResourceReport } from '../../domain/report.ts';
import { type Instant, toMs } from '../../platform/clock.ts';
import { formatDuration, HOUR } from '../../platform/duration.ts';
import { type Html, html } from '../../platform/html.ts';
import { figuresSection } from './figures-section.ts';
import { actionButton, badge, type Viewer } from './layout.ts';
import { table } from './table.ts';
import { number, timeTag } from './time.ts';

const MOST_FAULTS = 10;

/** One clinic: its resources, the limit it allows us, its figures. */
export function clinicSection(
  clinic: ClinicReport,
  viewer: Viewer,
  times: { now: number; startedAt: Instant | null },
): Html {
  const { now, startedAt } = times;
  const key = encodeURIComponent(clinic.clinic);
  const id = `clinic-${key}`;
  return html`<section aria-labelledby="${id}" class="card"><div class="heading"><h2 id="${id}">${clinic.name ?? clinic.clinic}</h2>
<p class="faint"><code>${clinic.clinic}</code> · ${clinic.timezone}</p>
${viewer.by !== undefined && html`<div class="buttons">${actionButton(viewer, { action: `/admin/clinics/${key}/sync`, label: 'Sync now', back: '/', quiet: true })}</div>`}</div>
${clinic.lane.state === 'paused' && pausedLane(clinic.lane, now)}
${table(`Resources of ${clinic.clinic}`, resourceColumns(now), clinic.resources)}
${clinic.resources.map((resource) => resourceFaults(resource, now))}
${facts(clinic, startedAt, now)}
${figuresSection(clinic, now)}
</section>
`;
}

const pausedLane = ({ reason, since }: ClinicReport['lane'], now: number): Html =>
  html`<p class="notice is-attention">${badge('attention', 'Bookings paused')}<span>${reason} · ${timeTag(since, now)}</span></p>`;

const resourceColumns = (now: number) => [
  { title: 'Resource', cell: ({ poll }: ResourceReport) => poll },
  { title: 'State', name: 'state' as const, cell: state },
  { title: 'Rows', cell: ({ rows }: ResourceReport) => number(rows), figure: true },
  { title: 'Read', cell: ({ last_success_at }: ResourceReport) => timeTag(last_success_at, now, 'none yet') },
  {
    title: 'Last change',
    cell: ({ last_change_at }: ResourceReport) => timeTag(last_change_at, now, 'none seen'),
  },
  { title: 'Next poll', cell: ({ next_due_at }: ResourceReport) => nextPoll(next_due_at, now) },
  {
    title: 'Failures',
    cell: ({ failures }: ResourceReport) => failures || html`<span class="faint">0</span>`,
    figure: true,
  },
];

/** An overdue poll is due now. */
const nextPoll = (at: Instant | null, now: number): Html =>
  at !== null && toMs(at) <= now ? html`now` : timeTag(at, now, 'not planned');

/** One failure is shown as “Failed once”, several in a row as “Failing”. */
function state({ stale, failures, last_success_at, idle_at }: ResourceReport): Html {
  if (stale) return badge('bad', 'Stale');
  if (failures > 0) return badge('attention', failures === 1 ? 'Failed once' : 'Failing');
  if (idle_at !== null && (last_success_at === null || idle_at > last_success_at))
    return badge('ok', 'Nothing due');
  if (last_success_at === null) return badge('attention', 'Waiting');
  return badge('ok', 'Fresh');
}

const resourceFaults = ({ poll, failures, last_error, unreadable }: ResourceReport, now: number): Html[] => [
  ...(failures > 0 && last_error !== null
    ? [html`<p class="fault"><strong>${poll}</strong> ${last_error}</p>`]
    : []),
  ...unreadable
    .slice(0, MOST_FAULTS)
    .map(
      ({ id, problem, since }) =>
        html`<p class="fault"><strong>${poll}${id !== null && ` ${id}`}</strong> cannot be read: ${problem} · ${timeTag(since, now)}</p>`,
    ),
  ...(unreadable.length > MOST_FAULTS
    ? [
        html`<p class="fault"><strong>${poll}</strong> ${unreadable.length - MOST_FAULTS} more cannot be read</p>`,
      ]
    : []),
];

function facts(clinic: ClinicReport, startedAt: Instant | null, now: number): Html {
  const { limiter, appointments_pending } = clinic;
  return html`<dl class="facts">
<div><dt>Limit</dt><dd>${limit(limiter)}</dd></div>
${calls(limiter, startedAt, now)}
<div><dt>Token</dt><dd>${token(limiter, now)}</dd></div>
<div><dt>Bookings</dt><dd>${bookings(clinic, now)}</dd></div>
<div><dt>Pending appointments</dt><dd>${number(appointments_pending)}</dd></div>
${limiter.blocked_until !== null && html`<div><dt>Asked to wait</dt><dd>until ${timeTag(limiter.blocked_until, now)}</dd></div>`}
</dl>`;
}

/** Counted in memory, so in the first hour the figure covers the time since the start. */
function calls(
  { calls_last_hour, refused_last_hour }: LimiterReport,
  startedAt: Instant | null,
  now: number,
): Html | undefined {
  if (calls_last_hour === null) return undefined;
  const lived = startedAt === null ? HOUR : now - toMs(startedAt);
  const when = lived < HOUR ? `since the start, ${formatDuration(lived)} ago` : 'last hour';
  return html`<div><dt>Calls ${when}</dt><dd>${number(calls_last_hour)}${refused_last_hour !== null && refused_last_hour > 0 && html` <span class="faint">${number(refused_last_hour)} refused</span>`}</dd></div>`;
}

function bookings({ lane, connection }: ClinicReport, now: number): string {
  if (lane.state === 'paused') return 'paused';
  if (lane.state === 'waiting') return waitWords(lane, now);
  return connection.state === 'failing' ? 'wait for the clinic' : 'being sent';
}

function limit({ ceiling_per_minute, window_ms }: LimiterReport): string {
  if (ceiling_per_minute === null) return 'none met so far';
  const per = window_ms === null || window_ms <= 60_000 ? '' : `, over ${formatDuration(window_ms)}`;
  return `${number(Math.round(ceiling_per_minute))} a minute, learned${per}`;
}

function token({ token_expires_at }: LimiterReport, now: number): Html {
  if (token_expires_at === null) return html`none yet`;
  const ended = Date.parse(token_expires_at) <= now;
  return html`${ended ? 'ended' : 'ends'} ${timeTag(token_expires_at, now)}`;
}
