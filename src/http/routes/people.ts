import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AUDIT_READ_EVERY_MS } from '../../domain/audit.ts';
import { auditColumns } from '../../domain/clinics/report-columns.ts';
import { asRow } from '../../reports/figures.ts';
import type { AuditVerbs } from '../../store/ports/people.ts';
import type { Visitor } from '../access/access.ts';
import type { Sessions } from '../access/sessions.ts';
import { refuse, sendHtml, wantsHtml } from '../answers.ts';
import { createAllowance } from '../limits/allowance.ts';
import { auditPage, sessionsPage } from '../pages/people-pages.ts';
import { allPages, sendData } from '../table-downloads.ts';
import type { RouteParts } from './route-parts.ts';

interface PeopleRoutes extends RouteParts {
  sessions: Sessions;
  rows: AuditVerbs;
}

const ROWS = 200;

/** Sessions, which people can end, and the audit. */
export function peopleRoutes(app: FastifyInstance, options: PeopleRoutes): void {
  const { gate, sessions, cookieOf, rows, audit, viewer, clock } = options;

  const read = createAllowance({ limit: 1, windowMs: AUDIT_READ_EVERY_MS, clock });

  /** People see their own sessions; admins see all. */
  const visibleTo = async (visitor: Visitor | undefined) =>
    (await sessions.list()).filter(({ by }) => visitor?.role === 'admin' || by === visitor?.by);

  app.post('/admin/sign-out', async (request, reply) => {
    const { visitor } = gate.ownForm(request);
    const { session } = visitor;
    await audit.perform(visitor, { action: 'sign_out', subject: null, address: request.ip }, async () => {
      if (session !== null) await sessions.end([session]);
    });
    return reply
      .header('set-cookie', cookieOf(request).set('', 0))
      .header('clear-site-data', '"cache", "storage"')
      .redirect('/', 303);
  });

  app.get('/sessions', async (request, reply) => {
    const found = await visibleTo(gate.visitorOf(request));
    if (!wantsHtml(request))
      return reply.send({ ok: true, sessions: found.map(({ proof: _proof, ...shown }) => shown) });
    const own = gate.visitorOf(request)?.session;
    return sendHtml(reply, sessionsPage({ sessions: found, own, viewer: viewer(request), now: clock.now() }));
  });

  const end = (whose: 'one' | 'person') => async (request: FastifyRequest, reply: FastifyReply) => {
    const { visitor } = gate.ownForm(request);
    const { id } = request.params as { id: string };
    const visible = await visibleTo(visitor);
    const session = visible.find((one) => one.id === id);
    if (session === undefined) return refuse(request, reply, noSession);
    const { by } = session;
    const ended = whose === 'one' ? [session] : visible.filter((one) => one.by === by);
    const what = { action: 'session.end', subject: by, address: request.ip };
    await audit.perform(visitor, what, () => sessions.end(ended.map((one) => one.id)));
    if (visitor.formKey !== null) return reply.redirect('/sessions', 303);
    const message = whose === 'one' ? `The session of ${by} is ended.` : `All sessions of ${by} are ended.`;
    return reply.send({ ok: true, message });
  };
  app.post('/admin/sessions/:id/end', end('one'));
  app.post('/admin/sessions/:id/end-all', end('person'));

  app.get('/audit', async (request, reply) => {
    const before = Number((request.query as { before?: unknown }).before);
    const page = Number.isSafeInteger(before) && before > 0 ? { before } : {};
    const entries = await rows.list({ ...page, limit: ROWS });
    const visitor = gate.visitorOf(request);
    if (visitor !== undefined && read.waitMs(visitor.by) === undefined) {
      read.count(visitor.by);
      await audit.note(visitor, { action: 'audit.read', subject: null, result: 'ok', address: request.ip });
    }
    const more = entries.length === ROWS ? entries.at(-1)?.n : undefined;
    const reader = viewer(request);
    return sendData(request, reply, {
      page: () => auditPage({ entries, more, viewer: reader }),
      json: () => ({ audit: entries }),
      file: {
        ...{ name: 'audit', columns: auditColumns, locale: reader.locale },
        pages: allPages(
          (last: (typeof entries)[number] | undefined, limit) =>
            rows.list({ ...(last && { before: last.n }), limit }),
          (entry) => [asRow(entry)],
        ),
      },
    });
  });
}

const noSession = { status: 404, message: 'There is no such session' };
