import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HOUR } from '../../platform/duration.ts';
import { refuse, sendHtml, wantsHtml } from '../answers.ts';
import type { BookingDetail } from '../api/booking-schemas.ts';
import { createAllowance } from '../limits/allowance.ts';
import { bookingPage } from '../pages/booking-page.ts';
import { bookingFilters, bookingsPage } from '../pages/bookings-page.ts';
import { receiptPage } from '../pages/receipt-page.ts';
import { assetRoute } from './assets.ts';
import { bookingsBehind, countOf, nextWaiting, queryOf } from './listing.ts';
import type { AdminOptions } from './outcome.ts';

const PAGE = 50;

/** The desk's pages; the gate has checked the role. Reading patients is audited. */
export function bookingRoutes(app: FastifyInstance, options: AdminOptions): void {
  const { gate, data, audit, viewer, reports, clock } = options;
  const noted = createAllowance({ limit: 1, windowMs: HOUR, clock });
  /** Audits an open list that keeps updating once an hour. */
  const noteRead = async (request: FastifyRequest, subject: string) => {
    const visitor = gate.visitorOf(request);
    const key = `${visitor?.by} ${request.url}`;
    if (request.headers['x-update'] === '1' && noted.waitMs(key) !== undefined) return;
    noted.count(key);
    await audit.note(visitor, { action: 'patients.read', subject, result: 'ok', address: request.ip });
  };

  app.get('/bookings', async (request, reply) => {
    const { state, after: key } = request.query as { state?: unknown; after?: unknown };
    const filter = bookingFilters.find((one) => one === state);
    const after = typeof key === 'string' ? key.toUpperCase() : undefined;
    const query = queryOf(request.query as Record<string, unknown>);
    const [report, reader] = [await reports.get(), viewer(request)];
    const listing = { filter, query, zone: reader.locale.zone };
    const found = await bookingsBehind(data, report, { ...listing, after, limit: PAGE + 1 });
    const bookings = found.slice(0, PAGE);
    const next = found.length > PAGE ? (bookings.at(-1)?.ref ?? null) : null;
    await noteRead(request, 'bookings');
    if (!wantsHtml(request)) return reply.send({ ok: true, bookings, next });
    const total = await countOf(data, report, listing);
    const rows = await data.listed(bookings);
    const page = { bookings: rows, filter, query, after, next, total, report, now: clock.now() };
    return sendHtml(reply, bookingsPage({ ...page, viewer: reader }));
  });

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
    return bookingPage(detail, viewer(request), clock.now(), next);
  });
  detailRoute('/bookings/:ref/receipt', async (detail, request) => receiptPage(detail, viewer(request)));

  assetRoute(app, '/assets/desk.js');
}
