import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IntakeRequest, IntakeResult } from '../../connector.ts';
import type { FieldFault, Submission } from '../../domain/bookings/booking.ts';
import { PROBE_HEADER, type ProbeAnswer, type RehearsalPort } from '../../domain/bookings/probe.ts';
import { type PossibleDate, possibleDates } from '../../domain/date-time-format.ts';
import { sameSecret } from '../../platform/constant-time.ts';
import type { Json } from '../../platform/json.ts';
import type { LogFields } from '../../platform/log.ts';

export type ReceivedForm = Extract<IntakeResult, { kind: 'submission' }>;

/** What a submission would become, for whoever sets up the form. */
export function rehearsal({ submission, unused = [] }: ReceivedForm, errors: readonly FieldFault[]) {
  const { source: _source, problems: _problems, fields, ...more } = submission;
  const isSent = errors.length === 0 && submission.task === undefined;
  return {
    ok: true,
    rehearsal: true,
    stored: false,
    would_be: isSent ? 'sent' : 'held',
    fields,
    ...more,
    errors,
    ...couldBe(fields.appointment_date),
    not_used: unused,
  };
}

/** The days that a date in numbers can mean, for whoever has to say which. */
function couldBe(date: Json | undefined): { could_be?: PossibleDate[] } {
  const could_be = possibleDates(typeof date === 'string' ? date : '');
  return could_be.length > 0 ? { could_be } : {};
}

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
