import { type DeliveryState, notified } from '../../domain/delivery.ts';
import { needWords } from '../../domain/status/need-words.ts';
import type { ConnectorReport } from '../../domain/status/report.ts';
import { type Html, html, type Part } from '../../platform/text/html.ts';
import type { Activity } from '../../store/ports/activity.ts';
import type { DeliveryVerbs } from '../../store/ports/deliveries.ts';
import { may } from '../access/roles.ts';
import { card, linkToMore } from './parts/card.ts';
import { lagChart } from './parts/charts/traffic-charts.ts';
import { connectorWords, english } from './parts/connector-words.ts';
import { badge, layout, type Tone, type Viewer } from './parts/layout.ts';
import { operationButton } from './parts/operation-button.ts';
import { type PageColumn, table } from './parts/table.ts';

export const connectorTone: Record<ConnectorReport['state'], Tone> = {
  ok: 'ok',
  failing: 'attention',
  paused: 'attention',
  quarantined: 'bad',
};

type ListedDelivery = Awaited<ReturnType<DeliveryVerbs['list']>>[number];

interface ConnectorPage {
  connector: ConnectorReport;
  deliveries: readonly ListedDelivery[];
  older: string | null;
  hours: readonly Activity[];
  viewer: Viewer;
  now: number;
}

/** A connector that delivers: its state, its check and its latest deliveries. */
export function connectorPage(page: ConnectorPage): string {
  const { connector, viewer, now } = page;
  const { t } = viewer.locale;
  const { connector: name, dead } = connector;
  return connectorLayout(connector, viewer, {
    state: html`
      ${facts(connector, viewer, now)}
      ${
        dead > 0 &&
        html`
          <div class="buttons">
            ${operationButton(viewer, '/admin/connectors/:name/deliveries/retry', name, {
              label: t('retry_all'),
            })}
            ${operationButton(viewer, '/admin/connectors/:name/deliveries/skip', name, {
              label: t('skip_all'),
            })}
          </div>
        `
      }
    `,
    more: deliveryCards(page),
  });
}

/** What the pages of all connectors share. */
export function connectorLayout(
  connector: ConnectorReport,
  viewer: Viewer,
  body: { state: Html; more: Html },
): string {
  const { locale } = viewer;
  const { t } = locale;
  const { connector: name, use, state } = connector;
  return layout({
    title: name,
    viewer,
    live: true,
    body: html`
      <p class="up"><a href="/#connectors">${t('connectors')}</a></p>
      <div class="heading">
        <h1>${name}</h1><span class="faint">${use}</span>
        ${badge(connectorTone[state], t(`connector_${state}`))}
        <div class="buttons">
          ${state !== 'quarantined' && operationButton(viewer, '/admin/connectors/:name/check', name)}
          ${pauseControl(connector, viewer)}
        </div>
      </div>
      <section class="card" id="part-state" data-live aria-label="${t('state')}">
        ${connectorWords(connector, locale).map((words) => html`<p class="fault">${words}</p>`)}
        ${body.state}
      </section>
      ${body.more}
    `,
  });
}

function facts(connector: ConnectorReport, { locale }: Viewer, now: number): Html {
  const { t, number, time } = locale;
  return html`
    <dl class="facts">
      <div><dt>${t('behind')}</dt><dd>${number(connector.lag)}</dd></div>
      <div><dt>${t('pending')}</dt><dd>${number(connector.pending)}</dd></div>
      <div><dt>${t('given_up')}</dt><dd>${number(connector.dead)}</dd></div>
      <div><dt>${t('last_success')}</dt><dd>${time(connector.last_success_at, now, '–')}</dd></div>
      <div><dt>${t('failures')}</dt><dd>${number(connector.failures)}</dd></div>
    </dl>
  `;
}

function deliveryCards({ connector, deliveries, older, hours, viewer, now }: ConnectorPage): Html {
  const { t } = viewer.locale;
  return html`
      ${card(
        { id: 'lag', title: t('behind'), beside: html`<p class="faint">${t('last_week')}</p>`, isLive: true },
        hours.length === 0
          ? html`<p class="empty">${t('chart_empty')}</p>`
          : lagChart({ id: 'plot-lag', hours, now }, viewer.locale),
      )}
      ${card(
        { id: 'deliveries', title: t('deliveries'), isLive: true },
        html`
          ${table(t('deliveries'), columns(viewer, connector.connector, now), deliveries, t('deliveries_none'))}
          ${linkToMore(older, t('older'))}
        `,
      )}
  `;
}

export const deliveryTone: Record<DeliveryState, Tone> = {
  pending: 'attention',
  delivered: 'ok',
  dead: 'bad',
  skipped: 'attention',
};

/** What it is about, with links to bookings. */
function aboutWords(delivery: ListedDelivery, viewer: Viewer): Part {
  const bookingLink = (ref: string): Part =>
    may(viewer.role, '/bookings') ? html`<a href="/bookings/${ref}">${ref}</a>` : ref;
  const message = notified(delivery);
  if (message === undefined) {
    const [resource, id = ''] = delivery.thing.split(':', 2);
    return html`<span class="faint">${resource === 'booking' ? bookingLink(id) : delivery.thing}</span>`;
  }
  const { items, count } = message;
  const { locale } = viewer;
  const named = items.slice(0, NAMED);
  const left = count - named.length;
  return html`
    ${named.map(
      ({ kind, ...item }) => html`
        <br>
        ${
          kind === 'booking'
            ? bookingLink(item.subject)
            : (needWords(item, locale)?.sentence ?? english(item.sentence))
        }
      `,
    )}
    ${left > 0 && html`<br>… ${locale.t('and_more', { count: left })}`}
  `;
}

const eventName = ({ n, type }: ListedDelivery, viewer: Viewer): Html =>
  may(viewer.role, '/deliveries/')
    ? html`<a href="/deliveries/${String(n)}"><code>${type}</code></a>`
    : html`<code>${type}</code>`;

/** Of a message about many. */
const NAMED = 3;

function columns(viewer: Viewer, name: string, now: number): PageColumn<ListedDelivery>[] {
  const { t, number, time } = viewer.locale;
  const decide = ({ id }: ListedDelivery): Html =>
    html`
      <div class="buttons">
        ${(['retry', 'skip'] as const).map((verb) =>
          operationButton(viewer, `/admin/connectors/:name/deliveries/${verb}`, name, {
            ...{ about: id, quiet: true, fields: { id } },
          }),
        )}
      </div>
    `;
  return [
    {
      title: t('event'),
      cell: (one) => html`${eventName(one, viewer)} ${aboutWords(one, viewer)}`,
    },
    {
      title: t('state'),
      name: 'state',
      cell: ({ state }) => badge(deliveryTone[state], t(`delivery_${state}`)),
    },
    { title: t('when'), cell: ({ created_at }) => time(created_at, now) },
    { title: t('attempts'), cell: ({ attempts }) => number(attempts), figure: true },
    {
      title: t('last_error'),
      name: 'states',
      cell: ({ last_error }) => last_error !== null && english(last_error),
    },
    ...(may(viewer.role, '/admin/connectors/')
      ? [
          {
            title: t('actions'),
            name: 'actions' as const,
            cell: (one: ListedDelivery) => one.state === 'dead' && decide(one),
          },
        ]
      : []),
  ];
}

/** Pauses or resumes a connector, after a confirmation. */
export function pauseControl({ connector, state }: ConnectorReport, viewer: Viewer): Html | undefined {
  if (state === 'quarantined') return undefined;
  const verb = state === 'paused' ? 'resume' : 'pause';
  const question = viewer.locale.t(`${verb}_sure`, { connector });
  return operationButton(viewer, `/admin/connectors/:name/${verb}`, connector, { question, quiet: true });
}
