import type { Health } from '../../domain/report.ts';
import { type Html, html } from '../../platform/html.ts';
import type { PublicStatus } from '../access/public-status.ts';
import { badge, icon, layout, toneClass, toneOf, type Viewer } from './layout.ts';
import { table } from './table.ts';
import { number, timeTag } from './time.ts';

const meaning: Record<Health, string> = {
  ok: 'Everything is in step with the clinic.',
  trouble: 'Something does not work; data may be late.',
  stale: 'Not in step with the clinic.',
};

interface StrangerPage {
  word: Health;
  /** Undefined where strangers get one word. */
  counts: PublicStatus | undefined;
  viewer: Viewer;
  now: number;
}

/** The page at `/` for people who are not signed in. */
export function strangerPage({ word, counts, viewer, now }: StrangerPage): string {
  const tone = toneOf[word];
  return layout({
    title: word,
    viewer,
    tone,
    refreshSeconds: 30,
    body: html`<section class="verdict ${toneClass[tone]}" aria-labelledby="verdict">${icon(tone)}<div><h1 id="verdict">${word}</h1>
<p>${meaning[word]}${viewer.canSignIn && html` <a href="/admin/sign-in">Sign in</a> to see more.`}</p></div></section>
${counts && isKnown(counts) && countsOf(counts, now)}`,
  });
}

/** Not so while the database has never answered. */
const isKnown = ({ clinics, connectors }: PublicStatus) => clinics.length > 0 || connectors.length > 0;

type Resource = PublicStatus['clinics'][number]['resources'][number];

const countsOf = ({ clinics, connectors }: PublicStatus, now: number): Html =>
  html`${clinics.map(
    ({ clinic, name, resources }) =>
      html`<section class="card" aria-label="${clinic}"><h2>${name ?? clinic}</h2>${table('Resources', resourceColumns(now), resources)}</section>`,
  )}
<section class="card" aria-labelledby="connectors"><h2 id="connectors">Connectors</h2>${
    connectors.length === 0
      ? html`<p class="empty">No connector is configured.</p>`
      : table('Connectors', connectorColumns, connectors)
  }</section>`;

const resourceColumns = (now: number) => [
  { title: 'Resource', cell: ({ poll }: Resource) => poll },
  {
    title: 'State',
    cell: ({ stale }: Resource) => badge(stale ? 'bad' : 'ok', stale ? 'Stale' : 'Fresh'),
  },
  { title: 'Rows', cell: ({ rows }: Resource) => number(rows), figure: true },
  { title: 'Read', cell: ({ last_success_at }: Resource) => timeTag(last_success_at, now, 'none yet') },
];

type Connector = PublicStatus['connectors'][number];
const connectorColumns = [
  { title: 'Connector', cell: ({ connector }: Connector) => html`<code>${connector}</code>` },
  {
    title: 'State',
    cell: ({ state }: Connector) => badge(state === 'ok' ? 'ok' : 'attention', state),
  },
];
