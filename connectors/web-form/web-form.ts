import { z } from 'zod';
import {
  type Connector,
  defineConnector,
  type IntakeRefusal,
  type IntakeRequest,
  type IntakeResult,
} from '../../src/connector.ts';
import { type Submission, submissionFields } from '../../src/model/booking.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { bearerFault, signatureFault } from './authentication.ts';
import { parseBody } from './body.ts';

const Settings = z.strictObject({
  token: z
    .string()
    .min(16)
    .describe('The token a sender shows as `Authorization: Bearer TOKEN`; at least 16 characters.'),
  secret: z
    .string()
    .min(16)
    .optional()
    .describe('Secret of Standard Webhooks signatures, for senders that sign.'),
  preset: z.enum(['native']).default('native').describe('The form tool that sends.'),
  thanks: z.url().optional().describe('Where a browser goes after the form was sent.'),
});
type Settings = z.infer<typeof Settings>;

/** Takes bookings over HTTP at `/in/{connector}`. */
export const webForm = defineConnector<Settings>({
  name: 'web-form',
  summary: 'Takes bookings over HTTP from web forms and form tools.',
  settings: Settings,
  secrets: ['token', 'secret'],
  async create({ name, settings }): Promise<Connector> {
    const authorize = (request: IntakeRequest): IntakeRefusal | undefined => {
      const signed = request.headers['webhook-signature'] !== undefined && settings.secret !== undefined;
      return signed ? signatureFault(request, settings.secret ?? '') : bearerFault(request, settings.token);
    };

    return {
      intake: {
        authorize,
        async receive(request): Promise<IntakeResult> {
          const refusal = authorize(request);
          if (refusal) return refusal;
          const parsed = await parseBody(request);
          if (!parsed.ok) return parsed.refusal;
          const submission = nativeSubmission(name, parsed.fields, request.headers);
          return { kind: 'submission', submission, ...(settings.thanks && { thanks: settings.thanks }) };
        },
      },
      check: async () => [{ level: 'ok', what: `takes POST /in/${name} (preset ${settings.preset})` }],
      stop: async () => {},
    };
  },
});

/** The API's booking fields by their own names; only these are copied. */
function nativeSubmission(source: string, fields: JsonObject, headers: IntakeRequest['headers']): Submission {
  const submission: Submission = { source, fields: {} };
  for (const name of submissionFields) {
    const value = fields[name];
    if (value !== undefined && value !== null) submission.fields[name] = value;
  }
  const id = text(fields.submission_id) ?? headers['idempotency-key'] ?? headers['webhook-id'];
  if (id !== undefined && id !== '') submission.submission_id = id;
  const clinic = text(fields.clinic);
  if (clinic !== undefined) submission.clinic = clinic;
  return submission;
}

const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
