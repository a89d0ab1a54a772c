import type { IncomingHttpHeaders } from 'node:http';
import { errorAnswer, jsonAnswer, type SandboxAnswer } from './answer.ts';
import { parseBooking } from './booking-body.ts';
import type { SandboxLimiter } from './limiter.ts';
import type { Practice } from './practice.ts';
import { type Endpoint, routeOf } from './routes.ts';
import type { SandboxTokens } from './tokens.ts';

export interface Credentials {
  app_key: string;
  secret_key: string;
}

/** Answer for an id that does not exist; section 7 leaves it open. */
const unknownIdPolicies = ['404', '400', '200'] as const;
export type UnknownIdPolicy = (typeof unknownIdPolicies)[number];

export interface ApiRequest {
  /** Counted from 1 since the sandbox started. */
  number: number;
  method: string;
  /** Request target as received. */
  target: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Options {
  practice: Practice;
  tokens: SandboxTokens;
  /** Undefined: no limit. Read for each request, so that it can be changed while running. */
  limiter: () => SandboxLimiter | undefined;
  credentials: Credentials;
  unknownId: UnknownIdPolicy;
}

/** The API itself, without a socket. Whatever it commits is durable when it returns. */
export function createApi({ practice, tokens, limiter, credentials, unknownId }: Options) {
  const denied = (message: string) => errorAnswer(401, 'auth_failed', message);

  const unknown = (what: string): SandboxAnswer => {
    const message = `No such ${what}.`;
    if (unknownId === '200') return jsonAnswer(200, { success: false, message });
    return errorAnswer(Number(unknownId), unknownId === '404' ? 'not_found' : 'bad_request', message);
  };

  const authorise = ({ headers }: ApiRequest): SandboxAnswer | undefined => {
    if (headers['x-app-key'] !== credentials.app_key) return denied('No valid API key provided.');
    const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    if (token === undefined) return denied('No access token provided.');
    return tokens.valid(token) ? undefined : denied('The access token is invalid or has expired.');
  };

  const byId = <T>(id: string | undefined, get: (id: number) => T | undefined): T | undefined =>
    id !== undefined && /^\d{1,15}$/.test(id) ? get(Number(id)) : undefined;

  type Handler = (request: ApiRequest, id: string | undefined) => SandboxAnswer;
  const handlers: Record<Endpoint, Handler> = {
    granttoken({ headers }) {
      if (headers['x-app-key'] !== credentials.app_key) return denied('No valid API key provided.');
      if (headers['x-app-secret-key'] !== credentials.secret_key) return denied('The secret key is wrong.');
      return jsonAnswer(200, tokens.grant());
    },
    organization: () =>
      jsonAnswer(200, {
        success: true,
        message: 'Organization retrieved successfully.',
        data: practice.organization(),
      }),
    website: () => jsonAnswer(200, { success: true, site: practice.website() }),
    treatments: () => jsonAnswer(200, { success: true, data: practice.treatments.list() }),
    treatment(_request, id) {
      const data = byId(id, practice.treatments.get);
      return data === undefined ? unknown('treatment') : jsonAnswer(200, { success: true, data });
    },
    dentists: () => jsonAnswer(200, { success: true, data: practice.dentists.list() }),
    book(request) {
      const parsed = parseBooking(request, practice);
      if ('refusal' in parsed) return parsed.refusal;
      const appointment_id = practice.appointments.book(parsed.body, request.number);
      return jsonAnswer(200, {
        success: true,
        message: 'Appointment booked successfully.',
        data: { appointment_id },
      });
    },
    status(_request, id) {
      const found = byId(id, practice.appointments.get);
      if (found === undefined) return unknown('appointment');
      const { status, name, date, time } = found;
      return jsonAnswer(200, {
        success: true,
        message: 'Appointment status retrieved successfully.',
        data: { status, name, date, time },
      });
    },
  };

  return (request: ApiRequest): SandboxAnswer => {
    const route = routeOf(request.method, request.target);
    if (route.kind === 'unknown') return errorAnswer(404, 'not_found', 'No such endpoint.');
    if (route.kind === 'wrong_method')
      return errorAnswer(405, 'method_not_allowed', `Use ${route.allow}.`, { allow: route.allow });
    const limited = limiter()?.refuse();
    if (limited !== undefined) return errorAnswer(429, 'rate_limited', 'Rate limit exceeded.', limited);
    if (route.endpoint !== 'granttoken') {
      const refused = authorise(request);
      if (refused !== undefined) return refused;
    }
    return handlers[route.endpoint](request, route.id);
  };
}
