import { type Booking, submissionFields } from '../../domain/bookings/booking.ts';
import { namesOfFields, needWords } from '../../domain/status/need-words.ts';
import type { BookingReport, ConnectorReport } from '../../domain/status/report.ts';
import { type Html, html } from '../../platform/text/html.ts';
import { may } from '../access/roles.ts';
import type { LeadSource, SourceAlarm } from '../admin.ts';
import { connectorLayout } from './connector-page.ts';
import { reasonText, stateBadge } from './parts/booking-words.ts';
import { card, linkToMore } from './parts/card.ts';
import { english } from './parts/connector-words.ts';
import { badge, type Viewer } from './parts/layout.ts';
import { type PageColumn, table } from './parts/table.ts';

interface LeadSourcePage {
  connector: ConnectorReport;
  bookings: Pick<BookingReport, 'today' | 'last_7_days'>;
  source: LeadSource | undefined;
  viewer: Viewer;
  now: number;
}

/**
 * A connector that only takes bookings: how many came, what became of the latest, whether its form works. Without
 * patient data, for viewers.
 */
export function leadSourcePage({ connector, bookings, source, viewer, now }: LeadSourcePage): string {
  const { t, number, time } = viewer.locale;
  const { latest = [], last_28_days = null, probe = null, alarms = [] } = source ?? {};
  const newest = latest[0]?.received_at ?? null;
  const list = `/bookings?source=${encodeURIComponent(connector.connector)}`;
  return connectorLayout(connector, viewer, {
    state: html`
      ${alarms.map((need) => alarm(need, viewer))}
      <dl class="facts">
        <div><dt>${t('today')}</dt><dd>${number(bookings.today)}</dd></div>
        <div><dt>${t('seven_days')}</dt><dd>${number(bookings.last_7_days)}</dd></div>
        ${last_28_days !== null && html`<div><dt>${t('days_28')}</dt><dd>${number(last_28_days)}</dd></div>`}
        <div><dt>${t('last_lead')}</dt><dd>${time(newest, now, '–')}</dd></div>
        ${
          probe !== null &&
          html`
            <div>
              <dt>${t('last_probe')}</dt>
              <dd>
                ${time(probe.at, now)}
                ${badge(probe.works ? 'ok' : 'bad', t(probe.works ? 'connector_ok' : 'connector_failing'))}
              </dd>
            </div>
          `
        }
      </dl>
    `,
    more: html`
      ${card(
        { id: 'leads', title: t('latest_leads'), isLive: true },
        html`
          ${table(t('latest_leads'), columns(viewer, now), latest, t('no_bookings'))}
          ${may(viewer.role, '/bookings') && linkToMore(list, t('bookings'))}
        `,
      )}
    `,
  });
}

function alarm(need: SourceAlarm, { locale }: Viewer): Html {
  const words = needWords(need, locale);
  return words === undefined
    ? html`<p class="fault">${english(need.sentence)}</p>`
    : html`<p class="fault">${words.sentence} ${words.todo}</p>`;
}

function columns(viewer: Viewer, now: number): PageColumn<Booking>[] {
  const { locale } = viewer;
  const { t, time } = locale;
  return [
    {
      title: t('reference'),
      cell: ({ ref }) => (may(viewer.role, '/bookings') ? html`<a href="/bookings/${ref}">${ref}</a>` : ref),
    },
    { title: t('came_in'), name: 'came', cell: ({ received_at }) => time(received_at, now) },
    { title: t('state'), name: 'state', cell: ({ state }) => stateBadge(state, locale) },
    { title: t('why'), name: 'why', cell: (booking) => reasonText(booking, locale) },
    {
      title: t('filled_in'),
      name: 'states',
      cell: (booking) =>
        namesOfFields(
          submissionFields.filter((field) => booking[field] !== null),
          locale,
        ) || '–',
    },
  ];
}
