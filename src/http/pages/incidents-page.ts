import { causeOf } from '../../domain/status/need-words.ts';
import { toMs } from '../../platform/clock.ts';
import { html } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import type { Incident } from '../../store/ports/incidents.ts';
import { clinicSelect } from './changes-page.ts';
import { linkToMore } from './parts/card.ts';
import { downloads } from './parts/downloads.ts';
import { badge, layout, toneOf, type Viewer } from './parts/layout.ts';
import { type PageColumn, table } from './parts/table.ts';

interface IncidentsPage {
  incidents: readonly Incident[];
  clinic: string | undefined;
  clinics: readonly { clinic: string; name: string | null }[];
  /** Its own address. */
  here: string;
  older: string | null;
  viewer: Viewer;
  locale: Locale;
  now: number;
}

/** Incidents with their ends, newest first. */
export function incidentsPage(page: IncidentsPage): string {
  const { incidents, clinic, clinics, here, older, viewer, locale, now } = page;
  const { t, moment, duration } = locale;
  const columns: PageColumn<Incident>[] = [
    {
      title: t('cause'),
      cell: (one) =>
        html`${causeOf(one, locale)}${one.clinic !== null && clinics.length > 1 && html` <code>${one.clinic}</code>`}`,
    },
    {
      title: t('state'),
      name: 'state',
      cell: ({ health }) => badge(toneOf[health], t(`health_${health}`)),
    },
    { title: t('since'), cell: ({ since }) => moment(since) },
    {
      title: t('until'),
      cell: ({ ended_at }) =>
        ended_at === null ? html`<strong>${t('incident_lasts')}</strong>` : moment(ended_at),
    },
    {
      title: t('incident_for'),
      cell: ({ since, ended_at }) => duration((ended_at === null ? now : toMs(ended_at)) - toMs(since)),
    },
    { title: t('detail'), cell: ({ sentence }) => html`<span lang="en" dir="ltr">${sentence}</span>` },
  ];
  return layout({
    title: t('nav_incidents'),
    viewer,
    locale,
    body: html`
      <h1>${t('nav_incidents')}</h1>
      <p class="lead">${t('incidents_lead')}</p>
      ${
        clinics.length > 1 &&
        html`
          <form method="get" action="/incidents" class="filter">
            ${clinicSelect(clinics, clinic, t('all'), t('clinic'))}
            <button class="quiet">${t('show')}</button>
          </form>
        `
      }
      <section class="card" aria-label="${t('nav_incidents')}">
        ${table(t('nav_incidents'), columns, incidents, t('incidents_none'))}
        ${linkToMore(older, t('older'))}
      </section>
      ${downloads(here, locale)}
    `,
  });
}
