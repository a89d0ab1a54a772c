import { type Html, html, prose } from '../../model/html.ts';
import type { Need, StatusReport } from '../../model/report.ts';
import { clause } from '../../model/sentences.ts';
import { may } from '../roles.ts';
import { actionButton, icon, type Viewer } from './layout.ts';
import { number, timeTag } from './time.ts';

/** So many on one page: the desk works from the top down. */
const PAGE = 25;

interface NeedsView {
  viewer: Viewer;
  now: number;
  /** The subject of the last one on the page before. */
  after?: string | undefined;
}

/** What waits for a person, the urgent first, each with what to do. */
export function needsSection(
  {
    needs,
    needs_total,
    connectors,
    clinics,
  }: Pick<StatusReport, 'needs' | 'needs_total' | 'connectors' | 'clinics'>,
  { viewer, now, after }: NeedsView,
): Html | undefined {
  if (needs.length === 0) return undefined;
  const paused = new Set(
    connectors.filter(({ state }) => state === 'paused').map(({ connector }) => connector),
  );
  /** Which clinic it is about goes without saying where there is one. */
  const place = ({ clinic }: Need) => clinics.length > 1 && clinic && html`<code>${clinic}</code> · `;
  const sorted = needs.toSorted((a, b) => Number(b.urgent) - Number(a.urgent));
  // One that was settled meanwhile is not found: then the list begins again.
  const from = after === undefined ? 0 : sorted.findIndex(({ subject }) => subject === after) + 1;
  const page = sorted.slice(from, from + PAGE);
  const left = needs_total - from - page.length;
  const next = encodeURIComponent(page.at(-1)?.subject ?? '');
  return html`<section aria-labelledby="needs"><h2 id="needs">Needs you <span class="count">${number(needs_total)}</span></h2>
<ul class="needs">${page.map((need) => needItem(need, { place: place(need), paused, viewer, now }))}</ul>
${(left > 0 || from > 0) && html`<p class="hint">${from > 0 && html`<a href="/">From the top</a>`}${from > 0 && left > 0 && ' · '}${left > 0 && html`<a href="/?after=${next}#needs">The next ${number(Math.min(left, PAGE))} of ${number(left)} more</a>`}</p>`}
${viewer.canSignIn && viewer.by === undefined && html`<p class="hint"><a href="/admin/sign-in">Sign in</a> to see the bookings and to act from here.</p>`}
</section>
`;
}

interface Shown {
  place: Html | false | '' | undefined;
  paused: ReadonlySet<string>;
  viewer: Viewer;
  now: number;
}

const needItem = (need: Need, { place, paused, viewer, now }: Shown): Html =>
  html`<li class="${need.urgent ? 'is-bad' : 'is-attention'}">${icon(need.urgent ? 'bad' : 'attention')}
<div><p class="sentence">${need.urgent && html`<strong class="unseen">Urgent: </strong>`}${prose(need.sentence)}</p>
<p class="faint">${place}${prose(clause(need.action))} · since ${timeTag(need.since, now)}</p></div>
${viewer.by !== undefined && html`<div class="buttons">${waysOut(need, paused, viewer)}</div>`}</li>`;

/** Buttons for what a button can settle; the sentence says the rest. */
function waysOut(
  { kind, subject, clinic }: Need,
  paused: ReadonlySet<string>,
  viewer: Viewer,
): Html | undefined {
  const path = encodeURIComponent(subject);
  const button = (action: string, label: string, quiet = false) =>
    actionButton(viewer, { action, label, back: '/', quiet });
  switch (kind) {
    case 'booking':
      return may(viewer.role, `/bookings/${path}`)
        ? html`<a class="button" href="/bookings/${path}">Decide</a>`
        : undefined;
    case 'guard':
      return button(`/admin/guards/${path}/approve`, 'Let it through');
    case 'delivery':
      return html`${button(`/admin/connectors/${path}/deliveries/retry`, 'Try again')}${button(`/admin/connectors/${path}/deliveries/skip`, 'Skip', true)}`;
    case 'connector':
      return paused.has(subject) ? button(`/admin/connectors/${path}/resume`, 'Resume') : undefined;
    case 'clinic': {
      if (clinic === undefined) return undefined;
      const key = encodeURIComponent(clinic);
      const sync = button(`/admin/clinics/${key}/sync`, 'Sync now', true);
      if (subject !== clinic) return sync;
      return html`${button(`/admin/clinics/${key}/resume-lane`, 'Resume bookings')}${sync}`;
    }
    case 'database':
      return undefined;
  }
}
