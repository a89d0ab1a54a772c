import { targetOf } from '../../../config/notify.ts';
import type { ConnectorReport, StatusReport, TargetReport } from '../../../domain/status/report.ts';
import { idleness } from '../../../domain/status/target-report.ts';
import { instant, toMs } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Locale } from '../../../platform/text/locale.ts';
import { may } from '../../access/roles.ts';
import { connectorTone, pauseControl } from '../connector-page.ts';
import { card } from './card.ts';
import { connectorWords } from './connector-words.ts';
import { badge, type Viewer } from './layout.ts';
import { type PageColumn, table } from './table.ts';

/** Connectors per page. */
const MOST_CONNECTORS = 100;

export function connectorsSection(all: readonly ConnectorReport[], viewer: Viewer, now: number): Html {
  const connectors = all.filter(({ use }) => !use.startsWith('notify:'));
  const { t, number, time } = viewer.locale;
  const columns: PageColumn<ConnectorReport>[] = [
    {
      title: t('connector'),
      cell: ({ connector, use }) =>
        html`
          <a href="/connectors/${encodeURIComponent(connector)}">${connector}</a> <span class="faint">
            ${use}
          </span>
        `,
    },
    {
      title: t('state'),
      name: 'state',
      cell: ({ state }) => badge(connectorTone[state], t(`connector_${state}`)),
    },
    { title: t('behind'), cell: ({ delivers, lag }) => delivers && number(lag), figure: true },
    { title: t('given_up'), cell: ({ delivers, dead }) => delivers && number(dead), figure: true },
    {
      title: t('last_success'),
      cell: ({ delivers, last_success_at }) => delivers && time(last_success_at, now, '–'),
    },
    ...(may(viewer.role, '/admin/connectors/')
      ? [
          {
            title: t('actions'),
            name: 'actions' as const,
            cell: (connector: ConnectorReport) => pauseControl(connector, viewer),
          },
        ]
      : []),
  ];
  const ordered = connectors.toSorted((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok'));
  return card(
    { id: 'connectors', title: t('connectors'), isLive: true },
    html`
      ${table(t('connectors'), columns, ordered.slice(0, MOST_CONNECTORS), t('no_connector'))}
      ${ordered.slice(0, MOST_CONNECTORS).map((connector) => connectorTrouble(connector, viewer.locale))}
    `,
  );
}

/** Who is told, and whether messages arrive there. */
export function targetsSection(report: StatusReport, viewer: Viewer, now: number): Html | undefined {
  const { t, number, time } = viewer.locale;
  const all = report.connectors.filter(({ use }) => use.startsWith('notify:'));
  if (all.length === 0) return undefined;
  const toldOf = ({ connector }: ConnectorReport) =>
    report.notify.find(({ target }) => target === targetOf(connector));
  const columns: PageColumn<ConnectorReport>[] = [
    {
      title: t('target'),
      cell: ({ connector, use }) =>
        html`
          <a href="/connectors/${encodeURIComponent(connector)}">${targetOf(connector)}</a> <span class="faint">
            ${targetOf(use)}
          </span>
        `,
    },
    {
      title: t('state'),
      name: 'state',
      cell: ({ state }) => badge(connectorTone[state], t(`connector_${state}`)),
    },
    {
      title: t('last_proof'),
      cell: (one) => time(toldOf(one)?.last_proof_at ?? one.last_success_at, now, '–'),
    },
    {
      title: t('last_tried'),
      cell: (one) => time(toldOf(one)?.last_tried_at ?? one.last_success_at, now, '–'),
    },
    {
      title: t('owed'),
      cell: (one) => {
        const { owed = 0, owed_since = null } = toldOf(one) ?? {};
        return html`${number(owed)}${owed > 0 && html` <span class="faint">${time(owed_since, now)}</span>`}`;
      },
    },
  ];
  return card(
    { id: 'targets', title: t('targets'), isLive: true },
    html`
      ${table(t('targets'), columns, all)}
      ${report.notify.map((told) => idleWords(told, viewer.locale, now))}
      ${all.map((connector) => connectorTrouble(connector, viewer.locale))}
    `,
  );
}

/** That a target should be tried. */
function idleWords(told: TargetReport, locale: Locale, now: number): Html | undefined {
  const idle = idleness(told, now);
  if (idle === undefined) return undefined;
  const { target: name, last_proof_at } = told;
  const day = locale.date(toMs(last_proof_at ?? instant(now)), { dateStyle: 'long' });
  const [state, remedy] = locale.t(`target_${idle}` as 'target_idle', { name, day }).split('\n');
  return html`<p class="hint"><strong>${name}</strong>: ${state}. ${remedy}</p>`;
}

const connectorTrouble = (report: ConnectorReport, locale: Locale): Html[] =>
  connectorWords(report, locale).map(
    (words) => html`<p class="fault"><strong>${report.connector}</strong> ${words}</p>`,
  );
