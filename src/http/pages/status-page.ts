import { type Booking, noClinic } from '../../domain/booking.ts';
import { type ClinicsPage, clinicsPage } from '../../domain/clinics-page.ts';
import type { BookingReport, ConnectorReport, StatusReport } from '../../domain/report.ts';
import { retentionSentence } from '../../domain/retention-sentence.ts';
import { toMs } from '../../platform/clock.ts';
import { formatDuration } from '../../platform/duration.ts';
import { type Html, html } from '../../platform/html.ts';
import { clause, sentences } from '../../platform/sentences.ts';
import { may } from '../access/roles.ts';
import { clinicSection } from './clinic-section.ts';
import { fleetSection } from './fleet-section.ts';
import { actionButton, badge, icon, layout, type Tone, toneClass, toneOf, type Viewer } from './layout.ts';
import { needsSection } from './needs-section.ts';
import { sourceColumns, table } from './table.ts';
import { number, timeTag } from './time.ts';

interface StatusPage {
  report: StatusReport;
  viewer: Viewer;
  now: number;
  /** False with `?refresh=off`, for people whom reloading disturbs. */
  refresh: boolean;
  /** Shows the needs after this subject. */
  after?: string | undefined;
  /** What is shown of the clinics. */
  clinics?: ClinicsPage;
  bookings?: ReadonlyMap<string, Booking> | undefined;
}

const REFRESH_SECONDS = 30;

/** The page at `/` for signed-in people. `bookings` are the only patient data on it. */
export function statusPage({ report, viewer, now, refresh, after, bookings, ...given }: StatusPage): string {
  const clinics = given.clinics ?? clinicsPage(report, { limit: CLINICS_ON_PAGE });
  return layout({
    title: report.sentence,
    viewer,
    tone: toneFor(report),
    ...(refresh && { refreshSeconds: REFRESH_SECONDS }),
    body: html`${verdict(report, now)}
${!report.database.ok && databaseFault(report.database.problem)}
${troubleSection(report, now)}
${needsSection(report, { viewer, now, after, bookings })}
${clinics.shown.map((clinic) => clinicSection(clinic, viewer, { now, startedAt: report.started_at }))}
${otherClinics(report, clinics)}
${
  // Nothing is known while the database has never answered.
  (report.database.ok || report.clinics.length > 0) && [
    bookingsSection(report.bookings, viewer),
    connectorsSection(report.connectors, viewer, now),
    fleetSection(report.fleet, now),
    changesSection(report.changes, now),
  ]
}`,
    footer: html`<p>clinic-sync ${report.version}${
      report.started_at !== null && html` · running for ${formatDuration(now - toMs(report.started_at))}`
    }${report.database.bytes !== null && html` · database ${bytes(report.database.bytes)}`} · <a href="/status.json">status.json</a> · <a href="/metrics">metrics</a></p>
${report.retention && html`<p>${retentionSentence(report.retention)}</p>`}
<p>${
      refresh
        ? html`Reloads every ${REFRESH_SECONDS} s · <a href="/?refresh=off">stop</a>`
        : html`Does not reload · <a href="/">reload every ${REFRESH_SECONDS} s</a>`
    }</p>`,
  });
}

/** Clinics in one page: each takes a screen. */
export const CLINICS_ON_PAGE = 20;

function otherClinics({ clinics_total }: StatusReport, { shown, left, next }: ClinicsPage): Html | undefined {
  if (shown.length === clinics_total) return undefined;
  return html`<p class="hint">${number(shown.length)} of ${number(clinics_total)} clinics, those that need attention first · <a href="/">From the top</a>${
    next !== null &&
    html` · <a href="/?clinics=${encodeURIComponent(next)}">The next ${number(Math.min(left, CLINICS_ON_PAGE))} of ${number(left)} more</a>`
  }</p>`;
}

/** Open needs are not a fault of the sync, but they want attention. */
const toneFor = ({ health, needs_total }: StatusReport): Tone =>
  health === 'ok' && needs_total > 0 ? 'attention' : toneOf[health];

const verdict = (report: StatusReport, now: number): Html => {
  const tone = toneFor(report);
  return html`<section class="verdict ${toneClass[tone]}" aria-labelledby="verdict">${icon(tone)}<div><h1 id="verdict">${report.sentence}</h1>
<p>${meaning(report)} ${recovery(report, now)}Checked ${timeTag(report.at, now)}.</p></div></section>`;
};

function meaning({ health, needs_total }: StatusReport): string {
  if (health === 'stale') return 'Not in step with the clinic.';
  if (health === 'trouble') return 'Something does not work; it is tried again until it does.';
  return needs_total > 0 ? 'Data is in step; something waits for a person.' : 'Nothing to do.';
}

/** How long a recovery is shown, for people who were alerted. */
const RECOVERY_SHOWN_MS = 60 * 60_000;

const recovery = ({ recovered }: StatusReport, now: number): Html | undefined =>
  recovered !== null && now - toMs(recovered.at) < RECOVERY_SHOWN_MS
    ? html`Recovered ${timeTag(recovered.at, now)}, after ${formatDuration(toMs(recovered.at) - toMs(recovered.since))}: ${clause(recovered.sentence)}. `
    : undefined;

/** All causes; a single one is in the headline already. */
function troubleSection({ reasons }: StatusReport, now: number): Html | undefined {
  if (reasons.length < 2) return undefined;
  return html`<section aria-labelledby="trouble" class="card"><h2 id="trouble">What is wrong</h2>
<ul class="reasons">${reasons.map(
    ({ health, sentence, since }) =>
      html`<li>${badge(toneOf[health], health === 'stale' ? 'Stale' : 'Trouble')} ${sentence}${since !== null && html` <span class="faint">· ${timeTag(since, now)}</span>`}</li>`,
  )}</ul></section>`;
}

const databaseFault = (problem: string | null): Html =>
  html`<p class="notice is-bad" role="alert">${badge('bad', 'Database')}<span>${sentences(problem ?? 'It does not answer')} Bookings are refused until it works again; senders are asked to come back.</span></p>`;

function bookingsSection(bookings: readonly BookingReport[], viewer: Viewer): Html {
  const states = {
    title: 'States',
    name: 'states' as const,
    cell: (report: BookingReport) => stateList(report.states, viewer),
  };
  return html`<section aria-labelledby="bookings" class="card"><div class="heading"><h2 id="bookings">Bookings</h2>
${may(viewer.role, '/bookings') && html`<p><a href="/bookings">All bookings</a></p>`}</div>
${bookings.length === 0 ? html`<p class="empty">No booking has come in yet. Sources post to <code>/in/CONNECTOR</code>.</p>` : table('Bookings by source', [...sourceColumns, states], bookings)}</section>
`;
}

const stateList = (states: BookingReport['states'], viewer: Viewer): Html =>
  html`<span class="states">${Object.entries(states)
    .filter(([, count]) => count > 0)
    .map(([state, count]) =>
      may(viewer.role, '/bookings')
        ? html`<a href="/bookings?state=${state}">${state.replaceAll('_', ' ')} <b>${count}</b></a>`
        : html`<span>${state.replaceAll('_', ' ')} <b>${count}</b></span>`,
    )}</span>`;

const connectorTone: Record<ConnectorReport['state'], Tone> = {
  ok: 'ok',
  failing: 'attention',
  paused: 'attention',
  quarantined: 'bad',
};

function connectorsSection(connectors: readonly ConnectorReport[], viewer: Viewer, now: number): Html {
  const columns = [
    {
      title: 'Connector',
      cell: ({ connector, use }: ConnectorReport) =>
        html`<code>${connector}</code> <span class="faint">${use}</span>`,
    },
    {
      title: 'State',
      name: 'state' as const,
      cell: ({ state }: ConnectorReport) => badge(connectorTone[state], word(state)),
    },
    { title: 'Behind', cell: ({ lag }: ConnectorReport) => number(lag), figure: true },
    { title: 'Waiting', cell: ({ pending }: ConnectorReport) => number(pending), figure: true },
    { title: 'Given up', cell: ({ dead }: ConnectorReport) => number(dead), figure: true },
    {
      title: 'Last success',
      cell: ({ last_success_at }: ConnectorReport) => timeTag(last_success_at, now, 'none yet'),
    },
    ...(!may(viewer.role, '/admin/connectors/')
      ? []
      : [
          {
            title: 'Actions',
            name: 'actions' as const,
            cell: (connector: ConnectorReport) => pauseButton(connector, viewer),
          },
        ]),
  ];
  return html`<section aria-labelledby="connectors" class="card"><div class="heading"><h2 id="connectors">Connectors</h2></div>
${connectors.length === 0 ? html`<p class="empty">No connector is configured.</p>` : table('Connectors', columns, connectors)}
${connectors.map((connector) => connectorTrouble(connector))}</section>
`;
}

const connectorTrouble = ({ connector, reason, last_error, problems, state }: ConnectorReport): Html[] =>
  [...(state === 'ok' ? [] : [reason ?? last_error ?? '']), ...problems]
    .filter((sentence) => sentence !== '')
    .map((sentence) => html`<p class="fault"><strong>${connector}</strong> ${sentence}</p>`);

function pauseButton({ connector, state }: ConnectorReport, viewer: Viewer): Html | undefined {
  if (state === 'quarantined') return undefined;
  const verb = state === 'paused' ? 'resume' : 'pause';
  const action = `/admin/connectors/${encodeURIComponent(connector)}/${verb}`;
  return actionButton(viewer, { action, label: word(verb), about: connector, back: '/', quiet: true });
}

function changesSection(changes: StatusReport['changes'], now: number): Html | undefined {
  if (changes.length === 0) return undefined;
  const several = new Set(changes.map(({ clinic }) => clinic)).size > 1;
  return html`<section aria-labelledby="changes" class="card"><div class="heading"><h2 id="changes">Recent changes</h2></div>
<ol class="changes">${changes.map(
    ({ clinic, sequence, at, type, summary }) =>
      html`<li value="${sequence}">${timeTag(at, now)}<code>${type}</code><span>${several && clinic !== noClinic && html`<code>${clinic}</code> `}${summary}</span></li>
`,
  )}</ol></section>`;
}

const word = (text: string): string =>
  text === 'ok' ? 'Working' : text.charAt(0).toUpperCase() + text.slice(1);

const bytes = (count: number): string =>
  count < 1_048_576 ? `${Math.ceil(count / 1_024)} kB` : `${(count / 1_048_576).toFixed(1)} MB`;
