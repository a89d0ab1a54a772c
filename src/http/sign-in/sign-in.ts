import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OIDC_CALLBACK } from '../../domain/people.ts';
import { MINUTE, SECOND } from '../../platform/duration.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { html, type Part, toText } from '../../platform/text/html.ts';
import { sentences } from '../../platform/text/sentences.ts';
import { within } from '../../platform/wait-for.ts';
import type { Access, Bearer } from '../access/access.ts';
import { SESSION_OVER } from '../access/authorization.ts';
import type { SessionCookie } from '../access/cookies.ts';
import { sessionMs } from '../access/sessions.ts';
import { localPath, queryText, refuse, sendHtml } from '../answers.ts';
import { readFormFields } from '../form-fields.ts';
import { localeFor } from '../language.ts';
import { createAllowance } from '../limits/allowance.ts';
import { noRolePage, signInPage } from '../pages/sign-in-page.ts';
import type { RouteParts } from '../routes/route-parts.ts';
import { FLOW_MS, type Flow, flowKey, flowOf } from './flow.ts';
import type { Account, Oidc } from './oidc.ts';

interface SignInRoutes extends RouteParts {
  access: Access;
  /** Whether an admin token exists, whose holders give a name. */
  asksName: boolean;
  oidc: Oidc | undefined;
  flowCookieOf: (request: FastifyRequest) => SessionCookie;
}

/** Browsers behind one address are told apart as far as that is possible without a cookie. */
const browserOf = ({ ip, headers }: FastifyRequest): string => `${ip} ${headers['user-agent']}`;

const REMEMBERED = 50;

/** The sign-in page: by token, and through a provider of OpenID Connect. */
export function signInRoutes(app: FastifyInstance, options: SignInRoutes): void {
  const { access, gate, cookieOf, asksName, oidc, audit, clock } = options;
  /** Browsers that signed in last, each until it comes back with its cookie. */
  const unused = new Set<string>();
  app.addHook('onRequest', (request, _reply, done) => {
    if (unused.size > 0 && gate.visitorOf(request) !== undefined) unused.delete(browserOf(request));
    done();
  });

  const show = async (request: FastifyRequest, reply: FastifyReply, next: string, fault?: Part) => {
    const locale = localeFor(request);
    const asked = oidc?.ready().then(
      () => undefined,
      (error: unknown) => asFailure(error, 'Asking the provider'),
    );
    // Nobody waits for it to use a token.
    const problem = asked && (await within({ clock, ms: SECOND, late: () => undefined }, asked));
    const provider = oidc && {
      name: oidc.name,
      href: oidc.startAddress(next),
      problem: problem && wordsOf(problem),
    };
    return sendHtml(
      reply,
      signInPage({ locale, next, fault, provider, asksName, takesTokens: access.takesTokens }),
    );
  };

  /** Starts the session; the audit has it or it is not. Sets the cookie. */
  const begin = async (request: FastifyRequest, reply: FastifyReply, bearer: Bearer) => {
    const { ip: address } = request;
    const replaces = gate.visitorOf(request)?.session ?? null;
    const value = await audit.perform(bearer, { action: 'sign_in', subject: null, address }, () =>
      access.startSession(bearer, address, replaces),
    );
    unused.add(browserOf(request));
    const [oldest = ''] = unused;
    if (unused.size > REMEMBERED) unused.delete(oldest);
    reply.header('set-cookie', cookieOf(request).set(value, sessionMs / 1_000));
  };

  app.get('/admin/sign-in', async (request, reply) => {
    if (!access.takesTokens && oidc === undefined) return refuse(request, reply, noToken);
    const { t } = localeFor(request);
    const isOver = queryText(request, SESSION_OVER) !== undefined;
    const fault = unused.has(browserOf(request)) ? 'cookie_lost' : isOver ? 'session_over' : undefined;
    return show(request, reply, localPath(queryText(request, 'next')), fault && t(fault));
  });

  app.post('/admin/sign-in', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!access.takesTokens) return refuse(request, reply, noToken);
    if (!gate.isFromThisSite(request)) {
      return refuse(request, reply, { status: 403, message: 'This did not come from our own page' });
    }
    const { token = '', name = '', next: wish } = readFormFields(request);
    const next = localPath(wish);
    const bearer = access.bearerOf(token, name);
    if (bearer === undefined) {
      const { status, retryAfter } = await gate.wrongToken(request);
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
      const fault = localeFor(request).t(status === 429 ? 'too_many_tokens' : 'wrong_token');
      return show(request, reply.code(status), next, fault);
    }
    await begin(request, reply, bearer);
    return reply.redirect(next, 303);
  });

  if (oidc !== undefined) oidcRoutes(app, { ...options, provider: oidc, show, begin });
}

interface OidcRoutes extends SignInRoutes {
  provider: Oidc;
  show: (request: FastifyRequest, reply: FastifyReply, next: string, fault?: Part) => Promise<FastifyReply>;
  begin: (request: FastifyRequest, reply: FastifyReply, bearer: Bearer) => Promise<void>;
}

/** Failed sign-ins of one address in 15 minutes; each costs the provider some calls. */
const FAILED = 30;

/** The way to the provider and back. Both are links: what a form sends may not be redirected to another site. */
function oidcRoutes(app: FastifyInstance, options: OidcRoutes): void {
  const { access, gate, provider, flowCookieOf, audit, clock, show, begin } = options;
  const failures = createAllowance({ limit: FAILED, windowMs: 15 * MINUTE, clock });

  app.get('/admin/sign-in/oidc', async (request, reply) => {
    const next = localPath(queryText(request, 'next'));
    const cookie = flowCookieOf(request);
    // The same in all tabs of a browser, so that none ends the sign-in of another.
    const key = flowKey(cookie.read(request.headers));
    try {
      const address = await provider.begin(key, next);
      return reply.header('set-cookie', cookie.set(key, FLOW_MS / 1_000)).redirect(address.href, 303);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return show(request, reply.code(503), next);
    }
  });

  const signedIn = async (request: FastifyRequest, reply: FastifyReply, account: Account, next: string) => {
    const { name, role } = account;
    const { claim } = provider;
    const bearer = role && access.accountOf(name, role);
    if (bearer === undefined) {
      const who = { by: `${name} (oidc)`, role: 'none' as const };
      await audit.note(who, { action: 'sign_in', subject: null, result: 'no role', address: request.ip });
      return sendHtml(
        reply.code(403),
        noRolePage(localeFor(request), { ...account, claim, provider: provider.name }),
      );
    }
    await begin(request, reply, bearer);
    failures.count(request.ip, -1);
    // A redirect would still count as a link from the provider's site, with which no strict cookie is sent.
    return sendHtml(reply, onwardPage(provider.addressOf(next)));
  };

  const finish = async (request: FastifyRequest, reply: FastifyReply, flow: Flow, query: URLSearchParams) => {
    const { t } = localeFor(request);
    if (failures.waitMs(request.ip) !== undefined)
      return show(request, reply.code(429), flow.next, t('refusal_429'));
    // First, because many may come at once.
    failures.count(request.ip);
    try {
      return await signedIn(request, reply, await provider.finish(flow, query), flow.next);
    } catch (error) {
      // Back from here once more.
      if (gate.visitorOf(request) !== undefined) return reply.redirect(flow.next, 303);
      const failure = asFailure(error, 'Signing in');
      const fault = html`${t('provider_failed', { name: provider.name })} ${wordsOf(failure)}`;
      return show(request, reply.code(failure.kind === 'transient' ? 503 : 403), flow.next, fault);
    }
  };

  app.get(OIDC_CALLBACK, async (request, reply) => {
    const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
    const key = flowCookieOf(request).read(request.headers) ?? '';
    const flow = flowOf(key, query.get('state') ?? '', clock.now());
    // The page of ours that led here adds it.
    query.delete('via');
    if (flow !== undefined) return finish(request, reply, flow, query);
    if (gate.visitorOf(request) !== undefined) return reply.redirect('/', 303);
    return show(request, reply.code(400), '/', localeFor(request).t('provider_other_browser'));
  });
}

/** For whoever set it up. */
const wordsOf = ({ message, hint }: Failure): Part =>
  html`<span lang="en" dir="ltr">${sentences(message, hint)}</span>`;

const onwardPage = (address: string): string =>
  toText(html`<!doctype html><meta charset="utf-8"><title>clinic-sync</title>
<meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">→</a>`);

const noToken = {
  status: 403,
  message: 'There is no token to sign in with',
  hint: 'Set http.admin_token, or http.users with tokens, in the configuration and restart.',
};
