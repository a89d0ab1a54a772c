import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../model/clock.ts';
import { type Access, fromThisSite, sessionCookie, sessionMs } from './access.ts';
import type { Allowance } from './allowance.ts';
import { localPath, refuse, sendHtml } from './answers.ts';
import { readFields } from './fields.ts';
import type { Viewer } from './pages/layout.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { statusPage } from './pages/status-page.ts';
import { stylesheet } from './pages/stylesheet.ts';
import type { Reports } from './reports.ts';

interface StatusRoutes {
  access: Access;
  wrongTokens: Allowance;
  viewer: (request: FastifyRequest) => Viewer;
  reports: Reports;
  clock: Clock;
}

/** What anybody may open: the status page, its stylesheet, the way in. */
export function statusRoutes(
  app: FastifyInstance,
  { access, wrongTokens, viewer, reports, clock }: StatusRoutes,
): void {
  app.get('/', async (request, reply) => {
    const { refresh } = request.query as { refresh?: unknown };
    const report = await reports.get();
    return sendHtml(
      reply,
      statusPage({ report, viewer: viewer(request), now: clock.now(), refresh: refresh !== 'off' }),
    );
  });

  app.get('/assets/status.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=300').send(stylesheet),
  );

  app.get('/admin/sign-in', async (request, reply) => {
    if (!access.enabled) return refuse(request, reply, noToken);
    const { next } = request.query as { next?: unknown };
    return sendHtml(reply, signInPage({ next: localPath(typeof next === 'string' ? next : undefined) }));
  });

  app.post('/admin/sign-in', async (request, reply) => {
    if (!access.enabled) return refuse(request, reply, noToken);
    if (!fromThisSite(request.headers, request.host)) {
      return refuse(request, reply, { status: 403, message: 'This did not come from our own page' });
    }
    const { token = '', name = '', next: asked } = readFields(request);
    const next = localPath(asked);

    const waitMs = wrongTokens.waitMs(request.ip);
    if (waitMs !== undefined) {
      const fault = `Too many wrong tokens from this address. Try again in ${Math.ceil(waitMs / 60_000)} min.`;
      reply.code(429).header('retry-after', Math.ceil(waitMs / 1_000));
      return sendHtml(reply, signInPage({ next, fault }));
    }
    const cookie = access.signIn(token, name);
    if (cookie === undefined) {
      wrongTokens.count(request.ip);
      return sendHtml(reply.code(401), signInPage({ next, fault: 'The token is wrong.' }));
    }
    const secure = request.protocol === 'https' ? '; Secure' : '';
    const attributes = `Path=/; Max-Age=${sessionMs / 1_000}; HttpOnly; SameSite=Strict${secure}`;
    return reply.header('set-cookie', `${sessionCookie}=${cookie}; ${attributes}`).redirect(next, 303);
  });
}

const noToken = {
  status: 403,
  message: 'Nobody can sign in here',
  hint: 'Set http.admin_token in the configuration and restart.',
};
