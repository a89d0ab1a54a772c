import { type Booking, type BookingState, bookingStates } from '../../domain/booking.ts';
import type { StatusReport } from '../../domain/report.ts';
import { type Html, html } from '../../platform/html.ts';
import { badge, layout, type Tone, type Viewer } from './layout.ts';
import { table } from './table.ts';
import { number, timeTag } from './time.ts';

const stateTone: Record<BookingState, Tone> = {
  received: 'ok',
  held: 'attention',
  queued: 'ok',
  sending: 'ok',
  booked: 'ok',
  booked_no_id: 'ok',
  rejected: 'bad',
  unknown: 'bad',
  expired: 'attention',
  dropped: 'attention',
};

export const stateBadge = (state: BookingState): Html => badge(stateTone[state], words(state));

export const words = (name: string): string => name.replaceAll('_', ' ');

/** `needs_you`: those that wait for a person, in any state. */
export const bookingFilters = ['needs_you', ...bookingStates] as const;
export type BookingsFilter = (typeof bookingFilters)[number];

interface BookingsPage {
  /** One page of them. */
  bookings: readonly Booking[];
  filter: BookingsFilter | undefined;
  /** The last booking of the previous page, and of this page if another follows. */
  after: string | undefined;
  next: string | null;
  /** For the counts. */
  report: Pick<StatusReport, 'bookings' | 'needs_by_kind'>;
  viewer: Viewer;
  now: number;
}

/** Bookings in pages, newest first; those that need a person, most urgent first. For signed-in people only. */
export function bookingsPage({ bookings, filter, after, next, report, viewer, now }: BookingsPage): string {
  const counts = countsOf(report);
  const chip = (value: BookingsFilter | undefined) => {
    const count = counts[value ?? 'all'] ?? 0;
    // A filter without bookings is hidden unless it is the current one.
    if (count === 0 && value !== undefined && value !== filter) return undefined;
    return html`<a href="${address(value)}"${value === filter && html` aria-current="page"`}>${value ? words(value) : 'all'} <b>${number(count)}</b></a>`;
  };
  const nothing = filter ? `No booking ${filter === 'needs_you' ? 'needs you' : `is ${words(filter)}`}.` : '';
  return layout({
    title: 'Bookings',
    viewer,
    body: html`<h1>Bookings</h1>
<nav class="filters" aria-label="State">${chip(undefined)}${bookingFilters.map(chip)}</nav>
<section class="card" aria-label="Bookings">${
      bookings.length === 0
        ? html`<p class="empty">${nothing || 'No booking has come in yet.'}</p>`
        : table(filter ? `Bookings, ${words(filter)}` : 'Bookings', columns(bookings, now), bookings)
    }${(after !== undefined || next !== null) && html`<p class="hint">${after !== undefined && html`<a href="${address(filter)}">From the top</a>`}${after !== undefined && next !== null && ' · '}${next !== null && html`<a href="${address(filter, next)}">Next page</a>`}</p>`}</section>`,
  });
}

function address(filter: BookingsFilter | undefined, after?: string): string {
  const query = new URLSearchParams({ ...(filter && { state: filter }), ...(after && { after }) }).toString();
  return query === '' ? '/bookings' : `/bookings?${query}`;
}

function countsOf({ bookings, needs_by_kind }: BookingsPage['report']): Record<string, number> {
  const counts: Record<string, number> = { all: 0, needs_you: needs_by_kind.booking ?? 0 };
  for (const [state, count] of bookings.flatMap(({ states }) => Object.entries(states))) {
    counts[state] = (counts[state] ?? 0) + count;
    counts.all = (counts.all ?? 0) + count;
  }
  return counts;
}

const columns = (bookings: readonly Booking[], now: number) => [
  { title: 'Reference', cell: ({ ref }: Booking) => html`<a href="/bookings/${ref}">${ref}</a>` },
  { title: 'State', name: 'state' as const, cell: ({ state }: Booking) => stateBadge(state) },
  {
    title: 'Patient',
    cell: ({ patient_name }: Booking) => patient_name ?? html`<span class="faint">none</span>`,
  },
  {
    title: 'Wanted',
    cell: ({ appointment_date, appointment_time }: Booking) =>
      [appointment_date, appointment_time].filter((part) => part !== null).join(' ') ||
      html`<span class="faint">none</span>`,
  },
  // With one clinic it would say the same in every row.
  ...(new Set(bookings.map(({ clinic }) => clinic)).size > 1
    ? [{ title: 'Clinic', cell: ({ clinic }: Booking) => html`<code>${clinic}</code>` }]
    : []),
  { title: 'Source', cell: ({ source }: Booking) => html`<code>${source}</code>` },
  { title: 'Came in', cell: ({ received_at }: Booking) => timeTag(received_at, now) },
];
