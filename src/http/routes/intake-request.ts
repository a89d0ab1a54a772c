import type { FastifyRequest } from 'fastify';
import type { IntakeRequest } from '../../connector.ts';
import { PROBE_HEADER } from '../../domain/bookings/probe.ts';
import { readQuery } from '../typed-path.ts';

export interface Params {
  connector: string;
  '*'?: string;
}

export const intakePath = (request: FastifyRequest): string => (request.params as Params)['*'] ?? '';

/** The request as connectors see it. */
export function intakeRequest(
  request: FastifyRequest,
  remoteAddress: string,
  publicUrl: URL | undefined,
): IntakeRequest {
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(request.headers)) {
    // Connectors may be third-party code and must not see our sessions.
    if (name === 'cookie' || name === PROBE_HEADER) continue;
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: intakePath(request),
    query: readQuery(request.url),
    headers,
    ...(publicUrl && { publicHost: publicUrl.host }),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    remoteAddress,
  };
}

/** A form whose address still has it: its visitors have no token, and mean it. */
export const isVisitorsRehearsal = ({ query, headers }: IntakeRequest): boolean =>
  query.get('rehearse') === '1' && headers.authorization === undefined;
