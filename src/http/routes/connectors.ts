import type { FastifyInstance, FastifyRequest } from 'fastify';
import { instant } from '../../platform/clock.ts';
import { DAY } from '../../platform/duration.ts';
import type { AskedSource, LeadSource, LeadTrial } from '../admin.ts';
import { noSuch, queryText, refuse, sendHtml, wantsHtml } from '../answers.ts';
import { connectorPage } from '../pages/connector-page.ts';
import { leadSourcePage, type Tried } from '../pages/lead-source-page.ts';
import { type InsightStore, numberOf, param } from './insight.ts';
import type { RouteParts } from './route-parts.ts';

const ROWS = 50;

export interface ConnectorRoutes extends RouteParts {
  store: InsightStore;
  leadSource: ((asked: AskedSource) => Promise<LeadSource | undefined>) | undefined;
  /** Undefined for a connector that takes no leads. */
  tryLead: ((connector: string, body: string) => Promise<LeadTrial | undefined>) | undefined;
  publicUrl: URL | undefined;
}

/** A connector’s page, and what a pasted lead would become there. */
export function connectorRoutes(app: FastifyInstance, options: ConnectorRoutes): void {
  const { store, viewer, reports, clock, gate, audit, leadSource, tryLead, publicUrl } = options;

  const sourcePage = async (request: FastifyRequest, tried?: Tried): Promise<string | undefined> => {
    const report = await reports.get();
    const name = param(request, 'name');
    const connector = report.connectors.find((one) => one.connector === name);
    if (connector === undefined || connector.delivers) return undefined;
    const reader = viewer(request);
    const address = `${baseOf(request, publicUrl)}/in/${encodeURIComponent(name)}`;
    const source = await leadSource?.({ name, address, link: reader.locale.t('book_visit') });
    const bookings = report.bookings.find((one) => one.source === name) ?? { today: 0, last_7_days: 0 };
    const here = `/connectors/${encodeURIComponent(name)}`;
    return leadSourcePage({
      connector,
      bookings,
      source,
      tried,
      viewer: { ...reader, here },
      now: clock.now(),
    });
  };

  app.get('/connectors/:name', async (request, reply) => {
    const page = await sourcePage(request);
    if (page !== undefined) return sendHtml(reply, page);
    const name = param(request, 'name');
    const connector = (await reports.get()).connectors.find((one) => one.connector === name);
    if (connector === undefined) return refuse(request, reply, noSuch);
    const now = clock.now();
    const before = numberOf(queryText(request, 'before'));
    const [found, hours] = await Promise.all([
      store.deliveries.list({ connector: name, ...(before && { before }), limit: ROWS + 1 }),
      store.activity.list(`connector/${name}`, instant(now - 7 * DAY)),
    ]);
    const deliveries = found.slice(0, ROWS);
    const last = deliveries.at(-1);
    const base = `/connectors/${encodeURIComponent(name)}`;
    const older = found.length > ROWS && last ? `${base}?before=${last.n}#deliveries` : null;
    return sendHtml(
      reply,
      connectorPage({ connector, deliveries, older, hours, viewer: viewer(request), now }),
    );
  });

  // The answer is the page itself: what was pasted is a patient’s, and is kept nowhere to show it again.
  app.post('/connectors/:name/try', async (request, reply) => {
    const { fields, visitor } = gate.ownForm(request);
    const name = param(request, 'name');
    const body = fields.body ?? '';
    const trial = await tryLead?.(name, body);
    if (trial === undefined) return refuse(request, reply, noSuch);
    await audit.note(visitor, { action: 'lead.try', subject: name, result: 'ok', address: request.ip });
    if (!wantsHtml(request)) return reply.send({ ok: true, ...trial });
    const page = await sourcePage(request, { body, trial });
    return page === undefined ? refuse(request, reply, noSuch) : sendHtml(reply, page);
  });
}

/** Where the world finds this server, without a slash at the end. */
const baseOf = ({ protocol, host }: FastifyRequest, publicUrl: URL | undefined): string =>
  (publicUrl?.href ?? `${protocol}://${host}`).replace(/\/$/, '');
