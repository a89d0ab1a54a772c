import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BookingState, bookingStates } from '../model/booking.ts';
import type { Clock } from '../model/clock.ts';
import { asFailure, Failure } from '../model/failure.ts';
import type { Log } from '../model/log.ts';
import { type Access, bearerToken, fromThisSite, sessionCookie, type Visitor } from './access.ts';
import { actions } from './actions.ts';
import type { AdminActions, AdminData } from './admin.ts';
import type { Allowance } from './allowance.ts';
import { failureRefusal, localPath, type Refusal, refuse, sendHtml, wantsHtml } from './answers.ts';
import { readFields } from './fields.ts';
import { bookingPage } from './pages/booking-page.ts';
import { bookingsPage } from './pages/bookings-page.ts';
import type { Notice, Viewer } from './pages/layout.ts';
import type { Reports } from './reports.ts';

interface AdminOptions {
  access: Access;
  wrongTokens: Allowance;
  admin: AdminActions;
  data: AdminData;
  /** What a person's last action did, to be shown on the next page. */
  notices: Map<string, Notice>;
  viewer: (request: FastifyRequest) => Viewer;
  reports: Reports;
  draining: () => boolean;
  clock: Clock;
  log: Log;
}

const MOST_BOOKINGS = 200;
/** A look at the clinic takes minutes; no browser or proxy waits for that. */
const PATIENCE_MS = 8_000;

/** Everything behind the admin token. Without one configured, all of it is refused. */
export function adminRoutes(app: FastifyInstance, options: AdminOptions): void {
  const { access, wrongTokens, admin, data, notices, viewer, reports, draining, clock, log } = options;

  /** Before the body is read: strangers get no further. */
  const guard = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!access.enabled) return refuse(request, reply, disabled);
    const waitMs = wrongTokens.waitMs(request.ip);
    const bearer = bearerToken(request.headers);
    if (bearer !== undefined && waitMs !== undefined) return refuse(request, reply, tooManyTokens(waitMs));
    if (access.identify(request.headers) === undefined) {
      if (bearer !== undefined) wrongTokens.count(request.ip);
      if (wantsHtml(request) && request.method === 'GET') {
        return reply.redirect(`/admin/sign-in?next=${encodeURIComponent(localPath(request.url))}`, 303);
      }
      return refuse(request, reply.header('www-authenticate', 'Bearer'), signInFirst);
    }
    if (request.method === 'POST' && draining()) return refuse(request, reply, stopping);
    return undefined;
  };

  const visitorOf = (request: FastifyRequest): Visitor => {
    const visitor = access.identify(request.headers);
    if (visitor === undefined) throw new Failure({ kind: 'refused', ...signInFirst });
    return visitor;
  };

  /** A signed-in browser acts only on forms of ours; another site can make it send, but not with our form's token. */
  const forged = (request: FastifyRequest, { session }: Visitor, formToken: string | undefined): boolean =>
    session !== null &&
    (!fromThisSite(request.headers, request.host) || !access.isFormToken(session, formToken ?? ''));

  const patiently = async (finished: Promise<Outcome>): Promise<Outcome> => {
    const answered = new AbortController();
    const tooLong = clock.sleep(PATIENCE_MS, answered.signal).then(() => underWay);
    try {
      return await Promise.race([finished, tooLong]);
    } finally {
      answered.abort();
    }
  };

  const act =
    (path: string, run: (typeof actions)[string]) => async (request: FastifyRequest, reply: FastifyReply) => {
      const visitor = visitorOf(request);
      const fields = readFields(request);
      if (forged(request, visitor, fields.form_token)) return refuse(request, reply, notOurForm);

      const { session } = visitor;
      const params = request.params as Record<string, string>;
      const finished = attempt(() => run({ admin, data, params, fields, by: personOf(visitor, fields) }));
      const tell = ({ message, refusal }: Outcome) => {
        reports.forget();
        if (session !== null) notices.set(session, { ok: refusal === undefined, message });
      };
      const outcome = await patiently(finished);
      tell(outcome);
      if (outcome === underWay) void finished.then(tell);
      const status = outcome.refusal?.status ?? (outcome === underWay ? 202 : 200);
      log.info('admin action', { path, status });

      if (session !== null) return reply.redirect(localPath(fields.back), 303);
      if (outcome.refusal) return refuse(request, reply, outcome.refusal);
      return reply.code(status).send({ ok: true, message: outcome.message });
    };

  app.register((scope, _options, done) => {
    scope.addHook('onRequest', guard);

    for (const [path, run] of Object.entries(actions)) scope.post(path, act(path, run));

    scope.post('/admin/sign-out', async (request, reply) => {
      const visitor = visitorOf(request);
      if (forged(request, visitor, readFields(request).form_token)) return refuse(request, reply, notOurForm);
      if (visitor.session !== null) access.signOut(visitor.session);
      return reply.header('set-cookie', `${sessionCookie}=; Path=/; Max-Age=0`).redirect('/', 303);
    });

    scope.get('/bookings', async (request, reply) => {
      const { state: asked } = request.query as { state?: unknown };
      const state = bookingStates.find((one): one is BookingState => one === asked);
      const bookings = await data.bookings({ ...(state && { states: [state] }), limit: MOST_BOOKINGS });
      if (!wantsHtml(request)) return reply.send({ ok: true, bookings });
      return sendHtml(
        reply,
        bookingsPage({ bookings, state, limit: MOST_BOOKINGS, viewer: viewer(request), now: clock.now() }),
      );
    });

    scope.get('/bookings/:ref', async (request, reply) => {
      const { ref } = request.params as { ref: string };
      const detail = await data.booking(ref.toUpperCase());
      if (detail === undefined)
        return refuse(request, reply, { status: 404, message: 'There is no such booking' });
      if (!wantsHtml(request)) return reply.send({ ok: true, ...detail });
      return sendHtml(reply, bookingPage(detail, viewer(request), clock.now()));
    });
    done();
  });
}

type Outcome = { message: string; refusal?: Refusal };

const underWay: Outcome = { message: 'It is under way; its outcome will be shown here.' };

async function attempt(run: () => Promise<{ message: string }>): Promise<Outcome> {
  try {
    return { message: (await run()).message };
  } catch (error) {
    const refusal = failureRefusal(asFailure(error, 'The action'));
    return { message: [refusal.message, refusal.hint].filter(Boolean).join('. '), refusal };
  }
}

/** A request with the token itself may say for whom it acts. */
const personOf = ({ by, session }: Visitor, fields: Record<string, string>): string =>
  session === null && fields.by !== undefined ? fields.by.slice(0, 60) : by;

const disabled: Refusal = {
  status: 403,
  message: 'Admin actions are switched off',
  hint: 'Set http.admin_token in the configuration and restart.',
};
const signInFirst = {
  status: 401,
  message: 'Sign in first',
  hint: 'At /admin/sign-in, or send `Authorization: Bearer` with the admin token.',
};
const notOurForm: Refusal = {
  status: 403,
  message: 'This did not come from our own page',
  hint: 'Go back, reload the page and try again. Behind a proxy: it must pass the Host header on.',
};
const stopping: Refusal = { status: 503, message: 'clinic-sync is restarting', retryAfter: 10 };

const tooManyTokens = (waitMs: number): Refusal => ({
  status: 429,
  message: 'Too many wrong tokens from this address',
  hint: `Try again in ${Math.ceil(waitMs / 60_000)} min.`,
  retryAfter: Math.ceil(waitMs / 1_000),
});
