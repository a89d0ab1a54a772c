import type { Health } from '../../domain/status/report.ts';
import { type Html, html } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import type { PublicStatus } from '../access/public-status.ts';
import { card } from './parts/card.ts';
import { badge, icon, layout, toneClass, toneOf, type Viewer } from './parts/layout.ts';
import { type PageColumn, table } from './parts/table.ts';

interface StrangerPage {
  word: Health;
  /** Undefined where strangers get only one word. */
  counts: PublicStatus | undefined;
  viewer: Viewer;
  now: number;
}

/** The page at `/` for people who are not signed in. */
export function strangerPage({ word, counts, viewer, now }: StrangerPage): string {
  const tone = toneOf[word];
  const { t } = viewer.locale;
  return layout({
    title: t(`health_${word}`),
    viewer,
    tone,
    refreshSeconds: 30,
    body: html`
      <section class="verdict ${toneClass[tone]}" aria-labelledby="verdict">
        ${icon(tone)}
        <div>
          <h1 id="verdict">${t(`health_${word}`)}</h1>
          <p>
            ${t(`word_${word}`)}
            ${viewer.canSignIn && html` <a href="/admin/sign-in">${t('sign_in_for_more')}</a>`}
          </p>
        </div>
      </section>
      ${counts && isKnown(counts) && countsOf(counts, viewer.locale, now)}
    `,
  });
}

/** False while the database has never answered. */
const isKnown = ({ clinics, connectors }: PublicStatus) => clinics.length > 0 || connectors.length > 0;

type Resource = PublicStatus['clinics'][number]['resources'][number];

const countsOf = ({ clinics, connectors }: PublicStatus, locale: Locale, now: number): Html =>
  html`
    ${clinics.map(
      ({ clinic, name, resources }) =>
        html`
          <section class="card" aria-label="${clinic}">
            <h2>${name ?? clinic}</h2>${table(locale.t('resources'), resourceColumns(locale, now), resources)}
          </section>
        `,
    )}
    ${card(
      { id: 'connectors', title: locale.t('connectors') },
      table(locale.t('connectors'), connectorColumns(locale), connectors, locale.t('none')),
    )}
  `;

const resourceColumns = ({ t, number, time }: Locale, now: number): PageColumn<Resource>[] => [
  { title: t('resource'), cell: ({ poll }: Resource) => t(`poll_${poll}`) },
  {
    title: t('state'),
    name: 'state',
    cell: ({ stale }: Resource) =>
      badge(stale ? 'bad' : 'ok', t(stale ? 'resource_stale' : 'resource_fresh')),
  },
  { title: t('rows'), cell: ({ rows }: Resource) => number(rows), figure: true },
  { title: t('last_read'), cell: ({ last_success_at }: Resource) => time(last_success_at, now) },
];

type Connector = PublicStatus['connectors'][number];
const connectorColumns = ({ t }: Locale): PageColumn<Connector>[] => [
  { title: t('connector'), cell: ({ connector }: Connector) => html`<code>${connector}</code>` },
  {
    title: t('state'),
    name: 'state',
    cell: ({ state }: Connector) => badge(state === 'ok' ? 'ok' : 'attention', t(`connector_${state}`)),
  },
];
