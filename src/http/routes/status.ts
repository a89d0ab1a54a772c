import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Figures, StatusReport } from '../../domain/status/report.ts';
import { HOUR, MINUTE } from '../../platform/duration.ts';
import { asFailure } from '../../platform/failure.ts';
import { CLINICS_IN_DATA, clinicsPage } from '../../reports/clinics-page.ts';
import { publicStatus } from '../access/public-status.ts';
import { may } from '../access/roles.ts';
import type { AdminData } from '../admin.ts';
import { queryText, sendHtml } from '../answers.ts';
import type { ListedBooking } from '../desk.ts';
import { createAllowance } from '../limits/allowance.ts';
import { needsPage } from '../pages/parts/needs-section.ts';
import { CLINICS_ON_PAGE, statusPage } from '../pages/status-page.ts';
import { strangerPage } from '../pages/stranger-page.ts';
import { assetRoute } from './assets.ts';
import { type InsightStore, overviewOf } from './insight.ts';
import type { RouteParts } from './route-parts.ts';

interface StatusRoutes extends RouteParts {
  /** Whether strangers see counts, or only one word. */
  isPublic: boolean;
  data: AdminData;
  store: InsightStore;
}

/** Open to everyone: the status page, which shows strangers little. */
export function statusRoutes(app: FastifyInstance, options: StatusRoutes): void {
  const { gate, isPublic, audit, viewer, reports, data, store, clock, log } = options;
  const noted = createAllowance({ limit: 1, windowMs: HOUR, clock });
  // Limits log lines, because pages reload themselves.
  const failed = createAllowance({ limit: 1, windowMs: MINUTE, clock });

  /** Null on a failed read: without the database, pages show the last known data and tell what is missing. */
  async function known<T>(kind: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      const { message } = asFailure(error, `Reading the ${kind}`);
      if (failed.waitMs(kind) === undefined)
        log.warn('a part of a page not read', { kind, problem: message });
      failed.count(kind);
      return null;
    }
  }

  /** The bookings behind the needs on this page. Audited once an hour, because the page reloads itself. */
  async function patientsOf(
    request: FastifyRequest,
    report: StatusReport,
    after: string | undefined,
  ): Promise<Map<string, ListedBooking> | null> {
    const visitor = gate.visitorOf(request);
    const { shown } = needsPage(report.needs, after);
    const refs = shown
      .filter(({ kind, refs }) => kind === 'booking' && refs === undefined)
      .map(({ subject }) => subject);
    if (visitor === undefined || refs.length === 0 || !may(visitor.role, '/bookings')) return new Map();
    const bookings = await known('bookings', async () => data.listed(await data.bookingsOf(refs)));
    if (bookings === null) return null;
    if (bookings.length > 0 && noted.waitMs(visitor.by) === undefined) {
      noted.count(visitor.by);
      await audit.note(visitor, {
        action: 'patients.read',
        subject: 'status page',
        result: 'ok',
        address: request.ip,
      });
    }
    return new Map(bookings.map((listed) => [listed.booking.ref, listed]));
  }

  app.get('/', async (request, reply) => {
    const { refresh } = request.query as { refresh?: unknown };
    const [after, clinicsAfter] = [queryText(request, 'after'), queryText(request, 'clinics')];
    const report = await reports.get();
    const now = clock.now();
    if (gate.visitorOf(request) === undefined)
      return sendHtml(
        reply,
        strangerPage({
          word: report.health,
          counts: isPublic ? publicStatus(report) : undefined,
          viewer: viewer(request),
          now,
        }),
      );
    const clinics = clinicsPage(report, { limit: CLINICS_ON_PAGE, after: clinicsAfter });
    const overview = await known('overview', () =>
      overviewOf(store, clinics.shown, report.clinics_total, now),
    );
    const page = statusPage({
      report,
      viewer: viewer(request),
      now,
      // A reload would lead back to the first page.
      refresh: refresh !== 'off' && after === undefined && clinicsAfter === undefined,
      after,
      clinics,
      full: may(gate.visitorOf(request)?.role, '/audit') || queryText(request, 'all') !== undefined,
      bookings: await patientsOf(request, report, after),
      ...(overview ?? { isPartial: true }),
    });
    return sendHtml(reply, page);
  });

  app.get('/status.json', async (request, reply) => {
    const report = await reports.get();
    const after = queryText(request, 'after');
    if (gate.visitorOf(request) === undefined)
      return isPublic ? publicStatus(report, after) : { health: report.health };
    const { shown, next } = await pageOf(report, CLINICS_IN_DATA, {
      after,
      figures: (clinic) => known('figures', () => data.figures(clinic)),
    });
    const page = { ...report, clinics: shown, ...(next !== null && { clinics_next: next }) };
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(page, withoutCodes));
  });

  assetRoute(app, '/assets/status.css');
}

/** Codes are internal: the sentences say the same. */
const withoutCodes = (key: string, value: unknown): unknown => (key === 'said' ? undefined : value);

/** Some of the clinics, with the figures over time that the report omits when there are many. */
async function pageOf(
  report: StatusReport,
  limit: number,
  { after, figures }: { after: string | undefined; figures: (clinic: string) => Promise<Figures[] | null> },
) {
  const page = clinicsPage(report, { limit, after });
  if (report.clinics.length <= CLINICS_IN_DATA) return page;
  const withFigures = page.shown.map(async (clinic) => ({
    ...clinic,
    statistics: (await figures(clinic.clinic)) ?? [],
  }));
  return { ...page, shown: await Promise.all(withFigures) };
}
