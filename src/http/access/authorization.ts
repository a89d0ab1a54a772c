import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { html, toText } from '../../platform/text/html.ts';
import { type HttpRefusal, localPath, refuse, sendHtml, wantsHtml } from '../answers.ts';
import { readFormFields } from '../form-fields.ts';
import { createAllowance } from '../limits/allowance.ts';
import { type Access, bearerToken, fromThisSite, type Visitor } from './access.ts';
import type { Auditor } from './auditor.ts';
import type { SessionCookie } from './cookies.ts';
import { isFromThisMachine } from './hosts.ts';
import { may, needOf } from './roles.ts';
import { sessionMs } from './sessions.ts';
import type { Subjects } from './subjects.ts';
import { createWrongTokens, tokenHint } from './wrong-tokens.ts';

interface GateOptions {
  access: Access;
  cookieOf: (request: FastifyRequest) => SessionCookie;
  isOurHost: (header: string | undefined) => boolean;
  /** The public host name, when a proxy is in front. */
  publicHost: string | undefined;
  /** Wrong tokens from one address in 15 minutes that are answered at once. */
  wrongTokens: number;
  audit: Auditor;
  subjects: Subjects;
  draining: () => boolean;
  clock: Clock;
  log: Log;
}

export type Gate = ReturnType<typeof createGate>;

/** Requested by IP address, by probes and form tools; they show nothing worth a DNS rebinding attack. */
const hostFree = ['/livez', '/readyz', '/syncz', '/in/', '/assets/'];

/** Checks before every route: is the request for this server, who sends it, and may they? */
export function createGate(app: FastifyInstance, options: GateOptions) {
  const { access, cookieOf, isOurHost, audit, subjects, draining, clock, log } = options;
  const visitors = new WeakMap<FastifyRequest, Visitor>();
  const wrongToken = createWrongTokens({ atOnce: options.wrongTokens, audit, clock, log });
  const noted = createAllowance({ limit: 1, windowMs: sessionMs, clock });

  /** A proxy names the person with each request; one audit row covers the lifetime of a session. */
  const noteSignIn = async (visitor: Visitor, { ip }: FastifyRequest) => {
    if (noted.waitMs(visitor.by) !== undefined) return;
    noted.count(visitor.by);
    await audit.note(visitor, { action: 'sign_in', subject: null, result: 'ok', address: ip });
  };

  const identify = async (request: FastifyRequest): Promise<Visitor | undefined> => {
    const visitor = await access.identify(request, cookieOf(request));
    if (visitor === undefined) return undefined;
    visitors.set(request, visitor);
    if (visitor.isFromProxy) await noteSignIn(visitor, request);
    return visitor;
  };

  const check = async (request: FastifyRequest, path: string): Promise<HttpRefusal | undefined> => {
    const visitor = await identify(request);
    const isWrong = visitor === undefined && access.enabled && bearerToken(request.headers) !== undefined;
    if (isWrong) return wrongToken(request);
    if (isOpen(path, request)) return undefined;
    const refusal = refusalOf(path, visitor, access.enabled);
    if (refusal !== undefined && visitor !== undefined) {
      const subject = await subjects.inPath(path, request.params as Record<string, string>);
      await audit.note(visitor, { action: 'denied', subject, result: 'refused', address: request.ip });
    }
    return refusal ?? (request.method === 'POST' && draining() ? stopping : undefined);
  };

  /** Resolves to the answer, where it is one already. */
  const guard = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    if (!isOurHost(request.headers.host)) return refuse(request, reply, otherHost);
    if (path === '') return undefined;
    const refusal = await check(request, path);
    if (!visitors.has(request) && access.enabled && isFromOutside(request))
      return sendHtml(reply, hopPage(request.url));
    if (refusal === signInFirst && wantsHtml(request)) return reply.redirect(signInPath(request), 303);
    if (refusal?.status === 401) reply.header('www-authenticate', 'Bearer');
    return refusal && refuse(request, reply, refusal);
  };

  /** Runs before the body is read. */
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    const path = request.routeOptions.url ?? '';
    if (hostFree.some((one) => path.startsWith(one))) return done();
    guard(request, reply, path).then((answer) => (answer === undefined ? done() : undefined), done);
  });

  /** Metrics contain booking counts. Without any sign-in, only this machine may read them. */
  const isOpen = (path: string, { raw }: FastifyRequest): boolean =>
    needOf(path) === 'open' || (path === '/metrics' && !access.enabled && isFromThisMachine(raw));

  /** False when another site made the browser send this. */
  const isFromThisSite = ({ headers }: FastifyRequest): boolean => fromThisSite(headers, options.publicHost);
  return {
    visitorOf: (request: FastifyRequest): Visitor | undefined => visitors.get(request),
    /** Reads the session again, which may have ended since. */
    isStillSignedIn: async (request: FastifyRequest): Promise<boolean> =>
      (await access.identify(request, cookieOf(request))) !== undefined,
    wrongToken,
    isFromThisSite,
    /** Who acts, and the submitted fields. Throws `Failure` refused (403) unless the form is ours. */
    ownForm(request: FastifyRequest): { visitor: Visitor; fields: Record<string, string> } {
      const visitor = visitors.get(request);
      const fields = readFormFields(request);
      // No other site can make a program send its token.
      const isProgram = visitor?.formKey === null;
      const isOurs =
        isProgram || (isFromThisSite(request) && access.isFormToken(visitor, fields.form_token ?? ''));
      if (visitor === undefined || !isOurs) throw new Failure({ kind: 'refused', ...notOurForm });
      return { visitor, fields };
    },
  };
}

/**
 * True for a link in a mail or a chat, with which browsers send no strict cookie. A page of ours that leads to the same
 * address makes it a link of our own.
 */
const isFromOutside = (request: FastifyRequest): boolean => {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode = 'navigate', referer } = request.headers;
  const isRead = request.method === 'GET' && mode === 'navigate' && wantsHtml(request);
  if (!isRead || site === 'same-origin' || site === 'none' || /[?&]via=link\b/.test(request.url))
    return false;
  return site !== undefined || (referer !== undefined && URL.parse(referer)?.host !== request.host);
};

const hopPage = (url: string): string => {
  // Relative, because a proxy may have cut off the beginning of the path.
  const address = `?${[...url.split('?').slice(1), 'via=link'].join('&')}`;
  return toText(html`<!doctype html><meta charset="utf-8"><title>clinic-sync</title>
<meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">→</a>`);
};

/** In the address of the sign-in page: a form was sent without a session. */
export const SESSION_OVER = 'over';

/** Then back to the page, or to that of the form: `/bookings/CS-7K3Q9F` for `/admin/bookings/CS-7K3Q9F/edit`. */
function signInPath({ method, url }: FastifyRequest): string {
  const page = /^\/admin(\/(?:bookings|connectors)\/(?!many\/)[^/]+)\//.exec(url)?.[1] ?? '/';
  const next = (path: string) => `/admin/sign-in?next=${encodeURIComponent(localPath(path))}`;
  return method === 'GET' ? next(url) : `${next(page)}&${SESSION_OVER}`;
}

const notOurForm = {
  status: 403,
  message: 'This did not come from our own page',
  hint: 'Go back, reload the page and try again. Behind a proxy: it must pass the Host header on.',
};

function refusalOf(path: string, visitor: Visitor | undefined, enabled: boolean): HttpRefusal | undefined {
  if (!enabled) return disabled;
  if (visitor === undefined) return signInFirst;
  return may(visitor.role, path) ? undefined : notForRole(visitor.role);
}

const disabled: HttpRefusal = {
  status: 403,
  message: 'Admin actions are switched off',
  hint: 'Set http.admin_token (or http.users) in the configuration and restart.',
};
const signInFirst = {
  status: 401,
  message: 'Sign in first',
  hint: tokenHint,
};
const stopping: HttpRefusal = { status: 503, message: 'clinic-sync is restarting', retryAfter: 10 };
const otherHost: HttpRefusal = {
  status: 421,
  message: 'This server is not known by that name',
  hint: 'Use its own address, or add the name to http.allowed_hosts.',
};

const notForRole = (role: string): HttpRefusal => ({
  status: 403,
  message: 'Your role does not allow this',
  hint: `You are signed in as ${role}. Ask an admin to do it, or to change your role.`,
});
