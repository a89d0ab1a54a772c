import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Auditor } from '../access/auditor.ts';
import type { Gate } from '../access/authorization.ts';
import type { SessionCookie } from '../access/cookies.ts';
import type { Viewer } from '../pages/parts/layout.ts';
import type { Reports } from '../report-data.ts';

/** Shared by all routes that people use in a browser. */
export interface RouteParts {
  gate: Gate;
  cookieOf: (request: FastifyRequest) => SessionCookie;
  audit: Auditor;
  viewer: (request: FastifyRequest) => Viewer;
  reports: Reports;
  clock: Clock;
  log: Log;
}
