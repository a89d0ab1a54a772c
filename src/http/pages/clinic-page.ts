import type { ClinicReport, LimiterReport } from '../../domain/status/report.ts';
import { toMs } from '../../platform/clock.ts';
import { type Html, html, type Part } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import type { Activity } from '../../store/ports/activity.ts';
import { card } from './parts/card.ts';
import { type DailyLeads, leadsChart, trafficCharts } from './parts/charts/traffic-charts.ts';
import { clinicCard } from './parts/clinic-card.ts';
import { figuresSection } from './parts/figures-section.ts';
import { layout, type Viewer } from './parts/layout.ts';
import type { LastDay } from './parts/resource-row.ts';

export interface ClinicLeads {
  sources: readonly DailyLeads[];
  /** YYYY-MM-DD, oldest first. */
  days: readonly string[];
}

interface ClinicPage {
  clinic: ClinicReport;
  day: LastDay;
  hours: readonly Activity[];
  leads: ClinicLeads;
  viewer: Viewer;
  now: number;
}

/** Everything about one clinic, on its own clock. */
export function clinicPage({ clinic, day, hours, leads, viewer, now }: ClinicPage): string {
  const locale = viewer.locale.inZone(clinic.timezone);
  const { t } = locale;
  const key = encodeURIComponent(clinic.clinic);
  return layout({
    title: clinic.name ?? clinic.clinic,
    viewer,
    locale,
    live: true,
    body: html`
      <p class="up"><a href="/">${t('nav_overview')}</a></p>
      <div class="heading">
        <h1>${clinic.name ?? clinic.clinic}</h1>
        <p class="faint"><code>${clinic.clinic}</code></p>
        <p>
          <a href="/change-log?clinic=${key}">${t('nav_changes')}</a> · <a href="/incidents?clinic=${key}">
            ${t('nav_incidents')}
          </a> · <a href="/fees?clinic=${key}">${t('nav_fees')}</a>
        </p>
      </div>
      ${clinicCard(clinic, { viewer, locale, day, now, full: true })}${facts(clinic, now, locale)}
      ${card(
        {
          id: 'leads',
          title: t('chart_leads'),
          beside: html`<p class="faint">${t('last_fortnight')}</p>`,
          isLive: true,
        },
        leadsChart({ ...leads, id: 'plot-leads' }, locale),
      )}
      ${card(
        {
          id: 'traffic',
          title: t('traffic'),
          beside: html`<p class="faint">${t('last_week')}</p>`,
          isLive: true,
        },
        trafficCharts({ id: 'plot', hours, now }, locale),
      )}
      ${figuresSection(clinic, now, locale)}
    `,
  });
}

function facts(clinic: ClinicReport, now: number, locale: Locale): Html {
  const { t, number, time, duration } = locale;
  const { limiter, appointments_pending } = clinic;
  const calls = limiter.calls_last_hour;
  const refused = limiter.refused_last_hour ?? 0;
  const rows: [string, Part][] = [
    [t('limit'), limitWords(limiter, locale)],
    [
      limiter.counted_since === null
        ? t('calls_last_hour')
        : t('calls_in', { time: duration(now - toMs(limiter.counted_since)) }),
      calls !== null &&
        html`
          ${number(calls)}
          ${refused > 0 && html` <span class="faint">${t('refused_of_them', { count: refused })}</span>`}
        `,
    ],
    [t('token'), limiter.token_expires_at === null ? t('none_yet') : time(limiter.token_expires_at, now)],
    [t('sending'), t(sendingOf(clinic))],
    [t('pending_appointments'), number(appointments_pending)],
    [t('asked_to_wait'), limiter.blocked_until !== null && time(limiter.blocked_until, now)],
  ];
  return html`<dl class="facts" id="part-facts" data-live>${rows
    .filter(([, value]) => value !== false)
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const sendingOf = ({ lane, connection }: ClinicReport) => {
  if (lane.state !== 'open') return lane.state === 'paused' ? 'sending_paused' : 'sending_waiting';
  return connection.state === 'failing' ? 'sending_clinic' : 'sending_open';
};

const limitWords = ({ ceiling_per_minute }: LimiterReport, { t }: Locale): string =>
  ceiling_per_minute === null
    ? t('limit_none')
    : t('limit_learned', { count: Math.round(ceiling_per_minute) });
