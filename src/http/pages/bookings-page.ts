import { type Booking, bookingStates } from '../../domain/bookings/booking.ts';
import type { ActionName } from '../../domain/bookings/booking-actions.ts';
import { seenOf } from '../../domain/bookings/booking-seen.ts';
import { visitStandings } from '../../domain/bookings/visit-now.ts';
import { dayOf, wallClockInstant } from '../../domain/date-time.ts';
import type { StatusReport } from '../../domain/status/report.ts';
import { type Html, html, type Part } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import type { BookingsQuery, ListedBooking } from '../desk.ts';
import {
  choiceText,
  nameOf,
  phoneLink,
  placeWords,
  reasonText,
  stateBadge,
  visitDay,
} from './parts/booking-words.ts';
import { downloads } from './parts/downloads.ts';
import { badge, formField, layout, type Viewer } from './parts/layout.ts';
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
  /** The days of a list of visits, by date. */
  days: { from: string; to: string } | undefined;
  /** How many visits were looked through, where these days have more. */
  cutAt: number | undefined;
  /** Names to choose from. */
  dentists: readonly string[];
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

/**
 * Bookings in pages, newest first, or the visits of some days by time, which can be printed; those that need a person
 * as a work list. For signed-in people only.
 */
export function bookingsPage(page: BookingsPage): string {
  const { bookings, filter, query, days, cutAt, viewer } = page;
  const { t } = viewer.locale;
  const isNarrowed = filter !== undefined || Object.keys(query).length > 0;
  const here = address(filter, query);
  return layout({
    title: t('bookings'),
    viewer,
    script: true,
    live: 'scripted',
    body: html`
      <div class="heading">
        <h1>${days === undefined ? t('bookings') : t('visits_on', { days: daysInWords(days, viewer) })}</h1>
        <p class="buttons">
          ${days !== undefined && html`<button class="quiet" data-print hidden>${t('print')}</button>`}
          <a class="button" href="/bookings/new">${t('new_booking')}</a>
        </p>
      </div>
      ${days !== undefined && html`<p class="hint">${t('visits_hint')}</p>`}
      ${cutAt !== undefined && html`<p class="notice is-attention">${t('visits_cut', { count: cutAt })}</p>`}
      <nav class="filters" aria-label="${t('day')}">${dayChips(page)}</nav>
      <search>${searchForm(page)}</search>
      <nav class="filters" id="part-filters" data-live aria-label="${t('state')}">${chips(page)}</nav>
      <section class="card" id="part-list" data-live aria-label="${t('bookings')}">
        ${
          bookings.length === 0
            ? html`<p class="empty">${t(isNarrowed ? 'nothing_found' : 'no_bookings')}</p>`
            : html`${selection(page, here)}${table(t('bookings'), columns(page), bookings)}${pages(page)}`
        }
      </section>
      ${downloads(here, viewer.locale)}
      <p class="hint no-print">${t('keys')}</p>
    `,
  });
}

function daysInWords({ from, to }: { from: string; to: string }, { locale }: Viewer): string {
  const [first, last] = [from, to].map((day) =>
    locale.date(wallClockInstant(day, '12:00', locale.zone).ms, visitDay),
  );
  return first === last ? `${first}` : `${first} – ${last}`;
}

/** What the desk looks for most; a second click takes it back. */
const dayViews = [
  ['today', { visit_from: 'today', visit_to: 'today' }],
  ['tomorrow', { visit_from: 'tomorrow', visit_to: 'tomorrow' }],
  ['came_in_today', { from: 'today', to: 'today' }],
] as const;

const isView = (query: BookingsQuery, days: object): boolean =>
  new URLSearchParams({ ...query }).toString() === new URLSearchParams({ ...days }).toString();

const dayChips = ({ query, viewer: { locale } }: BookingsPage): Html[] =>
  dayViews.map(([name, days]) => {
    const isHere = isView(query, days);
    return html`
      <a href="${isHere ? '/bookings' : address(undefined, days)}"${isHere && html` aria-current="page"`}>
        ${locale.t(name)}
      </a>
    `;
  });

/** Filters other than the text are out of the way until one of them is set. */
function searchForm(page: BookingsPage): Html {
  const { filter, query, days, dentists, viewer } = page;
  const { t } = viewer.locale;
  const { q, ...others } = query;
  const isOpen = Object.keys(others).length > 0 && dayViews.every(([, view]) => !isView(query, view));
  const date = (name: 'from' | 'to' | 'visit_from' | 'visit_to', label: Part, shown = query[name]) => {
    const value = shown && dayOf(shown, viewer.locale.zone, page.now);
    return html`<label>${label}<input type="date" name="${name}" value="${value ?? ''}"></label>`;
  };
  const choice = (value: string, text: Part, chosen: string | undefined) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`;
  return html`
    <form class="search" action="/bookings">
      ${filter !== undefined && html`<input type="hidden" name="state" value="${filter}">`}
      ${query.sort !== undefined && html`<input type="hidden" name="sort" value="${query.sort}">`}
      <label>
        ${t('search')}
        <input name="q" type="search" value="${q ?? ''}" placeholder="${t('search_hint')}" maxlength="100"
          autocomplete="off">
      </label>
      <button class="quiet">${t('show')}</button>
      <details${isOpen && html` open`}>
        <summary>${t('more_filters')}</summary>
        <div class="search">
          ${date('visit_from', t('visit_from'), days?.from)}${date('visit_to', t('visit_to'), days?.to)}
          <label>
            ${t('dentist')}
            <select name="dentist">
              <option value="">${t('any')}</option>
              ${[...new Set([...dentists, ...(query.dentist ? [query.dentist] : [])])].map((name) =>
                choice(name, name, query.dentist),
              )}
            </select>
          </label>
          <label>
            ${t('at_the_clinic')}
            <select name="standing">
              <option value="">${t('any')}</option>
              ${visitStandings.map((one) => choice(one, t(`visit_${one}`), query.standing))}
            </select>
          </label>
          ${date('from', t('came_from'))}${date('to', t('came_to'))}
          <label>
            ${t('source')}
            <select name="source"><option value="">${t('any_source')}</option>${sources(page)}</select>
          </label>
        </div>
      </details>
    </form>
  `;
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
  const counts = Object.keys(query).every((name) => name === 'source');
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

function columns({ bookings, query, filter, days, viewer, now }: BookingsPage) {
  const { locale } = viewer;
  const { t } = locale;
  const zones = new Set(bookings.map(({ zone }) => zone));
  const clinics = new Set(bookings.map(({ booking }) => booking.clinic));
  const isOneDay = days !== undefined && days.from === days.to;
  /** Another order is of visits, and so of some days. */
  const sorted = (sort: NonNullable<BookingsQuery['sort']>, title: string) => ({
    title,
    ...(days !== undefined && query.sort === sort
      ? { isSorted: true }
      : { href: address(filter, { ...query, sort }) }),
  });
  return [
    {
      // With a single clinic, every row would say the same.
      title: clinics.size > 1 ? `${t('reference')} · ${t('clinic')}` : t('reference'),
      cell: ({ booking }: ListedBooking) =>
        html`
          <span class="pick">
            <input type="checkbox" form="${MANY}" name="pick.${booking.ref}" value="${seenOf(booking)}"
              aria-label="${t('select_one', { ref: booking.ref })}">
            <a href="/bookings/${booking.ref}">${booking.ref}</a>
          </span>
          ${stateBadge(booking.state, locale)}${clinics.size > 1 && html` <code>${booking.clinic}</code>`}
        `,
    },
    {
      title: t('patient'),
      name: 'patient' as const,
      cell: ({ booking }: ListedBooking) =>
        lines(html`<b>${nameOf(booking, locale)}</b>`, phoneLink(booking)),
    },
    {
      ...sorted('visit', zones.size > 1 ? t('visit') : `${t('visit')} (${[...zones][0]})`),
      name: 'visit' as const,
      cell: (listed: ListedBooking) =>
        lines(...visitLines(listed, { isOneDay, isSeveral: zones.size > 1 }, locale)),
    },
    {
      ...sorted('dentist', `${t('dentist')} · ${t('treatment')}`),
      name: 'choice' as const,
      cell: ({ booking, chosen }: ListedBooking) =>
        lines(choiceText(booking, chosen, 'doctor'), choiceText(booking, chosen, 'treatment')),
    },
    {
      ...sorted('status', t('at_the_clinic')),
      name: 'why' as const,
      cell: (listed: ListedBooking) => atTheClinic(listed, viewer),
    },
    ...(days === undefined
      ? [
          {
            title: t('came_in'),
            name: 'came' as const,
            cell: ({ booking }: ListedBooking) =>
              lines(locale.time(booking.received_at, now), html`<code>${booking.source}</code>`),
          },
        ]
      : []),
    {
      title: t('actions'),
      name: 'actions' as const,
      cell: (listed: ListedBooking) => likelyStep(listed, viewer),
    },
  ];
}

/** One below the other; beside each other on narrow screens. */
const lines = (...parts: Part[]): Part =>
  html`
    <span class="lines">${parts
      .filter((part) => part !== null && part !== false && part !== '')
      .map((part) => html`<span>${part}</span>`)}</span>
  `;

/** Where the visit is now, and where it was asked for if the clinic moved it. The heading has a single day. */
function visitLines(
  { booking, zone, visit, standing }: ListedBooking,
  { isOneDay, isSeveral }: { isOneDay: boolean; isSeveral: boolean },
  given: Locale,
): Part[] {
  const locale = given.inZone(zone);
  const asked = { date: booking.appointment_date, time: booking.appointment_time };
  const { date, time } = visit ?? asked;
  const clock = time !== null && html`${time}${isSeveral && html` <small class="faint">${zone}</small>`}`;
  const day = (date !== null || time === null) && placeWords({ date, time: null }, locale);
  const now = isOneDay && time !== null ? [clock] : [day, clock];
  if (standing !== 'moved') return now;
  return [...now, html`<small class="faint">${locale.t('asked_for')}: ${placeWords(asked, locale)}</small>`];
}

/** The number and what the clinic says of the visit; before that, why there is none. */
function atTheClinic({ booking, visit, standing }: ListedBooking, { locale }: Viewer): Part {
  const isAsked = (booking.evidence?.mismatch ?? []).length > 0;
  if (booking.state !== 'booked' || isAsked)
    return html`<span class="faint">${reasonText(booking, locale)}</span>`;
  const words = visit === null ? locale.t('not_read_yet') : visit.status;
  const isOff = standing === 'cancelled' || standing === 'no_show';
  return lines(
    html`${standing === 'moved' && html`${badge('attention', locale.t('visit_moved'))} `}${
      isOff ? badge('attention', words) : html`<bdi>${words}</bdi>`
    }`,
    html`<span class="faint">${locale.t('number_short')}</span> ${booking.appointment_id}`,
  );
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
