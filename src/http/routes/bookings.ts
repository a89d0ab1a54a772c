import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Booking } from '../../domain/bookings/booking.ts';
import { bookingColumns } from '../../domain/clinics/report-columns.ts';
import { dayOf } from '../../domain/date-time.ts';
import { asRow } from '../../reports/figures.ts';
import { createPatientReads } from '../access/patient-reads.ts';
import type { AdminData } from '../admin.ts';
import { queryText, refuse, sendHtml, wantsHtml } from '../answers.ts';
import type { BookingDetail } from '../api/booking-schemas.ts';
import { bookingPage } from '../pages/booking-page.ts';
import { bookingFilters, bookingsPage } from '../pages/bookings-page.ts';
import { newBookingPage } from '../pages/new-booking-page.ts';
import { typedOn } from '../pages/parts/layout.ts';
import { receiptPage } from '../pages/receipt-page.ts';
import { allPages, answerFormat, sendData } from '../table-downloads.ts';
import { assetRoute } from './assets.ts';
import { bookingsBehind, countOf, MOST_VISITS, nextWaiting, queryOf, visitDays } from './listing.ts';
import type { AdminOptions } from './outcome.ts';

const PAGE = 50;
const DAY_PAGE = 200;

/** The desk's pages; the gate has checked the role. Reading patients is audited. */
export function bookingRoutes(app: FastifyInstance, options: AdminOptions): void {
  const { data, viewer, reports, clock } = options;
  const noteRead = createPatientReads(options);

  app.get('/bookings', async (request, reply) => {
    const { state, after: key } = request.query as { state?: unknown; after?: unknown };
    const filter = bookingFilters.find((one) => one === state);
    const after = typeof key === 'string' ? key.toUpperCase() : undefined;
    const query = queryOf(request.query as Record<string, unknown>);
    const [report, reader] = [await reports.get(), viewer(request)];
    const { zone } = reader.locale;
    const listing = { filter, query, zone, now: clock.now() };
    const around = visitDays(listing);
    const days = around && {
      from: dayOf(around.from, zone, listing.now),
      to: dayOf(around.to, zone, listing.now),
    };
    // A day is printed whole.
    const most = days !== undefined && days.from === days.to ? DAY_PAGE : PAGE;
    const visits = around === undefined ? [] : await data.visits(around, MOST_VISITS);
    const known = { ...data, visits: async () => visits };
    const found = await bookingsBehind(known, report, { ...listing, after, limit: most + 1 });
    const bookings = found.slice(0, most);
    const next = found.length > most ? (bookings.at(-1)?.ref ?? null) : null;
    await noteRead(request, 'bookings');
    if (answerFormat(request) !== 'html')
      return sendData(request, reply, {
        json: () => ({ bookings, next }),
        file: {
          ...{ name: 'bookings', columns: bookingColumns, locale: reader.locale },
          pages: allPages(
            unseen((last, limit) => bookingsBehind(known, report, { ...listing, after: last?.ref, limit })),
            (one) => [asRow(one)],
          ),
        },
      });
    const total = await countOf(known, report, listing);
    const rows = await data.listed(bookings);
    const dentists = await dentistsOf(data, bookings);
    const page = {
      bookings: rows,
      filter,
      query,
      days,
      cutAt: visits.length < MOST_VISITS ? undefined : MOST_VISITS,
      dentists,
      after,
      next,
      total,
      report,
      now: listing.now,
    };
    return sendHtml(reply, bookingsPage({ ...page, viewer: reader }));
  });

  newBookingRoute(app, options);

  const detailRoute = (
    path: string,
    page: (detail: BookingDetail, request: FastifyRequest) => Promise<string>,
  ) =>
    app.get(path, async (request: FastifyRequest, reply: FastifyReply) => {
      const { ref } = request.params as { ref: string };
      const detail = await data.booking(ref.toUpperCase());
      if (detail === undefined)
        return refuse(request, reply, { status: 404, message: 'There is no such booking' });
      await noteRead(request, detail.booking.ref);
      if (!wantsHtml(request)) return reply.send({ ok: true, ...detail });
      return sendHtml(reply, await page(detail, request));
    });
  detailRoute('/bookings/:ref', async (detail, request) => {
    const next = nextWaiting(await reports.get(), detail.booking.ref);
    return bookingPage(detail, viewer(request), clock.now(), { next, clinics: data.clinics() });
  });
  detailRoute('/bookings/:ref/receipt', async (detail, request) => receiptPage(detail, viewer(request)));

  assetRoute(app, '/assets/desk.js');
}

/** Where a person takes down a booking. */
function newBookingRoute(app: FastifyInstance, { data, viewer }: AdminOptions): void {
  app.get('/bookings/new', async (request, reply) => {
    const clinics = data.clinics();
    const asked = clinics.length === 1 ? clinics[0] : queryText(request, 'clinic');
    const clinic = clinics.find((one) => one === asked);
    const reader = viewer(request);
    const typed = typedOn(reader);
    const [choices, faults] = await Promise.all([
      clinic === undefined ? undefined : data.choices(clinic),
      Object.keys(typed).length === 0 ? [] : data.faults(typed),
    ]);
    const page = { clinic, clinics, choices, faults, submissionId: randomUUID(), viewer: reader };
    return sendHtml(reply, newBookingPage(page));
  });
}

/** The dentists of the clinics on the page, or else of the first one. */
async function dentistsOf(data: AdminData, bookings: readonly Booking[]): Promise<string[]> {
  const shown = new Set(bookings.map(({ clinic }) => clinic));
  const clinics = data.clinics().filter((key, index) => shown.has(key) || (shown.size === 0 && index === 0));
  const choices = await Promise.all(clinics.map((clinic) => data.choices(clinic)));
  return choices.flatMap(({ doctor }) => doctor.all.map(({ name }) => name));
}

type ReadBehind = (last: Booking | undefined, limit: number) => Promise<readonly Booking[]>;

/** A list starts again behind a booking that has left it meanwhile: nothing is given twice. */
function unseen(read: ReadBehind): ReadBehind {
  const given = new Set<string>();
  return async (last, limit) => {
    const found = (await read(last, limit)).filter(({ ref }) => !given.has(ref));
    for (const { ref } of found) given.add(ref);
    return found;
  };
}
