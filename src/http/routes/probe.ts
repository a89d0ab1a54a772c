import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IntakeRequest } from '../../connector.ts';
import type { Submission } from '../../domain/booking.ts';
import { PROBE_HEADER, type ProbeAnswer, type RehearsalDoor } from '../../domain/probe.ts';
import { sameSecret } from '../../platform/constant-time.ts';
import type { LogFields } from '../../platform/log.ts';

/** Whoever sends this word is our own probe. */
export interface Probes extends RehearsalDoor {
  word: string;
}

/** Only for a page, or what asks for a check anyway, so that nothing but an answer can come of it. */
export const isProbe = (
  { headers, method }: FastifyRequest,
  { query }: IntakeRequest,
  probes: Probes | undefined,
): boolean =>
  probes !== undefined &&
  (method === 'GET' || query.get('validate') === '1') &&
  sameSecret(String(headers[PROBE_HEADER] ?? ''), probes.word);

/** Judged as it would be stored, in a transaction that is taken back. */
export async function answerProbe(
  reply: FastifyReply,
  { submission }: { submission: Submission },
  probes: RehearsalDoor,
): Promise<LogFields> {
  const { state, reason, faults } = await probes.rehearse(submission);
  reply.send({ probe: true, fields: submission.fields, state, reason, faults } satisfies ProbeAnswer);
  return {};
}
