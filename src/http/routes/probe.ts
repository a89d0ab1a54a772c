import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IntakeRequest } from '../../connector.ts';
import type { Submission } from '../../domain/bookings/booking.ts';
import { PROBE_HEADER, type ProbeAnswer, type RehearsalPort } from '../../domain/bookings/probe.ts';
import { sameSecret } from '../../platform/constant-time.ts';
import type { LogFields } from '../../platform/log.ts';

/** Recognises our own probes by a secret header value. */
export interface Probes extends RehearsalPort {
  word: string;
}

/** Only for a GET or a validation, so that a probe can cause nothing but an answer. */
export const isProbe = (
  { headers, method }: FastifyRequest,
  { query }: IntakeRequest,
  probes: Probes | undefined,
): boolean =>
  probes !== undefined &&
  (method === 'GET' || query.get('validate') === '1') &&
  sameSecret(String(headers[PROBE_HEADER] ?? ''), probes.word);

/** Checks the submission as if it were stored, in a transaction that is rolled back. */
export async function answerProbe(
  reply: FastifyReply,
  { submission }: { submission: Submission },
  probes: RehearsalPort,
): Promise<LogFields> {
  const { state, reason, faults } = await probes.rehearse(submission);
  reply.send({ probe: true, fields: submission.fields, state, reason, faults } satisfies ProbeAnswer);
  return {};
}
