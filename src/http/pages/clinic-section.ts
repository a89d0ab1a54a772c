import { formatDuration } from '../../model/duration.ts';
import { type Html, html } from '../../model/html.ts';
import type { ClinicReport, LimiterReport, ResourceReport } from '../../model/report.ts';
import { figuresSection } from './figures-section.ts';
import { actionButton, badge, type Viewer } from './layout.ts';
import { table } from './table.ts';
import { number, timeTag } from './time.ts';

/** One clinic: its resources, the limit it allows us, its figures. */
export function clinicSection(clinic: ClinicReport, viewer: Viewer, now: number): Html {
  const key = encodeURIComponent(clinic.clinic);
  const id = `clinic-${key}`;
  return html`<section aria-labelledby="${id}" class="card"><div class="heading"><h2 id="${id}">${clinic.name ?? clinic.clinic}</h2>
<p class="faint"><code>${clinic.clinic}</code> · ${clinic.timezone}</p>
${viewer.by !== undefined && html`<div class="buttons">${actionButton(viewer, { action: `/admin/clinics/${key}/sync`, label: 'Sync now', back: '/', quiet: true })}</div>`}</div>
${clinic.lane.state === 'paused' && pausedLane(clinic.lane, now)}
${table(`Resources of ${clinic.clinic}`, resourceColumns(now), clinic.resources)}
${clinic.resources.filter(({ last_error }) => last_error !== null).map(resourceError)}
${facts(clinic, now)}
${figuresSection(clinic, now)}
</section>
`;
}

const pausedLane = ({ reason, since }: ClinicReport['lane'], now: number): Html =>
  html`<p class="notice is-attention">${badge('attention', 'Bookings paused')}<span>${reason} · since ${timeTag(since, now)}</span></p>`;

const resourceColumns = (now: number) => [
  { title: 'Resource', cell: ({ poll }: ResourceReport) => poll },
  { title: 'State', cell: state },
  { title: 'Rows', cell: ({ rows }: ResourceReport) => number(rows), figure: true },
  { title: 'Data', cell: ({ last_success_at }: ResourceReport) => timeTag(last_success_at, now, 'none yet') },
  {
    title: 'Last change',
    cell: ({ last_change_at }: ResourceReport) => timeTag(last_change_at, now, 'none seen'),
  },
  { title: 'Next poll', cell: ({ next_due_at }: ResourceReport) => timeTag(next_due_at, now, 'not planned') },
  {
    title: 'Failures',
    cell: ({ failures }: ResourceReport) => failures || html`<span class="faint">0</span>`,
    figure: true,
  },
];

function state({ stale, failures, last_success_at }: ResourceReport): Html {
  if (stale) return badge('not_syncing', 'Stale');
  if (failures > 0) return badge('attention', 'Failing');
  if (last_success_at === null) return badge('attention', 'Waiting');
  return badge('ok', 'Fresh');
}

const resourceError = ({ poll, last_error }: ResourceReport): Html =>
  html`<p class="fault"><strong>${poll}</strong> ${last_error}</p>`;

function facts({ limiter, appointments_pending, lane }: ClinicReport, now: number): Html {
  return html`<dl class="facts">
<div><dt>Limit</dt><dd>${limit(limiter)}</dd></div>
<div><dt>Calls, last hour</dt><dd>${number(limiter.calls_last_hour)}${limiter.refused_last_hour > 0 && html` <span class="faint">${limiter.refused_last_hour} refused</span>`}</dd></div>
<div><dt>Token</dt><dd>${token(limiter, now)}</dd></div>
<div><dt>Bookings</dt><dd>${lane.state === 'open' ? 'being sent' : 'paused'}</dd></div>
<div><dt>Pending appointments</dt><dd>${number(appointments_pending)}</dd></div>
${limiter.blocked_until !== null && html`<div><dt>Asked to wait</dt><dd>until ${timeTag(limiter.blocked_until, now)}</dd></div>`}
</dl>`;
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
