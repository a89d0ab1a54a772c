import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { ClinicEvent } from '../clinic/clinic.ts';
import type { BookingDoor } from '../connector.ts';
import type { Clock } from '../model/clock.ts';
import { Failure } from '../model/failure.ts';
import type { Log } from '../model/log.ts';
import type { StatusReport } from '../model/report.ts';
import { createAccess } from './access.ts';
import type { AdminActions, AdminData } from './admin.ts';
import { adminRoutes } from './admin-routes.ts';
import { createAllowance } from './allowance.ts';
import { healthRoutes, type Readiness } from './health.ts';
import { type Intakes, intakeRoutes } from './intake.ts';
import { createMetrics } from './metrics.ts';
import type { Notice, Viewer } from './pages/layout.ts';
import { createReports } from './reports.ts';
import { createServer, defaultLimits, type HttpLimits, type Route } from './server.ts';
import { statusRoutes } from './status-routes.ts';

export interface HttpOptions {
  host: string;
  /** 0: the system chooses. */
  port: number;
  /** Opens the admin routes; empty: they are refused. */
  adminToken: string;
  /** Take visitors' addresses, the scheme and the host from X-Forwarded-… */
  trustProxy: boolean;
  version: string;
  /** May throw or hang: the page then says that the database does not answer. */
  report: () => Promise<StatusReport>;
  /** Connectors that take bookings, by name. Looked up at each request. */
  intakes: Intakes;
  bookings: BookingDoor;
  /** Can a booking be stored right now? */
  ready: () => Readiness | Promise<Readiness>;
  admin: AdminActions;
  adminData: AdminData;
  clock: Clock;
  log: Log;
  limits?: Partial<HttpLimits>;
}

export interface Http {
  /** `http://127.0.0.1:8080`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly routes: readonly Route[];
  /** Feeds the metrics of calls to a clinic. */
  observeCall(clinic: string, event: ClinicEvent): void;
  /** From now on nothing new is taken (503 with Retry-After); what is there can still be read. */
  drain(): void;
  /** Drains, lets answers under way finish until a few seconds after draining began, closes. Idempotent. */
  stop(): Promise<void>;
}

const QUARTER_HOUR = 15 * 60_000;

/** The one port: status page, health, metrics, bookings in, admin. Throws `Failure` refused when it cannot listen. */
export async function startHttp(options: HttpOptions): Promise<Http> {
  const { host, port, adminToken, trustProxy, version, clock, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const { app, routes } = createServer({ trustProxy, limits, log });
  const access = createAccess({ adminToken, clock });
  const metrics = createMetrics();
  const reports = createReports({ report: options.report, version, clock, log });
  const wrongTokens = createAllowance({ limit: limits.wrongTokens, windowMs: QUARTER_HOUR, clock });
  const allowance = createAllowance({ limit: limits.intakePerMinute, windowMs: 60_000, clock });
  const notices = new Map<string, Notice>();
  let drainedAt: number | undefined;
  const draining = () => drainedAt !== undefined;
  const drain = () => {
    drainedAt ??= clock.monotonic();
    return drainedAt;
  };

  const viewer = (request: FastifyRequest): Viewer => {
    const visitor = access.identify(request.headers);
    const session = visitor?.session ?? '';
    const notice = notices.get(session);
    notices.delete(session);
    return { canSignIn: access.enabled, by: visitor?.by, formToken: access.formToken(session), notice };
  };

  healthRoutes(app, { reports, ready: options.ready, draining, metrics, clock });
  statusRoutes(app, { access, wrongTokens, viewer, reports, clock });
  intakeRoutes(app, { ...options, allowance, draining, metrics });
  const { admin, adminData: data } = options;
  adminRoutes(app, { access, wrongTokens, admin, data, notices, viewer, reports, draining, clock, log });

  await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen(error, host, port);
  });
  const address = app.server.address() as AddressInfo;
  log.info('http listening', { port: address.port });

  const close = async () => {
    // Counted from the first word of stopping: whoever was answered slowly had that time already.
    const leftMs = limits.stopMs - (clock.monotonic() - drain());
    const closed = new AbortController();
    const overdue = clock.sleep(leftMs, closed.signal).then(
      () => app.server.closeAllConnections(),
      () => {},
    );
    await app.close();
    closed.abort();
    await overdue;
  };
  let closing: Promise<void> | undefined;

  return {
    url: `http://${reachable(host)}:${address.port}`,
    port: address.port,
    routes,
    observeCall: metrics.observeCall,
    drain() {
      drain();
    },
    stop() {
      closing ??= close();
      return closing;
    },
  };
}

/** An address that listens everywhere is reached on this machine through loopback. */
function reachable(host: string): string {
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
