import { type Booking, submissionFields } from '../../domain/bookings/booking.ts';
import { namesOfFields, needWords, whyWords } from '../../domain/status/need-words.ts';
import type { BookingReport, ConnectorReport } from '../../domain/status/report.ts';
import { type Html, html } from '../../platform/text/html.ts';
import { may } from '../access/roles.ts';
import type { LeadSource, LeadTrial, SourceAlarm } from '../admin.ts';
import { connectorLayout } from './connector-page.ts';
import { reasonText, stateBadge } from './parts/booking-words.ts';
import { card, linkToMore } from './parts/card.ts';
import { english } from './parts/connector-words.ts';
import { badge, formField, type Viewer } from './parts/layout.ts';
import { type PageColumn, table } from './parts/table.ts';

/** What was pasted, and what would become of it. */
export interface Tried {
  body: string;
  trial: LeadTrial;
}

interface LeadSourcePage {
  connector: ConnectorReport;
  bookings: Pick<BookingReport, 'today' | 'last_7_days'>;
  source: LeadSource | undefined;
  tried?: Tried | undefined;
  viewer: Viewer;
  now: number;
}

/**
 * A connector that only takes bookings: how many came, what became of the latest, whether its form works. Without
 * patient data, for viewers.
 */
export function leadSourcePage({ connector, bookings, source, tried, viewer, now }: LeadSourcePage): string {
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
      ${tried && trialCard(connector.connector, tried, viewer)}
      ${card(
        { id: 'leads', title: t('latest_leads'), isLive: true },
        html`
          ${table(t('latest_leads'), columns(viewer, now), latest, t('no_bookings'))}
          ${may(viewer.role, '/bookings') && linkToMore(list, t('bookings'))}
        `,
      )}
      ${source?.canTry && !tried && trialCard(connector.connector, undefined, viewer)}
      ${source?.setup && setupCard(source.setup, viewer)}
    `,
  });
}

/** What to copy into a website, or enter at a form tool. */
function setupCard(
  { address, embed, sites = [], carries = [] }: NonNullable<LeadSource['setup']>,
  { locale: { t } }: Viewer,
): Html {
  const shown = sites.length > 0 ? t('embed_sites', { sites: sites.join(', ') }) : t('embed_no_sites');
  return card(
    { id: 'setup', title: t(embed === undefined ? 'sends_to' : 'put_into_website') },
    html`
      ${
        embed !== undefined &&
        html`
          <p class="hint">${t('embed_hint')} ${shown}</p>
          <pre tabindex="0" dir="ltr">${embed}</pre>
        `
      }
      <dl class="facts">
        <div class="whole"><dt>${t('sends_to')}</dt><dd><code dir="ltr">${address}</code></dd></div>
        ${
          carries.length > 0 &&
          html`<div class="whole"><dt>${t('sends_with')}</dt><dd>${english(carries.join(' / '))}</dd></div>`
        }
      </dl>
    `,
  );
}

function trialCard(name: string, tried: Tried | undefined, viewer: Viewer): Html | undefined {
  const path = `/connectors/${encodeURIComponent(name)}/try`;
  if (!may(viewer.role, '/connectors/:name/try')) return undefined;
  const { t } = viewer.locale;
  return card(
    { id: 'trial', title: t('trial_title') },
    html`
      ${tried && html`<div class="spaced">${trialWords(tried.trial, viewer)}</div>`}
      <form class="spaced" method="post" action="${path}" autocomplete="off">
        ${formField(viewer.formToken, viewer.here)}
        <p class="hint">${t('trial_hint')}</p>
        <label>
          ${t('trial_body')}
          <textarea name="body" rows="8" required spellcheck="false" dir="ltr">${`\n${tried?.body ?? ''}`}</textarea>
        </label>
        <div class="buttons"><button class="quiet">${t('trial_do')}</button></div>
      </form>
    `,
  );
}

function trialWords(trial: LeadTrial, { locale }: Viewer): Html {
  const { t } = locale;
  if (!trial.isLead)
    return html`<p class="fault">${t('trial_none')} ${trial.why !== null && english(trial.why)}</p>`;
  const { state, result, ref, isTask, faults, fields, unused } = trial;
  const reason = isTask ? 'task' : trial.reason;
  const booking = ref !== null && html`<a href="/bookings/${ref}">${ref}</a>`;
  const wrong = submissionFields.filter((name) => faults.some(({ field }) => field === name));
  return html`
    <p>
      ${stateBadge(state, locale)}
      ${
        result === 'new'
          ? html`<strong>${whyWords({ state, reason, fields: wrong }, locale)}</strong> ${booking}`
          : html`<strong>${locale.rich('trial_same', { ref: booking || '' })}</strong>`
      }
    </p>
    ${faults.map(({ message }) => html`<p class="fault">${english(message)}</p>`)}
    <dl class="facts">
      ${submissionFields.flatMap((field) =>
        fields[field] === undefined
          ? []
          : [
              html`<div><dt>${namesOfFields([field], locale)}</dt><dd><bdi>${String(fields[field])}</bdi></dd></div>`,
            ],
      )}
    </dl>
    ${unused.length > 0 && html`<p class="faint">${t('trial_unused', { names: unused.join(', ') })}</p>`}
  `;
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
