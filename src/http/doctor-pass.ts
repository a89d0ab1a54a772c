import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sameSecret } from '../platform/constant-time.ts';

/** A request with the pass of `doctor` is answered with what arrived of it, under the same name. */
export const DOCTOR_HEADER = 'x-clinic-sync-doctor';

/** Whoever has it learns only how a request of their own arrived. */
export const doctorPass = (visitorKey: string): string =>
  createHmac('sha256', visitorKey).update('doctor').digest('base64url');

/**
 * What is left of a request behind all proxies: `host`, `scheme` (as the innermost says, if any does), `path`, and the
 * sender's `address` if a proxy names it.
 */
export function tellDoctor(app: FastifyInstance, visitorKey: string): void {
  const pass = doctorPass(visitorKey);
  app.addHook('onRequest', ({ headers, originalUrl: path, ip }, reply, done) => {
    const { [DOCTOR_HEADER]: given, host = '', 'x-forwarded-proto': scheme = '' } = headers;
    const address = headers['x-forwarded-for'] === undefined ? '' : ip;
    if (typeof given === 'string' && sameSecret(given, pass))
      reply.header(DOCTOR_HEADER, `${new URLSearchParams({ host, scheme: String(scheme), path, address })}`);
    done();
  });
}
