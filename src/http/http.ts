import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ClinicEvent } from '../clinic/clinic.ts';
import type { BookingPort } from '../connector.ts';
import { ADMIN, type OpenIdIssuer, type Person, type SignInHeader } from '../domain/people.ts';
import type { Need, StatusReport } from '../domain/status/report.ts';
import type { Clock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import type { Log, LogOutput } from '../platform/log.ts';
import type { AuditVerbs, SessionVerbs } from '../store/ports/people.ts';
import { createAccess, personName, type Visitor } from './access/access.ts';
import { createAuditor } from './access/auditor.ts';
import { createGate } from './access/authorization.ts';
import { flowCookie, sessionCookie } from './access/cookies.ts';
import { hostCheck } from './access/hosts.ts';
import { createSessions } from './access/sessions.ts';
import { createSubjects } from './access/subjects.ts';
import type { AdminData, AdminOperations, OneTaps, ShownDelivery } from './admin.ts';
import type { ChangeLog } from './change-pages.ts';
import { tellDoctor } from './doctor-pass.ts';
import { addressOf, localeFor, speakLanguages } from './language.ts';
import { createBodyBudget } from './limits/body-budget.ts';
import { createProxies } from './limits/proxies.ts';
import type { PageNotice, Viewer } from './pages/parts/layout.ts';
import { createReports } from './report-data.ts';
import { adminRoutes } from './routes/admin.ts';
import { assetRoute } from './routes/assets.ts';
import { changesRoute } from './routes/changes.ts';
import { type ConnectorRoutes, connectorRoutes } from './routes/connectors.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { feeRoutes } from './routes/fees.ts';
import { healthRoutes, type Readiness } from './routes/health.ts';
import { type InsightStore, insightRoutes } from './routes/insight.ts';
import { type Intakes, intakeRoutes } from './routes/intake.ts';
import { liveRoutes } from './routes/live.ts';
import { createMetrics, type Metrics } from './routes/metrics.ts';
import { oneTapRoutes } from './routes/one-tap.ts';
import { openApiRoute } from './routes/openapi.ts';
import { peopleRoutes } from './routes/people.ts';
import { recordRoutes } from './routes/records.ts';
import type { Probes } from './routes/rehearsal.ts';
import { type ReportFigures, reportRoutes } from './routes/reports.ts';
import { statusRoutes } from './routes/status.ts';
import { createServer, defaultLimits, type HttpLimits, type Route } from './server.ts';
import { createOidc } from './sign-in/oidc.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { createStray } from './stray-visitors.ts';
import { meantAddress } from './typed-path.ts';
import { createVisitorTroubles } from './visitor-troubles.ts';

/** Where to listen. Port 0 lets the system choose. */
interface Address {
  host: string;
  port: number;
}

export interface HttpOptions extends Address {
  /** A separate address for `/in/`; undefined when all routes share one. */
  intakeAddress?: Address | undefined;
  /** Who may sign in. When empty and without a proxy's header, everything that requires signing in is refused. */
  people: readonly Person[];
  signInHeader?: SignInHeader | undefined;
  /** A provider of OpenID Connect. */
  oidc?: OpenIdIssuer | undefined;
  /** Whether strangers see counts, or only one word. */
  isPublic: boolean;
  /** The public address, when a proxy is in front. */
  publicUrl?: URL | undefined;
  allowedHosts: readonly string[];
  sessions: SessionVerbs;
  /** Data of the insight pages. */
  store: InsightStore;
  figures: ReportFigures;
  audit: AuditVerbs;
  /** Whether `/metrics` has series per clinic. */
  metrics?: { perClinic: boolean };
  /** Trusted reverse proxies (for their X-Forwarded-… headers): how many, or their networks. */
  trustProxy: number | readonly string[];
  /** False when too little disk space is free: new bookings are then refused. */
  room?: () => boolean;
  /** Called once, when X-Forwarded-… first comes from an untrusted sender. */
  onUntrustedProxy?: () => void;
  version: string;
  /** The time zone that all clinics share; UTC when they do not. */
  timezone?: string;
  /** May throw or hang; the page then says that the database does not answer. */
  report: () => Promise<StatusReport>;
  /** Connectors that take bookings, by name. Looked up on each request. */
  intakes: Intakes;
  /** Secret, and stable across restarts; generates the references of visitors whose submission is merged. */
  visitorKey: string;
  bookings: BookingPort;
  /** Absent when this server takes no probes. */
  probes?: Probes;
  /** Whether a booking can be stored right now. */
  ready: () => Readiness | Promise<Readiness>;
  oneTaps: OneTaps;
  admin: AdminOperations;
  adminData: AdminData;
  /** One by its number, with its body. Absent: it has no page. */
  delivery?: (n: number) => Promise<ShownDelivery | undefined>;
  /** Of a connector that takes bookings. Absent: its page has only their number. */
  leadSource?: ConnectorRoutes['leadSource'];
  tryLead?: ConnectorRoutes['tryLead'];
  changeLog: ChangeLog;
  clock: Clock;
  log: Log;
  logOutput?: LogOutput | undefined;
  limits?: Partial<HttpLimits>;
}

export interface Http {
  /** `http://127.0.0.1:8080`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Equals `url` unless `/in/` has its own address. */
  readonly intakeUrl: string;
  readonly routes: readonly Route[];
  /** Updates the call metrics of a clinic. */
  observeCall(clinic: string, event: ClinicEvent): void;
  /** Updates the delivery metrics of a connector. */
  observeDelivery(connector: string, outcome: string, ms: number): void;
  /** Problems of the HTTP setup that the operator has to fix. */
  needs(): Need[];
  /** `/readyz` fails from now on, so that a load balancer sends nothing more; everything still works. */
  withdraw(): void;
  /** Answers POSTs with 503 and Retry-After from now on, too; reads still work. */
  drain(): void;
  /** Drains, gives open requests `stopMs` from the start of draining, then closes. Idempotent. */
  stop(): Promise<void>;
}

/** Serves status page, health, metrics, intake and admin. Throws `Failure` refused when it cannot listen. */
export async function startHttp(options: HttpOptions): Promise<Http> {
  const { host, port, intakeAddress, trustProxy, version, publicUrl, clock, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const proxies = createProxies({ trust: trustProxy, clock, log, onUntrusted: options.onUntrustedProxy });
  const parts = { proxies, limits, budget: createBodyBudget(limits.unreadBytes), clock, log };
  const paths = {
    publicPath: (publicUrl?.pathname ?? '/').replace(/\/$/, ''),
    connectorOf: (text: string) => connectorOf(options.intakes, text),
  };
  const meant = (url: string, method?: string) => meantAddress(url, paths, method);
  const metrics = createMetrics({
    perClinic: true,
    ...options.metrics,
    droppedLines: options.logOutput?.dropped,
  });
  const troubles = createVisitorTroubles({ clock, metrics });
  const stray = createStray(options.intakes, troubles);
  const server = () => createServer({ ...parts, meant, stray, publicUrl });
  const main = server();
  const intake = intakeAddress ? server() : main;
  const reports = createReports({ report: options.report, version, clock, log });
  let withdrawn = false;
  let drainedAt: number | undefined;
  const draining = () => drainedAt !== undefined;
  const drain = () => {
    withdrawn = true;
    drainedAt ??= clock.monotonic();
    return drainedAt;
  };

  const apps = new Set([main.app, intake.app]);
  for (const app of apps) {
    underPublicPath(app, publicUrl);
    speakLanguages(app, publicUrl);
    stayOnHttps(app, publicUrl);
    tellDoctor(app, options.visitorKey);
    countAnswers(app, metrics);
  }
  peoplesRoutes(main.app, options, { limits, reports, draining });
  const { signInHeader, oidc } = options;
  const signedInOnly = options.people.length > 0 || signInHeader !== undefined || oidc !== undefined;
  const { probes, room = () => true } = options;
  const ready = async () => (room() ? options.ready() : noRoom);
  const onRefused = (forget: () => void) =>
    intake.app.addHook('onResponse', async ({ method }, { statusCode }) => {
      if (method === 'POST' && statusCode >= 500) forget();
    });
  const health = { reports, ready, withdrawn: () => withdrawn, signedInOnly, onRefused, metrics, clock };
  healthRoutes(main.app, health);
  intakeRoutes(intake.app, { ...options, probes, limits, room, draining, metrics, troubles, stray });
  if (intake !== main) assetRoute(intake.app, '/assets/status.css');

  const address = await listen(main.app, { host, port }, log);
  const intakeListens = intakeAddress
    ? await listen(intake.app, intakeAddress, log).catch(async (error: unknown) => {
        // An open listener would keep the process running without taking leads.
        main.app.server.closeAllConnections();
        await main.app.close();
        throw error;
      })
    : address;

  const close = async () => {
    // Counted from the start of draining, so that draining early does not extend the wait.
    const leftMs = limits.stopMs - (clock.monotonic() - drain());
    const closed = new AbortController();
    const overdue = clock.sleep(leftMs, closed.signal).then(
      () => {
        for (const app of apps) app.server.closeAllConnections();
      },
      () => {},
    );
    await Promise.all([...apps].map((app) => app.close()));
    closed.abort();
    await overdue;
  };
  let closing: Promise<void> | undefined;

  return {
    url: `http://${reachable(host)}:${address.port}`,
    port: address.port,
    intakeUrl: intakeAddress
      ? `http://${reachable(intakeAddress.host)}:${intakeListens.port}`
      : `http://${reachable(host)}:${address.port}`,
    routes: intake === main ? main.routes : [...main.routes, ...intake.routes],
    observeCall: metrics.observeCall,
    observeDelivery: metrics.delivered,
    needs: () => [...proxies.needs(), ...troubles.needs()],
    withdraw() {
      withdrawn = true;
    },
    drain() {
      drain();
    },
    stop() {
      closing ??= close();
      return closing;
    },
  };
}

interface Behind {
  limits: HttpLimits;
  reports: ReturnType<typeof createReports>;
  draining: () => boolean;
}

/** Pages for people, and the same data for programs with a token. */
function peoplesRoutes(app: FastifyInstance, options: HttpOptions, { limits, reports, draining }: Behind) {
  const { people, signInHeader, publicUrl, allowedHosts, host, isPublic, clock, log } = options;
  const sessions = createSessions({ store: options.sessions, clock });
  const access = createAccess({ people, signInHeader, oidc: options.oidc, sessions });
  const audit = createAuditor({ store: options.audit, clock, log });
  const subjects = createSubjects({ data: options.adminData, reports, log });
  const path = publicUrl?.pathname ?? '/';
  const placeOf = (request: FastifyRequest) => ({ secure: isHttps(request, publicUrl), path });
  const cookieOf = (request: FastifyRequest) => sessionCookie(placeOf(request));
  const gate = createGate(app, {
    access,
    cookieOf,
    isOurHost: hostCheck({ allowed: allowedHosts, publicUrl, listen: host }),
    publicHost: publicUrl?.host,
    wrongTokens: limits.wrongTokens,
    audit,
    subjects,
    draining,
    clock,
    log,
  });

  const notices = new Map<string, PageNotice>();
  const notify = (visitor: Visitor, notice: PageNotice) => {
    if (visitor.formKey === null) return;
    notices.set(visitor.formKey, notice);
    // What was typed is a patient's, and its session may end before it is shown again.
    const [oldest = ''] = notices.keys();
    if (notices.size > MOST_NOTICES) notices.delete(oldest);
  };
  const viewer = (request: FastifyRequest): Viewer => {
    const visitor = gate.visitorOf(request);
    const key = visitor?.formKey ?? '';
    const notice = notices.get(key);
    // A page that updates itself may be left before it shows the outcome.
    if (request.headers['x-update'] === undefined) notices.delete(key);
    return {
      canSignIn: access.takesTokens || options.oidc !== undefined,
      canSignOut: typeof visitor?.session === 'string',
      by: visitor?.by,
      role: visitor?.role,
      formToken: access.formToken(visitor),
      notice,
      locale: localeFor(request, options.timezone),
      here: addressOf(request.url),
    };
  };

  changesRoute(app, { gate, audit, log: options.changeLog, draining, clock });
  openApiRoute(app, options.admin);
  const common = { access, gate, cookieOf, audit, viewer, reports, clock, log };
  const asksName = people.some(({ name }) => name === ADMIN);
  const { store, adminData: data } = options;
  statusRoutes(app, { ...common, isPublic, data, store });
  const isName = (text: string) => text === personName(text);
  signInRoutes(app, {
    ...common,
    asksName,
    oidc: options.oidc && createOidc({ issuer: options.oidc, isName, clock, log }),
    flowCookieOf: (request) => flowCookie(placeOf(request)),
  });
  insightRoutes(app, { ...common, store });
  const { leadSource, tryLead } = options;
  connectorRoutes(app, { ...common, store, leadSource, tryLead, publicUrl });
  recordRoutes(app, { ...common, store, figures: options.figures });
  if (options.delivery) deliveryRoutes(app, { ...common, delivery: options.delivery });
  feeRoutes(app, { ...common, figures: options.figures });
  reportRoutes(app, { ...common, figures: options.figures });
  liveRoutes(app, { ...common, draining });
  oneTapRoutes(app, { ...common, draining, oneTaps: options.oneTaps });
  peopleRoutes(app, { ...common, sessions, rows: options.audit });
  adminRoutes(app, { ...common, subjects, notify, admin: options.admin, data: options.adminData });
}

function countAnswers(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', ({ method, routeOptions: { url } }, { statusCode, elapsedTime }, done) => {
    metrics.answered({ method, route: url, status: statusCode, ms: elapsedTime });
    done();
  });
}

/** As many people are between two pages at most. */
const MOST_NOTICES = 100;

const connectorOf = (intakes: Intakes, text: string): string | undefined =>
  intakes.get(text)
    ? text
    : [...(intakes.keys?.() ?? [])].find((name) => name.toLowerCase() === text.toLowerCase());

/** Of several proxies, the one that the browser reached over HTTPS need not be the last. */
const isHttps = ({ protocol, headers }: FastifyRequest, publicUrl: URL | undefined): boolean =>
  protocol === 'https' ||
  publicUrl?.protocol === 'https:' ||
  /\bhttps\b/i.test(String(headers['x-forwarded-proto'] ?? ''));

/** Keeps browsers that came over HTTPS from returning to HTTP (RFC 6797), except on a shared host. */
function stayOnHttps(app: FastifyInstance, publicUrl: URL | undefined): void {
  if (publicUrl !== undefined && publicUrl.pathname !== '/') return;
  app.addHook('onRequest', (request, reply, done) => {
    if (isHttps(request, publicUrl)) reply.header('strict-transport-security', 'max-age=31536000');
    done();
  });
}

async function listen(app: FastifyInstance, { host, port }: Address, log: Log): Promise<AddressInfo> {
  await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen(error, host, port);
  });
  const address = app.server.address() as AddressInfo;
  log.info('http listening', { port: address.port });
  return address;
}

/** A server on all interfaces is reached from this machine through loopback. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Failure {
  const why: Record<string, [message: string, hint: string]> = {
    EADDRINUSE: [
      `Port ${port} on ${host} is in use`,
      'Stop the other program (another clinic-sync?) or set http.listen to a free port.',
    ],
    EACCES: [`Port ${port} is not allowed here`, 'Set http.listen to a port above 1023.'],
    EADDRNOTAVAIL: [`${host} is not an address of this machine`, 'Set http.listen to 127.0.0.1 or 0.0.0.0.'],
    ENOTFOUND: [`${host} is not an address of this machine`, 'Set http.listen to 127.0.0.1 or 0.0.0.0.'],
  };
  const [message, hint] = why[error.code ?? ''] ?? [
    `Cannot listen on ${host}:${port} (${error.code})`,
    'Check http.listen.',
  ];
  return new Failure({ kind: 'refused', message, hint, cause: error });
}

const noRoom: Readiness = { ok: false, problem: 'There is no room on the disk to store bookings' };

/** Matches links in our pages, but not text that people typed, whose quotes are escaped. */
const LINKS = / (href|action|formaction|src)="\/(?!\/)/g;

/**
 * Prefixes links and redirects with the path of `public_url` (`https://ops.example/clinic-sync`), for a proxy that
 * forwards only that path. Pages and routes need not know it.
 */
function underPublicPath(app: FastifyInstance, publicUrl: URL | undefined): void {
  const path = (publicUrl?.pathname ?? '/').replace(/\/$/, '');
  if (path === '') return;
  app.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location');
    if (typeof location === 'string' && /^\/(?!\/)/.test(location)) reply.header('location', path + location);
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!isPage || typeof payload !== 'string') return done(null, payload);
    const page = payload.replace(LINKS, ` $1="${path}/`);
    reply.header('content-length', Buffer.byteLength(page));
    done(null, page);
  });
}
