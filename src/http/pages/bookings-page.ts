import { type Booking, type BookingState, bookingStates } from '../../model/booking.ts';
import { type Html, html, toText } from '../../model/html.ts';
import { badge, layout, type Tone, type Viewer } from './layout.ts';
import { table } from './table.ts';
import { timeTag } from './time.ts';

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

interface BookingsPage {
  bookings: readonly Booking[];
  state: BookingState | undefined;
  /** The list ends here although there are more. */
  limit: number;
  viewer: Viewer;
  now: number;
}

/** Every booking, newest first, for signed-in people. */
export function bookingsPage({ bookings, state, limit, viewer, now }: BookingsPage): string {
  const filter = (value: BookingState | undefined) =>
    html`<a href="/bookings${value && html`?state=${value}`}"${value === state && html` aria-current="page"`}>${value ? words(value) : 'all'}</a>`;
  return toText(
    layout({
      title: 'Bookings',
      viewer,
      body: html`<h1>Bookings</h1>
<nav class="filters" aria-label="State">${filter(undefined)}${bookingStates.map(filter)}</nav>
<section class="card" aria-label="Bookings">${
        bookings.length === 0
          ? html`<p class="empty">No booking ${state ? `is ${words(state)}` : 'has come in yet'}.</p>`
          : table(state ? `Bookings, ${words(state)}` : 'Bookings', columns(bookings, now), bookings)
      }${bookings.length >= limit && html`<p class="hint">The newest ${limit}; <code>clinic-sync bookings list</code> shows all.</p>`}</section>`,
    }),
  );
}

const columns = (bookings: readonly Booking[], now: number) => [
  { title: 'Reference', cell: ({ ref }: Booking) => html`<a href="/bookings/${ref}">${ref}</a>` },
  { title: 'State', cell: ({ state }: Booking) => stateBadge(state) },
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
  // In an installation of one clinic it would say the same in every row.
  ...(new Set(bookings.map(({ clinic }) => clinic)).size > 1
    ? [{ title: 'Clinic', cell: ({ clinic }: Booking) => html`<code>${clinic}</code>` }]
    : []),
  { title: 'Source', cell: ({ source }: Booking) => html`<code>${source}</code>` },
  { title: 'Came in', cell: ({ received_at }: Booking) => timeTag(received_at, now) },
];
