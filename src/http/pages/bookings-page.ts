import { type Booking, bookingStates } from '../../domain/bookings/booking.ts';
import type { ActionName } from '../../domain/bookings/booking-actions.ts';
import { seenOf } from '../../domain/bookings/booking-seen.ts';
import type { StatusReport } from '../../domain/status/report.ts';
import { type Html, html, type Part } from '../../platform/text/html.ts';
import type { BookingsQuery, ListedBooking } from '../desk.ts';
import {
  choiceText,
  nameOf,
  phoneLink,
  reasonText,
  stateBadge,
  visitNowWords,
  visitWords,
} from './parts/booking-words.ts';
import { formField, layout, type Viewer } from './parts/layout.ts';
import { table } from './parts/table.ts';

/** `needs_you`: bookings that wait for a person, in any state. */
export const bookingFilters = ['needs_you', ...bookingStates] as const;
export type BookingsFilter = (typeof bookingFilters)[number];

/** Maximum for one decision; a form holds 64 kB. */
export const MOST_SELECTED = 1_000;

interface BookingsPage {
  /** One page of the list. */
  bookings: readonly ListedBooking[];
  filter: BookingsFilter | undefined;
  query: BookingsQuery;
  /** The last booking of the previous page, and of this page if another follows. */
  after: string | undefined;
  next: string | null;
  /** Length of the whole list, if known. */
  total: number | undefined;
  /** Source of the counts. */
  report: Pick<StatusReport, 'bookings' | 'needs_by_kind'>;
  viewer: Viewer;
  now: number;
}

/** Bookings in pages, newest first; those that need a person as a work list. For signed-in people only. */
export function bookingsPage(page: BookingsPage): string {
  const { bookings, filter, query, viewer } = page;
  const { t } = viewer.locale;
  const isNarrowed = filter !== undefined || Object.keys(query).length > 0;
  const here = address(filter, query);
  return layout({
    title: t('bookings'),
    viewer,
    script: true,
    live: 'scripted',
    body: html`
      <h1>${t('bookings')}</h1>
      <search>
        <form class="search" action="/bookings">
          ${filter !== undefined && html`<input type="hidden" name="state" value="${filter}">`}
          <label>
            ${t('search')}
            <input name="q" type="search" value="${query.q ?? ''}" placeholder="${t('search_hint')}"
              maxlength="100" autocomplete="off">
          </label>
          <label>
            ${t('source')}
            <select name="source"><option value="">${t('any_source')}</option>${sources(page)}</select>
          </label>
          <label>${t('from_day')}<input type="date" name="from" value="${query.from ?? ''}"></label>
          <label>${t('to_day')}<input type="date" name="to" value="${query.to ?? ''}"></label>
          <button class="quiet">${t('show')}</button>
        </form>
      </search>
      <nav class="filters" id="part-filters" data-live aria-label="${t('state')}">${chips(page)}</nav>
      <section class="card" id="part-list" data-live aria-label="${t('bookings')}">
        ${
          bookings.length === 0
            ? html`<p class="empty">${t(isNarrowed ? 'nothing_found' : 'no_bookings')}</p>`
            : html`${selection(page, here)}${table(t('bookings'), columns(page), bookings)}${pages(page)}`
        }
      </section>
      <p class="hint">${t('keys')}</p>
    `,
  });
}

function address(filter: BookingsFilter | undefined, query: BookingsQuery, after?: string): string {
  const parts = { ...(filter && { state: filter }), ...query, ...(after && { after }) };
  const text = new URLSearchParams(parts as Record<string, string>).toString();
  return text === '' ? '/bookings' : `/bookings?${text}`;
}

const sources = ({ report, query }: BookingsPage): Html[] =>
  [...new Set([...report.bookings.map(({ source }) => source), ...(query.source ? [query.source] : [])])].map(
    (source) => html`<option${source === query.source && html` selected`}>${source}</option>`,
  );

/** Counts are per source and ignore the days; beside a search they would mislead. */
function chips({ report, filter, query, viewer }: BookingsPage): Part {
  const { t, number } = viewer.locale;
  const counts = query.q === undefined && query.from === undefined && query.to === undefined;
  const all = countsOf(report, query.source);
  const chip = (value: BookingsFilter | undefined) => {
    const count = all[value ?? 'all'] ?? 0;
    // A filter without bookings is hidden unless it is the current one.
    if (count === 0 && value !== undefined && value !== filter) return undefined;
    const isCounted = counts && (value !== 'needs_you' || query.source === undefined);
    return html`
      <a href="${address(value, query)}"${value === filter && html` aria-current="page"`}>
        ${value ? t(`booking_${value}`) : t('all')}${isCounted && html` <b>${number(count)}</b>`}
      </a>
    `;
  };
  return [chip(undefined), ...bookingFilters.map(chip)];
}

function countsOf(
  { bookings, needs_by_kind }: BookingsPage['report'],
  source: string | undefined,
): Record<string, number> {
  const counts: Record<string, number> = { all: 0, needs_you: needs_by_kind.booking ?? 0 };
  for (const one of bookings) {
    if (source !== undefined && one.source !== source) continue;
    for (const [state, count] of Object.entries(one.states)) {
      counts[state] = (counts[state] ?? 0) + count;
      counts.all = (counts.all ?? 0) + count;
    }
  }
  return counts;
}

const MANY = 'many';

/** The form of the rows' checkboxes, outside the table because forms cannot be nested and rows have their own. */
function selection({ viewer, filter, query, total }: BookingsPage, here: string): Html {
  const { t } = viewer.locale;
  const list = { ...(filter && { state: filter }), ...query };
  return html`
    <form id="${MANY}" method="post" action="/admin/bookings/many/choose" class="many">
      ${formField(viewer.formToken, here)}
      ${Object.entries(list).map(
        ([name, value]) => html`<input type="hidden" name="list_${name}" value="${value}">`,
      )}
      <span>${t('selected')}</span> <button class="quiet" name="do" value="approve">
        ${t('approve_selected')}
      </button> <button class="quiet" name="do" value="drop">${t('drop_selected')}</button>
      ${
        total !== undefined &&
        total > 1 &&
        html`<label class="check"><input type="checkbox" name="all">${t('select_all', { count: total })}</label>`
      }
    </form>
  `;
}

function pages({ filter, query, after, next, viewer }: BookingsPage): Part {
  const { t } = viewer.locale;
  const links = [
    after !== undefined && html`<a href="${address(filter, query)}">${t('from_top')}</a>`,
    next !== null && html`<a rel="next" href="${address(filter, query, next)}">${t('next_page')}</a>`,
  ].filter((link) => link !== false);
  return (
    links.length > 0 && html`<p class="hint">${links.map((link, index) => [index > 0 && ' · ', link])}</p>`
  );
}

function columns({ bookings, viewer, now }: BookingsPage) {
  const { locale } = viewer;
  const { t } = locale;
  const zones = new Set(bookings.map(({ zone }) => zone));
  const clinics = new Set(bookings.map(({ booking }) => booking.clinic));
  return [
    {
      title: t('reference'),
      cell: ({ booking }: ListedBooking) =>
        html`
          <span class="pick">
            <input type="checkbox" form="${MANY}" name="pick.${booking.ref}" value="${seenOf(booking)}"
              aria-label="${t('select_one', { ref: booking.ref })}">
            <a href="/bookings/${booking.ref}">${booking.ref}</a>
          </span>
        `,
    },
    {
      title: t('state'),
      name: 'state' as const,
      cell: ({ booking }: ListedBooking) => stateBadge(booking.state, locale),
    },
    {
      title: t('patient'),
      name: 'patient' as const,
      cell: ({ booking }: ListedBooking) =>
        html`<b>${nameOf(booking, locale)}</b>${booking.patient_phone !== null && html`<br>${phoneLink(booking)}`}`,
    },
    {
      title: zones.size > 1 ? t('visit') : `${t('visit')} (${[...zones][0]})`,
      cell: ({ booking, zone, visit }: ListedBooking) =>
        html`
          ${visitWords(booking, locale.inZone(zone))}
          ${
            visit !== null &&
            html`<br><small>${visitNowWords(visit, locale.inZone(zone), locale.time(visit.read_at, now))}</small>`
          }
          ${zones.size > 1 && html`<br><span class="faint">${zone}</span>`}
        `,
    },
    {
      title: `${t('dentist')} · ${t('treatment')}`,
      name: 'choice' as const,
      cell: ({ booking, chosen }: ListedBooking) =>
        html`${choiceText(booking, chosen, 'doctor')}<br>${choiceText(booking, chosen, 'treatment')}`,
    },
    {
      title: t('why'),
      name: 'why' as const,
      cell: ({ booking }: ListedBooking) => html`<span class="faint">${reasonText(booking, locale)}</span>`,
    },
    // With a single clinic, every row would say the same.
    ...(clinics.size > 1
      ? [{ title: t('clinic'), cell: ({ booking }: ListedBooking) => html`<code>${booking.clinic}</code>` }]
      : []),
    {
      title: t('came_in'),
      cell: ({ booking }: ListedBooking) =>
        html`${locale.time(booking.received_at, now)}<br><code>${booking.source}</code>`,
    },
    {
      title: t('actions'),
      name: 'actions' as const,
      cell: (listed: ListedBooking) => likelyStep(listed, viewer),
    },
  ];
}

/** Reasons that a person's approval alone settles, so the row's button can do it. */
const settledByYes: readonly (string | null)[] = ['approval', 'source_limit'];

/** The most likely action: done here where the row shows enough, otherwise on the booking's own page. */
export function likelyStep({ booking, actions }: ListedBooking, viewer: Viewer): Part {
  const { t } = viewer.locale;
  const [first] = actions;
  if (first === undefined) return null;
  const isPlain =
    first.action === 'approve' && booking.state === 'held' && settledByYes.includes(booking.reason);
  if (!isPlain)
    return html`<a class="button" href="/bookings/${booking.ref}">${t(labelOf(booking, first.action))}</a>`;
  return html`
    <form method="post" action="/admin/bookings/${booking.ref}/approve">
      ${formField(viewer.formToken, viewer.here)}
      <input type="hidden" name="as_of" value="${seenOf(booking)}"><button>${t('step_approve')}</button>
    </form>
  `;
}

function labelOf({ state, reason }: Booking, action: ActionName) {
  if (state === 'unknown') return 'step_decide';
  if (reason === 'duplicate_suspect' || reason === 'changed_submission') return 'step_compare';
  return action === 'edit' ? 'step_edit' : 'step_decide';
}
