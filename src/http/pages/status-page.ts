import { toMs } from '../../model/clock.ts';
import { formatDuration } from '../../model/duration.ts';
import { type Html, html, toText } from '../../model/html.ts';
import type { BookingReport, ConnectorReport, Health, StatusReport } from '../../model/report.ts';
import { sentences } from '../../model/sentences.ts';
import { clinicSection } from './clinic-section.ts';
import { actionButton, badge, healthClass, icon, layout, type Viewer } from './layout.ts';
import { needsSection } from './needs-section.ts';
import { table } from './table.ts';
import { number, timeTag } from './time.ts';

interface StatusPage {
  report: StatusReport;
  viewer: Viewer;
  now: number;
  /** A page that reloads itself is a nuisance to some: `?refresh=off`. */
  refresh: boolean;
}

const REFRESH_SECONDS = 30;

/** The page at `/`: whether it works, and what to do if not. Nothing in it is about a patient. */
export function statusPage({ report, viewer, now, refresh }: StatusPage): string {
  return toText(
    layout({
      title: report.sentence,
      viewer,
      health: report.health,
      ...(refresh && { refreshSeconds: REFRESH_SECONDS }),
      body: html`${verdict(report, now)}
${!report.database.ok && databaseFault(report.database.problem)}
${needsSection(report, viewer, now)}
${report.clinics.map((clinic) => clinicSection(clinic, viewer, now))}
<div class="pair">${bookingsSection(report.bookings, viewer)}${connectorsSection(report.connectors, viewer, now)}</div>
${changesSection(report.changes, now)}`,
      footer: html`<p>clinic-sync ${report.version}${
        report.started_at !== null && html` · running for ${formatDuration(now - toMs(report.started_at))}`
      }${report.database.bytes !== null && html` · database ${bytes(report.database.bytes)}`} · <a href="/status.json">status.json</a> · <a href="/metrics">metrics</a></p>
<p>${
        refresh
          ? html`Reloads every ${REFRESH_SECONDS} s · <a href="/?refresh=off">stop</a>`
          : html`Does not reload by itself · <a href="/">reload every ${REFRESH_SECONDS} s</a>`
      }</p>`,
    }),
  );
}

const verdict = ({ health, sentence, at }: StatusReport, now: number): Html =>
  html`<section class="verdict ${healthClass[health]}" aria-labelledby="verdict">${icon(health)}<div><h1 id="verdict">${sentence}</h1>
<p>${meaning[health]} Checked ${timeTag(at, now)}.</p></div></section>`;

const meaning: Record<Health, string> = {
  ok: 'Nothing to do.',
  attention: 'Data is in step; something waits for a person.',
  not_syncing: 'Not in step with the clinic.',
};

const databaseFault = (problem: string | null): Html =>
  html`<p class="notice is-bad" role="alert">${badge('not_syncing', 'Database')}<span>${sentences(problem ?? 'It does not answer')} Bookings are refused until it works again; senders are asked to come back.</span></p>`;

function bookingsSection(bookings: readonly BookingReport[], viewer: Viewer): Html {
  const columns = [
    { title: 'Source', cell: ({ source }: BookingReport) => html`<code>${source}</code>` },
    { title: 'Today', cell: ({ today }: BookingReport) => number(today), figure: true },
    { title: '7 days', cell: ({ last_7_days }: BookingReport) => number(last_7_days), figure: true },
    { title: 'States', cell: ({ states }: BookingReport) => stateList(states, viewer) },
  ];
  return html`<section aria-labelledby="bookings" class="card"><div class="heading"><h2 id="bookings">Bookings</h2>
${viewer.by !== undefined && html`<p><a href="/bookings">All bookings</a></p>`}</div>
${bookings.length === 0 ? html`<p class="empty">No booking has come in yet. Sources post to <code>/in/CONNECTOR</code>.</p>` : table('Bookings by source', columns, bookings)}</section>
`;
}

const stateList = (states: BookingReport['states'], viewer: Viewer): Html =>
  html`<span class="states">${Object.entries(states)
    .filter(([, count]) => count > 0)
    .map(([state, count]) =>
      viewer.by === undefined
        ? html`<span>${state.replaceAll('_', ' ')} <b>${count}</b></span>`
        : html`<a href="/bookings?state=${state}">${state.replaceAll('_', ' ')} <b>${count}</b></a>`,
    )}</span>`;

const connectorHealth: Record<ConnectorReport['state'], Health> = {
  ok: 'ok',
  failing: 'attention',
  paused: 'attention',
  quarantined: 'not_syncing',
};

function connectorsSection(connectors: readonly ConnectorReport[], viewer: Viewer, now: number): Html {
  const columns = [
    {
      title: 'Connector',
      cell: ({ connector, use }: ConnectorReport) =>
        html`<code>${connector}</code> <span class="faint">${use}</span>`,
    },
    { title: 'State', cell: ({ state }: ConnectorReport) => badge(connectorHealth[state], word(state)) },
    { title: 'Behind', cell: ({ lag }: ConnectorReport) => number(lag), figure: true },
    { title: 'Waiting', cell: ({ pending }: ConnectorReport) => number(pending), figure: true },
    { title: 'Given up', cell: ({ dead }: ConnectorReport) => number(dead), figure: true },
    {
      title: 'Last success',
      cell: ({ last_success_at }: ConnectorReport) => timeTag(last_success_at, now, 'none yet'),
    },
  ];
  return html`<section aria-labelledby="connectors" class="card"><div class="heading"><h2 id="connectors">Connectors</h2></div>
${connectors.length === 0 ? html`<p class="empty">No connector is configured.</p>` : table('Connectors', columns, connectors)}
${connectors.map((connector) => connectorTrouble(connector))}
${viewer.by !== undefined && connectors.length > 0 && html`<div class="buttons">${connectors.map((connector) => pauseButton(connector, viewer))}</div>`}</section>
`;
}

const connectorTrouble = ({ connector, last_error, problems, state }: ConnectorReport): Html[] =>
  [...(state !== 'ok' && last_error !== null ? [last_error] : []), ...problems].map(
    (sentence) => html`<p class="fault"><strong>${connector}</strong> ${sentence}</p>`,
  );

function pauseButton({ connector, state }: ConnectorReport, viewer: Viewer): Html | undefined {
  if (state === 'quarantined') return undefined;
  const verb = state === 'paused' ? 'resume' : 'pause';
  const action = `/admin/connectors/${encodeURIComponent(connector)}/${verb}`;
  return actionButton(viewer, { action, label: `${word(verb)} ${connector}`, back: '/', quiet: true });
}

function changesSection(changes: StatusReport['changes'], now: number): Html | undefined {
  if (changes.length === 0) return undefined;
  const several = new Set(changes.map(({ clinic }) => clinic)).size > 1;
  return html`<section aria-labelledby="changes" class="card"><div class="heading"><h2 id="changes">Recent changes</h2></div>
<ol class="changes">${changes.map(
    ({ clinic, sequence, at, type, id, summary }) =>
      html`<li value="${sequence}">${timeTag(at, now)}<code>${type}</code><span>${several && html`<code>${clinic}</code> `}<b>${id}</b> ${summary}</span></li>
`,
  )}</ol></section>`;
}

const word = (text: string): string =>
  text === 'ok' ? 'Working' : text.charAt(0).toUpperCase() + text.slice(1);

const bytes = (count: number): string =>
  count < 1_048_576 ? `${Math.ceil(count / 1_024)} kB` : `${(count / 1_048_576).toFixed(1)} MB`;
