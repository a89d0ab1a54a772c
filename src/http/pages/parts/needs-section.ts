import { noClinic } from '../../../domain/bookings/booking.ts';
import { needWords } from '../../../domain/status/need-words.ts';
import type { Need, StatusReport } from '../../../domain/status/report.ts';
import { type Html, html, prose } from '../../../platform/text/html.ts';
import { clause } from '../../../platform/text/sentences.ts';
import { may } from '../../access/roles.ts';
import type { ListedBooking } from '../../desk.ts';
import { likelyStep } from '../bookings-page.ts';
import { choiceText, nameOf, phoneLink, reasonText, visitWords } from './booking-words.ts';
import { badge, icon, type Viewer } from './layout.ts';
import { operationButton } from './operation-button.ts';

/** Needs per page; the desk works from the top down. */
const NEEDS_PAGE = 10;

interface NeedsView {
  viewer: Viewer;
  now: number;
  /** The last subject of the previous page. */
  after?: string | undefined;
  /** The bookings on this page; empty for people who may not see patients, null when unreadable. */
  bookings?: ReadonlyMap<string, ListedBooking> | null | undefined;
}

/** One page of needs. */
export function needsPage(
  needs: readonly Need[],
  after: string | undefined,
): { shown: Need[]; from: number } {
  // If `after` has been settled since, the list starts from the top.
  const from = after === undefined ? 0 : needs.findIndex(({ subject }) => subject === after) + 1;
  return { shown: needs.slice(from, from + NEEDS_PAGE), from };
}

/** Needs with their remedies. */
export function needsSection(
  {
    needs,
    needs_total,
    needs_by_kind,
    connectors,
    clinics,
  }: Pick<StatusReport, 'needs' | 'needs_total' | 'needs_by_kind' | 'connectors' | 'clinics'>,
  { viewer, now, after, bookings = new Map() }: NeedsView,
): Html | undefined {
  if (needs.length === 0) return undefined;
  const paused = new Set(
    connectors.filter(({ state }) => state === 'paused').map(({ connector }) => connector),
  );
  const pages = new Set(connectors.map(({ connector }) => connector));
  /** The clinic is named only where there are several. */
  const place = ({ clinic }: Need) =>
    clinics.length > 1 && clinic && clinic !== noClinic && html`<code>${clinic}</code> · `;
  const { shown: page, from } = needsPage(needs, after);
  const left = needs_total - from - page.length;
  const asked = needs_by_kind.booking ?? 0;
  const { t } = viewer.locale;
  const next = encodeURIComponent(page.at(-1)?.subject ?? '');
  return html`
    <section aria-labelledby="needs">
      <h2 id="needs">${t('needs_you')} <span class="count">${viewer.locale.number(needs_total)}</span></h2>
      ${
        bookings === null &&
        html`<div class="notice is-bad" role="alert">${badge('bad', viewer.locale.t('needs_partial'))}</div>`
      }
      <ul class="needs">
        ${page.map((need) =>
          needItem(need, {
            ...{ place: place(need), listed: bookings?.get(need.subject), paused, viewer, now },
            hasPage: ['connector', 'delivery', 'probe'].includes(need.kind) && pages.has(need.subject),
          }),
        )}
      </ul>
      ${
        may(viewer.role, '/bookings') &&
        asked > 1 &&
        html`<p class="hint"><a href="/bookings?state=needs_you">${t('needs_all', { count: asked })}</a></p>`
      }
      ${
        (left > 0 || from > 0) &&
        html`
          <p class="hint">
            ${from > 0 && html`<a href="/">${t('from_top')}</a>`}${from > 0 && left > 0 && ' · '}
            ${left > 0 && html`<a href="/?after=${next}#needs">… ${t('and_more', { count: left })}</a>`}
          </p>
        `
      }
      ${
        viewer.canSignIn &&
        viewer.by === undefined &&
        html`<p class="hint"><a href="/admin/sign-in">${t('sign_in_for_more')}</a></p>`
      }
    </section>
  `;
}

/** Machine messages are in English. */
const english = (text: string): Html => html`<span lang="en" dir="ltr">${prose(text)}</span>`;

interface Shown {
  place: Html | false | '' | undefined;
  listed: ListedBooking | undefined;
  paused: ReadonlySet<string>;
  viewer: Viewer;
  now: number;
  /** Its connector's page says more. */
  hasPage: boolean;
}

function needItem(need: Need, { place, listed, paused, viewer, now, hasPage }: Shown): Html {
  const words = needWords(need, viewer.locale);
  const sentence = listed
    ? reasonText(listed.booking, viewer.locale)
    : (words?.sentence ?? english(need.sentence));
  const todo = words === undefined ? english(clause(need.action)) : words.todo && prose(words.todo);
  return html`
    <li class="${need.urgent ? 'is-bad' : 'is-attention'}">
      ${icon(need.urgent ? 'bad' : 'attention')}
      <div>
        <p class="sentence">
          ${need.urgent && html`<strong class="unseen">${viewer.locale.t('urgent')}: </strong>`}${sentence}
        </p>
        ${listed && html`<p class="who">${whoAndWhen(listed, viewer)}</p>`}
        <p class="faint">
          ${listed && wanted(listed)}${words?.detail && html`${english(words.detail)}<br>`}${place}
          ${!listed && todo && html`${todo} · `}${
            hasPage &&
            html`<a href="/connectors/${encodeURIComponent(need.subject)}"><bdi>${need.subject}</bdi></a> · `
          }${viewer.locale.time(need.since, now)}
        </p>
      </div>
      ${
        viewer.by !== undefined &&
        html`
          <div class="buttons">
            ${listed ? likelyStep(listed, viewer) : needButtons(need, paused, viewer)}
          </div>
        `
      }
    </li>
  `;
}

/** Enough for the desk to recognize a lead; its own page has the rest. */
const whoAndWhen = ({ booking, zone }: ListedBooking, { locale }: Viewer): Html =>
  html`
    <b><bdi>${nameOf(booking, locale)}</bdi></b>
    ${booking.patient_phone !== null && html` · ${phoneLink(booking)}`} · <bdi>
      ${visitWords(booking, locale.inZone(zone))}
    </bdi> · <a href="/bookings/${booking.ref}">${booking.ref}</a>
  `;

const wanted = ({ booking, chosen }: ListedBooking): Html[] =>
  (['doctor', 'treatment'] as const)
    .map((kind) => choiceText(booking, chosen, kind))
    .filter((words) => words !== null && words !== '')
    .map((words) => html`<bdi>${words}</bdi> · `);

/** Buttons for needs that one click can settle. */
function needButtons(
  { kind, subject, clinic, source, refs, said }: Need,
  paused: ReadonlySet<string>,
  viewer: Viewer,
): Html | undefined {
  const path = encodeURIComponent(subject);
  const page =
    refs === undefined
      ? `/bookings/${path}`
      : `/bookings?state=needs_you&source=${encodeURIComponent(source ?? '')}`;
  const { t } = viewer.locale;
  const button = (operation: Parameters<typeof operationButton>[1], about = subject) =>
    operationButton(viewer, operation, about, { back: '/' });
  switch (kind) {
    case 'booking':
      return may(viewer.role, '/bookings')
        ? html`<a class="button" href="${page}">${t('step_decide')}</a>`
        : undefined;
    case 'guard':
      return button('/admin/guards/:id/approve');
    case 'delivery':
      return html`
        ${button('/admin/connectors/:name/deliveries/retry')}
        ${button('/admin/connectors/:name/deliveries/skip')}
      `;
    case 'connector':
      if (said?.name === 'connector_left') return button('/admin/connectors/:name/deliveries/skip');
      return paused.has(subject) ? button('/admin/connectors/:name/resume') : undefined;
    case 'clinic': {
      if (clinic === undefined) return undefined;
      const sync = button('/admin/clinics/:clinic/sync', clinic);
      if (subject !== clinic) return sync;
      return html`${button('/admin/clinics/:clinic/resume-lane', clinic)}${sync}`;
    }
    case 'probe':
    case 'database':
    case 'fleet':
      return undefined;
  }
}
